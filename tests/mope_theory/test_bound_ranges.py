"""Where bound variables run, against what they admit."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import Integral, Interval, Lambda, Product, S, Sum, exp, oo

from mope_theory.bound_ranges import stray
from mope_theory.symbols import N, T, b, channel, k
from mope_theory.vocabulary.spectra import Deviation

counting = sp.Symbol("n", integer=True, positive=True)
half_line = sp.Symbol("u", nonnegative=True)
apart = sp.Symbol("w", real=True, zero=False)
no_kind = sp.Symbol("e", even=True)

KEPT = {
    "integers": Sum(k, (k, -5, 5)),
    "whole numbers of a real variable": Sum(b, (b, -oo, oo)),
    "from 0": Sum(channel, (channel, 0, N - 1)),
    "from 1": Product(counting, (counting, 1, N)),
    "a half-line": Integral(half_line, (half_line, 0, oo)),
    "a range of positive numbers": Integral(T, (T, 0, N)),
    "across the only point that is left out": Integral(apart**2, (apart, -1, 1)),
    "an inner sum from an outer index": Sum(Sum(counting, (counting, channel + 1, N)), (channel, 0, N)),
    "a deviation": Deviation(Lambda(b, exp(-(b**2))), S.Reals),
}
STRAY = {
    "from below 0": Sum(channel, (channel, -1, N)),
    "from 0 with 1, 2, …": Sum(counting, (counting, 0, N)),
    "from an end of unknown sign": Product(channel, (channel, k, N)),
    "a half-line to both sides": Integral(half_line, (half_line, -oo, oo)),
    "backwards": Integral(half_line, (half_line, 1, -1)),
    "between whole numbers": Integral(k, (k, 0, 1)),
    "over 0": Sum(apart, (apart, -1, 1)),
    "of no accepted kind": Sum(no_kind, (no_kind, 0, 2)),
    "below a sum": sp.cos(Sum(1 + Sum(channel * k, (channel, -1, 1)), (k, 0, N))),
    "a deviation over more": Deviation(Lambda(half_line, exp(-half_line)), Interval(-1, 1)),
}


@pytest.mark.parametrize("name", KEPT)
def test_a_variable_that_stays(name: str) -> None:
    assert not stray(KEPT[name])


@pytest.mark.parametrize("name", STRAY)
def test_a_variable_that_strays(name: str) -> None:
    assert "leaves what it admits" in stray(STRAY[name])
