"""Steps closed by the decision procedure: equations by normal form, inequalities between numbers by enclosures."""
from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import sympy as sp

from ..assumptions import admitted
from ..decide import Refused, equal, unfold
from ..defined import require_defined
from ..judgement import Derivation
from ..lemmas import Inequality, IntegralLemma
from ..ranges import is_finite
from ..reference import to_acb
from ..statement import Equal, Less, Statement
from ..substitution import bound_symbols
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
            if not all(runs_where_admitted(limit) for limit in (*lhs.limits, *rhs.limits)):
                raise Refused("an integral beyond what its variable admits")
            if lhs.limits != rhs.limits:
                if not equal(lhs, rhs):
                    raise Refused("different ranges: the integrals may be equal all the same")
                return True
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
    """rhs is lhs with its named function, or every one in it, replaced by its definition; or the other way round.

    Premises 0 < e say that denominators do not vanish, where that is not plain.
    """

    positive: tuple[Derivation, ...] = ()
    relation = Equal
    name = "definition"

    def __init__(self, *positive: Derivation) -> None:
        object.__setattr__(self, "positive", tuple(positive))

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return self.positive

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        granted = frozenset(_above_zero(premise.statement) for premise in self.positive)
        bound = bound_symbols(unfold(lhs)) | bound_symbols(unfold(rhs))
        if any(bound & e.free_symbols for e in granted):
            raise Refused("a premise of a definition speaks of what is bound in it")
        for folded, plain in ((lhs, rhs), (rhs, lhs)):
            require_defined(folded, granted)
            if (isinstance(folded, Head) and plain == folded.definition()) or plain == unfold(folded):
                return True
        return False


def _above_zero(statement: Statement) -> sp.Expr:
    """The e of a statement 0 < e; raises Refused for any other, and where e contains something infinite."""
    if type(statement) is not Less or statement.lhs != 0 or not is_finite(statement.rhs):
        raise Refused("a premise of a definition that is not 0 < e")
    return statement.rhs


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
