"""Steps on what is defined by cases."""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..decide import Refused
from ..judgement import Derivation
from ..statement import Equal, Less, LessEqual, Not, Statement
from .base import Rule


def holds(condition: sp.Basic) -> Statement:
    """A condition of a case as a statement."""
    if isinstance(condition, (sp.Gt, sp.Lt)):
        return Less(condition.lts, condition.gts)
    if isinstance(condition, (sp.Ge, sp.Le)):
        return LessEqual(condition.lts, condition.gts)
    if isinstance(condition, sp.Eq):
        return Equal(condition.lhs, condition.rhs)
    raise Refused(f"a case by the condition {condition}")


def excluded(condition: sp.Basic) -> Statement:
    """The opposite of a condition, between real numbers that of an order as an order."""
    known = holds(condition)
    if isinstance(known, Less):
        return LessEqual(known.rhs, known.lhs)
    if isinstance(known, LessEqual):
        return Less(known.rhs, known.lhs)
    return Not(known)


@dataclass(frozen=True)
class Branch(Rule):
    """A term by cases is the value of a case, because the cases before it are excluded and it holds, or is the last."""

    derived: tuple[Derivation, ...]
    relation = Equal
    name = "case of a definition"

    def __init__(self, *derived: Derivation) -> None:
        object.__setattr__(self, "derived", tuple(derived))

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return self.derived

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        if type(lhs) is not sp.Piecewise:
            raise Refused("not a term by cases")
        known = [premise.statement for premise in self.derived]
        for number, (value, condition) in enumerate(lhs.args):
            before = [excluded(c) for _, c in lhs.args[:number]]
            if value == rhs and known == [*before, *([] if condition == sp.true else [holds(condition)])]:
                return True
        return False
