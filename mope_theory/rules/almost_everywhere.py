"""Steps on integrals by what holds in their range but for the point 0: equal integrands, a majorant, a positive integrand.

The integral is Lebesgue's, so that a single point does not matter, nor do the ends. ``within`` is the range, as (x, a, b) with
a ≤ b; what is derived of the integrand may assume a < x < b and x ≠ 0, and 0 < x where a is plainly no less than 0.
"""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..decide import Refused, field_for
from ..defined import require_defined, values_of
from ..judgement import Derivation
from ..lemmas import GAUSSIAN, Inequality, IntegralLemma
from ..measurable import require_measurable
from ..ranges import plainly
from ..statement import Equal, Less, LessEqual, Not, Statement
from .base import Rule
from .integrals import definite


def inside(within: sp.Tuple) -> frozenset[Statement]:
    """What may be assumed of the variable of an integral."""
    x, lower, upper = within
    ends = [(lower, x), (x, upper)]
    if lower.is_finite and plainly(LessEqual(sp.S.Zero, lower)):
        ends.append((sp.S.Zero, x))
    return frozenset({*(kind(*pair) for kind in (Less, LessEqual) for pair in ends), Not(Equal(x, sp.S.Zero))})


class _AlmostEverywhere(Rule):
    within: sp.Tuple

    @property
    def assumptions(self) -> frozenset[Statement]:
        return super().assumptions - inside(self.within)

    def function(self, integral: sp.Expr) -> sp.Expr:
        """The integrand; raises Refused if the range is another, or more is assumed of the variable."""
        x, lower, upper = definite(integral)
        if sp.Tuple(x, lower, upper) != self.within or values_of(x) != sp.S.Reals:
            raise Refused("an integral over another range, or over a variable that is not real")
        if not (lower == -sp.oo or upper == sp.oo or (lower <= upper) == sp.true) or x in lower.free_symbols | upper.free_symbols:
            raise Refused("the ends are not shown to be in order, or vary with the variable")
        if any(x in statement.free_symbols for statement in self.assumptions):
            raise Refused(f"more is assumed of {x} than that it lies in the range")
        return integral.function


def _require_defined(f: sp.Expr, x: sp.Symbol) -> None:
    """Raise Refused unless f is measurable, and defined wherever x ≠ 0."""
    require_measurable(f, x)
    taken, name = {symbol.name for symbol in f.free_symbols}, x.name
    while name in taken:
        name += "'"
    require_defined(f.xreplace({x: sp.Symbol(name, real=True, zero=False)}))


@dataclass(frozen=True)
class AlmostEqual(_AlmostEverywhere):
    """∫ f = ∫ g over one range because f = g almost everywhere in it."""

    premise: Derivation
    within: sp.Tuple
    relation = Equal
    name = "integrands equal almost everywhere"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.premise,)

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        pair = self.function(lhs), self.function(rhs)
        known = self.premise.statement
        return type(known) is Equal and pair in ((known.lhs, known.rhs), (known.rhs, known.lhs))


@dataclass(frozen=True)
class Dominated(_AlmostEverywhere):
    """∫ f < ∞ because 0 ≤ f ≤ g almost everywhere in the range, for polynomials times Gaussians g."""

    floor: Derivation
    ceiling: Derivation
    within: sp.Tuple
    relation = Less
    name = "integrable majorant"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.floor, self.ceiling)

    @property
    def lemmas(self) -> tuple[Inequality | IntegralLemma, ...]:
        return (GAUSSIAN,)

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        f, x = self.function(lhs), self.within[0]
        below, above = self.floor.statement, self.ceiling.statement
        if type(below) not in (Less, LessEqual) or type(above) not in (Less, LessEqual) or rhs != sp.oo:
            raise Refused("not the finiteness of an integral by two inequalities")
        if (below.lhs, below.rhs, above.lhs) != (sp.S.Zero, f, f):  # type: ignore[attr-defined]
            raise Refused("the inequalities do not place the integrand")
        _require_defined(f, x)
        whole = sp.Integral(above.rhs, (x, -sp.oo, sp.oo))  # type: ignore[attr-defined]
        GAUSSIAN(whole, field_for(whole, integrals=True))
        return True


@dataclass(frozen=True)
class PositiveIntegral(_AlmostEverywhere):
    """0 < ∫ f because f is integrable, and 0 < f almost everywhere in a range that is not a point."""

    integrable: Derivation
    floor: Derivation
    within: sp.Tuple
    relation = Less
    name = "integral of what is positive"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.integrable, self.floor)

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        f = self.function(rhs)
        _, lower, upper = self.within
        if self.integrable.statement != Less(rhs, sp.oo) or self.floor.statement != Less(sp.S.Zero, f) or lhs != 0:
            raise Refused("the integrand is not shown to be integrable and positive")
        return bool((lower < upper) == sp.true)


__all__ = ["AlmostEqual", "Dominated", "PositiveIntegral"]
