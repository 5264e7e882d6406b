"""Refutations: the other way round, a member that fails, a counterexample; and statements for nonzero values."""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..assumptions import admitted
from ..judgement import HOLDS, Derivation, Outcome
from ..ranges import belongs
from ..statement import And, Equal, ForAll, Implies, Less, LessEqual, Not
from ..text import expression
from .base import Node, free
from .placing import require_substitutable


@dataclass(frozen=True)
class Nonzero(Node):
    """x ≠ 0 ⇒ A, because A holds with a symbol in the place of x that ranges over the nonzero reals."""

    statement: Implies
    stand_in: sp.Symbol
    conclusion: Derivation
    rule_name = "for nonzero values"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.conclusion,)

    def check(self) -> Outcome:
        hypothesis, st = self.statement.hypothesis, self.statement.conclusion
        if not (isinstance(hypothesis, Not) and isinstance(hypothesis.body, Equal) and hypothesis.body.rhs == 0):
            return Outcome("refused", "the hypothesis is not that a symbol differs from 0")
        x = hypothesis.body.lhs
        if admitted(x) != sp.S.Reals or admitted(self.stand_in) != sp.S.Reals - sp.FiniteSet(0):
            return Outcome("refused", "the hypothesis is not on a real symbol, or its stand-in not on a nonzero one")
        if self.stand_in in st.free_symbols or self.conclusion.statement != st.substitute({x: self.stand_in}):
            return Outcome("fails", "what is derived is not the conclusion with the stand-in")
        if {x, self.stand_in} & free(self.assumptions):
            return Outcome("fails", "something is assumed of the values")
        return HOLDS


@dataclass(frozen=True)
class NotBelow(Node):
    """¬(a ≤ b), ¬(a = b) or ¬(b = a), because b < a."""

    statement: Not
    order: Derivation
    rule_name = "the other way round"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.order,)

    def check(self) -> Outcome:
        st, order = self.statement.body, self.order.statement
        if not isinstance(order, Less) or not isinstance(st, (Equal, LessEqual)):
            return Outcome("refused", "the rule turns a strict inequality against an equation or an inequality")
        refuted = [(order.rhs, order.lhs)] + ([(order.lhs, order.rhs)] if isinstance(st, Equal) else [])
        return HOLDS if (st.lhs, st.rhs) in refuted else Outcome("fails", "the inequality does not refute the statement")


@dataclass(frozen=True)
class RefutedMember(Node):
    """¬(A ∧ B ∧ …), because one member is refuted."""

    statement: Not
    member: Derivation
    rule_name = "a member fails"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.member,)

    def check(self) -> Outcome:
        st, refuted = self.statement.body, self.member.statement
        if not (isinstance(st, And) and isinstance(refuted, Not) and refuted.body in st.body):
            return Outcome("fails", "what is refuted is not a member of the conjunction")
        return HOLDS


@dataclass(frozen=True)
class Counterexample(Node):
    """¬(∀ x ∈ D: A), because ¬A at one point of D."""

    statement: Not
    value: sp.Expr
    refutation: Derivation
    rule_name = "counterexample"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.refutation,)

    def check(self) -> Outcome:
        st = self.statement.body
        if not isinstance(st, ForAll):
            return Outcome("refused", "the rule speaks of statements for all values")
        require_substitutable((st.body,), {st.var: (self.value, st.domain)})
        if not belongs(self.value, st.domain):
            return Outcome("fails", f"{self.value} is not shown to lie in {st.domain}")
        if self.refutation.statement != Not(st.body.substitute({st.var: self.value})):
            return Outcome("fails", "what is refuted is not the statement at the point")
        return HOLDS

    @property
    def note(self) -> str:
        st = self.statement.body
        return f"at {expression(st.var)} = {expression(self.value)}" if isinstance(st, ForAll) else ""
