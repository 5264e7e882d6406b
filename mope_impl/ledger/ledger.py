"""Verify claims: gather the evidence, compute the verdicts, compare them with what was expected."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import mope_theory as mt
from mope_theory.claim import KINDS, Claim
from mope_theory.claims.expected import EXPECTED
from mope_theory.experiments import DECIDING, SCOPES

from .cache import Cache
from .evidence import Evidence
from .gather import gather
from .verdict import experimental, knowledge, verdict

LEVELS: dict[str, str] = {
    "derive": "derivation",
    "enclose": "enclosure",
    "formal": "formal",
    "kernel": "kernel",
    "experiment": "experiment",
}
"""Level of `mope verify` → kind of evidence that it computes."""

DEFAULT_LEVELS = ("derive", "enclose")

LIMIT = 60.0
"""Seconds that a claim may take by default: none takes more than 5 on a quiet machine, and a busy one is a few times slower."""

Progress = Callable[[str, int, int], None]
"""Called with (claim id, number done, number in all) as each claim is finished."""


SPOKEN = {"published": "what the paper says", "ours": "what we say", None: "what is asked beside the statements"}
"""Side of a piece of evidence by experiment → what the runs judge."""


@dataclass(frozen=True)
class Scope:
    """The verdict that runs at one preset give, and why."""

    id: str
    verdict: str
    detail: str

    @property
    def preset(self) -> str:
        return self.id.partition("@")[2]

    def to_json(self) -> dict[str, str]:
        """The scope as plain types."""
        return {"id": self.id, "verdict": self.verdict, "detail": self.detail}


@dataclass(frozen=True)
class Row:
    """One claim with its evidence and its verdict."""

    claim: Claim
    evidence: tuple[Evidence, ...]
    expected: str | None
    asked: str | None = None
    """The preset that its verdict was asked at; None for the claim's own verdict."""

    @property
    def id(self) -> str:
        """The id that it was asked under, ``experiment.table`` or ``experiment.table@cpu``."""
        return scoped(self.claim.id, self.asked)

    @property
    def preset(self) -> str | None:
        """The preset whose runs decide: at the paper's size what the paper says; None where no run decides anything."""
        return self.asked or deciding(self.claim)

    @property
    def verdict(self) -> str:
        """Computed from the evidence alone."""
        if self.asked is not None:
            return experimental(self.evidence, self.asked) or "open"
        published, ours = (
            knowledge(self.evidence, side) if side in self.claim.statements else "absent" for side in ("published", "ours")
        )
        runs = None if self.claim.measured is not None else experimental(self.evidence, self.preset)
        return verdict(published, ours, runs)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The verdict of the runs at each preset that evidence was computed for."""
        presets = dict.fromkeys(e.preset for e in self.evidence if e.kind == "experiment" and e.preset is not None)
        return tuple(
            Scope(
                scoped(self.claim.id, preset),
                experimental(self.evidence, preset) or "open",
                "; ".join(f"{SPOKEN[e.side]}: {e.detail}" for e in self.evidence if e.preset == preset),
            )
            for preset in presets
        )

    @property
    def missing(self) -> tuple[str, ...]:
        """Required kinds of evidence that no piece supplies; a piece on a part of the box or of the statement does supply it."""
        held = {e.kind for e in self.evidence if e.status == "holds" and e.preset in (None, self.preset)}
        derived = {e.side for e in self.evidence if e.kind == "derivation" and e.status == "holds"}
        if derived < set(self.claim.statements):
            held.discard("derivation")  # each statement asks for its own
        return tuple(kind for kind in KINDS if kind in self.claim.requires and kind not in held)

    @property
    def failed(self) -> tuple[Evidence, ...]:
        return tuple(e for e in self.evidence if e.status == "fails")

    @property
    def contradicts(self) -> bool:
        """True if a definite verdict differs from the expected one; `certified` is a weaker `proved`, not another verdict."""
        if self.verdict == "conflict":
            return True
        if self.expected is None or self.verdict == "open":
            return False
        return self.verdict != self.expected and (self.verdict, self.expected) != ("certified", "proved")

    def to_json(self) -> dict[str, object]:
        """The row as plain types."""
        claim = self.claim
        return {
            "id": self.id,
            "title": claim.title,
            "published_latex": claim.published.latex() if claim.published else None,
            "ours_latex": claim.ours.latex() if claim.ours else None,
            "expected": self.expected,
            "verdict": self.verdict,
            "missing": list(self.missing),
            "evidence": [e.to_json() for e in self.evidence],
            "scopes": [scope.to_json() for scope in self.scopes],
        }


@dataclass(frozen=True)
class Ledger:
    """The rows that were asked for."""

    rows: tuple[Row, ...]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def complaints(self, strict: bool = False) -> list[str]:
        """One line for each thing that makes the exit code 1."""
        lines = []
        for row in self.rows:
            if row.contradicts:
                lines.append(f"{row.id}: verdict {row.verdict}, expected {row.expected}")
            lines += [f"{row.id}: {_named(e)} {e.status}: {e.detail}" for e in row.failed]
            if strict and (row.verdict == "open" or row.missing):
                missing = f"missing {', '.join(row.missing)}" if row.missing else ""
                lines.append(f"{row.id}: " + "; ".join(filter(None, ("open" * (row.verdict == "open"), missing))))
        return lines

    def remarks(self) -> list[str]:
        """One line for each piece of evidence that is undecided or out of date: no failure, and no pass either."""
        said = {"unknown": "undecided", "stale": "stale"}
        pieces = [(row.id, e) for row in self.rows for e in row.evidence if e.status in said]
        absent = dict.fromkeys(f"{e.kind}: {e.detail}" for row in self.rows for e in row.evidence if _is_unchecked(e))
        return [*(f"{id}: {_named(e)} {said[e.status]}: {e.detail}" for id, e in pieces), *absent]

    def exit_code(self, strict: bool = False) -> int:
        """0 if nothing selected contradicts its expectation, is in conflict or fails; with strict, nor is open or incomplete."""
        return 1 if self.complaints(strict) else 0

    def to_json(self) -> dict[str, object]:
        """The ledger as plain types, schema 1."""
        return {"schema": 1, "claims": [row.to_json() for row in self.rows]}


def _is_unchecked(piece: Evidence) -> bool:
    """Whether this machine lacks what the check of a piece takes: said once, not for each claim."""
    return piece.status == "missing" and piece.kind == "formal"


def _named(piece: Evidence) -> str:
    return scoped(piece.kind, piece.preset)


def scoped(id: str, preset: str | None) -> str:
    """The id of a claim at a preset."""
    return id if preset is None else f"{id}@{preset}"


def deciding(claim: Claim) -> str | None:
    """The preset whose runs decide the claim itself; None for one that no run speaks of."""
    if not claim.rules:
        return None
    return DECIDING["published" if "published" in claim.rules else "ours"]


def parted(id: str) -> tuple[Claim, str | None]:
    """The claim and the preset of an id such as ``experiment.table@cpu``; the preset of one without is None.

    Raises UnknownName for an unknown claim or preset, ValueError for a preset of a claim that no run speaks of.
    """
    name, at, preset = id.partition("@")
    claim = mt.claim(name)
    if not at:
        return claim, None
    if not claim.rules:
        raise ValueError(f"no run speaks of {name}: it has no verdict at a preset")
    if preset not in SCOPES:
        raise mt.UnknownName("preset", preset, SCOPES)
    return claim, preset


def verify(
    ids: Sequence[str] | None = None,
    levels: Sequence[str] = DEFAULT_LEVELS,
    jobs: int = 1,
    progress: Progress | None = None,
    *,
    limit: float | None = None,
    cache: Cache | None = None,
    results: Path | None = None,
) -> Ledger:
    """Compute the evidence of the levels asked for and the verdicts that follow.

    ids: claims, all if None or empty; levels: keys of LEVELS, or "all"; jobs: processes; limit: seconds that one claim may
    take before it is left undecided, None for as long as it takes; cache: where evidence is kept from call to call; results:
    the folder of the records of runs, that of the checkout if None. An id may name a preset, ``experiment.table@cpu``.

    Raises UnknownName for an unknown id, preset or level, ValueError for jobs below 1 or a limit that is not positive.
    """
    if jobs < 1:
        raise ValueError(f"jobs must be at least 1, got {jobs}")
    if limit is not None and not limit > 0:
        raise ValueError(f"limit must be positive, got {limit}")
    for level in levels:
        if level not in (*LEVELS, "all"):
            raise mt.UnknownName("level", level, (*LEVELS, "all"))
    kinds = tuple(LEVELS.values()) if "all" in levels else tuple(LEVELS[level] for level in levels)
    unexpected = sorted({c.id for c in mt.claims()} - set(EXPECTED))
    if unexpected:
        raise ValueError(f"mope_theory/claims/expected.py says nothing of {', '.join(unexpected)}")
    chosen = [parted(id) for id in dict.fromkeys(ids or (claim.id for claim in mt.claims()))]
    claims = [mt.claim(id) for id in dict.fromkeys(claim.id for claim, _ in chosen)]
    found: dict[str, tuple[Evidence, ...]] = {}
    for id, evidence in gather(claims, kinds, jobs, limit, cache, results):
        found[id] = evidence
        if progress:
            progress(id, len(found), len(claims))
    return Ledger(tuple(_row(claim, found[claim.id], preset) for claim, preset in chosen))


def _row(claim: Claim, evidence: tuple[Evidence, ...], preset: str | None) -> Row:
    """The row of a claim, or of its runs at one preset: of those nothing was expected, and they alone count."""
    if preset is None:
        return Row(claim, evidence, EXPECTED[claim.id])
    return Row(claim, tuple(e for e in evidence if e.preset == preset), None, preset)
