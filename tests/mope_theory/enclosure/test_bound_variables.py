"""New variables in sums, integrals and deviations: the same value, and nothing captured."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import Abs, I, Integral, Lambda, S, Sum, cos, exp, oo, pi, re

from mope_theory.decide import Refused
from mope_theory.enclosure.bound_variables import opened, real_sums, rescaled
from mope_theory.symbols import b, omega, psi, sigma, t, xi
from mope_theory.vocabulary.spectra import Deviation, normal_density, psi_hat

x, y = sp.symbols("x y", real=True)
k = sp.Symbol("k", integer=True)


def test_an_integral_in_units_of_its_width() -> None:
    found = rescaled(Integral(exp(-((t - omega) ** 2) / (2 * sigma**2)), (t, omega + sigma, oo)), {t: omega + sigma * y})
    assert found == sigma * Integral(exp(-(y**2) / 2), (y, 1, oo))


def test_one_without_the_width_is_left_alone() -> None:
    own = Integral(exp(-(t**2)), (t, 0, oo))
    assert rescaled(own, {t: omega + sigma * y}) == own


def test_a_transform_is_opened_and_loses_its_frequency() -> None:
    moved = rescaled(opened(psi_hat(xi, omega, sigma)).xreplace({xi: omega + x / sigma}), {b: sigma * y})
    assert moved == sigma * Integral(exp(-(y**2) / 2 - I * x * y), (y, -oo, oo))


def test_a_deviation_scales_and_forgets_constant_factors() -> None:
    weight = Lambda(b, 7 * exp(-((b - omega) ** 2) / sigma**2))
    assert rescaled(Deviation(weight, S.Reals), {b: omega + sigma * y}) == sigma * Deviation(Lambda(y, exp(-(y**2))), S.Reals)
    with pytest.raises(Refused):
        rescaled(Deviation(Lambda(b, -exp(-(b**2) / sigma**2)), S.Reals), {b: sigma * y})
    with pytest.raises(Refused):
        rescaled(Deviation(Lambda(b, exp(-(b**2) / sigma**2)), S.Integers), {b: sigma * y})


@pytest.mark.parametrize("value", [-sigma * y, sigma * y**2, omega * y], ids=str)
def test_what_is_no_change_of_variable_is_refused(value: sp.Expr) -> None:
    own = Integral(exp(-((b / sigma) ** 2) + omega * 0 * b) * (1 + omega**2), (b, -oo, oo))
    with pytest.raises(Refused):
        rescaled(own, {b: value})


def test_a_new_variable_that_is_bound_inside_is_refused() -> None:
    own = Integral(Sum(exp(-(b**2) / sigma**2 - y**2), (y, 0, oo)), (b, -oo, oo))
    with pytest.raises(Refused):
        rescaled(own, {b: sigma * y})


def test_the_real_part_of_a_sum() -> None:
    assert real_sums(re(Sum(psi(k, omega, sigma), (k, 0, oo)))) == Sum(exp(-(k**2) / (2 * sigma**2)) * cos(k * omega), (k, 0, oo))
    with pytest.raises(Refused):
        real_sums(re(Sum(1 + psi(k, omega, sigma), (k, 0, oo))))


def test_squares_of_moduli_are_opened_where_there_is_a_sum_inside() -> None:
    total = Sum(exp(-(k**2) - I * k * y), (k, -oo, oo))
    assert opened(Abs(total) ** 2) == total * sp.conjugate(total)
    assert opened(Abs(I + y) ** 2) == Abs(I + y) ** 2


def test_a_density_shifts_to_the_standard_one() -> None:
    moved = rescaled(Integral(normal_density(t, omega, sigma**2), (t, omega, oo)), {t: omega + sigma * y})
    assert moved == Integral(exp(-(y**2) / 2), (y, 0, oo)) * sp.sqrt(2) / (2 * sp.sqrt(pi))
