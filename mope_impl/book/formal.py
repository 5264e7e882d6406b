"""How a claim stands with the formal proofs, for its box and for the map; the printed statements for their page."""
from __future__ import annotations

from mope_impl.formal.statements import Proposition, propositions
from mope_impl.ledger import Row

STATES: dict[str, str] = {
    "full": "proved in Coq",
    "part": "proved in Coq in part",
    "none": "no formal proof yet",
    "unchecked": "not checked with Coq here",
    "broken": "the formal proof fails",
}
"""State → what is said of it; a claim that asks for no formal proof has none."""


def state(row: Row) -> str | None:
    """``full`` where Coq settles each statement that the claim makes, true or false; None where no formal proof is asked for."""
    if "formal" not in row.claim.requires:
        return None
    pieces = [piece for piece in row.evidence if piece.kind == "formal"]
    if any(piece.status == "fails" for piece in pieces):
        return "broken"
    if any(piece.status == "missing" for piece in pieces):
        return "unchecked"
    held = [piece for piece in pieces if piece.status == "holds"]
    settled = {piece.side for piece in held if piece.establishes is not None}
    if settled == set(row.claim.statements):
        return "full"
    return "part" if held else "none"


def anchor(claim: str) -> str:
    """The anchor of a claim's statements on the page of the formal proofs."""
    return f"formal-{claim.replace('.', '-')}"


def printed(row: Row) -> tuple[Proposition, ...]:
    """The members of the statements, as Coq reads them."""
    return propositions(row.claim)
