"""Signs that are plain from the normal form; what is not plain is not claimed."""
from __future__ import annotations

import sympy as sp
from sympy import exp, sqrt

from mope_theory.decide import decreasing, increasing, is_real, nonnegative, positive
from mope_theory.symbols import b, omega, psi, sigma

x = sp.Symbol("x", real=True)
p = sp.Symbol("p", positive=True)
q = sp.Symbol("q", nonnegative=True)


def test_plain_signs() -> None:
    assert positive(p**2 / sigma + exp(-x))
    assert nonnegative(x**2 * q + sqrt(q))
    assert nonnegative((x - p) ** 2)
    assert positive(sp.Abs(psi(b, omega, sigma)))
    assert is_real(sp.Abs(psi(b, omega, sigma)))
    assert decreasing(sp.Abs(psi(p, omega, sigma)), p)
    assert increasing(p**2 - 1 / p, p)


def test_what_is_not_plain_is_not_claimed() -> None:
    assert not positive(x**2)  # zero at x = 0
    assert not nonnegative(x**2 - 2 * x * p + p**2)  # true, but not plain
    assert not nonnegative(-p)
    assert not nonnegative(x)
    assert not nonnegative(sp.I * p)
    assert not is_real(psi(b, omega, sigma))
    assert not decreasing(sp.Abs(psi(p, omega, sigma)), sigma)
    assert not increasing(x**2, x)
