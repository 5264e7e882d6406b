"""The bound at sums of Hermite functions: moments against quadrature, faults that are seen, what is refused."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import mpmath as mp
import pytest
from sympy import FiniteSet, Rational, S, Set

from mope_theory.claims.uncertainty import BOUND, wave
from mope_theory.enclosure.hermite import HermiteSums, squared_product, uncertainty_bound, variance
from mope_theory.statement import LessEqual
from mope_theory.vocabulary.functions import Functions, Unknown

HALF = uncertainty_bound(wave, Rational(1, 2))
COEFFICIENTS = [(F(1), F(2)), (F(-1, 3), F(1, 2)), (F(0), F(1)), (F(1, 5), F(-1, 7))]


def _sum(coefficients: list[tuple[Any, Any]], x: Any) -> Any:
    terms = (mp.mpc(mp.mpf(p.numerator) / p.denominator, mp.mpf(q.numerator) / q.denominator) * mp.hermite(n, x)
             for n, (p, q) in enumerate(coefficients))  # fmt: skip
    return mp.fsum(terms) * mp.exp(-x * x / 2)


def _quad(function: Any) -> Any:
    return mp.quad(function, [-mp.inf, -2, 0, 2, mp.inf])


TURNED = [(F(1), F(2)), (F(1, 2), F(1, 3)), (F(0), F(-1)), (F(1, 7), F(1, 5))]
"""Times (−i)ⁿ: the coefficients of the spectrum over √(2π)."""


@pytest.mark.parametrize("coefficients", [COEFFICIENTS, TURNED])
def test_the_variance_is_that_of_quadrature(coefficients: list[tuple[F, F]]) -> None:
    mass, first, second = (_quad(lambda x, n=n: x**n * abs(_sum(coefficients, x)) ** 2) for n in range(3))
    known = variance(coefficients)
    assert abs(second / mass - (first / mass) ** 2 - mp.mpf(known.numerator) / known.denominator) < 1e-9


def test_the_spectrum_is_that_of_quadrature() -> None:
    for xi in (mp.mpf("0.3"), mp.mpf("-1.7")):
        transform = _quad(lambda x, xi=xi: _sum(COEFFICIENTS, x) * mp.expj(-xi * x))
        assert abs(transform - mp.sqrt(2 * mp.pi) * _sum(TURNED, xi)) < 1e-9
    assert squared_product(COEFFICIENTS) == variance(COEFFICIENTS) * variance(TURNED)


def test_a_gaussian_meets_the_bound_and_its_neighbours_do_not() -> None:
    assert squared_product([(F(1), F(0))]) == F(1, 4)
    assert squared_product([(F(0), F(0)), (F(0), F(3))]) == F(9, 4)
    assert squared_product([(F(1), F(0)), (F(0), F(0)), (F(1, 1000), F(0))]) > F(1, 4)


def test_the_bound_is_that_of_the_claim() -> None:
    assert BOUND.ours.body[0] == HALF
    own = HermiteSums(HALF, wave)
    assert own.check()
    assert own.lies_within(BOUND.box)
    assert not own.lies_within({})
    assert not own.covers(BOUND.box)


@pytest.mark.parametrize("bound", [Rational(50001, 100000), S.One])
def test_a_larger_bound_fails(bound: Rational) -> None:
    assert HermiteSums(uncertainty_bound(wave, bound), wave).check().status == "fails"


@pytest.mark.parametrize(
    "statement",
    [
        HALF.conclusion,
        replace(HALF, hypothesis=HALF.hypothesis.body[0]),
        replace(HALF, conclusion=LessEqual(HALF.conclusion.rhs, HALF.conclusion.lhs)),
        replace(HALF, conclusion=LessEqual(S.Half, 2 * HALF.conclusion.rhs)),
        uncertainty_bound(wave, -S.One),
    ],
)
def test_another_statement_is_refused(statement: object) -> None:
    assert HermiteSums(statement, wave).check().status == "refused"


@pytest.mark.parametrize("codomain", [S.Integers, S.Reals, FiniteSet(2, 3)])
def test_sums_that_a_statement_does_not_admit_say_nothing_of_it(codomain: Set) -> None:
    """Of square-integrable functions with whole values, none but 0 has a spread on both sides: every bound holds of them."""
    other = Unknown("phi", Functions(S.Reals, codomain, "L^{2}"))
    assert HermiteSums(uncertainty_bound(other, Rational(10)), other).check().status == "refused"
