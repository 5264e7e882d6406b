"""The running error analysis: each rule alone, by hand; the hand-made bound of the Morlet encoding; what it refuses."""
from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

import mope_theory as mt
from mope_theory.reference import rounding
from mope_theory.reference.running import Bounds
from mope_theory.spec import POSITIVE_OR_INFINITE, Guard, Input, KernelSpec, NumericalForm
from mope_theory.vocabulary.operations import above, at_least, sigmoid

x, y, z = sp.symbols("x y z", real=True)
p = sp.Symbol("p", positive=True)
INPUTS = (Input("x", x, "t"), Input("y", y, "t"), Input("p", p, "t", POSITIVE_OR_INFINITE))
U, ETA = 2.0**-53, 2.0**-1074
POINT = {x: 0.3, y: -0.7, p: 1.1}


def toy(channel: sp.Expr, form: NumericalForm | None = None) -> KernelSpec:
    return KernelSpec("toy", "A toy", "none", INPUTS, (channel,), "t", numerical=form)


def bound(channel: sp.Expr, point: dict[sp.Symbol, float] = POINT) -> float:
    return Bounds(toy(channel)).forward(point)[0]


@pytest.mark.parametrize(
    "channel, expected",
    [
        (x, 0),
        (x / 4, 0),
        (-8 * x, 0),
        (sp.Rational(3, 4) * x, U * 0.225),
        (x / 10, 2 * U * 0.03),  # a constant that is no float, and a product
        (x + y, U * 0.4),
        (x + y + p, 2 * U * 2.1),
        (x * y, U * 0.21),
        (x / p, U * 0.3 / 1.1),
        (1 / p, U / 1.1),
        (x**3, 2 * U * 0.027),
        (x / p**2, 2 * U * 0.3 / 1.21),
        (sp.Abs(y), 0),
        (sp.sign(y) * x, 2 * U * 0.15),
        (sp.exp(x), 2 * U * math.exp(0.3)),
        (sp.exp(x * p), (U * 0.33 + 2 * U) * math.exp(0.33)),
        (sp.cos(x), 2 * U * math.cos(0.3)),
        (sp.sin(x * p), U * 0.33 + 2 * U * math.sin(0.33)),
        (sp.exp(x) * sp.cos(y), 5 * U * math.exp(0.3) * math.cos(0.7)),
        (sigmoid(x), 4 * U / (1 + math.exp(-0.3))),
        (at_least(x, sp.Rational(1, 10)), 0),
        (at_least(y, sp.Rational(1, 10)), U / 10),
        (at_least(y, sp.Rational(1, 8)), 0),
        (above(x, sp.Rational(1, 8)) * x, 2 * U * 0.15),
    ],
)
def test_each_rule_alone(channel: sp.Expr, expected: float) -> None:
    """To first order, with no more than 2⁻³⁰ of it and a few η on top; a product by ±1 counts as an operation."""
    found = bound(channel)
    assert expected <= found <= expected * (1 + 2.0**-19) + 64 * ETA + 2.0**-1021 * channel.has(sigmoid)


LONG = 2.0**24 - 1


@pytest.mark.parametrize("one, two, exact", [(3.0, 5.0, True), (LONG, LONG, True), (0.1, 3.0, False), (0.1, 2.0, True)])
def test_a_product_whose_significands_fit_is_exact(one: float, two: float, exact: bool) -> None:
    found = bound(x * y, {x: one, y: two, p: 1.0})
    assert (found <= 2 * ETA) is exact
    assert (Fraction(one) * Fraction(two) == Fraction(one * two)) is exact


def test_an_infinite_width_is_divided_by_exactly() -> None:
    assert bound(x / p, POINT | {p: math.inf}) <= 8 * ETA
    assert bound(sp.exp(-(x**2) / p**2), POINT | {p: math.inf}) <= 2 * U * (1 + 2.0**-19)


def test_a_quotient_by_what_may_be_0_is_refused() -> None:
    with pytest.raises(ValueError, match="a quotient by x \\+ y is not bounded: it may be 0"):
        bound(1 / (x + y), {x: 1.0, y: -1.0, p: 1.0})


