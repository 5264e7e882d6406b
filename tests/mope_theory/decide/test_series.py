"""Infinite sums: those that plainly converge are linear and folded; nothing is known of any other."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import I, Sum, conjugate, cos, exp, log, oo, pi, re, sin, sqrt

from mope_theory.decide import Refused, equal, is_real, positive
from mope_theory.decide.series import summable
from mope_theory.symbols import K, b, delta, j, k, m, n, omega, psi, sigma
from mope_theory.vocabulary.spectra import theta

a = sp.Symbol("a", positive=True)
x, y = sp.symbols("x y", real=True)
counter = sp.Symbol("k", integer=True, nonnegative=True)
alternating = Sum((-1) ** k * exp(-a * k**2), (k, -oo, oo))
comb = Sum(exp(-a * k**2 + I * y * k), (k, -oo, oo))
half_comb = Sum(exp(-a * k**2 + I * y * k), (k, 0, oo))
tiles = Sum(psi(m, omega, sigma, j * delta) * conjugate(psi(n, omega, sigma, j * delta)), (j, -oo, oo))

EQUAL = {
    "over ℤ, folded": (comb, theta(a, y)),
    "conjugate": (conjugate(half_comb), Sum(exp(-a * k**2 - I * y * k), (k, 0, oo))),
    "real part": (re(half_comb), (1 + comb) / 2),
    "constants in front": (tiles, K(m - n, omega, sigma) * Sum(exp(-((j * delta - (m + n) / 2) ** 2) / sigma**2), (j, -oo, oo))),
    "another index": (Sum(exp(-a * j**2), (j, 1, oo)), Sum(exp(-a * k**2), (k, 1, oo))),
    "backwards": (Sum(exp(-((x + k) ** 2)), (k, -oo, oo)), Sum(exp(-((x - k) ** 2)), (k, -oo, oo))),
    "odd": (Sum(k * exp(-a * k**2), (k, -oo, oo)), sp.S.Zero),
    "first terms of a geometric series": (Sum(exp(-a * k), (k, 3, oo)), Sum(exp(-a * k), (k, 1, oo)) - exp(-a) - exp(-2 * a)),
    "first terms below 1": (Sum(exp(-a * k), (k, -1, oo)), Sum(exp(-a * k), (k, 1, oo)) + exp(a) + 1),
    "alternating": (alternating, comb.subs(y, pi)),
    "alternating from 0 on": (Sum((-1) ** k * exp(-a * k**2), (k, 0, oo)), (1 + alternating) / 2),
    "one name in two sums": (
        Sum((k - Sum(k * exp(-a * k**2), (k, -oo, oo))) ** 2 * exp(-a * k**2), (k, -oo, oo)),
        2 * Sum(j**2 * exp(-a * j**2), (j, 1, oo)),
    ),
    "an index that is declared real": (Sum(psi(b, omega, sigma), (b, 0, oo)), Sum(psi(k, omega, sigma), (k, 0, oo))),
}


@pytest.mark.parametrize("name", EQUAL)
def test_what_plainly_converges_is_linear_and_folded(name: str) -> None:
    assert equal(*EQUAL[name])


@pytest.mark.parametrize("name", EQUAL)
def test_a_changed_sum_is_not_equal(name: str) -> None:
    left, right = EQUAL[name]
    for wrong in (right + 1, right * sp.Rational(10**12 + 1, 10**12) + sp.Rational(1, 10**12)):
        with pytest.raises(Refused):
            assert not equal(left, wrong)
            raise Refused  # decided different is as good


def test_signs() -> None:
    assert positive(Sum(exp(-((omega + 2 * pi * k) ** 2) / 2), (k, -oo, oo)))
    assert positive(Sum(exp(-a * k), (k, 1, oo)))
    assert is_real(comb)
    assert is_real(alternating)
    assert is_real(Sum((-1) ** k * exp(-a * k**2), (k, 0, oo)))
    assert not is_real(Sum(sp.exp(I * pi * k / 2 - a * k**2), (k, 0, oo)))
    assert not positive(alternating)
    assert not positive(comb)
    assert not is_real(half_comb)


OPEN = {
    "a geometric series over ℤ": Sum(exp(-a * k), (k, -oo, oo)),
    "growing": Sum(exp(a * k**2), (k, 1, oo)),
    "turning": Sum(exp(I * k**2), (k, 1, oo)),
    "of unknown decay": Sum(exp(y * k**2), (k, 1, oo)),
    "falling or not": Sum(exp(-y * k), (k, 1, oo)),
    "harmonic": Sum(1 / k, (k, 1, oo)),
    "a pole": Sum(exp(-a * k**2) / k, (k, 1, oo)),
    "cubic": Sum(exp(-(k**3)), (k, 1, oo)),
    "constant": Sum(sp.S.One, (k, 1, oo)),
    "one part that does not converge": Sum(exp(-a * k**2) * sin(k) ** 2 + cos(k) ** 2, (k, 1, oo)),
    "a factor outside the class": Sum(exp(-a * k**2) * log(1 + k**2), (k, 1, oo)),
    "a sum inside": Sum(Sum(exp(-a * k**2 - j**2), (j, 1, k)), (k, 1, oo)),
    "two indices": Sum(exp(-a * k**2 - j**2), (j, 1, oo), (k, 1, oo)),
    "downwards": Sum(exp(-a * k**2), (k, oo, 1)),
    "an end that is open": Sum(exp(-a * k**2), (k, n, oo)),
}


@pytest.mark.parametrize("name", OPEN)
def test_nothing_is_known_of_any_other(name: str) -> None:
    total = OPEN[name]
    assert not summable(total)
    with pytest.raises(Refused):
        equal(2 * total, Sum(2 * total.function, *total.limits) + 1)
    assert not is_real(total)


def test_an_index_that_is_never_negative_does_not_run_over_all_whole_numbers() -> None:
    total = Sum(sqrt(counter**2) * exp(-a * counter**2), (counter, -oo, oo))
    assert not summable(total)
    with pytest.raises(Refused, match="leaves what it admits"):
        is_real(total)


def test_a_divergent_sum_is_not_taken_apart() -> None:
    with pytest.raises(Refused):
        equal(Sum(exp(a * k), (k, 1, oo)), exp(a) + Sum(exp(a * k), (k, 2, oo)))
