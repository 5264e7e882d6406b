"""Every inference of every claim mutated: what kills each mutant, counted by what was changed."""
from __future__ import annotations

import random
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import mope_theory as mt
from mope_theory.derivation import Chain
from tests.mope_theory.mutants.derivations import Mutant, everything, node_mutants, step_mutants
from tests.mope_theory.mutants.expressions import Pick
from tests.mope_theory.mutants.judge import true_all_the_same

KILLERS = (
    "found wrong",
    "refuted at a point",
    "not established",
    "an assumption is left open",
    "proves the same",
    "true all the same",
)
"""What becomes of a mutant. The last two are no faults: it proves what the original did, or what is true as well."""
SURVIVES = "SURVIVES"


@dataclass
class Survey:
    """Counts, and what survived for no good reason."""

    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    claims: dict[str, Counter[str]] = field(default_factory=dict)
    survivors: list[str] = field(default_factory=list)

    def add(self, claim: str, mutant: Mutant) -> None:
        end = fate(mutant)
        self.kinds.setdefault(mutant.kind, Counter())[end] += 1
        self.claims.setdefault(claim, Counter())[end] += 1
        if end == SURVIVES:
            self.survivors.append(f"{claim}, {mutant.place}, {mutant.kind}: {mutant.inference.statement.text()}")

    @property
    def total(self) -> Counter[str]:
        return sum(self.kinds.values(), Counter())


LIMIT = 20.0
"""Seconds of computation after which a check is given up: SymPy may sum a series without end that a slip made diverge."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in what takes longer, by the clock of the process alone."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"given up after {seconds} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def fate(mutant: Mutant) -> str:
    """What becomes of a mutant."""
    with limited(LIMIT):
        outcome = mutant.check()
    if not outcome:
        if "vetoed" in outcome.reason:
            return "refuted at a point"
        return "found wrong" if outcome.status == "fails" else "not established"
    if mutant.left_open:
        return "an assumption is left open"
    if mutant.inference.statement == mutant.original.statement:
        return "proves the same"
    return "true all the same" if true_all_the_same(mutant.inference) else SURVIVES


def all_mutants(claim: mt.Claim) -> Iterator[Mutant]:
    """Of each inference, in each thing that it is made of, one mutant of each kind."""
    nodes, pick = everything(*claim.derivations), Pick(1)
    for number, node in enumerate(nodes, 1):
        yield from node_mutants(f"{type(node).__name__} {number}", node, nodes, pick)
        for place, step in enumerate(node.links if isinstance(node, Chain) else (), 1):
            yield from step_mutants(f"{type(step.rule).__name__} {number}.{place}", step, nodes, pick)


def sample(mutants: list[Mutant], seed: int) -> list[Mutant]:
    """One mutant of each inference, and one of each kind."""
    rng = random.Random(seed)
    places: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        places.setdefault(mutant.place, []).append(mutant)
    chosen = [rng.choice(some) for some in places.values()]
    kinds = {mutant.kind for mutant in chosen}
    for mutant in mutants:
        if mutant.kind not in kinds:
            kinds.add(mutant.kind)
            chosen.append(mutant)
    return chosen


def survey(found: Survey, ids: tuple[str, ...], seed: int | None = None) -> Survey:
    """The mutants of some claims, counted; with a seed, a sample of them."""
    for id in ids:
        mutants = list(all_mutants(mt.claim(id)))
        for mutant in mutants if seed is None else sample(mutants, seed):
            found.add(id, mutant)
    return found
