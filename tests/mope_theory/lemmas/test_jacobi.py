"""Instances of the axioms on theta functions, limits and the cosine; where a hypothesis fails, so may the conclusion."""
from __future__ import annotations

import mpmath as mp
import pytest

from mope_theory.lemmas.jacobi import COSINE, JACOBI, ORDER_OF_LIMITS, partial_product, theta
from mope_theory.lemmas.theta_minimum import ABOVE_LEAST, FIRST_FACTOR, LEAST, LEAST_ABOVE
from mope_theory.logic import proves
from mope_theory.statement import Implies, TendsTo
from tests.mope_theory.claims.numeric import Point

ANGLES = [(1, 0), ("0.7", "2.5"), ("0.3", "-1"), (2, mp.pi)]
"""a = −ln q and the angle x."""


@pytest.mark.parametrize(("a", "x"), ANGLES)
def test_the_triple_product(a: object, x: object) -> None:
    point = Point({"a": a, "x": x})
    assert isinstance(JACOBI.statement, TendsTo)
    assert abs(point.value(partial_product(60)) - point.value(theta)) < mp.mpf(10) ** -12
    short = abs(point.value(partial_product(3)) - point.value(theta))
    assert abs(point.value(partial_product(5)) - point.value(theta)) < short


def test_the_triple_product_of_another_angle() -> None:
    assert abs(Point({"a": 1, "x": 1}).value(partial_product(60)) - Point({"a": 1, "x": 2}).value(theta)) > 0.1


SAMPLES = {"k": (1, 2, 5, 100)}


def test_the_order_of_limits() -> None:
    above = {"s": lambda n: 1 - 1 / n, "t": lambda n: 1 + 1 / n, "y": 2, "z": 3, "l": 1, "r": 1}
    assert isinstance(ORDER_OF_LIMITS.statement, Implies)
    assert Point(above, SAMPLES).holds(ORDER_OF_LIMITS.statement.hypothesis)
    assert Point(above, SAMPLES).holds(ORDER_OF_LIMITS.statement)
    below = above | {"y": 4}
    assert not Point(below, SAMPLES).holds(ORDER_OF_LIMITS.statement.hypothesis)
    assert not Point(below, SAMPLES).holds(ORDER_OF_LIMITS.statement.conclusion)


@pytest.mark.parametrize("x", [0, "1.57", "-1.57", 1])
def test_the_cosine(x: object) -> None:
    assert isinstance(COSINE.statement, Implies)
    assert Point({"x": x}).holds(COSINE.statement.hypothesis)
    assert Point({"x": x}).holds(COSINE.statement)


def test_the_cosine_beyond_a_quarter_turn() -> None:
    assert isinstance(COSINE.statement, Implies)
    for x in ("1.58", "-2"):
        assert not Point({"x": x}).holds(COSINE.statement.hypothesis)
        assert not Point({"x": x}).holds(COSINE.statement.conclusion)


@pytest.mark.parametrize("lemma", [FIRST_FACTOR, LEAST, LEAST_ABOVE], ids=["first factor", "least", "least above"])
@pytest.mark.parametrize(("a", "x"), ANGLES)
def test_the_minimum_of_the_theta_function(lemma: object, a: object, x: object) -> None:
    assert proves(lemma)  # type: ignore[arg-type]
    assert Point({"a": a, "x": x}).holds(lemma.statement)  # type: ignore[attr-defined]


def test_above_the_minimum() -> None:
    (assumption,) = ABOVE_LEAST.assumptions
    for a, x in ANGLES[:3]:
        assert Point({"a": a, "x": x}).holds(assumption)
        assert Point({"a": a, "x": x}).holds(ABOVE_LEAST.statement)
