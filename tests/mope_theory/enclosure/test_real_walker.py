"""Expressions on cells: intervals that hold the values, and refusals of what is not real or not known."""
from __future__ import annotations

from itertools import product

import pytest
import sympy as sp
from flint import acb, arb, ctx
from sympy import Abs, I, Max, Min, Rational, S, acos, conjugate, cos, exp, im, log, oo, pi, re, sin, sqrt

from mope_theory.decide import unfold
from mope_theory.enclosure.base import precision
from mope_theory.enclosure.compiled import compiled, is_composed
from mope_theory.enclosure.interval import Interval, exactly, spanning
from mope_theory.enclosure.real_walker import NotReal, RealWalker, enclose
from mope_theory.reference import to_acb
from mope_theory.symbols import psi, sigma
from mope_theory.vocabulary.floating import Rounded
from mope_theory.vocabulary.spectra import Deviation

x, y = sp.symbols("x y", real=True)
p = sp.Symbol("p", positive=True)
k = sp.Symbol("k", integer=True)

EXPRESSIONS = (
    x**2 - x * y + 1, exp(-(x**2) / 3) * y, 1 / (1 + x**2), sqrt(1 + y**2), log(2 + x**2), cos(3 * x) * sin(y), acos(x / 4),
    Abs(x - y), Max(x, y, Rational(1, 3)), Min(x, -y), (1 + x**2) ** (y / 2), Abs(exp(I * x) - 1, evaluate=False),
    re(exp(I * x) * (1 + I * y)),
    im(exp(I * x + y)), (-1) ** 3 * x**3, sp.Piecewise((x, x**2 > -1), (y, True)), Abs(psi(x, y, S(2))), re(conjugate(I + x)),
)  # fmt: skip


@pytest.mark.parametrize("e", EXPRESSIONS, ids=str)
def test_the_interval_holds_the_value_at_every_sample(e: sp.Expr) -> None:
    cell = {x: spanning(arb("-0.75"), arb("0.5")), y: spanning(arb("0.25"), arb("1.5"))}
    found = RealWalker(cell).value(e)
    for a, b in product((Rational(-3, 4), S.Zero, Rational(1, 2)), (Rational(1, 4), S.One, Rational(3, 2))):
        value = unfold(e).subs({x: a, y: b}).doit()
        exact = arb(complex(sp.N(value, 30)).real)
        assert found.low - exact < arb(2) ** -50, (a, b)  # a double stands for the exact value
        assert exact - found.high < arb(2) ** -50, (a, b)


def test_a_falling_product_on_an_unbounded_range() -> None:
    """x²e^{−x²/2} beyond 2 is at most its value at 2; beyond 1 it still rises."""
    far = RealWalker({x: spanning(arb(2), arb("inf"))}).value(x**2 * exp(-(x**2) / 2))
    assert far.high < 4 * arb(-2).exp() + arb("1e-15")
    assert far.high > 4 * arb(-2).exp() - arb("1e-15")
    near = RealWalker({x: spanning(arb(1), arb("inf"))}).value(x**2 * exp(-(x**2) / 2))
    assert near.high == arb("inf")


@pytest.mark.parametrize("e", [1 / x, log(x), sqrt(x), acos(2 * x), x ** (y + 1)], ids=str)
def test_a_pole_or_a_cut_in_the_cell_gives_nothing(e: sp.Expr) -> None:
    assert enclose(e, {x: spanning(arb(-1), arb(1)), y: exactly(arb("0.5"))}) is None


def test_what_is_not_real_is_not_taken_for_real() -> None:
    with pytest.raises(NotReal):
        RealWalker({x: exactly(arb(1))}).value(exp(I * x))
    integral = sp.Integral(exp(I * x - x**2), (x, -oo, oo))
    with pytest.raises(NotReal):
        RealWalker({}).value(integral)
    with pytest.raises(NotReal):
        RealWalker({}).value(sp.Sum(exp(I * k - k**2), (k, 0, oo)))


def test_an_undecided_piece_is_not_chosen() -> None:
    cases = sp.Piecewise((S.One, x > 0), (S.Zero, True))
    assert enclose(cases, {x: spanning(arb(-1), arb(1))}) is None
    assert enclose(cases, {x: spanning(arb(-2), arb(-1))}) == exactly(arb(0))
    assert enclose(cases, {x: exactly(arb(0))}) == exactly(arb(0))


def test_rounding_is_that_of_the_whole_interval() -> None:
    found = RealWalker({x: spanning(arb(0), arb("1e-9"))}).value(Rounded(1 - x, sp.Integer(24)))
    assert found.point == 1


def test_long_products_of_numbers() -> None:
    with precision(80):
        product_ = RealWalker({}).value(sp.Product(1 - 1 / (k + 2) ** 2, (k, 0, 997)))
    exact = arb(1000) / 1998  # ∏_{n=2}^{N} (1 − 1/n²) = (N + 1)/2N at N = 999
    assert not exact < product_.low
    assert not exact > product_.high
    assert product_.high - product_.low < arb("1e-18")


def test_a_deviation_and_its_fault() -> None:
    bell = Deviation(sp.Lambda(x, exp(-(x**2) / 2)), S.Reals)
    found = RealWalker({}).value(bell)
    assert found.low < 1 < found.high
    assert found.high - found.low < arb("1e-6")
    wide = RealWalker({}).value(Deviation(sp.Lambda(x, exp(-((x - 3) ** 2) / 8)), S.Reals))
    assert wide.low < 2 < wide.high


@pytest.mark.parametrize(
    "e", [x**3 - 2 * x + pi, exp(-(x**2)) * cos(x), 1 / (2 + x**2), sqrt(2) * x, conjugate(x * (1 + I)), sqrt(3 + x)], ids=str
)
def test_composed_functions_are_those_of_the_references(e: sp.Expr) -> None:
    for z in (acb(1), acb("0.3", "0.2"), acb(arb(1, 0.125), arb(0, 0.125))):
        direct = to_acb(e, {x: z}, analytic=True)
        assert compiled(e, ctx.prec)({x: z}).overlaps(direct)
    assert not is_composed(Abs(x))
    assert not is_composed((-1) ** k)


def test_a_pole_met_by_a_composed_function_gives_no_finite_ball() -> None:
    assert not compiled(1 / x, ctx.prec)({x: acb(arb(0, 1))}).is_finite()


def test_a_cell_is_open_where_its_range_is() -> None:
    found = RealWalker({p: Interval(arb(0), arb(1), above=True)}).value(1 - exp(-p))
    assert found.is_positive
    assert RealWalker({sigma: Interval(arb(0), arb(1), above=True)}).value(1 / sigma).low == 1
