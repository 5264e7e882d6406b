"""Rounding to floating point as formulas: p significant bits, to nearest, ties to even, exponents without end."""
from __future__ import annotations

from typing import Any

import sympy as sp

from ..substitution import is_irrational
from ..symbols import Head


def _of_a_real(head: sp.Function) -> bool | None:
    """Of a real number in a whole number of bits? SymPy simplifies under the answer."""
    x, bits = head.args
    return True if x.is_real and bits.is_integer else None


def spacing(x: sp.Expr, bits: sp.Expr) -> sp.Expr:
    """2^{⌊log₂|x|⌋ − p + 1}, for x ≠ 0."""
    if x.is_Rational and x != 0:
        return sp.Integer(2) ** (_exponent(x) - bits + 1)
    return sp.Integer(2) ** (_rounded(sp.floor, sp.log(sp.Abs(x)) / sp.log(2)) - bits + 1)


def _exponent(x: sp.Rational) -> sp.Integer:
    """⌊log₂|x|⌋, exactly."""
    size = abs(x)
    guess = int(size.p).bit_length() - int(size.q).bit_length()
    return sp.Integer(guess if sp.Integer(2) ** guess <= size else guess - 1)


def _rounded(step: type[sp.floor] | type[sp.ceiling], y: sp.Expr) -> sp.Expr:
    """⌊y⌋ or ⌈y⌉; SymPy rounds an irrational number by its first hundred digits, so that one is left as it stands."""
    return step(y, evaluate=not is_irrational(y))


def nearest(y: sp.Expr) -> sp.Expr:
    """⌊y + ½⌋ + ⌈(2y − 1)/4⌉ − ⌊(2y − 1)/4⌋ − 1, the nearest whole number, of two the even one.

    The last three terms undo the step up from a tie where it would end on an odd number.
    """
    tie = (2 * y - 1) / 4
    return _rounded(sp.floor, y + sp.Rational(1, 2)) + _rounded(sp.ceiling, tie) - _rounded(sp.floor, tie) - 1


class Ulp(Head):
    """Spacing of the numbers of p significant bits at x, 2^{⌊log₂|x|⌋ − p + 1}; 0 at x = 0."""

    nargs = 2

    def definition(self) -> sp.Expr:
        x, bits = self.args
        return sp.Piecewise((sp.S.Zero, sp.Eq(x, 0)), (spacing(x, bits), True))

    def _eval_is_nonnegative(self) -> bool | None:
        return _of_a_real(self)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        x, bits = map(printer._print, self.args)
        value = rf"\operatorname{{ulp}}_{{{bits}}}\left({x}\right)"
        return value if exp is None else rf"{value}^{{{exp}}}"


class Rounded(Head):
    """The number of p significant bits that is nearest to x; of two, the one with the even last bit.

    A whole multiple of ulp(x), by the whole number nearest to x / ulp(x).
    """

    nargs = 2

    def definition(self) -> sp.Expr:
        x, bits = self.args
        step = spacing(x, bits)
        return sp.Piecewise((sp.S.Zero, sp.Eq(x, 0)), (step * nearest(x / step), True))

    def _eval_is_real(self) -> bool | None:
        return _of_a_real(self)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        x, bits = map(printer._print, self.args)
        value = rf"\operatorname{{rd}}_{{{bits}}}\left({x}\right)"
        return value if exp is None else rf"{value}^{{{exp}}}"
