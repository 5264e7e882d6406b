"""Steps between sums: term by term, another index, the triangle inequality, one term below a sum of nonnegative ones.

A sum Σ_{k=a}^{b} runs over the integers a ≤ k ≤ b, and is 0 where there are none. Of infinite sums, only those are accepted
that plainly converge absolutely.
"""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..decide import Refused, summable
from ..defined import is_whole, require_defined, values_of
from ..judgement import Derivation
from ..ranges import belongs, plainly
from ..statement import Equal, LessEqual, Statement
from ..substitution import put
from .base import Relations, Rule
from .premises import _FromPremise


def ranged(total: sp.Expr, kind: type[sp.Sum] | type[sp.Product]) -> tuple[sp.Expr, sp.Symbol, sp.Expr, sp.Expr]:
    """Term, index, first and last of a finite sum or product, of several indices the outermost; raises Refused for all else."""
    if type(total) is not kind or len(total.limits[-1]) != 3:
        raise Refused(f"not a {kind.__name__.lower()} over an index between two bounds")
    *inner, (index, first, last) = total.limits
    term = kind(total.function, *inner) if inner else total.function
    values = values_of(index)
    if values.is_subset(sp.S.Integers) is not True or values.is_empty is not False or not belongs(first, values):
        raise Refused("the index is not an integer that may be as small as its range asks")
    if not is_whole(last) or index in first.free_symbols | last.free_symbols:
        raise Refused("the last index is not plainly an integer, or the bounds speak of something of the name of the index")
    return term, index, first, last


def finite(total: sp.Expr) -> tuple[sp.Expr, sp.Symbol, sp.Expr, sp.Expr]:
    """Term, index, first and last of a finite sum."""
    return ranged(total, sp.Sum)


def convergent(total: sp.Expr) -> tuple[sp.Expr, sp.Symbol, sp.Expr, sp.Expr]:
    """As `finite`, or of an infinite sum that plainly converges absolutely, whose last is ∞; raises Refused for anything else."""
    if not (type(total) is sp.Sum and summable(total)):
        return finite(total)
    index, first, last = total.limits[0]
    values = values_of(index)
    if values != sp.S.Integers and not (first != -sp.oo and values in (sp.S.Naturals, sp.S.Naturals0) and belongs(first, values)):
        raise Refused("the index of the sum is not an integer that may be as small as the sum asks")
    return total.function, index, first, last


def in_range(index: sp.Symbol, first: sp.Expr, last: sp.Expr) -> frozenset[Statement]:
    """What a term of a sum may assume of its index."""
    return frozenset({LessEqual(first, index), LessEqual(index, last)})


@dataclass(frozen=True)
class Termwise(_FromPremise):
    """Σ f R Σ g over one range because f R g for every index in it (R is = or ≤); the premise may assume the range."""

    premise: Derivation
    index: sp.Symbol
    first: sp.Expr
    last: sp.Expr
    name = "term by term"

    @property
    def relation(self) -> Relations:
        return type(self.given)

    @property
    def assumptions(self) -> frozenset[Statement]:
        return self.premise.assumptions - in_range(self.index, self.first, self.last)

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        f, *limits = self._parts(lhs, rhs)
        g, *others = self._parts(rhs, lhs)
        if type(self.given) not in (Equal, LessEqual) or not limits == others == [self.index, self.first, self.last]:
            raise Refused("the sums are over different ranges, or the premise is strict")
        if any(self.index in statement.free_symbols for statement in self.assumptions):
            raise Refused(f"the premise assumes more of {self.index} than that it lies in the range")
        return (self.given.lhs, self.given.rhs) == (f, g)


    @staticmethod
    def _parts(total: sp.Expr, other: sp.Expr) -> tuple[sp.Expr, sp.Symbol, sp.Expr, sp.Expr]:
        """Of one side; 0 is a sum of zeros over the range of the other side."""
        return (total, *convergent(other)[1:]) if total == 0 else convergent(total)


@dataclass(frozen=True)
class Exchanged(Rule):
    """Σ_k Σ_j = Σ_j Σ_k, of finite sums over ranges that do not vary with the other index."""

    relation = Equal
    name = "sums exchanged"

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        inside, *outer = finite(lhs)
        function, *inner = finite(inside)
        if {outer[0], inner[0]} & sp.Tuple(*outer[1:], *inner[1:]).atoms(sp.Symbol) or outer[0] == inner[0]:
            raise Refused("the range of one sum varies with the index of the other")
        return bool(rhs == sp.Sum(function, tuple(outer), tuple(inner)))


@dataclass(frozen=True)
class Reindexed(Rule):
    """Σ_{k=a}^{b} f(k) = Σ_{k=a−s}^{b−s} f(k + s), for a whole number s."""

    by: sp.Integer
    relation = Equal
    name = "another index"

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        f, index, first, last = convergent(lhs)
        if not isinstance(self.by, sp.Integer) or values_of(index) != sp.S.Integers:
            raise Refused("the index is not an integer of any sign, or moves by no whole number")
        require_defined(f)
        return bool(rhs == sp.Sum(put(f, {index: index + self.by}), (index, first - self.by, last - self.by)))


@dataclass(frozen=True)
class Triangle(Rule):
    """|Σ f| ≤ Σ |f|; the sum is named, for SymPy writes some moduli as roots."""

    total: sp.Sum
    relation = LessEqual
    name = "triangle inequality"

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        f, index, first, last = finite(self.total)
        return (lhs, rhs) == (sp.Abs(self.total), sp.Sum(sp.Abs(f), (index, first, last)))


@dataclass(frozen=True)
class OneTerm(_FromPremise):
    """f(i) ≤ Σ f because 0 ≤ f at every index of the range, which the premise may assume, and i lies there or is assumed to."""

    premise: Derivation
    index: sp.Symbol
    first: sp.Expr
    last: sp.Expr
    place: sp.Expr
    relation = LessEqual
    name = "one term of a nonnegative sum"

    @property
    def assumptions(self) -> frozenset[Statement]:
        rest = self.premise.assumptions - in_range(self.index, self.first, self.last)
        ends = LessEqual(self.first, self.place), LessEqual(self.place, self.last)
        return rest | {end for end in ends if not plainly(end)}

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        f, *limits = finite(rhs)
        if limits != [self.index, self.first, self.last] or not is_whole(self.place):
            raise Refused("the sum is over another range, or the place not plainly an integer")
        if type(self.given) is not LessEqual or (self.given.lhs, self.given.rhs) != (sp.S.Zero, f):
            raise Refused("the terms are not shown to be nonnegative")
        rest = self.premise.assumptions - in_range(*limits)
        if any(self.index in statement.free_symbols for statement in rest):
            raise Refused(f"the premise assumes more of {self.index} than that it lies in the range")
        require_defined(f)
        return bool(lhs == put(f, {self.index: self.place}))
