"""Which functions plainly lie in a set of functions of class C¹."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import Abs, I, Lambda, S, Sum, conjugate, exp, oo, sqrt

from mope_theory.ranges import belongs
from mope_theory.vocabulary.functions import SEQUENCES, Functions, Unknown

x, y = sp.symbols("x y", real=True)
p = sp.Symbol("p", positive=True)
j = sp.Symbol("j", integer=True)
count = sp.Symbol("N", integer=True, positive=True)
a = Unknown("a", Functions(SEQUENCES, S.Complexes))
f = Unknown("f", Functions(S.Reals, S.Reals))
SMOOTH = Functions(S.Reals, S.Reals, "C^{1}")
wave = Sum(a(j) * exp(I * j * x), (j, 0, count - 1))


@pytest.mark.parametrize(
    "value",
    [x**2, exp(-(x**2) / p), wave * conjugate(wave) * exp(-(x**2)), Abs(y) * x, f(y) + x, sqrt(1 + x**2), 1 / (1 + x**2)],
    ids=str,
)
def test_a_smooth_function(value: sp.Expr) -> None:
    assert belongs(Lambda(x, value), SMOOTH)


@pytest.mark.parametrize(
    "value",
    [Abs(x), sqrt(x**2), 1 / x, sp.Max(x, 0), f(x), x / y, I * x, Sum(exp(-(j**2)) * sp.cos(j * x), (j, -oo, oo)),
     Sum(x, (j, 0, x)), sp.floor(x), sp.Derivative(Abs(x), x)],
    ids=str,
)  # fmt: skip
def test_what_is_not_plainly_smooth_and_real(value: sp.Expr) -> None:
    assert not belongs(Lambda(x, value), SMOOTH)


def test_a_smooth_function_of_a_part_of_the_line() -> None:
    assert not belongs(Lambda(p, p), SMOOTH)
    assert not belongs(Lambda(x, x), Functions(S.Reals, S.Reals, "L^{2}"))
    assert not belongs(Lambda((x, y), x), SMOOTH)
