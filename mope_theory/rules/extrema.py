"""Steps on the larger and the smaller of several numbers."""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..decide import Refused, is_real
from ..judgement import Derivation
from ..ranges import is_finite
from ..statement import Equal, Less, LessEqual
from .base import Rule
from .premises import _FromPremise


@dataclass(frozen=True)
class Extremum(_FromPremise):
    """max(a, b) = b and min(a, b) = a because a ≤ b."""

    premise: Derivation
    relation = Equal
    name = "the larger or the smaller"

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        if type(self.given) not in (LessEqual, Less):
            raise Refused("which of two numbers is the larger goes by an inequality")
        a, b = self.given.lhs, self.given.rhs
        if not (is_finite(a) and is_finite(b)):
            raise Refused("an extremum of what is no number")
        pairs = [(kind(a, b, evaluate=now), value) for kind, value in ((sp.Max, b), (sp.Min, a)) for now in (True, False)]
        return any(pair in ((lhs, rhs), (rhs, lhs)) for pair in pairs)


@dataclass(frozen=True)
class WithinExtrema(Rule):
    """min(a, b, …) ≤ a and a ≤ max(a, b, …)."""

    relation = LessEqual
    name = "between the smallest and the largest"

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        for extremum, member in ((lhs, rhs), (rhs, lhs)):
            if isinstance(extremum, sp.Min if extremum is lhs else sp.Max) and member in extremum.args:
                if not all(map(is_real, extremum.args)):
                    raise Refused("an extremum of numbers that are not shown to be real")
                return True
        return False


@dataclass(frozen=True)
class BySign(_FromPremise):
    """|x| = x and sign x = 1 because 0 < x; |x| = −x and sign x = −1 because x < 0."""

    premise: Derivation
    relation = Equal
    name = "by the sign"

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        low, high = self.given.lhs, self.given.rhs
        if type(self.given) is not Less or sp.S.Zero not in (low, high):
            raise Refused("no sign is derived")
        x, sign = (high, sp.S.One) if low == 0 else (low, sp.S.NegativeOne)
        return any(pair in ((lhs, rhs), (rhs, lhs)) for pair in ((sp.Abs(x), sign * x), (sp.sign(x), sign)))
