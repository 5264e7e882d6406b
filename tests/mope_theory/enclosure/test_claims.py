"""The enclosures of the claims: each of a statement of its claim, within its box, and seen to fail where a fault is planted."""
from __future__ import annotations

from dataclasses import replace

import pytest

import mope_theory as mt
from mope_theory.claims.expected import EXPECTED
from mope_theory.enclosure import ENCLOSURES, AwayFromZero, Enclosure, Subdivision, run
from mope_theory.statement import And, Implies, Not
from tests.mope_theory.claims.faults import faulty

OWN = [
    pytest.param(claim.id, enclosure, id=f"{claim.id}-{number}")
    for claim in mt.claims()
    for number, enclosure in enumerate(claim.enclosures)
]


def asserting(id: str, enclosure: Enclosure) -> bool:
    """Is the statement one that faults can be planted in, and not one that the enclosure disproves?"""
    claim = mt.claim(id)
    side, _ = claim.speaks_of(enclosure.statement) or claim.part_of(enclosure.statement)
    return bool(list(faulty(enclosure.statement))) and not (side == "published" and EXPECTED[id] == "corrected")


def test_every_claim_that_asks_for_an_enclosure_has_one() -> None:
    asking = {claim.id for claim in mt.claims() if "enclosure" in claim.requires}
    assert asking == {claim.id for claim in mt.claims() if claim.enclosures}


@pytest.mark.parametrize(("id", "enclosure"), OWN)
def test_an_enclosure_is_of_its_claim_and_decides(id: str, enclosure: Enclosure) -> None:
    """It speaks of a statement or a member, stays in the box, and ends with an answer: against what is published, or for it."""
    claim = mt.claim(id)
    assert type(enclosure) in ENCLOSURES
    spoken = claim.speaks_of(enclosure.statement) or claim.part_of(enclosure.statement)
    assert spoken is not None
    assert enclosure.lies_within(claim.box)
    outcome = run(enclosure)
    assert outcome.status == "holds" or (outcome.status, spoken[0]) == ("fails", "published"), outcome.reason


@pytest.mark.parametrize(("id", "enclosure"), [own for own in OWN if asserting(*own.values)])
def test_a_fault_in_the_statement_does_not_hold(id: str, enclosure: Enclosure) -> None:
    """A last digit off by one, a side off by a millionth, an inequality turned round: none is enclosed."""
    few = {"max_cells": 300} if isinstance(enclosure, Subdivision) else {}
    faults = list(faulty(enclosure.statement))
    survivors = [fault.text() for fault in faults if run(replace(enclosure, statement=fault, **few))]
    assert faults
    assert survivors == []


def test_one_width_agrees_with_alibi_at_one_distance() -> None:
    """Of two matches at one distance it is not said that they cannot be."""
    (own,) = mt.claim("limit.alibi").enclosures
    assert isinstance(own, Subdivision)
    assert isinstance(own.statement, Implies)
    assert isinstance(own.statement.conclusion, Not)
    match = own.statement.conclusion.body.body[0]
    for fault in (Not(And(match, match)), And(match, match)):
        assert not run(replace(own, statement=Implies(own.statement.hypothesis, fault), max_cells=300))


def test_a_fault_in_the_equation_behind_a_quantity_away_from_0_does_not_hold() -> None:
    (own,) = mt.claim("admissibility.strict").enclosures
    assert isinstance(own, AwayFromZero)
    for fault in faulty(own.equation.statement):
        assert not run(replace(own, equation=replace(own.equation, statement=fault)))
