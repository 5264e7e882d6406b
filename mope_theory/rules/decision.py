"""Steps closed by the decision procedure: equations by normal form, inequalities between numbers by enclosures."""
from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import sympy as sp

from ..assumptions import admitted
from ..decide import Refused, equal, unfold
from ..lemmas import Inequality, IntegralLemma
from ..ranges import require_defined
from ..reference import to_acb
from ..statement import Equal, Less
from ..symbols import Head
from .base import Rule


@dataclass(frozen=True)
class Decide(Rule):
    """lhs = rhs by normal form. Integrals, if any, go through the lemma; without one, equal integrands over one range."""

    integral: IntegralLemma | None = None
    relation = Equal
    name = "normal form"

    @property
    def lemmas(self) -> tuple[Inequality | IntegralLemma, ...]:
        return (self.integral,) if self.integral is not None else ()

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        if self.integral is None and isinstance(lhs, sp.Integral) and isinstance(rhs, sp.Integral):
            if lhs.limits != rhs.limits or not all(runs_where_admitted(limit) for limit in lhs.limits):
                raise Refused("integrals over different variables or ranges, or beyond what the variable admits")
            if not equal(lhs.function, rhs.function):
                raise Refused("different integrands: the integrals may be equal all the same")
            return True
        return equal(lhs, rhs, self.integral)


def runs_where_admitted(limit: sp.Tuple) -> bool:
    """Does a definite integral stay, but for its ends, where the assumptions hold that its integrand was simplified under?"""
    if len(limit) != 3 or not (limit[1].is_extended_real and limit[2].is_extended_real):
        return False
    values, upwards = admitted(limit[0]), limit[1] <= limit[2]
    return values == sp.S.Reals or (upwards == sp.true and sp.Interval.open(limit[1], limit[2]).is_subset(values) is True)


@dataclass(frozen=True)
class Unfold(Rule):
    """rhs is lhs with its named function, or every one in it, replaced by its definition; or the other way round."""

    relation = Equal
    name = "definition"

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        for folded, plain in ((lhs, rhs), (rhs, lhs)):
            require_defined(folded)
            if plain == unfold(folded) or (isinstance(folded, Head) and plain == folded.definition()):
                return True
        return False


@dataclass(frozen=True)
class Numbers(Rule):
    """lhs < rhs between two real numbers, by enclosures that lie apart."""

    relation = Less
    name = "numbers enclosed"
    precisions: ClassVar[tuple[int, ...]] = (64, 256, 1024)

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        if lhs.free_symbols or rhs.free_symbols:
            raise Refused("an enclosure of numbers, but a symbol occurs")
        for bits in self.precisions:
            left, right = to_acb(lhs, {}, prec=bits), to_acb(rhs, {}, prec=bits)
            if not (left.imag.is_zero() and right.imag.is_zero()):
                raise Refused("an inequality between numbers that are not shown to be real")
            if left.real < right.real:
                return True
            if left.real > right.real:
                return False
        raise Refused(f"not told apart in {self.precisions[-1]} bits")
