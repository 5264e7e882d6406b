"""The logic above chains: conjunctions, limits by a rate, uniform limits and their failure, counterexamples.

Each node proves one form of statement from its premises, and the set of nodes is sealed: `check` refuses any other.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from .assumptions import admitted
from .decide import Refused, equal, field_for, normal_form, positive
from .derivation import HOLDS, Chain, Derivation, Line, Outcome
from .statement import And, Equal, ForAll, Implies, Less, LessEqual, Not, Statement, TendsTo, UniformlyTendsTo
from .substitution import put
from .text import expression


def check(derivation: Derivation) -> Outcome:
    """Check a derivation and, recursively, its premises; a node that is not of this calculus is refused."""
    if type(derivation) not in NODES:
        return Outcome("refused", f"{type(derivation).__name__} is not a rule of this calculus")
    if not _has_the_form(derivation):
        return Outcome("refused", f"{type(derivation).__name__} does not prove a statement of this form")
    for premise in derivation.premises:
        outcome = check(premise)
        if not outcome:
            return outcome
        if _hypotheses(premise) and type(derivation) is not UniformLimitByRate:
            return Outcome("fails", "a premise is derived under a hypothesis that the statement does not make")
    try:
        return derivation.check()
    except Refused as refusal:
        return Outcome("refused", str(refusal))
    except Exception as error:  # whatever goes wrong in a check, it is not a proof
        return Outcome("refused", f"{type(error).__name__}: {error}")


def _has_the_form(derivation: Derivation) -> bool:
    """Is the statement exactly of the class that the node proves, and, for a negation, of what it negates?"""
    whole, negated = FORMS[type(derivation)]
    statement = derivation.statement
    return type(statement) in whole and (not negated or (type(statement) is Not and type(statement.body) in negated))


def proves(derivation: Derivation) -> Outcome:
    """Check a derivation that stands alone: it holds, and under no hypothesis."""
    outcome = check(derivation)
    if outcome and _hypotheses(derivation):
        return Outcome("fails", "it holds only under a hypothesis that the statement does not make")
    return outcome


def _hypotheses(derivation: Derivation) -> tuple[sp.Expr, ...]:
    return derivation.hypotheses if isinstance(derivation, Chain) else ()


class _Node(Derivation):
    """A derivation with premises; `check` of the node looks at its own inference only."""

    @property
    def note(self) -> str:
        """What the rule is used with, in words."""
        return ""

    def outline(self, depth: int = 0) -> Iterator[Line]:
        yield Line(depth, self.statement, self.rule_name, note=self.note)
        for premise in self.premises:
            yield from premise.outline(depth + 1)


@dataclass(frozen=True)
class Conjunction(_Node):
    """Every member of an And, each by its own derivation."""

    statement: And
    members: tuple[Derivation, ...]
    rule_name = "conjunction"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return self.members

    def check(self) -> Outcome:
        if type(self.statement) is not And or tuple(x.statement for x in self.members) != self.statement.body:
            return Outcome("fails", "the members derived are not the members stated")
        return HOLDS


def conjunction(*members: Derivation) -> Conjunction:
    """The conjunction of what the members prove."""
    return Conjunction(And(*(x.statement for x in members)), members)


@dataclass(frozen=True)
class LimitByRate(_Node):
    """expr → limit as var → ∞ or var → 0⁺: |expr − limit| ≤ rate, a sum of negative powers of var, or of positive ones."""

    statement: TendsTo
    rate: Chain
    rule_name = "limit by rate"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.rate,)

    def check(self) -> Outcome:
        return _rate_vanishes(self.statement, self.rate)


@dataclass(frozen=True)
class UniformLimitByRate(_Node):
    """The same with a rate that is free of the variable that the limit is uniform in.

    On a domain [−T, T] the rate may assume T² − over² ≥ 0.
    """

    statement: UniformlyTendsTo
    rate: Chain
    rule_name = "uniform limit by rate"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.rate,)

    def check(self) -> Outcome:
        st, allowed = self.statement, set()
        if isinstance(st.domain, sp.Interval) and st.domain == sp.Interval(-st.domain.end, st.domain.end):
            allowed = {st.domain.end**2 - st.over**2}
        if st.over in st.domain.free_symbols:
            return Outcome("refused", f"a domain that varies with {st.over}")
        if not set(self.rate.hypotheses) <= allowed:
            return Outcome("fails", "the rate is derived under a hypothesis that the domain does not give")
        if st.over in self.rate.statement.rhs.free_symbols:
            return Outcome("fails", f"the rate depends on {st.over}, so the limit is not shown to be uniform")
        return _rate_vanishes(st, self.rate)


def _rate_vanishes(st: TendsTo | UniformlyTendsTo, rate: Chain) -> Outcome:
    bound = rate.statement
    if type(bound) is not LessEqual or bound.lhs != sp.Abs(st.expr - st.limit):
        return Outcome("fails", "the rate does not bound the distance from the limit")
    if st.point not in (0, sp.oo) or admitted(st.var) != sp.Interval.open(0, sp.oo) or st.var in st.limit.free_symbols:
        return Outcome("refused", "only limits of a positive variable at +∞ and at 0, to what is free of it, go by a rate")
    field = field_for(bound.rhs)
    if st.var not in field.index:
        return Outcome("fails", f"the rate does not depend on {st.var}")
    value = normal_form(bound.rhs, field).element()
    vanishes = value.vanishes_at_zero if st.point == 0 else value.vanishes_at_infinity
    return HOLDS if vanishes(st.var) else Outcome("fails", f"the rate does not vanish as {st.var} → {st.point}")


@dataclass(frozen=True)
class NotUniform(_Node):
    """¬(expr → limit uniformly over ℤ as var → ∞), by a witness that moves with var.

    For every var > 0 the integer ⌈var⌉ = var + r has r ≥ 0, and there |expr − limit| ≥ ε for a constant ε > 0, so the supremum
    over ℤ stays above ε. ``gap`` proves ε ≤ |expr − limit| at over = var + r, ``floor`` proves c ≤ ε for a plainly positive c.
    """

    statement: Not
    remainder: sp.Symbol
    gap: Chain
    floor: Chain
    rule_name = "moving witness"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.gap, self.floor)

    def check(self) -> Outcome:
        st, r = self.statement.body, self.remainder
        if not isinstance(st, UniformlyTendsTo) or st.domain != sp.S.Integers or st.point != sp.oo:
            return Outcome("refused", "the rule speaks of uniform limits over ℤ at +∞")
        ranges = admitted(st.var), admitted(r)
        if ranges != (sp.Interval.open(0, sp.oo), sp.Interval(0, sp.oo)) or r in st.expr.free_symbols | st.limit.free_symbols:
            return Outcome("fails", "the remainder must be a fresh nonnegative symbol, the variable positive")
        gap, floor = self.gap.statement, self.floor.statement
        here = sp.Abs(put(st.expr - st.limit, {st.over: st.var + r}))
        if type(gap) is not LessEqual or gap.rhs != here or gap.lhs.free_symbols:
            return Outcome("fails", "the gap is not a constant below |expr − limit| at the witness")
        if type(floor) is not LessEqual or floor.rhs != gap.lhs or not positive(floor.lhs):
            return Outcome("fails", "the gap is not shown to be positive")
        return HOLDS

    @property
    def note(self) -> str:
        st = self.statement.body
        if not isinstance(st, UniformlyTendsTo):
            return ""
        over, var, r = map(expression, (st.over, st.var, self.remainder))
        return f"at {over} = ⌈{var}⌉ = {var} + {r}"


@dataclass(frozen=True)
class Nonzero(_Node):
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
        return HOLDS


@dataclass(frozen=True)
class NotBelow(_Node):
    """¬(a ≤ b), ¬(a = b) or ¬(b = a), because b < a."""

    statement: Not
    order: Chain
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
class WrongLimit(_Node):
    """¬(expr → limit): expr does not depend on var, and differs from the limit by a nonzero constant."""

    statement: Not
    rule_name = "constant, and not the limit"

    def check(self) -> Outcome:
        st = self.statement.body
        if not isinstance(st, TendsTo):
            return Outcome("refused", "the rule speaks of limits")
        field = field_for(st.expr, st.limit)
        value, limit = normal_form(st.expr, field), normal_form(st.limit, field)
        if st.point != sp.oo or admitted(st.var) != sp.Interval.open(0, sp.oo):
            return Outcome("refused", "the rule speaks of limits at +∞ of a positive variable")
        if not (value.is_constant() and limit.is_constant()):
            return Outcome("refused", "the expression or the limit still depends on a symbol")
        return Outcome("fails", "the expression equals the limit") if equal(st.expr, st.limit) else HOLDS


@dataclass(frozen=True)
class RefutedMember(_Node):
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
class Counterexample(_Node):
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
        if st.domain.contains(self.value) != sp.true:
            return Outcome("fails", f"{self.value} is not shown to lie in {st.domain}")
        if self.refutation.statement != Not(st.body.substitute({st.var: self.value})):
            return Outcome("fails", "what is refuted is not the statement at the point")
        return HOLDS

    @property
    def note(self) -> str:
        st = self.statement.body
        return f"at {expression(st.var)} = {expression(self.value)}" if isinstance(st, ForAll) else ""


FORMS: dict[type[Derivation], tuple[tuple[type[Statement], ...], tuple[type[Statement], ...]]] = {
    Chain: ((Equal, LessEqual, Less), ()),
    Conjunction: ((And,), ()),
    LimitByRate: ((TendsTo,), ()),
    UniformLimitByRate: ((UniformlyTendsTo,), ()),
    Nonzero: ((Implies,), ()),
    NotUniform: ((Not,), (UniformlyTendsTo,)),
    NotBelow: ((Not,), (Equal, LessEqual)),
    WrongLimit: ((Not,), (TendsTo,)),
    RefutedMember: ((Not,), (And,)),
    Counterexample: ((Not,), (ForAll,)),
}
"""Node → classes of statement that it proves and, where those are negations, classes of what is negated."""

NODES: tuple[type[Derivation], ...] = tuple(FORMS)

__all__ = [
    "NODES",
    "Conjunction",
    "Counterexample",
    "LimitByRate",
    "Nonzero",
    "NotBelow",
    "NotUniform",
    "RefutedMember",
    "UniformLimitByRate",
    "WrongLimit",
    "check",
    "conjunction",
    "proves",
]
