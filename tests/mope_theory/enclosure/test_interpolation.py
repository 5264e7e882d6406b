"""Equations between sums and integrals, enclosed between the points of a grid: what is false fails, what is unfit is refused."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
import sympy as sp
from flint import acb, arb
from sympy import Abs, I, Integral, Rational, S, Sum, cos, exp, log, oo, pi, sqrt

import mope_theory as mt
from mope_theory.enclosure import AwayFromZero, Interpolation, run
from mope_theory.enclosure import interpolation as module
from mope_theory.enclosure.analytic import is_analytic
from mope_theory.enclosure.size import Size
from mope_theory.statement import Equal, Less
from mope_theory.symbols import omega, sigma, t

x, y, z = sp.symbols("x y z", real=True)
p = sp.Symbol("p", positive=True)
k = sp.Symbol("k", integer=True)

FALLING = Equal(Integral(exp(-(t**2) / 2) * cos(x * t), (t, -oo, oo)), sqrt(2 * pi) * exp(-(x**2) / 2))
THETA = Equal(Sum(exp(-pi * p * k**2), (k, -oo, oo)), Sum(exp(-pi * k**2 / p), (k, -oo, oo)) / sqrt(p))


def spectrum(**changes: object) -> Interpolation:
    return replace(Interpolation(FALLING, {x: (-2, 2)}, degree=36, bits=28), **changes)


def jacobi(**changes: object) -> Interpolation:
    return replace(Interpolation(THETA, {p: (Rational(1, 2), 1)}, degree=40, bits=28), **changes)


def test_a_fourier_integral_and_a_theta_function() -> None:
    assert spectrum().check()
    assert jacobi().check()


@pytest.mark.parametrize("right", [FALLING.rhs * (1 + Rational(1, 10**9)), FALLING.rhs + x * Rational(1, 10**9), -FALLING.rhs])
def test_what_is_off_is_disproved(right: sp.Expr) -> None:
    assert spectrum(statement=Equal(FALLING.lhs, right)).check().status == "fails"


def test_what_agrees_at_the_points_alone_is_not_enclosed() -> None:
    """The gap vanishes at every Chebyshev point of degree 8, and is 10⁻³ between them: the ellipse sees it."""
    gap = Rational(1, 1000) * sp.chebyshevt(8, x).diff(x) * (1 - x**2)
    vanishing = Equal(exp(x) + gap, exp(x))
    outcome = Interpolation(vanishing, {x: (-1, 1)}, degree=8, ellipse=4, bits=10).check()
    assert outcome.status == "refused"
    assert "enclosed to" in outcome.reason


@pytest.mark.parametrize(
    "changes",
    [
        {"ellipse": 1}, {"ellipse": Rational(1, 2)}, {"degree": 0}, {"degree": 4}, {"box": {x: (1, -1)}}, {"box": {}},
        {"unit": S.Zero}, {"unit": x}, {"unit": exp(t)}, {"statement": Less(S.Zero, exp(x))}, {"box": {k: (0, 1)}},
    ],
    ids=["no ellipse", "a smaller ellipse", "no polynomial", "too low a degree", "an empty side", "no range", "unit 0",
         "a unit that vanishes", "a captured unit", "no equation", "an integer over an interval"],
)  # fmt: skip
def test_what_is_unfit_is_refused(changes: Mapping[str, object]) -> None:
    assert run(spectrum(**changes)).status == "refused"


def test_an_ellipse_that_reaches_a_pole_is_refused() -> None:
    assert jacobi(box={p: (Rational(1, 100), 1)}).check().status == "refused"
    pole = Equal((x + 1) / (x**2 + 1), x / (x**2 + 1) + 1 / (x**2 + 1))  # at ±i, inside the ellipse and not on it
    outcome = Interpolation(pole, {x: (-1, 1)}, degree=200, ellipse=4, bits=10).check()
    assert outcome.status == "refused"
    assert "not shown to be analytic" in outcome.reason


@pytest.mark.parametrize("e", [Abs(x), sqrt(x), log(x), 1 / (1 + x), sp.Max(x, 0), Sum(exp(-k), (k, 0, x))], ids=str)
def test_what_is_not_plainly_analytic(e: sp.Expr) -> None:
    assert not is_analytic(e + exp(x), x, right_half_plane=False)


def test_what_is_analytic() -> None:
    assert is_analytic(FALLING.lhs - FALLING.rhs, x, right_half_plane=False)
    assert is_analytic(THETA.lhs - THETA.rhs, p, right_half_plane=True)
    assert not is_analytic(THETA.lhs - THETA.rhs, p, right_half_plane=False)
    assert not is_analytic(Integral(exp(-t), (t, x, oo)), x, right_half_plane=True)


def test_sizes_are_upper_bounds() -> None:
    e = 2 * Sum(exp(-(k**2) + k * x), (k, 0, oo)) + Integral(exp(-(t**2) + I * x * t), (t, -oo, oo)) * x
    for at in (acb(1), acb("0.5", "1"), acb("-1", "0.25")):
        bound = Size({x: at}).of(e)
        total = 2 * sum(((-arb(n) ** 2 + n * at).exp() for n in range(40)), acb(0)) + (-at * at / 4).exp() * arb.pi().sqrt() * at
        assert abs(total) < bound < 100 * abs(total)


def test_several_variables_and_finite_sets() -> None:
    shifted = Equal(
        Sum(exp(-pi * p * (k - x) ** 2), (k, -oo, oo)), Sum(exp(-pi * k**2 / p) * cos(2 * pi * k * x), (k, -oo, oo)) / sqrt(p)
    )
    both = Interpolation(shifted, {p: (Rational(3, 4), 1), x: (0, Rational(1, 4))}, degree=12, ellipse=5, bits=16)
    assert both.check()
    points = replace(both, box={p: (Rational(3, 4), 1), x: sp.FiniteSet(0, Rational(1, 2), 1)})
    assert points.check()
    without_phase = Equal(shifted.lhs, Sum(exp(-pi * k**2 / p), (k, -oo, oo)) / sqrt(p))
    assert replace(both, statement=without_phase).check().status == "fails"
    assert replace(points, statement=without_phase, box={p: (Rational(3, 4), 1), x: sp.FiniteSet(0, 1)}).check()


def test_a_smaller_bound_on_the_ellipse_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the bound on the ellipse left out, too low a degree would pass."""
    assert not spectrum(degree=12).check()
    monkeypatch.setattr(module.Interpolation, "_size", lambda *_: arb(0))
    assert spectrum(degree=12).check()


def test_an_equation_covers_nothing() -> None:
    assert not spectrum().covers({})
    assert not jacobi().covers({p: sp.Interval(Rational(1, 2), 1)})
    assert jacobi().lies_within({p: sp.Interval.open(0, oo)})
    assert not jacobi().lies_within({p: sp.Interval(Rational(3, 4), 2)})
    assert not jacobi().lies_within({})


def test_a_quantity_away_from_0() -> None:
    claim = mt.claim("admissibility.strict")
    (own,) = claim.enclosures
    assert isinstance(own, AwayFromZero)
    assert own.check()
    assert not own.covers(claim.box)
    other = Less(S.Zero, Abs(sigma * omega))
    assert run(replace(own, statement=other)).status == "refused"
    assert run(replace(own, statement=Less(S.One, own.statement.rhs))).status == "refused"
    assert run(replace(own, equation=replace(own.equation, bits=0))).status == "refused"
    assert run(replace(own, equation=replace(own.equation, unit=S.One))).status == "refused"
    doubled = Equal(own.equation.statement.lhs, 2 * own.equation.statement.rhs)
    assert run(replace(own, equation=replace(own.equation, statement=doubled, unit=doubled.rhs))).status == "refused"
