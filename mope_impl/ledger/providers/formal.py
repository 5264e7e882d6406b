"""Evidence by formal proof: the theorems of ``proofs/`` that Coq accepts for a claim, and what they rest on."""
from __future__ import annotations

from functools import cache

from mope_impl.formal.check import check
from mope_impl.formal.outcome import Missing, Outcome, Theorem
from mope_impl.formal.statements import Proposition, propositions
from mope_theory.claim import Claim, Side

from ..evidence import Evidence


def formal_proofs(claim: Claim, outcome: Outcome | Missing | None = None) -> tuple[Evidence, ...]:
    """One piece for each side that theorems speak of; none for a claim that asks for no formal proof.

    outcome: what the check of all proofs found; it is made, once in a process, if None.
    """
    if "formal" not in claim.requires:
        return ()
    found = _checked() if outcome is None else outcome
    if isinstance(found, Missing):
        return (Evidence("formal", None, None, "missing", str(found), 0.0),)
    faults = [fault.what for fault in found.faults if fault.claim in ("", claim.id)]
    if faults:
        more = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
        return (Evidence("formal", None, None, "fails", f"{faults[0]}{more}", 0.0),)
    theorems = found.of(claim.id)
    pieces = [_printed(claim, side, theorems) for side in claim.statements]
    pieces.append(_own_words("ours" if claim.ours is not None else "published", theorems))
    return tuple(piece for piece in pieces if piece is not None)


@cache
def _checked() -> Outcome | Missing:
    try:
        return check()
    except Missing as missing:
        return missing


def _printed(claim: Claim, side: Side, theorems: tuple[Theorem, ...]) -> Evidence | None:
    """What theorems make of a statement of the claim: true if each of its members is proved, false if one is refuted."""
    members = [p for p in propositions(claim) if p.side == side]
    own = [t for t in theorems if t.proposition is not None and t.proposition.side == side]
    if not own:
        return None
    refuted = [t for t in own if t.refutes]
    proved = {t.proposition.name for t in own if t.proposition is not None and not t.refutes}
    if refuted:
        return _piece(side, False, f"refuted: {_named(refuted)}", refuted)
    whole = proved == {p.name for p in members}
    part = "" if whole else f"{_numbers([p for p in members if p.name in proved])} of {len(members)}: "
    return _piece(side, True if whole else None, f"{part}{_named(own)}", own)


def _own_words(side: Side, theorems: tuple[Theorem, ...]) -> Evidence | None:
    """Theorems that say in words of their own what the printed statement does not say."""
    own = [t for t in theorems if t.proposition is None]
    return _piece(side, None, f"in words of its own: {_named(own)}", own) if own else None


def _piece(side: Side | None, establishes: bool | None, detail: str, theorems: list[Theorem]) -> Evidence:
    axioms = sorted({name.rpartition(".")[2] for t in theorems for name in t.axioms})
    rests = f"axioms {', '.join(axioms)}" if axioms else "no axiom"
    return Evidence("formal", side, establishes, "holds", f"{detail}; {rests}", sum(t.seconds for t in theorems))


def _named(theorems: list[Theorem]) -> str:
    return ", ".join(t.name for t in theorems)


def _numbers(members: list[Proposition]) -> str:
    return f"members {', '.join(str(p.member) for p in members)}"
