"""Lemmas prove themselves, and a false one does not."""
from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from sympy import I, Integral, exp, oo, pi, sqrt

from mope_theory.decide import Refused, equal
from mope_theory.lemmas import EXP_ABOVE_TANGENT, GAUSSIAN, LEMMAS, ONE_MINUS_EXP, Inequality
from mope_theory.symbols import omega, psi, sigma, t, xi

x = sp.Symbol("x", nonnegative=True)
y = sp.Symbol("y", real=True)
a = sp.Symbol("a", positive=True)
r = sp.Symbol("r", real=True)


@pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name)
def test_every_lemma_is_proved_and_names_its_axioms(lemma: object) -> None:
    assert lemma.proved()
    assert lemma.axioms


@pytest.mark.parametrize(
    "false",
    [
        Inequality("1 − e^{−x} ≤ x/2", exp(-x) - 1 + x / 2, x, 2),
        Inequality("e^y ≥ 1 + 2y", exp(y) - 1 - 2 * y, y, 2),
        Inequality("e^x ≤ 1 + x", 1 + x - exp(x), x, 2),
        Inequality("too few derivatives", exp(-x) - 1 + x, x, 0),
    ],
    ids=lambda lemma: lemma.name,
)
def test_a_false_lemma_is_not_proved(false: Inequality) -> None:
    assert not false.proved()


def test_an_instance_outside_the_range_is_refused() -> None:
    with pytest.raises(Refused):
        ONE_MINUS_EXP.instance(y)
    with pytest.raises(Refused):
        EXP_ABOVE_TANGENT.instance(I * y)
    assert EXP_ABOVE_TANGENT.instance(y - 1) == exp(y - 1) - y


def test_a_gaussian_lemma_with_a_wrong_square_is_not_proved() -> None:
    left, right = GAUSSIAN.identities[0]
    assert not replace(GAUSSIAN, identities=((left, right + 1),)).proved()
    moment = GAUSSIAN.identities[1]
    assert not replace(GAUSSIAN, identities=((moment[0], 2 * moment[1]),)).proved()


def line(f: sp.Expr, v: sp.Symbol) -> Integral:
    return Integral(f, (v, -oo, oo))


@pytest.mark.parametrize(
    "integral, value",
    [
        (line(exp(-a * r**2), r), sqrt(pi / a)),
        (line(r**2 * exp(-a * r**2), r), sqrt(pi / a) / (2 * a)),
        (line(r**4 * exp(-a * r**2), r), 3 * sqrt(pi / a) / (4 * a**2)),
        (line(psi(t, omega, sigma) * exp(-I * xi * t), t), sigma * sqrt(2 * pi) * exp(-(sigma**2) * (xi - omega) ** 2 / 2)),
        # ∫ e^{a(x²+2x)} dx at a = −1 is √π e = 4.818029…; a symbolic integrator is known to answer 8.878186
        (line(exp(-(r**2) - 2 * r), r), sqrt(pi) * sp.E),
    ],
    ids=["bell", "second moment", "fourth moment", "transform of the wave packet", "shifted bell"],
)
def test_gaussian_integrals(integral: Integral, value: sp.Expr) -> None:
    assert equal(integral, value, GAUSSIAN)
    assert not accepted(integral, value * (1 + sp.Rational(1, 10**12)))


def accepted(integral: Integral, value: sp.Expr) -> bool:
    """Proved equal; a refusal (e beside π cannot be told apart) is no acceptance."""
    try:
        return equal(integral, value, GAUSSIAN)
    except Refused:
        return False


@pytest.mark.parametrize(
    "integral",
    [
        line(exp(y * r**2), r),
        line(exp(I * r**2), r),
        Integral(exp(-(r**2)), (r, 0, oo)),
        Integral(exp(-(r**2)), r),
        line(exp(-(r**4)), r),
        line(r**9 * exp(-(r**2)), r),
    ],
    ids=["sign unknown", "no decay", "half line", "indefinite", "quartic", "moment above the proved ones"],
)
def test_integrals_outside_the_lemma_are_refused(integral: Integral) -> None:
    with pytest.raises(Refused):
        equal(integral, sqrt(pi), GAUSSIAN)


def test_what_has_an_integral_inside_is_in_the_class_with_the_lemma() -> None:
    spectrum = psi(t, omega, sigma) * exp(-I * xi * t)
    bell = sigma * sqrt(2 * pi) * exp(-(sigma**2) * (xi - omega) ** 2 / 2)
    assert equal(sp.Abs(line(spectrum, t)) ** 2, bell**2, GAUSSIAN)
    assert equal(line(spectrum, t) / line(spectrum.subs(xi, omega), t), exp(-(sigma**2) * (xi - omega) ** 2 / 2), GAUSSIAN)
    assert not accepted(sp.Abs(line(spectrum, t)), -bell)
    with pytest.raises(Refused):
        equal(1 / line(r * exp(-(r**2)), r), sp.S.Zero, GAUSSIAN)
