"""Roundings of close numbers, and the whole numbers next to a real one, in exact rational arithmetic of its own."""
from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
import sympy as sp

from mope_theory.lemmas import rounding
from mope_theory.lemmas.integer_part import INTEGER_PART, real
from mope_theory.lemmas.whole_numbers import BELOW_ONE, WHOLE_POWERS
from mope_theory.logic import check
from mope_theory.statement import And, Less, LessEqual


def spacing(x: Fraction, bits: int) -> Fraction:
    """2^{e − p + 1} for 2^e ≤ |x| < 2^{e+1}."""
    unit = Fraction(2) ** (1 - bits)
    while abs(x) >= unit * 2**bits:
        unit *= 2
    while abs(x) < unit * 2 ** (bits - 1):
        unit /= 2
    return unit


def rounded(x: Fraction, bits: int) -> Fraction:
    """To the nearest multiple of the spacing, by long division; of two, the even one."""
    if x == 0:
        return x
    unit = spacing(x, bits)
    whole, rest = divmod(x, unit)
    up = rest * 2 > unit or (rest * 2 == unit and whole % 2 == 1)
    return (whole + up) * unit


@pytest.mark.parametrize("bits", [1, 2, 3, 4, 5])
def test_close_numbers_round_to_one_number_or_to_neighbours(bits: int) -> None:
    """Everywhere in two binades, ties and ends of binades among them, for every damped number on the same grid."""
    grid = 2 ** (bits + 4)
    reached = set()
    for n in range(grid, 4 * grid + 1):
        x = Fraction(n, grid)
        unit = spacing(x, bits)
        for less in range(n):
            z = Fraction(n - less, grid)
            if x - z >= unit / 2:
                break
            for sign in (1, -1):
                apart = abs(rounded(sign * z, bits) - rounded(sign * x, bits)) / unit
                assert apart <= 1, (x, z)
                reached.add(apart)
    assert {0, 1} <= reached


@pytest.mark.parametrize("bits", [2, 3, 4])
def test_numbers_a_little_less_close_may_round_farther_apart(bits: int) -> None:
    """A change of 3/2 spacings, from a tie that goes up to one that goes down, moves the rounding by two."""
    unit = Fraction(2) ** (1 - bits)
    apart = {
        abs(rounded(x, bits) - rounded(x - unit * 3 / 2, bits)) / unit
        for x in (1 + unit * Fraction(n, 4) for n in range(6, 4 * 2 ** (bits - 1)))
    }
    assert max(apart) == 2


@pytest.mark.parametrize("bits", [1, 2, 5])
def test_the_facts_that_it_follows_from(bits: int) -> None:
    numbers = [Fraction(n, 48) for n in range(-400, 401) if n]
    for x in numbers:
        unit = spacing(x, bits)
        assert abs(rounded(x, bits) - x) <= unit / 2
        assert (rounded(x, bits) / unit).denominator == 1
        assert 0 < unit <= abs(x) * 2 ** (1 - bits)
        assert abs(x) < 2**bits * unit
    for z, x in pairwise(sorted(numbers, key=abs)):
        assert (spacing(x, bits) / spacing(z, bits)).denominator == 1


@pytest.mark.parametrize("x", [sp.Integer(-3), sp.S.Zero, sp.Rational(7, 3), sp.Rational(-7, 3), sp.Rational(10**9, 7)])
def test_the_whole_numbers_next_to_a_real_one(x: sp.Rational) -> None:
    assert isinstance(INTEGER_PART.statement, And)
    members = INTEGER_PART.statement.substitute({real: x}).body
    assert all(isinstance(m, (Less, LessEqual)) and (m.lhs < m.rhs if isinstance(m, Less) else m.lhs <= m.rhs) for m in members)
    wrong = INTEGER_PART.statement.body[1].substitute({real: x})
    assert isinstance(wrong, Less)
    assert not wrong.lhs < wrong.rhs - 1


def test_each_lemma_is_derived_and_rests_on_what_it_says() -> None:
    alone = (rounding.NEAREST_BELOW, rounding.NEAREST_ABOVE, rounding.ROUNDED_BELOW, rounding.ROUNDED_ABOVE,
             rounding.BELOW_NEXT_BINADE, rounding.ULP_POSITIVE, WHOLE_POWERS)  # fmt: skip
    for derivation in alone:
        assert check(derivation), derivation.statement.text()
        assert not derivation.assumptions
    assert len(rounding.ULPS_DIVIDE.assumptions) == len(BELOW_ONE.assumptions) == 1
    assert len(rounding.ROUNDED_CLOSE.assumptions) == 2
    for derivation in (rounding.ULPS_DIVIDE, rounding.ROUNDED_CLOSE, BELOW_ONE):
        assert check(derivation), derivation.statement.text()
