"""Decimal literals that stand for an irrational constant, and how far they are from it.

1.4426950408889634 is log₂e to the last digit of a float64, and no number besides. Where a formula is proved with the constant in
its place, the literal is off by a known amount.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import sympy as sp
from flint import arb, ctx

CONSTANTS = (sp.log(2), 1 / sp.log(2), sp.pi, 1 / sp.pi, sp.sqrt(2), sp.log(10), 1 / sp.log(10), sp.E)
"""With each of them its products by powers of two, of either sign."""
NEAR = Fraction(1, 2**52)
"""Of the constant, how far a literal may be from it: that of a float64, or of the shortest decimal that is read as one."""


@dataclass(frozen=True)
class Literal:
    """A literal, the constant that it stands for, and a bound of their distance."""

    value: Fraction
    constant: sp.Expr
    gap: float


@cache
def literal(value: Fraction) -> Literal | None:
    """What a literal stands for, None where it is a number like any other."""
    if value == 0:
        return None
    with ctx.workprec(200):
        for constant in CONSTANTS:
            ratio = abs(_ball(value) / _arb(constant))
            power = round(float(ratio.log() / arb(2).log()))
            meant = sp.sign(value) * constant * sp.Integer(2) ** power
            gap = abs(_ball(value) - _arb(meant))
            if gap < _ball(NEAR) * abs(_arb(meant)):
                return Literal(value, meant, float(gap.upper()) * (1 + 2.0**-50))
    return None


def _ball(value: Fraction) -> arb:
    return arb(value.numerator) / arb(value.denominator)


def _arb(e: sp.Expr) -> arb:
    """A constant of the list, times a number."""
    if e.is_Rational:
        return arb(int(e.p)) / arb(int(e.q))
    if e is sp.pi:
        return arb.pi()
    if e is sp.E:
        return arb(1).exp()
    if isinstance(e, sp.log):
        return _arb(e.args[0]).log()
    if isinstance(e, sp.Pow):
        return _arb(e.base) ** _arb(e.exp)
    found = arb(1)
    for factor in sp.Mul.make_args(e):
        found *= _arb(factor)
    return found
