"""Verify claims: gather the evidence, compute the verdicts, compare them with what was expected."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import mope_theory as mt
from mope_theory.claim import KINDS, Claim
from mope_theory.claims.expected import EXPECTED

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


@dataclass(frozen=True)
class Row:
    """One claim with its evidence and its verdict."""

    claim: Claim
    evidence: tuple[Evidence, ...]
    expected: str | None

    @property
    def verdict(self) -> str:
        """Computed from the evidence alone."""
        published, ours = (
            knowledge(self.evidence, side) if side in self.claim.statements else "absent" for side in ("published", "ours")
        )
        return verdict(published, ours, experimental(self.evidence))

    @property
    def missing(self) -> tuple[str, ...]:
        """Required kinds of evidence that no piece supplies; a piece on a part of the box or of the statement does supply it."""
        held = {e.kind for e in self.evidence if e.status == "holds"}
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
            "id": claim.id,
            "title": claim.title,
            "published_latex": claim.published.latex() if claim.published else None,
            "ours_latex": claim.ours.latex() if claim.ours else None,
            "expected": self.expected,
            "verdict": self.verdict,
            "missing": list(self.missing),
            "evidence": [e.to_json() for e in self.evidence],
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
                lines.append(f"{row.claim.id}: verdict {row.verdict}, expected {row.expected}")
            lines += [f"{row.claim.id}: {e.kind} {e.status}: {e.detail}" for e in row.failed]
            if strict and (row.verdict == "open" or row.missing):
                missing = f"missing {', '.join(row.missing)}" if row.missing else ""
                lines.append(f"{row.claim.id}: " + "; ".join(filter(None, ("open" * (row.verdict == "open"), missing))))
        return lines

    def remarks(self) -> list[str]:
        """One line for each piece of evidence that is undecided or out of date: no failure, and no pass either."""
        said = {"unknown": "undecided", "stale": "stale"}
        pieces = [(row.claim.id, e) for row in self.rows for e in row.evidence if e.status in said]
        return [f"{id}: {e.kind} {said[e.status]}: {e.detail}" for id, e in pieces]

    def exit_code(self, strict: bool = False) -> int:
        """0 if nothing selected contradicts its expectation, is in conflict or fails; with strict, nor is open or incomplete."""
        return 1 if self.complaints(strict) else 0

    def to_json(self) -> dict[str, object]:
        """The ledger as plain types, schema 1."""
        return {"schema": 1, "claims": [row.to_json() for row in self.rows]}


def verify(
    ids: Sequence[str] | None = None,
    levels: Sequence[str] = DEFAULT_LEVELS,
    jobs: int = 1,
    progress: Progress | None = None,
    *,
    limit: float | None = None,
    cache: Cache | None = None,
) -> Ledger:
    """Compute the evidence of the levels asked for and the verdicts that follow.

    ids: claims, all if None or empty; levels: keys of LEVELS, or "all"; jobs: processes; limit: seconds that one claim may
    take before it is left undecided, None for as long as it takes; cache: where evidence is kept from call to call.

    Raises UnknownName for an unknown id or level, ValueError for jobs below 1 or a limit that is not positive.
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
    chosen = [mt.claim(id) for id in dict.fromkeys(ids or (claim.id for claim in mt.claims()))]
    found: dict[str, tuple[Evidence, ...]] = {}
    for id, evidence in gather(chosen, kinds, jobs, limit, cache):
        found[id] = evidence
        if progress:
            progress(id, len(found), len(chosen))
    return Ledger(tuple(Row(claim, found[claim.id], EXPECTED[claim.id]) for claim in chosen))
