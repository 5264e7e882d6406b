"""Instances of the axioms on integrals, by quadrature; where a hypothesis fails, so may the conclusion."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp
import pytest

from mope_theory.lemmas.integration import COMPARISON, FOLDED, FUNDAMENTAL, LINEAR, MEAN, PARSEVAL, POSITIVE, SYMMETRIC
from mope_theory.statement import And, Equal, Implies
from tests.mope_theory.claims.numeric import Point
from tests.mope_theory.claims.values import matrix, sequence

SAMPLES = {"xi": (-2, mp.mpf("-0.5"), 0, 1, 3)}
HERE = {
    "N": 2,
    "c": matrix((1, mp.mpc(0, 2)), (mp.mpc(-1, 1), mp.mpf("0.5"))),
    "d": matrix((0, mp.mpf("1.5")), (-2, 1)),
    "p": lambda x: mp.exp(-x * x / 2),
}


def test_linearity() -> None:
    point = Point(HERE)
    assert isinstance(LINEAR.statement, Implies)
    assert point.holds(LINEAR.statement)
    assert isinstance(LINEAR.statement.conclusion, And)
    swapped = LINEAR.statement.conclusion.body[1]
    assert isinstance(swapped, Equal)
    assert abs(point.value(swapped.lhs)) > 0.1
    assert not point.holds(Equal(swapped.lhs, 2 * swapped.rhs))


@pytest.mark.parametrize("f", [lambda x: x * x * mp.exp(-x * x), lambda x: (1 + mp.cos(x)) * mp.exp(-abs(x) ** 2)])
def test_positivity(f: Callable[[Any], Any]) -> None:
    point = Point({"F": f}, SAMPLES)
    assert isinstance(POSITIVE.statement, Implies)
    assert point.holds(POSITIVE.statement.hypothesis)
    assert point.holds(POSITIVE.statement)


def test_no_positivity_of_a_function_of_both_signs() -> None:
    point = Point({"F": lambda x: (x - 3) * mp.exp(-x * x)}, {"xi": (4,)})
    assert isinstance(POSITIVE.statement, Implies)
    assert not point.holds(POSITIVE.statement.conclusion)


FOLDING = {"c": mp.mpf("0.3"), "G": lambda x: 1 + mp.cos(x), "p": lambda x: mp.exp(-x * x)}


def test_folding() -> None:
    point = Point(FOLDING, SAMPLES)
    assert isinstance(FOLDED.statement, Implies)
    assert point.holds(FOLDED.statement.hypothesis)
    assert point.holds(FOLDED.statement)


def test_no_folding_of_a_function_of_another_period() -> None:
    point = Point(FOLDING | {"G": lambda x: 1 + mp.cos(x / 2)}, SAMPLES)
    assert isinstance(FOLDED.statement, Implies)
    assert not point.holds(FOLDED.statement.hypothesis)
    assert not point.holds(FOLDED.statement.conclusion)


VECTOR = {"c": mp.mpf("0.3"), "N": 3, "a": sequence(1, mp.mpc(-1, 2), mp.mpc(0, -1))}


def test_parseval() -> None:
    assert isinstance(PARSEVAL.statement, Implies)
    assert Point(VECTOR | {"z": sequence(0, 2, -3)}).holds(PARSEVAL.statement.hypothesis)
    assert Point(VECTOR | {"z": sequence(0, 2, -3)}).holds(PARSEVAL.statement)
    repeated = Point(VECTOR | {"z": sequence(0, 2, 2)})
    assert not repeated.holds(PARSEVAL.statement.hypothesis)
    assert not repeated.holds(PARSEVAL.statement.conclusion)


MASS = {"a": -1, "b": 2, "u": mp.mpf("0.5"), "h": lambda x: x * x, "w": lambda x: 1 + x * x / 4}


def test_a_mean() -> None:
    assert isinstance(MEAN.statement, Implies)
    point = Point(MASS, {"xi": (mp.mpf("-0.9"), 0, 1)})
    assert point.holds(MEAN.statement.hypothesis)
    assert point.holds(MEAN.statement)
    low = Point(MASS | {"w": lambda x: mp.mpf("0.4")}, {"xi": (0, 1)})
    assert not low.holds(MEAN.statement.hypothesis)
    assert not low.holds(MEAN.statement.conclusion)


def test_no_mean_without_mass() -> None:
    point = Point(MASS | {"h": lambda x: 0}, {"xi": (0, 1)})
    assert isinstance(MEAN.statement, Implies)
    assert not point.holds(MEAN.statement.hypothesis)
    assert not point.holds(MEAN.statement.conclusion)


def test_the_fundamental_theorem() -> None:
    point = Point({"F": lambda x: x * mp.exp(-x), "a": mp.mpf("-0.5"), "b": 2})
    equation = FUNDAMENTAL.statement
    assert isinstance(equation, Equal)
    assert point.holds(equation)
    assert not point.holds(Equal(equation.lhs, -equation.rhs))


def test_no_fundamental_theorem_of_a_function_with_a_jump() -> None:
    step = Point({"F": lambda x: mp.mpf(1) if mp.re(x) > 0 else mp.mpf(0), "a": -1, "b": mp.mpf("1.5")})
    assert not step.holds(FUNDAMENTAL.statement)


@pytest.mark.parametrize("start, end, truth", [(-1, 2, True), (2, -1, False)])
def test_integrals_keep_an_order(start: int, end: int, truth: bool) -> None:
    """From the larger end to the smaller one they turn it round, which the axiom excludes."""
    point = Point({"f": mp.sin, "g": lambda x: 1 + x * x, "a": start, "b": end}, SAMPLES)
    assert isinstance(COMPARISON.statement, Implies)
    assert point.holds(COMPARISON.statement)
    assert point.holds(COMPARISON.statement.conclusion) is truth


@pytest.mark.parametrize("center, truth", [(mp.mpf("0.4"), True), (mp.mpf("0.5"), False)])
def test_the_mean_of_a_symmetric_weight(center: Any, truth: bool) -> None:
    point = Point({"f": lambda x: 2 + mp.cos(x - mp.mpf("0.4")), "c": center, "r": 1}, SAMPLES)
    assert isinstance(SYMMETRIC.statement, Implies)
    assert point.holds(SYMMETRIC.statement)
    assert point.holds(SYMMETRIC.statement.hypothesis) is truth
    assert point.holds(SYMMETRIC.statement.conclusion) is truth
