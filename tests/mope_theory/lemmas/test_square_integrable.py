"""Instances of the axioms on square-integrable functions, by quadrature; where a hypothesis fails, so may the conclusion."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp
import pytest

from mope_theory.lemmas.square_integrable import (
    BY_PARTS,
    ENERGY,
    FIRST_ORDER,
    INNER_PRODUCT,
    MOMENTS,
    PLANCHEREL,
    SOBOLEV,
    WEAK_DERIVATIVE,
)
from mope_theory.statement import And, Equal, Implies, Statement
from tests.mope_theory.claims.numeric import Point
from tests.mope_theory.claims.values import CHIRPLESS, SLOPED, TRANSFORM, Wave

Function = Callable[[Any], Any]
TESTS = {"u": (lambda x: mp.re(max(0, 4 - x * x)) ** 2,), "T": (3,), "b": (-5, -3, 3, 4)}
"""A function of class C¹ that vanishes beyond 2, and places beyond."""


def _sloped(b: Any) -> Any:
    return (1 - b - b * b) * mp.exp(-b * b / 2)


def _chirpless(b: Any) -> Any:
    return 2 * mp.mpc(-2 * b, 1) * mp.exp(mp.mpc(0, b) - b * b)


DERIVATIVES = ((SLOPED, _sloped), (CHIRPLESS, _chirpless))
HERE = {"nu": mp.mpf("0.7"), "b_0": mp.mpf("0.3")}


def conclusion(statement: Statement) -> Statement:
    assert isinstance(statement, Implies)
    return statement.conclusion


@pytest.mark.parametrize("wave, slope", DERIVATIVES)
def test_the_axioms_at_waves_with_their_derivatives(wave: Wave, slope: Function) -> None:
    values = HERE | {"phi": wave, "chi": slope, "f": wave, "g": slope, "lambda": mp.mpf("-1.5")}
    point = Point(values, TESTS | {"chi": (slope,), "nu": (0, 1)}, TRANSFORM)
    for axiom in (ENERGY, INNER_PRODUCT, PLANCHEREL, SOBOLEV, BY_PARTS):
        assert point.holds(axiom.statement), axiom.name


@pytest.mark.parametrize("wave, slope", DERIVATIVES)
def test_another_function_is_not_the_derivative(wave: Wave, slope: Function) -> None:
    def wrong(b: Any) -> Any:
        return slope(b) + mp.exp(-b * b)

    point = Point(HERE | {"phi": wave, "chi": wrong}, TESTS | {"chi": (wrong,), "nu": (0, 1)}, TRANSFORM)
    assert not point.holds(WEAK_DERIVATIVE)
    assert not point.holds(conclusion(SOBOLEV.statement))
    assert not point.holds(conclusion(BY_PARTS.statement))


def test_a_constant_is_missed_in_plancherels_equation() -> None:
    whole = conclusion(PLANCHEREL.statement)
    assert isinstance(whole, And)
    equation = whole.body[1]
    assert isinstance(equation, Equal)
    assert not Point({"phi": SLOPED}, {}, TRANSFORM).holds(Equal(2 * equation.lhs, equation.rhs))


def test_the_square_of_a_sum_has_the_middle_term_twice() -> None:
    assert isinstance(INNER_PRODUCT.statement, And)
    square = INNER_PRODUCT.statement.body[2]
    assert isinstance(square, Equal)
    point = Point({"f": SLOPED, "g": CHIRPLESS, "lambda": 2})
    first, middle, last = square.rhs.args
    assert point.holds(square)
    assert not point.holds(Equal(square.lhs, first + middle / 2 + last))


@pytest.mark.parametrize("center, truth", [(mp.mpf(2) / 3, True), (0, False)])
def test_the_mean_is_one_number(center: Any, truth: bool) -> None:
    point = Point({"w": lambda b: (1 + b) ** 2 * mp.exp(-b * b)}, {"b_0": (center,)})
    assert point.holds(MOMENTS.statement) is truth


def _bell(b: Any) -> Any:
    return mp.mpc(0, 3) * mp.exp(-b * b / 2 + mp.mpc(0, 2 * b))


@pytest.mark.parametrize("constant, truth", [(mp.mpc(0, 3), True), (3, False)])
def test_solutions_of_an_equation_of_first_order(constant: Any, truth: bool) -> None:
    values = {"phi": _bell, "chi": lambda b: mp.mpc(-b, 2) * _bell(b), "G": lambda b: -b * b / 2, "H": lambda b: 2 * b}
    point = Point(values, TESTS | {"kappa": (constant,)})
    assert point.holds(FIRST_ORDER.statement) is truth


def test_what_solves_no_equation_is_no_exponential() -> None:
    values = {"phi": SLOPED, "chi": _sloped, "G": lambda b: -b * b / 2, "H": lambda b: 0 * b}
    point = Point(values, TESTS | {"kappa": (0, 1, 2)})
    assert not point.holds(conclusion(FIRST_ORDER.statement))
