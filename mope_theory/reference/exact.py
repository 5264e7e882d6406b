"""Exact points: what a symbol may be given as a value, checked against the symbol's assumptions."""
from __future__ import annotations

import math
from enum import Enum
from fractions import Fraction
from typing import Any, Final

import mpmath
import sympy as sp
from flint import acb, arb, fmpq, fmpz


class Unresolved(ArithmeticError):
    """The precision does not suffice for an answer; neither a pass nor a failure."""


class Infinite(Enum):
    """The one point at infinity of the projective line: only its reciprocal is used, so that it needs no sign."""

    INFINITE = "∞"


INFINITE: Final = Infinite.INFINITE

Point = Fraction | arb | acb | Infinite


def exact_point(symbol: sp.Symbol, value: Any, continued: bool = False) -> Point:
    """The exact value of a symbol: a Fraction, a ball, or INFINITE.

    Floats and ``mpf`` stand for their exact binary value. Raises ValueError for NaN, for decimal strings and other
    types, and for a value that the symbol's assumptions exclude: SymPy has already simplified under them. ``continued``
    lets a real symbol take complex values (analytic continuation of the expression).
    """
    if not isinstance(symbol, sp.Symbol):
        raise ValueError(f"values are given for symbols, not for {symbol!r}")
    point = _convert(symbol, value)
    if isinstance(point, acb) and point.imag.is_zero():
        point = point.real
    if not continued:
        _check_assumptions(symbol, point)
    return point


def _convert(symbol: sp.Symbol, value: Any) -> Point:
    if isinstance(value, bool):
        raise ValueError(f"{symbol} = {value}: a truth value is not a number")
    if isinstance(value, sp.Expr) and value.is_infinite:
        value = math.inf if value is sp.oo else -math.inf
    if isinstance(value, float) and math.isinf(value):
        if value < 0 and symbol.is_nonnegative:
            raise ValueError(f"{symbol} = −∞ contradicts its assumptions")
        return INFINITE
    if isinstance(value, float) and math.isnan(value):
        raise ValueError(f"{symbol} is NaN")
    if isinstance(value, (int, float, Fraction)):
        return Fraction(value)
    if isinstance(value, fmpz):
        return Fraction(int(value))
    if isinstance(value, (fmpq, sp.Rational)):
        return Fraction(int(value.p), int(value.q))
    if isinstance(value, mpmath.mpf):
        sign, mantissa, exponent, _ = value._mpf_
        if not mantissa and exponent:
            raise ValueError(f"{symbol} = {value} is not finite")
        return Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** int(exponent)
    if isinstance(value, (arb, acb)):
        if not value.is_finite():
            raise ValueError(f"{symbol} = {value} is not finite")
        return value
    kind = type(value).__name__
    raise ValueError(f"{symbol} = {value!r}: give an integer, a fraction, a binary float or a ball, not {kind}")


def _check_assumptions(symbol: sp.Symbol, point: Point) -> None:
    if point is INFINITE:
        return
    if isinstance(point, acb):
        if symbol.is_extended_real:
            raise ValueError(f"{symbol} is real, but its value is {point}")
        return
    excluded = (
        (symbol.is_positive and point <= 0)
        or (symbol.is_nonnegative and point < 0)
        or (symbol.is_negative and point >= 0)
        or (symbol.is_nonpositive and point > 0)
        or (symbol.is_nonzero and point == 0)
    )
    if excluded:
        raise ValueError(f"{symbol} = {point} contradicts its assumptions")
    if symbol.is_integer and isinstance(point, Fraction) and point.denominator != 1:
        raise ValueError(f"{symbol} is an integer, but its value is {point}")


LONGEST = 100_000
"""Terms of a sum or product that are evaluated one by one."""


def index_range(total: sp.Basic) -> tuple[sp.Symbol, range]:
    """Index and indices of a sum or product over one integer index between two numbers; ValueError for any other."""
    if len(total.limits) != 1 or len(total.limits[0]) != 3:
        raise ValueError(f"{total} is not evaluated: not over one index between two bounds")
    index, first, last = total.limits[0]
    if not (isinstance(first, sp.Integer) and isinstance(last, sp.Integer)) or last - first > LONGEST:
        raise ValueError(f"{total} is not evaluated: its bounds are not integers, or far apart")
    return index, range(int(first), int(last) + 1)
