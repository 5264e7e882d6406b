"""Rounding to floating point as formulas: p significant bits, to nearest, ties to even, exponents without end."""
from __future__ import annotations

from typing import Any

import sympy as sp

from ..symbols import Head


def _of_a_real(head: sp.Function) -> bool | None:
    """Of a real number in a whole number of bits? SymPy simplifies under the answer."""
    x, bits = head.args
    return True if x.is_real and bits.is_integer else None


def spacing(x: sp.Expr, bits: sp.Expr) -> sp.Expr:
    """2^{⌊log₂|x|⌋ − p + 1}, for x ≠ 0."""
    return sp.Integer(2) ** (sp.floor(sp.log(sp.Abs(x)) / sp.log(2)) - bits + 1)


def nearest(y: sp.Expr) -> sp.Expr:
    """⌊y + ½⌋ + ⌈(2y − 1)/4⌉ − ⌊(2y − 1)/4⌋ − 1, the nearest whole number, of two the even one.

    The last three terms undo the step up from a tie where it would end on an odd number.
    """
    tie = (2 * y - 1) / 4
    return sp.floor(y + sp.Rational(1, 2)) + sp.ceiling(tie) - sp.floor(tie) - 1


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
