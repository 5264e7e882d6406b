"""Functions that kernels compute by an operation of their own, and whose derivative is given here, not found by SymPy.

Written out, a sigmoid overflows and a maximum has no derivative at its tie; as named functions both stay whole through
differentiation. Each derivative is proved from the definition in the tests, the value at a tie is a convention.
"""
from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.function import ArgumentIndexError

from ..symbols import Head


class sigmoid(Head):
    """ς(x) = 1/(1 + e^{−x}); its derivative is ς(x) ς(−x), in which nothing cancels."""

    nargs = 1

    def definition(self) -> sp.Expr:
        return 1 / (1 + sp.exp(-self.args[0]))

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        (x,) = self.args
        return sigmoid(x) * sigmoid(-x)

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0].is_real else None

    def _latex(self, printer: Any, exp: Any = None) -> str:
        value = rf"\varsigma\left({printer._print(self.args[0])}\right)"
        return value if exp is None else rf"{value}^{{{exp}}}"


class at_least(Head):
    """max(x, floor), for a floor that is a positive number; by x it has the derivative :class:`above`.

    Raises ValueError for any other floor.
    """

    nargs = 2

    @classmethod
    def eval(cls, x: sp.Expr, floor: sp.Expr) -> None:
        if not (floor.is_Rational and floor.is_positive):
            raise ValueError(f"at_least: got the floor {floor}, expected a positive rational number")

    def definition(self) -> sp.Expr:
        return sp.Max(*self.args)

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        if argindex != 1:
            raise ArgumentIndexError(self, argindex)  # a number, by which nothing is differentiated
        return above(*self.args)

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0].is_real else None

    def _latex(self, printer: Any, exp: Any = None) -> str:
        value = rf"\max\left({', '.join(map(printer._print, self.args))}\right)"
        return value if exp is None else rf"{value}^{{{exp}}}"


class above(Head):
    """1 where x > floor, else 0: at the tie nothing passes."""

    nargs = 2

    def definition(self) -> sp.Expr:
        x, floor = self.args
        return sp.Heaviside(x - floor, 0)

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        return sp.S.Zero

    def _eval_is_nonnegative(self) -> bool | None:
        return True if self.args[0].is_real and self.args[1].is_real else None

    def _latex(self, printer: Any, exp: Any = None) -> str:
        x, floor = map(printer._print, self.args)
        value = rf"\mathbf{{1}}_{{{x} > {floor}}}"
        return value if exp is None else rf"{{{value}}}^{{{exp}}}"
