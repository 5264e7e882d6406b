"""A quantity that is not 0, because it is within a tolerance of a multiple of what never vanishes."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

from ..derivation import Outcome
from ..statement import Equal, Less, Statement
from .base import Enclosure
from .interpolation import Interpolation


@dataclass(frozen=True)
class AwayFromZero(Enclosure):
    """0 < |z|, from an enclosure of z = w in units of w: |z/w − 1| < 1, and w is never 0."""

    statement: Statement
    equation: Interpolation

    def lies_within(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        return self.equation.lies_within(box)

    def covers(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        """False: the equation is enclosed on a part of the box."""
        return False

    def check(self) -> Outcome:
        equation = self.equation
        if type(equation) is not Interpolation or equation.bits < 1 or not isinstance(equation.statement, Equal):
            return Outcome("refused", "no enclosure of an equation")
        z, w = equation.statement.lhs, equation.statement.rhs
        if self.statement != Less(sp.S.Zero, sp.Abs(z)) or equation.unit != w:
            return Outcome("refused", "the equation is not one of this quantity, in units of its right side")
        outcome = equation.check()
        return Outcome("holds", f"not 0: {outcome.reason}") if outcome else Outcome("refused", outcome.reason)
