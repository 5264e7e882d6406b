"""Instances of the axioms of algebra; where a hypothesis fails, so may the conclusion."""
from __future__ import annotations

import mpmath as mp
import pytest

from mope_theory.lemmas.algebra import INDEPENDENT, POLAR, UNDERDETERMINED
from mope_theory.statement import Implies
from tests.mope_theory.claims.numeric import Point
from tests.mope_theory.claims.values import matrix, sequence


@pytest.mark.parametrize("z", [mp.mpc(3, -4), mp.mpc(-2, 0), mp.mpc(0, 1)])
def test_polar_form(z: mp.mpc) -> None:
    assert Point({"z": z}, {"zeta": (1, abs(z)), "omega": (0, mp.arg(z))}).holds(POLAR.statement)
    assert not Point({"z": z}, {"zeta": (abs(z),), "omega": (mp.arg(z) + 1,)}).holds(POLAR.statement)


SAMPLES = {"xi": (0, 1, mp.mpf("0.7"), -3)}


@pytest.mark.parametrize("frequencies", [sequence(0, 1, -2), sequence(mp.mpf("0.5"), 7, mp.pi)])
@pytest.mark.parametrize("amplitudes", [sequence(1, -1, 0), sequence(2, mp.mpc(-1, 1), mp.mpc(-1, -1))])
def test_independence_of_characters(frequencies: object, amplitudes: object) -> None:
    point = Point({"N": 3, "x": frequencies, "a": amplitudes}, SAMPLES)
    assert isinstance(INDEPENDENT.statement, Implies)
    assert point.holds(INDEPENDENT.statement.hypothesis)
    assert point.holds(INDEPENDENT.statement)


@pytest.mark.parametrize(
    ("frequencies", "amplitudes"), [(sequence(1, 1, 2), sequence(1, -1, 0)), (sequence(0, 1, 2), sequence(0))]
)
def test_no_independence_of_equal_characters_or_of_no_amplitude(frequencies: object, amplitudes: object) -> None:
    point = Point({"N": 3, "x": frequencies, "a": amplitudes}, SAMPLES)
    assert isinstance(INDEPENDENT.statement, Implies)
    assert not point.holds(INDEPENDENT.statement.hypothesis)
    assert not point.holds(INDEPENDENT.statement.conclusion)


UNKNOWNS = {"M": matrix((1, 0), (1, 1), (0, 2)), "N": 3}


@pytest.mark.parametrize(("equations", "solution"), [(2, sequence(2, -2, 1)), (1, sequence(1, -1, 0))])
def test_fewer_equations_than_unknowns(equations: int, solution: object) -> None:
    assert Point(UNKNOWNS | {"D": equations}, {"a": (sequence(0), solution)}).holds(UNDERDETERMINED.statement)


def test_as_many_equations_as_unknowns() -> None:
    point = Point({"M": matrix((1, 0), (0, 1)), "N": 2, "D": 2}, {"a": (sequence(0), sequence(1, 0), sequence(0, 1))})
    assert isinstance(UNDERDETERMINED.statement, Implies)
    assert not point.holds(UNDERDETERMINED.statement.hypothesis)
    assert not point.holds(UNDERDETERMINED.statement.conclusion)
