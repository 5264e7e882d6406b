"""The evidence for claims: what is kept from earlier calls is recalled, the rest computed, here or in other processes."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import mope_theory as mt
from mope_impl.results.store import RESULTS, load
from mope_theory.claim import KINDS, Claim

from .cache import Cache
from .evidence import Evidence
from .formula_hash import MATERIAL
from .processes import Task, in_processes
from .providers import PROVIDERS
from .providers.experiment import experiments
from .providers.formal import formal_proofs

_STEP, _PIECE = 0.03, 1.0
"""Seconds that a step of a derivation and any other piece are taken to need where nothing is recorded: only the order in which
claims are begun hangs on that."""


def gather(
    claims: Sequence[Claim],
    kinds: Sequence[str],
    jobs: int,
    limit: float | None,
    cache: Cache | None,
    results: Path | None = None,
) -> Iterator[tuple[str, tuple[Evidence, ...]]]:
    """Each claim's id with its evidence, as it is complete.

    kinds: what is asked for; of others only what is out of date is told. jobs: processes; limit: seconds for a claim, or
    None. With one job and no limit everything is computed here, in the order of the claims. results: the folder of the records
    of runs, that of the checkout if None; they are read here, at the end, since statistics start threads: see _context.
    """
    found = {claim.id: _known(claim, kinds, cache) for claim in claims}
    judged = [claim for claim in claims if claim.rules] if "experiment" in kinds else []
    formal = [claim for claim in claims if "formal" in claim.requires] if "formal" in kinds else []
    last = {claim.id for claim in (*judged, *formal)}
    tasks: list[Task] = []
    for claim in claims:
        lacking = tuple(kind for kind in kinds if _computed(claim, kind) and kind not in found[claim.id])
        if lacking:
            tasks.append((claim.id, lacking))
        elif claim.id not in last:
            yield claim.id, _in_order(found[claim.id])
    for id, computed in _compute(tasks, jobs, limit, cache):
        for kind, pieces in computed.items():
            if cache is not None:
                cache.keep(mt.claim(id), kind, pieces)
        found[id] |= computed
        if id not in last:
            yield id, _in_order(found[id])
    runs = load(results or RESULTS) if judged else {}
    for claim in (claim for claim in claims if claim.id in last):
        if claim in judged:
            found[claim.id]["experiment"] = experiments(claim, runs)
        if claim in formal:
            found[claim.id]["formal"] = formal_proofs(claim)
        yield claim.id, _in_order(found[claim.id])


def _known(claim: Claim, kinds: Sequence[str], cache: Cache | None) -> dict[str, tuple[Evidence, ...]]:
    """What the cache holds: current evidence of the kinds that are asked for, and stale evidence of the others."""
    if cache is None:
        return {}
    held = {kind: cache.recall(claim, kind) if kind in kinds else cache.outdated(claim, kind) for kind in _given(claim)}
    return {kind: pieces for kind, pieces in held.items() if pieces}


def _given(claim: Claim) -> tuple[str, ...]:
    return tuple(kind for kind, given in MATERIAL.items() if given(claim))


def _computed(claim: Claim, kind: str) -> bool:
    """Whether there is anything to compute, apart from what runs decide, and from what Coq checks for all claims at once."""
    return kind in PROVIDERS and kind not in ("experiment", "formal") and (kind not in MATERIAL or kind in _given(claim))


def _in_order(found: dict[str, tuple[Evidence, ...]]) -> tuple[Evidence, ...]:
    return tuple(piece for kind in KINDS if kind in found for piece in found[kind])


def _compute(
    tasks: Sequence[Task], jobs: int, limit: float | None, cache: Cache | None
) -> Iterator[tuple[str, dict[str, tuple[Evidence, ...]]]]:
    if jobs == 1 and limit is None:
        yield from ((id, {kind: check(id, kind) for kind in kinds}) for id, kinds in tasks)
        return
    if jobs > 1:  # the longest first: begun last, it would be waited for alone
        tasks = sorted(tasks, key=lambda task: -sum(_seconds(task[0], kind, cache) for kind in task[1]))
    yield from in_processes(tasks, check, jobs, limit)


def _seconds(id: str, kind: str, cache: Cache | None) -> float:
    """What the evidence of a kind took at last, or a guess."""
    claim = mt.claim(id)
    recorded = cache.seconds(claim, kind) if cache is not None else None
    if recorded is not None:
        return recorded
    if kind == "derivation":
        return _STEP * sum(len(derivation.steps) for derivation in claim.derivations)
    return _PIECE * len(MATERIAL[kind](claim)) if kind in MATERIAL else _PIECE


def check(id: str, kind: str) -> tuple[Evidence, ...]:
    """Compute the evidence of one kind for a claim."""
    return PROVIDERS[kind](mt.claim(id))
