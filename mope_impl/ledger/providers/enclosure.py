"""Evidence by ball arithmetic: each enclosure is run, and matched with the statement, or the part of it, that it encloses."""
from __future__ import annotations

from time import perf_counter

from mope_theory.claim import Claim
from mope_theory.domains import uncovered
from mope_theory.enclosure import Enclosure, run

from ..evidence import Evidence, Status

_STATUS: dict[str, Status] = {"holds": "holds", "fails": "holds", "refused": "unknown"}
"""An enclosure that fails has disproved its statement at a point: that is evidence which holds, for the opposite."""


def enclosures(claim: Claim) -> tuple[Evidence, ...]:
    """One piece of evidence for each enclosure of the claim.

    One that encloses a member of a conjunction, or a part of the box, establishes nothing alone; one that disproves a member
    anywhere disproves the whole.
    """
    return tuple(_evidence(claim, enclosure) for enclosure in claim.enclosures)


def _evidence(claim: Claim, enclosure: Enclosure) -> Evidence:
    start = perf_counter()
    whole, part = claim.speaks_of(enclosure.statement), claim.part_of(enclosure.statement)
    truth: bool | None = None
    if whole:
        (side, speaks), prefix = whole, ""
        truth = speaks if enclosure.covers(claim.box) else None
    elif part:
        side, prefix = part[0], f"part {part[1]}: "
    else:
        return Evidence("enclosure", None, None, "fails", "it encloses no statement of the claim, nor a part of one", 0.0)
    gaps = uncovered(claim)
    if gaps:
        return Evidence("enclosure", side, None, "fails", "; ".join(gaps), 0.0)
    if not enclosure.lies_within(claim.box):
        return Evidence("enclosure", side, None, "fails", f"{prefix}it leaves the box of the claim", 0.0)
    outcome = run(enclosure)
    if outcome.status == "fails" and whole and not whole[1]:
        # there the statement holds, which says nothing of elsewhere
        detail = f"the negation is not so everywhere: {outcome.reason}"
        return Evidence("enclosure", side, None, "unknown", detail, perf_counter() - start)
    if outcome.status == "fails":
        truth, prefix = False, f"{prefix}disproved: "
    everywhere = outcome and enclosure.statement.free_symbols and enclosure.covers(claim.box)
    detail = prefix + outcome.reason + ("; the whole box" if everywhere else "")
    return Evidence("enclosure", side, truth, _STATUS[outcome.status], detail, perf_counter() - start)
