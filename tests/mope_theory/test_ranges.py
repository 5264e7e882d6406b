"""Which functions plainly lie in a set of functions of class C¹, and which terms are defined."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import Abs, I, Lambda, S, Sum, conjugate, exp, oo, sqrt

from mope_theory.decide import Refused
from mope_theory.defined import require_defined
from mope_theory.ranges import belongs
from mope_theory.vocabulary.floating import Rounded, Ulp
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
    [x**2, exp(-(x**2) / p), wave * conjugate(wave) * exp(-(x**2)), Abs(y) * x, f(y) + x, sqrt(1 + x**2), 1 / (1 + x**2),
     Sum(exp(-(j**2)) * sp.cos(j * x), (j, -oo, oo)) ** 2, Sum(x**2 * exp(-p * j**2 + j * x), (j, 3, oo))],
    ids=str,
)  # fmt: skip
def test_a_smooth_function(value: sp.Expr) -> None:
    assert belongs(Lambda(x, value), SMOOTH)


@pytest.mark.parametrize(
    "value",
    [Abs(x), sqrt(x**2), 1 / x, sp.Max(x, 0), f(x), x / y, I * x, Sum(exp(-j**2 * (1 + x**2)), (j, 1, oo)),
     Sum(exp(-j - x**2 * j), (j, 1, oo)), Sum(f(x) * exp(-j**2), (j, 1, oo)), Sum(sp.cos(j * x), (j, 1, oo)),
     Sum(x, (j, 0, x)), sp.floor(x), sp.Derivative(Abs(x), x)],
    ids=str,
)  # fmt: skip
def test_what_is_not_plainly_smooth_and_real(value: sp.Expr) -> None:
    assert not belongs(Lambda(x, value), SMOOTH)


def test_a_smooth_function_of_a_part_of_the_line() -> None:
    assert not belongs(Lambda(p, p), SMOOTH)
    assert not belongs(Lambda(x, x), Functions(S.Reals, S.Reals, "L^{2}"))
    assert not belongs(Lambda((x, y), x), SMOOTH)


@pytest.mark.parametrize("value", [x, x * exp(I * y) * exp(-I * y), Abs(Rounded(x, count) - x), sp.re(exp(I * x)) * p])
def test_a_rounding_is_defined_at_zero_too(value: sp.Expr) -> None:
    require_defined(Rounded(value, count) + Ulp(value, count))
    assert not belongs(Lambda(x, Rounded(value, count)), SMOOTH)


@pytest.mark.parametrize(
    "term",
    [Rounded(1 / x, count), Rounded(sp.log(x), count), 1 / Rounded(x, count), sp.log(Ulp(x, count)), Rounded(I * x, count),
     Rounded(x, y), Rounded(x, 1 / sp.Integer(2)), Ulp(f(1 / x), count), 1 / (x - Rounded(x, count))],
    ids=str,
)  # fmt: skip
def test_what_may_be_undefined_in_a_rounding_or_below_a_fraction_bar(term: sp.Expr) -> None:
    with pytest.raises(Refused):
        require_defined(term)


def test_a_class_that_calls_itself_a_rounding_is_none() -> None:
    class Sloppy(Rounded):
        def definition(self) -> sp.Expr:
            return 1 / self.args[0]

    with pytest.raises(Refused):
        require_defined(Sloppy(x, count))
