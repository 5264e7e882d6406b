"""How an integral over a tail grows as its lower end falls to 0, where the integrand goes like L/x."""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..assumptions import admitted
from ..judgement import HOLDS, Derivation, Outcome
from ..statement import Less, TendsTo
from ..substitution import put
from .base import Node, fails, free, refused

POSITIVE = sp.Interval.open(0, sp.oo)


@dataclass(frozen=True)
class LogarithmicGrowth(Node):
    """(∫_ε^∞ f)/ln(1/ε) → L as ε → 0⁺, because ε f(ε) → L and ∫_ε^∞ f < ∞ for every ε > 0; and ∫_ε^∞ f → ∞ if 0 < L.

    For η > 0 there is a δ < 1 with |x f(x) − L| ≤ η for x ≤ δ, so that ∫_ε^δ f lies within (L ± η) ln(δ/ε), beside the fixed
    number ∫_δ^∞ f. (N. Bourbaki, Functions of a Real Variable, V § 3: integrals of equivalent functions are equivalent where
    they diverge.)
    """

    statement: TendsTo
    local: Derivation
    tail: Derivation
    positive: Derivation | None = None
    rule_name = "logarithmic growth"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.local, self.tail, *((self.positive,) if self.positive is not None else ()))

    def check(self) -> Outcome:
        st, local, tail = self.statement, self.local.statement, self.tail.statement
        end = st.var
        if type(local) is not TendsTo or type(tail) is not Less or tail.rhs != sp.oo or type(tail.lhs) is not sp.Integral:
            return refused("the premises are not a limit and the finiteness of an integral")
        if admitted(end) != POSITIVE or (local.var, local.point, st.point) != (end, 0, 0) or end in local.limit.free_symbols:
            return refused("not a limit at 0 of a positive variable, to what is free of it")
        integral = tail.lhs
        if len(integral.limits) != 1 or len(integral.limits[0]) != 3 or integral.limits[0][1:] != (end, sp.oo):
            return refused(f"not an integral from {end} to infinity")
        x, f = integral.limits[0][0], integral.function
        if admitted(x) != sp.S.Reals or end in f.free_symbols:
            return refused("an integral over a variable that is not real, or of what varies with its end")
        if {x, end} & free(self.assumptions):
            return fails(f"something is assumed of {x} or of {end}")
        if local.expr != end * put(f, {x: end}):
            return fails("the limit is not that of the integrand times its variable")
        return self._conclusion(integral, local.limit)

    def _conclusion(self, integral: sp.Integral, limit: sp.Expr) -> Outcome:
        st = self.statement
        if self.positive is None:
            known = (integral / sp.log(1 / st.var), limit)
            return HOLDS if (st.expr, st.limit) == known else fails("not the quotient by the logarithm, or not the limit")
        if self.positive.statement != Less(sp.S.Zero, limit):
            return fails("the limit is not shown to be positive")
        return HOLDS if (st.expr, st.limit) == (integral, sp.oo) else fails("not that the integral grows without bound")
