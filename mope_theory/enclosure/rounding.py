"""Rounding of whole intervals: to nearest, ties to even, with exponents without end."""
from __future__ import annotations

from flint import arb

from ..reference import Unresolved
from .interval import Interval


def round_dyadic(mantissa: int, exponent: int, bits: int) -> tuple[int, int]:
    """The number of ``bits`` significant bits nearest to mantissa · 2^exponent, in exact arithmetic; of two, the even one."""
    sign, size = (-1 if mantissa < 0 else 1), abs(mantissa)
    excess = size.bit_length() - bits
    if excess <= 0:
        return mantissa, exponent
    kept, half = size >> excess, 1 << (excess - 1)
    lost = size & ((1 << excess) - 1)
    up = lost > half or (lost == half and kept % 2 == 1)
    return sign * (kept + up), exponent + excess


def round_interval(x: Interval, bits: int) -> Interval:
    """What the values of an interval are rounded to; rounding never decreases, so that the ends are the rounded ends."""
    if not (x.low.is_finite() and x.high.is_finite()):
        raise Unresolved("an unbounded interval is not rounded")
    return Interval(_rounded(x.low, bits), _rounded(x.high, bits))


def _rounded(end: arb, bits: int) -> arb:
    mantissa, exponent = (int(part) for part in end.man_exp())
    mantissa, exponent = round_dyadic(mantissa, exponent, bits)
    number = arb((mantissa, exponent))
    if not number.is_exact():
        raise Unresolved("the working precision does not hold the rounded number")
    return number
