"""Rounding to floating point as formulas: p significant bits, to nearest, ties to even, exponents without end."""
from __future__ import annotations

from typing import Any

import sympy as sp

from ..symbols import Head


def _of_a_real(head: sp.Function) -> bool | None:
    """Of a real number in a whole number of bits? SymPy simplifies under the answer."""
    x, bits = head.args
    return True if x.is_real and bits.is_integer else None


class Ulp(Head):
    """Spacing of the numbers of p significant bits at x, 2^{⌊log₂|x|⌋ − p + 1}; 0 at x = 0."""

    nargs = 2

    def definition(self) -> sp.Expr:
        x, bits = self.args
        spacing = sp.Integer(2) ** (sp.floor(sp.log(sp.Abs(x)) / sp.log(2)) - bits + 1)
        return sp.Piecewise((sp.S.Zero, sp.Eq(x, 0)), (spacing, True))

    def _eval_is_nonnegative(self) -> bool | None:
        return _of_a_real(self)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        x, bits = map(printer._print, self.args)
        value = rf"\operatorname{{ulp}}_{{{bits}}}\left({x}\right)"
        return value if exp is None else rf"{value}^{{{exp}}}"


class Rounded(Head):
    """The number of p significant bits that is nearest to x; of two, the one with the even last bit.

    With y = x / ulp(x): ulp(x) · (⌊y + ½⌋ + ⌈(2y − 1)/4⌉ − ⌊(2y − 1)/4⌋ − 1); the last three terms undo the step up from a
    tie where it would end on an odd number.
    """

    nargs = 2

    def definition(self) -> sp.Expr:
        x, bits = self.args
        spacing = sp.Integer(2) ** (sp.floor(sp.log(sp.Abs(x)) / sp.log(2)) - bits + 1)
        y = x / spacing
        tie = (2 * y - 1) / 4
        nearest = sp.floor(y + sp.Rational(1, 2)) + sp.ceiling(tie) - sp.floor(tie) - 1
        return sp.Piecewise((sp.S.Zero, sp.Eq(x, 0)), (spacing * nearest, True))

    def _eval_is_real(self) -> bool | None:
        return _of_a_real(self)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        x, bits = map(printer._print, self.args)
        value = rf"\operatorname{{rd}}_{{{bits}}}\left({x}\right)"
        return value if exp is None else rf"{value}^{{{exp}}}"
