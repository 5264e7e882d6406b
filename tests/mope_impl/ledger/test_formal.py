"""The ledger's formal evidence, from what a check of the proofs found."""

from __future__ import annotations

import pytest

import mope_theory as mt
from mope_impl.formal.outcome import Fault, Missing, Outcome, Theorem
from mope_impl.formal.statements import Proposition, propositions
from mope_impl.ledger.providers.formal import formal_proofs
from mope_impl.ledger.verdict import knowledge

AXIOMS = ("Classical_Prop.classic",)


def theorem(proposition: Proposition, refutes: bool = False) -> Theorem:
    return Theorem(f"Claims.{proposition.name}", proposition.claim, proposition, refutes, AXIOMS, 0.5)


def found(*theorems: Theorem, faults: tuple[Fault, ...] = ()) -> Outcome:
    return Outcome(theorems, faults, "8.16.1", 1.0)


ENVELOPE = mt.claim("definition.envelope")
MEMBERS = [p for p in propositions(ENVELOPE) if p.side == "published"]


def test_every_member_proved_is_the_statement_proved():
    (piece,) = formal_proofs(ENVELOPE, found(*map(theorem, MEMBERS)))
    assert (piece.side, piece.establishes, piece.status) == ("published", True, "holds")
    assert piece.seconds == 0.5 * len(MEMBERS)
    assert "classic" in piece.detail
    assert "Claims.definition_envelope_published_1" in piece.detail
    assert knowledge([piece], "published") == "true"


def test_a_member_that_lacks_makes_it_a_part():
    (piece,) = formal_proofs(ENVELOPE, found(*map(theorem, MEMBERS[:-1])))
    assert (piece.establishes, piece.status) == (None, "holds")
    assert piece.detail.startswith("members 1, 2, 3, 4 of 5: ")
    assert knowledge([piece], "published") == "unknown"


def test_a_refuted_member_refutes_the_statement():
    (piece,) = formal_proofs(ENVELOPE, found(*map(theorem, MEMBERS[1:]), theorem(MEMBERS[0], refutes=True)))
    assert (piece.side, piece.establishes) == ("published", False)
    assert knowledge([piece], "published") == "false"


def test_a_theorem_in_words_of_its_own_establishes_nothing_alone():
    own = Theorem("Uncertainty.heisenberg", "uncertainty.bound", None, False, AXIOMS, 1.0)
    (piece,) = formal_proofs(mt.claim("uncertainty.bound"), found(own))
    assert (piece.side, piece.establishes, piece.status) == ("ours", None, "holds")
    assert "in words of its own" in piece.detail


@pytest.mark.parametrize("claim, told", [("definition.envelope", True), ("", True), ("kernel.product", False), (None, False)])
def test_a_fault_fails_the_claims_that_it_touches(claim, told):
    (piece,) = formal_proofs(ENVELOPE, found(*map(theorem, MEMBERS), faults=(Fault(claim, "it is broken"),)))
    assert (piece.status == "fails") == told
    assert ("it is broken" in piece.detail) == told


def test_without_a_theorem_there_is_no_evidence():
    assert formal_proofs(ENVELOPE, found()) == ()


def test_where_coq_is_not_installed_nothing_holds():
    (piece,) = formal_proofs(ENVELOPE, Missing("not checked on this machine: install Coq"))
    assert (piece.status, piece.establishes) == ("missing", None)
    assert knowledge([piece], "published") == "unknown"


def test_a_claim_that_asks_for_none_has_none():
    assert formal_proofs(mt.claim("report.units"), found()) == ()
