"""Steps closed by what is derived already: as it stands, put into a term, or carried through a monotone function."""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..assumptions import admitted
from ..decide import Refused, decreasing, increasing, is_real
from ..defined import require_defined
from ..judgement import Derivation
from ..ranges import belongs, is_positive_number
from ..statement import Equal, Less, LessEqual
from ..substitution import bound_symbols, exchanged, put
from .base import Relation, Relations, Rule


class _FromPremise(Rule):
    premise: Derivation

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.premise,)

    @property
    def given(self) -> Relation:
        """The relation that the premise proves; raises Refused if it proves another kind of statement."""
        statement = self.premise.statement
        if type(statement) not in (Equal, LessEqual, Less):
            raise Refused("the premise of the step is not an equation or an inequality")
        return statement  # type: ignore[return-value]


@dataclass(frozen=True)
class Known(_FromPremise):
    """lhs and rhs are related as the premise says."""

    premise: Derivation
    name = "as derived"

    @property
    def relation(self) -> Relations:
        return type(self.given)

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        return (self.given.lhs, self.given.rhs) == (lhs, rhs) or (
            type(self.given) is Equal and (self.given.rhs, self.given.lhs) == (lhs, rhs)
        )


@dataclass(frozen=True)
class Rewrite(_FromPremise):
    """rhs is lhs with the right side of a derived equation put for its left side."""

    premise: Derivation
    relation = Equal
    name = "rewrite"

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        equation = self.given
        if type(equation) is not Equal:
            raise Refused("a rewrite goes by an equation")
        rewritten = rewrite(lhs, equation)
        return bool(rewritten == rhs)


def rewrite(expr: sp.Expr, equation: Equal) -> sp.Expr:
    """The term with the equation's right side put for its left side, everywhere.

    Raises Refused where the equation speaks of a bound variable, or something in the term, or in what is put, may be undefined.
    """
    if bound_symbols(expr) & (equation.lhs.free_symbols | equation.rhs.free_symbols):
        raise Refused("no rewriting of what varies with a bound variable")
    require_defined(expr)
    require_defined(equation.rhs)
    new = exchanged(expr, {equation.lhs: equation.rhs})
    if new.has(sp.zoo, sp.nan) or (new.has(sp.oo, -sp.oo) and not expr.has(sp.oo, -sp.oo)):
        raise Refused("an infinite or undefined value")
    require_defined(new)
    return new


CONNECTED = (sp.S.Reals, sp.Interval.open(0, sp.oo), sp.Interval(0, sp.oo))
"""Ranges on which the sign of a derivative decides how a function grows."""

GROWING = {sp.exp: sp.S.Reals, sp.log: sp.Interval.open(0, sp.oo)}
"""Functions that grow strictly on a range, beside those whose derivative has a plain sign."""


@dataclass(frozen=True)
class Monotone(_FromPremise):
    """f(a) R f(b) from a R b, for f that grows strictly on a range with a and b; with a and b exchanged where it falls.

    ``function`` is f as an expression in ``variable``, whose assumptions name the range.
    """

    premise: Derivation
    variable: sp.Symbol
    function: sp.Expr
    name = "monotone"

    @property
    def relation(self) -> Relations:
        return type(self.given)

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        x, f, (a, b) = self.variable, self.function, (self.given.lhs, self.given.rhs)
        domain = admitted(x)
        if domain not in CONNECTED or {x} & (a.free_symbols | b.free_symbols):
            raise Refused("a monotone function of a variable whose range is an interval, and which occurs nowhere else")
        if not (belongs(a, domain) and belongs(b, domain)):
            raise Refused(f"{a} and {b} are not shown to lie in {domain}")
        if not is_real(f):
            raise Refused(f"{f} is not shown to be real")
        if self._grows(domain):
            return bool((lhs, rhs) == (put(f, {x: a}), put(f, {x: b})))
        if not decreasing(f, x):
            raise Refused(f"{f} is not shown to grow or to fall with {x}")
        return bool((lhs, rhs) == (put(f, {x: b}), put(f, {x: a})))

    def _grows(self, domain: sp.Set) -> bool:
        require_defined(self.function)
        f, x = self.function, self.variable
        known = [r for kind, r in GROWING.items() if f == kind(x)]
        if known and domain.is_subset(known[0]) is True:
            return True
        if isinstance(f, sp.Pow) and f.exp == x and not f.base.free_symbols:  # a^x with a number a > 1
            return is_positive_number(f.base - 1)
        return increasing(f, x)
