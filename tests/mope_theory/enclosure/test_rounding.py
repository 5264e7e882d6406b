"""Rounding of intervals against rounding of fractions by hand, ties included."""
from __future__ import annotations

from fractions import Fraction
from math import floor

import pytest
from flint import arb

from mope_theory.enclosure.interval import INFINITY, Interval, exactly, spanning
from mope_theory.enclosure.rounding import round_dyadic, round_interval
from mope_theory.reference import Unresolved


def by_hand(x: Fraction, bits: int) -> Fraction:
    """To nearest, ties to even, straight from the definition."""
    if x == 0:
        return x
    size, spacing = abs(x), Fraction(1)
    while size >= spacing * 2**bits:
        spacing *= 2
    while size < spacing * 2 ** (bits - 1):
        spacing /= 2
    y = x / spacing
    low = Fraction(floor(y))
    up = y - low > Fraction(1, 2) or (y - low == Fraction(1, 2) and low % 2 == 1)
    return (low + up) * spacing


@pytest.mark.parametrize("bits", [1, 2, 3, 5])
def test_every_small_number_is_rounded_as_by_hand(bits: int) -> None:
    for mantissa in range(-300, 301):
        kept, exponent = round_dyadic(mantissa, -4, bits)
        assert Fraction(kept) * Fraction(2) ** exponent == by_hand(Fraction(mantissa, 16), bits)


def test_an_interval_is_rounded_to_what_its_values_are_rounded_to() -> None:
    tie = arb(1) - arb(2) ** -25  # half-way between 1 − 2⁻²⁴ and 1, which is even
    assert round_interval(exactly(tie), 24).point == 1
    below = round_interval(spanning(tie - arb(2) ** -40, arb(1)), 24)
    assert below.point is None
    assert below.low == arb(1) - arb(2) ** -24
    with pytest.raises(Unresolved):
        round_interval(Interval(arb(0), INFINITY), 24)
