"""Instances of the axioms, by quadrature and summation in mpmath: a slip of the pen in one shows here."""
from __future__ import annotations

import mpmath as mp
import pytest

from mope_theory.lemmas.axioms import AXIOMS, POISSON, decay, shift, turn
from mope_theory.statement import Equal
from tests.mope_theory.claims.numeric import Point


def test_every_axiom_has_a_name_of_its_own_and_a_reference() -> None:
    assert all(axiom.name and axiom.reference and axiom.statement.is_plain() for axiom in AXIOMS)
    assert len({axiom.name for axiom in AXIOMS}) == len(AXIOMS)


COMBS = [(1, 0, 0), ("0.3", "0.25", "1.5"), (2, "-3.7", "-4"), ("0.05", "0.5", 7)]
"""Decay, shift, turn."""


def poisson_gap(a: object, x: object, y: object, sign: int = 1) -> mp.mpf:
    assert isinstance(POISSON.statement, Equal)
    with mp.workdps(30):
        point = Point({decay.name: a, shift.name: x, turn.name: y})
        left = point.value(POISSON.statement.lhs)
        right = Point({decay.name: a, shift.name: mp.mpf(x) * sign, turn.name: y}).value(POISSON.statement.rhs)
        return abs(left - right)


@pytest.mark.parametrize("comb", COMBS)
def test_poisson_summation(comb: tuple[object, ...]) -> None:
    assert poisson_gap(*comb) < mp.mpf(10) ** -25


def test_poisson_summation_with_the_shift_the_other_way_round() -> None:
    assert poisson_gap(*COMBS[2], sign=-1) > 0.01
