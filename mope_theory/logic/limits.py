"""Limits: by a rate, uniformly by a rate, the failure of uniform ones, and constants that are not the limit."""
from __future__ import annotations

from dataclasses import dataclass, replace

import sympy as sp

from ..assumptions import admitted
from ..decide import equal, field_for, normal_form, positive
from ..defined import values_of
from ..derivation import Chain
from ..judgement import HOLDS, Derivation, Outcome
from ..statement import Equal, LessEqual, Not, Statement, TendsTo, UniformlyTendsTo
from ..substitution import put
from ..text import expression
from .base import Node, free
from .continuity import TOWARDS


@dataclass(frozen=True)
class LimitByRate(Node):
    """expr → limit as var → ∞ or var → 0⁺: |expr − limit| ≤ rate, a sum of negative powers of var, or of positive ones."""

    statement: TendsTo
    rate: Chain
    rule_name = "limit by rate"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.rate,)

    def check(self) -> Outcome:
        if self.statement.var in free(self.assumptions):
            return Outcome("fails", f"something is assumed of {self.statement.var}")
        return _rate_vanishes(self.statement, self.rate)


@dataclass(frozen=True)
class UniformLimitByRate(Node):
    """The same with a rate that is free of the variable that the limit is uniform in.

    On a domain [−T, T] the rate may assume T² − over² ≥ 0.
    """

    statement: UniformlyTendsTo
    rate: Chain
    rule_name = "uniform limit by rate"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.rate,)

    @property
    def assumptions(self) -> frozenset[Statement]:
        st, ends = self.statement, self.statement.domain
        if not isinstance(ends, sp.Interval) or ends != sp.Interval(-ends.end, ends.end):
            return self.rate.assumptions
        return self.rate.assumptions - {LessEqual(sp.S.Zero, ends.end**2 - st.over**2)}

    def check(self) -> Outcome:
        st = self.statement
        if st.over in st.domain.free_symbols:
            return Outcome("refused", f"a domain that varies with {st.over}")
        if st.domain.is_subset(values_of(st.over)) is not True:
            return Outcome("refused", f"{st.domain} is more than {st.over} admits")
        if {st.over, st.var} & free(self.assumptions):
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
class NotUniform(Node):
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
        if {st.var, st.over, r} & free(self.assumptions):
            return Outcome("fails", "something is assumed of the variables of the limit")
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
class WrongLimit(Node):
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
class OtherLimit(Node):
    """¬(expr → L), because expr → M as var goes there, and M ≠ L."""

    statement: Not
    limit: Derivation
    apart: Derivation
    rule_name = "it tends to something else"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.limit, self.apart)

    def check(self) -> Outcome:
        refuted, known = self.statement.body, self.limit.statement
        if type(refuted) is not TendsTo or type(known) is not TendsTo:
            return Outcome("refused", "the rule speaks of two limits")
        if replace(known, limit=refuted.limit) != refuted:
            return Outcome("fails", "the limits are not of one expression at one point")
        if admitted(known.var) not in TOWARDS.get(known.point, ()):
            return Outcome("refused", f"{known.point} is not shown to be approached")
        for limit in (known.limit, refuted.limit):
            if known.var in limit.free_symbols or limit.has(sp.oo, -sp.oo, sp.zoo, sp.nan):
                return Outcome("refused", "a limit that is no number")
        pairs = (known.limit, refuted.limit), (refuted.limit, known.limit)
        if self.apart.statement not in [Not(Equal(*pair)) for pair in pairs]:
            return Outcome("fails", "the two limits are not shown to differ")
        return HOLDS
