"""Inequalities that touch: shown where both sides agree to first order and part from there, and nowhere else."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import Abs, Rational, S, exp, oo, sqrt

from mope_theory.enclosure import Subdivision
from mope_theory.enclosure.cell import Range
from mope_theory.enclosure.touching import holds_by_convexity
from mope_theory.statement import Less, LessEqual

x = sp.Symbol("x", real=True)
NEAR = Range(-1, 1)
BELL = LessEqual(Abs(exp(-(x**2) / 2) - 1), x**2 / 2)


def test_a_bound_to_second_order() -> None:
    assert holds_by_convexity(BELL, x, NEAR, S.Zero)
    assert holds_by_convexity(LessEqual(x + 1, exp(x)), x, NEAR, S.Zero)
    assert holds_by_convexity(LessEqual(x**2 * exp(-(x**2) / 2), 2 / sp.E), x, Range(Rational(7, 5), Rational(3, 2)), sqrt(2))


@pytest.mark.parametrize(
    ("relation", "side", "point"),
    [
        (LessEqual(x + 1 + Rational(1, 10**9), exp(x)), NEAR, S.Zero),
        (LessEqual(Rational(11, 10) * x + 1, exp(x)), NEAR, S.Zero),
        (LessEqual(exp(x), x + 1), NEAR, S.Zero),
        (LessEqual(x + 1, exp(x)), Range(Rational(1, 2), 1), S.Zero),
        (LessEqual(x + 1, exp(x)), NEAR, Rational(1, 2)),
        (LessEqual(x**3, S.Zero), NEAR, S.Zero),
        (LessEqual(x**2, x**2 + Abs(x)), NEAR, S.Zero),
        (LessEqual(S.Zero, x**2 * (x - Rational(1, 2)) ** 2 - x**4), NEAR, S.Zero),
        (LessEqual(x + 1, exp(x)), NEAR, x),
    ],
    ids=["a gap below 0", "another slope", "turned round", "the point outside", "another point", "an inflection", "a corner",
         "convex at the point and not around it", "no number"],
)  # fmt: skip
def test_what_is_not_shown(relation: LessEqual, side: Range, point: sp.Expr) -> None:
    assert not holds_by_convexity(relation, x, side, point)


def test_the_whole_line_with_a_point_of_touching() -> None:
    pieces = tuple(sp.Interval(*ends) for ends in ((-oo, -1), (-1, 1), (1, oo)))
    assert Subdivision(BELL, {x: pieces}, touching=(S.Zero,)).check()
    false = LessEqual(BELL.lhs, Rational(99, 100) * BELL.rhs)
    assert not Subdivision(false, {x: pieces}, touching=(S.Zero,), max_cells=500).check()
    strict = Less(BELL.lhs, BELL.rhs)
    assert not Subdivision(strict, {x: pieces}, touching=(S.Zero,), max_cells=500).check()
