"""Whether a term plainly lies in a set."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import Integral, S, Sum, exp, oo

from mope_theory.ranges import belongs

a = sp.Symbol("a", positive=True)
k = sp.Symbol("k", integer=True)
x = sp.Symbol("x", real=True)
comb = Sum(exp(-a * k**2), (k, 1, oo))


@pytest.mark.parametrize("domain", [S.Complexes, S.Reals, sp.Interval.open(0, oo)])
def test_a_sum_that_plainly_converges_is_a_number(domain: sp.Set) -> None:
    assert belongs(comb, domain)


@pytest.mark.parametrize("value", [Sum(1 / k, (k, 1, oo)), Integral(exp(x**2), (x, -oo, oo))])
def test_any_other_has_some_complex_value(value: sp.Expr) -> None:
    assert belongs(value, S.Complexes)
    assert not belongs(value, S.Reals)


INFINITE = [oo, -oo, sp.zoo, sp.nan, oo * a, Sum(oo * k, (k, 1, 2)), Sum(k, (k, 1, Sum(oo * x, (x, 1, 2))))]


@pytest.mark.parametrize("value", INFINITE)
def test_what_is_infinite_is_no_number(value: sp.Expr) -> None:
    assert not belongs(value, S.Complexes)
