"""Expressions as one line of plain text, with Greek letters and the usual signs."""
from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.printing.pretty.pretty_symbology import pretty_symbol
from sympy.printing.str import StrPrinter


class _Printer(StrPrinter):
    """SymPy's text, made readable; it is never parsed again."""

    def _print_Symbol(self, expr: sp.Symbol) -> str:
        return str(pretty_symbol(expr.name))

    def _print_Function(self, expr: Any) -> str:
        return f"{pretty_symbol(expr.func.__name__)}({self.stringify(expr.args, ', ')})"

    def _print_conjugate(self, expr: Any) -> str:
        return f"conj({self._print(expr.args[0])})"

    def _print_Abs(self, expr: Any) -> str:
        return f"|{self._print(expr.args[0])}|"

    def _print_ImaginaryUnit(self, expr: Any) -> str:
        return "i"

    def _print_Pi(self, expr: Any) -> str:
        return "π"

    def _print_Infinity(self, expr: Any) -> str:
        return "∞"

    def _print_NegativeInfinity(self, expr: Any) -> str:
        return "-∞"

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        return str(super()._print_Pow(expr, rational)).replace("**", "^")

    def _print_Integers(self, expr: Any) -> str:
        return "ℤ"

    def _print_Reals(self, expr: Any) -> str:
        return "ℝ"

    def _print_Naturals(self, expr: Any) -> str:
        return "ℕ"

    def _print_Naturals0(self, expr: Any) -> str:
        return "ℕ₀"

    def _print_Interval(self, expr: Any) -> str:
        left = "(" if expr.left_open else "["
        right = ")" if expr.right_open else "]"
        return f"{left}{self._print(expr.start)}, {self._print(expr.end)}{right}"


def expression(value: sp.Basic) -> str:
    """An expression or a set as one line of text."""
    return str(_Printer().doprint(value))
