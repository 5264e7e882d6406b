"""Instances of the axioms, by quadrature and summation in mpmath: a slip of the pen in one shows here."""
from __future__ import annotations

from itertools import pairwise

import mpmath as mp
import pytest

from mope_theory.lemmas.axioms import AXIOMS, GAUSSIANS_MIXED, HARMONIC, POISSON, decay, shift, turn
from mope_theory.lemmas.half_line import offset, rate, weight
from mope_theory.statement import Equal, Implies
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


def mixture_gap(a: object, b: object, factor: int = 1) -> mp.mpf:
    assert isinstance(GAUSSIANS_MIXED.statement, Equal)
    point = Point({rate.name: a, offset.name: b, weight.name: 3})
    with mp.workdps(20):
        return abs(point.value(GAUSSIANS_MIXED.statement.lhs) - factor * point.value(GAUSSIANS_MIXED.statement.rhs))


@pytest.mark.parametrize("pair", [(1, 0), ("0.7", "-1.5"), (2, "0.25")])
def test_a_mixture_of_gaussians(pair: tuple[object, object]) -> None:
    assert mixture_gap(*pair) < mp.mpf(10) ** -9  # the quadrature across √v at 0
    assert mixture_gap(*pair, factor=2) > 0.01


def test_what_lies_above_c_over_x_is_not_integrable() -> None:
    """Each thousandth part of the range adds c ln 1000; below c/x, as 1/√x near 0, the parts add less and less."""
    ends = [mp.mpf(10) ** -n for n in (0, 3, 6, 9)]
    above = [mp.quad(lambda x: (2 + x) / x, [a, b]) for b, a in pairwise(ends)]
    assert all(part > 2 * mp.log(1000) for part in above)
    below = [mp.quad(lambda x: 1 / mp.sqrt(x), [a, b]) for b, a in pairwise(ends)]
    assert all(later < earlier / 30 for earlier, later in pairwise(below))
    assert isinstance(HARMONIC.statement, Implies)
