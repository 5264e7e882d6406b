"""Expressions as one line of plain text, with Greek letters and the usual signs."""
from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.pretty.pretty_symbology import pretty_symbol
from sympy.printing.str import StrPrinter

NAMES = {
    "psi_hat": "ψ̂",
    "psi_hat_on_integers": "ψ̂_ℤ",
    "InitialFrequency": "ω_initial",
    "InitialWidth": "σ_initial",
    "EffectiveFrequency": "ω_eff",
    "EffectiveWidth": "σ_eff",
    "DecayFactor": "Π",
    "GateParameters": "n_gate",
    "MorletParameters": "n_MoPE",
    "TableParameters": "n_table",
    "ReportedLoss": "loss",
    "Perplexity": "perplexity",
    "Rounded": "rd",
    "Ulp": "ulp",
}
"""Class of a named function → its name in a formula, after the one in its LaTeX; the others go by the name of their class."""


class _Printer(StrPrinter):
    """SymPy's text, made readable; it is never parsed again."""

    def _print_Symbol(self, expr: sp.Symbol) -> str:
        return "ϖ" if expr.name == "varpi" else str(pretty_symbol(expr.name))

    def _print_Function(self, expr: Any) -> str:
        name = expr.func.__name__
        return f"{NAMES.get(name) or pretty_symbol(name)}({self.stringify(expr.args, ', ')})"

    def _print_carrier(self, expr: Any) -> str:
        position, frequency = (self.parenthesize(x, PRECEDENCE["Mul"]) for x in expr.args)
        return f"e^({self._print(sp.I)}*{frequency}*{position})"

    def _print_TableEven(self, expr: Any) -> str:
        position, i, _ = expr.args
        return f"PE({self._print(position)}, {self._print(2 * i)})"

    def _print_TableOdd(self, expr: Any) -> str:
        position, i, _ = expr.args
        return f"PE({self._print(position)}, {self._print(2 * i + 1)})"

    def parenthesize(self, item: Any, level: int, strict: bool = False) -> str:
        if type(item).__name__ == "carrier" and level >= PRECEDENCE["Pow"]:  # it is printed as a power
            return f"({self._print(item)})"
        return str(super().parenthesize(item, level, strict))

    def _print_Lambda(self, expr: Any) -> str:
        return f"{', '.join(map(self._print, expr.variables))} ↦ {self._print(expr.expr)}"

    def _print_conjugate(self, expr: Any) -> str:
        return f"conj({self._print(expr.args[0])})"

    def _print_Abs(self, expr: Any) -> str:
        return f"|{self._print(expr.args[0])}|"

    def _print_ImaginaryUnit(self, expr: Any) -> str:
        return "ⅈ"  # a letter of its own, for i is an index

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

    def _print_Complexes(self, expr: Any) -> str:
        return "ℂ"

    def _print_Complement(self, expr: Any) -> str:
        return " ∖ ".join(f"({self._print(x)})" if isinstance(x, sp.Complement) else self._print(x) for x in expr.args)

    def _print_ProductSet(self, expr: Any) -> str:
        return " × ".join(f"({self._print(x)})" if isinstance(x, sp.ProductSet) else self._print(x) for x in expr.args)

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
