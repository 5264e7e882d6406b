"""Evidence by ball arithmetic: each enclosure is run, and matched with the statement, or the part of it, that it encloses."""
from __future__ import annotations

from time import perf_counter

from mope_theory.claim import Claim

from ..evidence import Evidence, Status

_STATUS: dict[str, Status] = {"holds": "holds", "fails": "fails", "refused": "unknown"}


def enclosures(claim: Claim) -> tuple[Evidence, ...]:
    """One piece of evidence for each enclosure of the claim; one that encloses only a part establishes nothing alone."""
    pieces = []
    for enclosure in claim.enclosures:
        start = perf_counter()
        side, truth = claim.speaks_of(enclosure.statement) or (claim.part_of(enclosure.statement), None)
        outcome = enclosure.check()
        status, detail = _STATUS[outcome.status], outcome.reason
        if side is None:
            status, detail = "fails", "it encloses neither statement of the claim nor a part of one"
        if outcome.status == "fails" and truth is True and enclosure.refutes:
            truth, status = False, "holds"
        pieces.append(Evidence("enclosure", side, truth, status, detail, perf_counter() - start))
    return tuple(pieces)
