"""Decimal numerals: rational numbers that are printed with the digits they were written with."""
from __future__ import annotations

import re
from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE

from ..statement import LessEqual
from ..symbols import Head

_NUMERAL = re.compile(r"([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?")


class RealHead(Head):
    """A head whose values are real for real arguments, and can be compared with other numbers where it has no free symbols."""

    def _eval_is_real(self) -> bool | None:
        # SymPy simplifies under this, so that it is said of real arguments (and of labels) only
        return True if all(not isinstance(a, sp.Expr) or a.is_real for a in self.args) else None

    def _eval_evalf(self, bits: int) -> Any:
        return self.definition()._eval_evalf(bits)


class Decimal(RealHead):
    """digits · 10^−places · 10^power, a rational number; it keeps the places that it was written with."""

    nargs = 3

    @classmethod
    def eval(cls, *args: sp.Expr) -> None:
        if not all(isinstance(a, sp.Integer) for a in args):
            raise ValueError(f"a decimal numeral of {args}: digits, places and power are integers")

    def definition(self) -> sp.Expr:
        digits, places, power = self.args
        return digits * sp.Integer(10) ** (power - places)

    def _eval_is_rational(self) -> bool:
        return True

    def _eval_is_positive(self) -> bool:
        return bool(self.args[0] > 0)

    def _eval_is_negative(self) -> bool:
        return bool(self.args[0] < 0)

    @classmethod
    def class_key(cls) -> tuple[int, int, str]:
        """Sorted as a number, so that it is printed before the other factors of a product."""
        return 1, 0, cls.__name__

    def _digits(self) -> str:
        digits, places, _ = map(int, self.args)
        text = f"{abs(digits):0{places + 1}d}"
        return ("-" if digits < 0 else "") + (f"{text[:-places]}.{text[-places:]}" if places else text)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        power = self.args[2]
        text = self._digits() + (rf" \cdot 10^{{{power}}}" if power else "")
        return text if exp is None else rf"\left({text}\right)^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        power = self.args[2]
        return self._digits() + (f"e{power}" if power else "")


class Distance(RealHead):
    """|x − y|, printed in this order."""

    nargs = 2

    def definition(self) -> sp.Expr:
        x, y = self.args
        return sp.Abs(x - y, evaluate=False)  # SymPy would evaluate what is long

    def _eval_is_real(self) -> bool:
        return True  # a modulus, whatever it is of

    def _eval_is_nonnegative(self) -> bool:
        return True

    def _latex(self, printer: Any, exp: Any = None) -> str:
        x, y = self.args
        value = rf"\left|{{{printer._print(x)} - {printer.parenthesize(y, PRECEDENCE['Add'], strict=True)}}}\right|"
        return value if exp is None else rf"{value}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        x, y = self.args
        return f"|{printer._print(x)} - {printer.parenthesize(y, PRECEDENCE['Add'], strict=True)}|"


def decimal(numeral: str) -> Decimal:
    """The number that a decimal numeral denotes, exactly: ``"1.4742"``, ``"-0.032"``, ``"6.1e-10"``.

    Raises ValueError for anything else.
    """
    match = _NUMERAL.fullmatch(numeral)
    if not match:
        raise ValueError(f"{numeral!r} is not a decimal numeral")
    sign, whole, fraction, power = match.groups()
    fraction = fraction or ""
    return Decimal(sp.Integer(sign + whole + fraction), sp.Integer(len(fraction)), sp.Integer(power or 0))


def half_unit(numeral: Decimal) -> Decimal:
    """Half a unit in the last place of a numeral."""
    _, places, power = numeral.args
    return Decimal(sp.Integer(5), places + 1, power)


def rounds_to(value: sp.Expr, numeral: str) -> LessEqual:
    """The value is the numeral to every digit shown: it lies within half a unit of the last place."""
    shown = decimal(numeral)
    return LessEqual(Distance(value, shown), half_unit(shown))
