"""Equals put for equals in a statement, and relations that are rearranged."""
from __future__ import annotations

from dataclasses import dataclass, fields, replace

import sympy as sp

from ..decide import equal, is_real, positive
from ..defined import nonzero
from ..judgement import HOLDS, Derivation, Outcome
from ..rules import rewrite
from ..statement import And, Equal, Less, LessEqual, Not, Or, Statement
from .base import Node, fails, refused


@dataclass(frozen=True)
class Replace(Node):
    """A with the right side of an equation put for its left side, everywhere."""

    statement: Statement
    equation: Derivation
    premise: Derivation
    rule_name = "equals for equals"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.equation, self.premise)

    def check(self) -> Outcome:
        equation = self.equation.statement
        if type(equation) is not Equal:
            return refused("equals are put for equals by an equation")
        bound = bound_in(self.premise.statement)
        if bound & (equation.lhs.free_symbols | equation.rhs.free_symbols):
            return refused("the equation speaks of a bound variable")
        if self.statement != replaced(self.premise.statement, equation):
            return fails("not the statement with one side put for the other")
        return HOLDS


def bound_in(statement: Statement) -> set[sp.Symbol]:
    """Every symbol that a statement, or a statement in it, binds."""
    found = set(statement.bound_symbols)
    for part in statement.parts():
        if isinstance(part, Statement):
            found |= bound_in(part)
    return found


def replaced(statement: Statement, equation: Equal) -> Statement:
    """The statement with the equation's right side put for its left side in every expression."""

    def one(value: object) -> object:
        if isinstance(value, Statement):
            return replaced(value, equation)
        return rewrite(value, equation) if isinstance(value, sp.Expr) else value

    if isinstance(statement, (And, Or)):
        return type(statement)(*(replaced(member, equation) for member in statement.body))
    return replace(statement, **{f.name: one(getattr(statement, f.name)) for f in fields(statement)})


@dataclass(frozen=True)
class Rearrange(Node):
    """A relation of other sides: the new gap right − left is the old one times a factor, plainly positive (≠ 0 for =)."""

    statement: Equal | LessEqual | Less | Not
    premise: Derivation
    factor: sp.Expr = sp.S.One
    rule_name = "rearranged"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.premise,)

    def check(self) -> Outcome:
        new: Statement = self.statement
        old = self.premise.statement
        if type(new) is not type(old):
            return refused("another relation")
        if isinstance(new, Not) and isinstance(old, Not):
            new, old = new.body, old.body
        kind = next((c for c in (Equal, LessEqual, Less) if type(new) is c and type(old) is c), None)
        if kind is None or (kind is not Equal and isinstance(self.statement, Not)):
            return refused("equations, their negations and inequalities are rearranged")
        if not (nonzero(self.factor) if kind is Equal else positive(self.factor)):
            return refused(f"the factor {self.factor} has no plain sign")
        if kind is not Equal and not is_real(new.lhs):  # type: ignore[attr-defined]
            return refused("an inequality between numbers that are not shown to be real")
        gaps = (new.rhs - new.lhs, self.factor * (old.rhs - old.lhs))  # type: ignore[attr-defined]
        return HOLDS if equal(*gaps) else fails("the gaps are not multiples of each other")
