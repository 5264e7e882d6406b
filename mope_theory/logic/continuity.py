"""Limits at 0 of what is continuous there, and that an expression has one limit only."""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..assumptions import admitted
from ..decide import Refused, field_for, normal_form
from ..judgement import HOLDS, Derivation, Outcome
from ..lemmas import LEMMAS, IntegralLemma
from ..statement import Equal, TendsTo
from .base import Node, fails, refused

TOWARDS = {sp.S.Zero: (sp.S.Reals, sp.Interval.open(0, sp.oo)), sp.oo: (sp.S.Reals, sp.Interval.open(0, sp.oo))}
"""Points of a limit, and ranges of the variable in which they are approached."""


@dataclass(frozen=True)
class LimitByContinuity(Node):
    """expr → its value at 0 as var → 0: a sum of c·e^p with polynomials c and p in var (in √var for a positive one).

    Integrals, if any, go through the lemma.
    """

    statement: TendsTo
    integral: IntegralLemma | None = None
    rule_name = "continuous"

    @property
    def note(self) -> str:
        return self.integral.name if self.integral is not None else ""

    def check(self) -> Outcome:
        st, lemma = self.statement, self.integral
        if st.point != 0 or admitted(st.var) not in TOWARDS[sp.S.Zero] or st.var in st.limit.free_symbols:
            return refused("only limits at 0, of a variable that comes near it, to what is free of it, go by continuity")
        if lemma is not None and not (any(lemma is known for known in LEMMAS) and lemma.proved()):
            return refused("the lemma on integrals is not registered, or not proved")
        field = field_for(st.expr, st.limit, integrals=lemma is not None)
        if st.var not in field.index:
            return refused(f"the expression is not seen to depend on {st.var}")
        form, place = normal_form(st.expr, field, lemma), field.index[st.var]
        if any(powers[place] for pair in form.terms.items() for x in pair for powers in x.den):
            raise Refused(f"{st.var} occurs in a denominator")
        gap = form.at_zero(st.var) - normal_form(st.limit, field, lemma)
        return fails("the limit is not shown to be the value") if gap.terms else HOLDS


@dataclass(frozen=True)
class SameLimit(Node):
    """a = b because one expression tends to a and to b."""

    statement: Equal
    first: Derivation
    second: Derivation
    rule_name = "one limit only"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.first, self.second)

    def check(self) -> Outcome:
        one, other = self.first.statement, self.second.statement
        if type(one) is not TendsTo or type(other) is not TendsTo:
            return refused("the premises are not limits")
        if (one.expr, one.var, one.point) != (other.expr, other.var, other.point):
            return fails("limits of two expressions, or at two points")
        if admitted(one.var) not in TOWARDS.get(one.point, ()):
            return refused(f"{one.point} is not shown to be approached")
        for limit in (one.limit, other.limit):
            if one.var in limit.free_symbols or limit.has(sp.oo, -sp.oo, sp.zoo, sp.nan):
                return refused("a limit that is no number")
        return HOLDS if self.statement == Equal(one.limit, other.limit) else fails("not the two limits")