@pytest.mark.parametrize("channel", [sp.sqrt(p), sp.log(p), sp.tan(x), p**x, sp.sign(x + y), at_least(x + y, 1)])
def test_what_has_no_rule_is_refused(channel: sp.Expr) -> None:
    with pytest.raises(ValueError, match="is not bounded"):
        bound(channel)


def test_beyond_the_guard_the_error_is_what_is_left_out() -> None:
    spec = toy(sp.exp(-(x**2)), NumericalForm({z: x}, (sp.exp(-(z**2)),), Guard(z, 4)))
    size = math.exp(-16.0)
    near = [Bounds(spec).forward(POINT | {x: value})[0] for value in (3.99, 4.0, 4.01)]
    assert near[0] < 2.0**-40 * size
    assert size <= near[1] <= size * (1 + 2.0**-19)
    assert near[2] == pytest.approx(math.exp(-(4.01**2)), rel=2.0**-19)
    assert Bounds(spec).forward(POINT | {x: 1e9})[0] == ETA


def test_the_monomials_of_a_derivative() -> None:
    """z = x/p: ∂/∂p of z e^{−z²} is −(z/p)(1 − 2z²)e^{−z²}, two monomials through the binding."""
    spec = toy(x / p * sp.exp(-((x / p) ** 2)), NumericalForm({z: x / p}, (z * sp.exp(-(z**2)),)))
    bounds = Bounds(spec)
    (v,) = bounds.incoming
    found = {sp.Mul(*factors) for factors in bounds.monomials(p)}
    assert found == {-v * z * sp.exp(-(z**2)) / p, 2 * v * z**3 * sp.exp(-(z**2)) / p}
    assert bounds.monomials(y) == ()
    assert bounds.gradient(POINT, (1.0,), y) == (ETA, ETA)
    size, error = bounds.gradient(POINT, (-2.0,), p)
    ratio = 0.3 / 1.1
    gauss = math.exp(-(ratio**2))
    assert size == pytest.approx(2 * (ratio + 2 * ratio**3) * gauss / 1.1, rel=2.0**-18)
    assert 8 * U * 2 * ratio * gauss / 1.1 < error < 16 * U * size


MORLET = mt.spec("morlet_encoding")
CALLS = [(3.0, 0.7, 2.0, 0.5), (1234.5, 2.9, 400.0, -70.0), (5.0, 1.0, math.inf, 0.0), (4095.0, 0.1, 9.0, 4000.0)]


@pytest.mark.parametrize("call", CALLS)
def test_the_bounds_that_were_derived_by_hand_for_the_morlet_encoding(call: tuple[float, ...]) -> None:
    """Neither is far from the other: the hand-made one has |p| + |q| for |p cos φ| + |q sin φ|."""
    position, omega, sigma, center = call
    point = dict(zip((symbol for _, symbol in MORLET.variables), call, strict=True))
    bounds = Bounds(MORLET)
    by_hand = rounding.forward_error(omega, sigma, position, center)
    for found, expected in zip(bounds.forward(point), by_hand, strict=True):
        assert 0.4 <= found / float(expected) <= 1.4
    terms = rounding.gradient_terms(omega, sigma, position, center, 0.5, -0.25)
    for x_, symbol in MORLET.variables:
        size, error = bounds.gradient(point, (0.5, -0.25), symbol)
        assert size <= float(terms[x_.name].size) * (1 + 2.0**-18) + 4 * ETA
        assert error <= 1.4 * float(terms[x_.name].error) + 256 * ETA


def test_every_specification_has_bounds() -> None:
    for spec in mt.specs():
        point = {symbol: 1.5 for _, symbol in spec.variables}
        bounds = Bounds(spec)
        assert all(0 < one < 2.0**-45 for one in bounds.forward(point)), spec.name
        for _, symbol in spec.variables:
            size, error = bounds.gradient(point, (1.0,) * len(spec.channels), symbol)
            assert 0 < error < 2.0**-20 * size + 2.0**-40, spec.name


def test_a_wrong_form_has_another_bound() -> None:
    wider = replace(MORLET, numerical=replace(MORLET.numerical, channels=tuple(2 * c for c in MORLET.numerical.channels)))
    point = {symbol: 1.5 for _, symbol in MORLET.variables}
    assert Bounds(wider).forward(point)[0] > 1.9 * Bounds(MORLET).forward(point)[0]
