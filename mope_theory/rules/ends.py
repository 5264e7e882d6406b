"""Steps that take the first or the last term off a finite sum, or the last factor off a product."""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..decide import Refused
from ..defined import require_defined
from ..ranges import plainly
from ..statement import Equal, LessEqual, Statement
from ..substitution import put
from .base import Rule
from .sums import ranged


@dataclass(frozen=True)
class Last(Rule):
    """Σ_{k=a}^{b} f = Σ_{k=a}^{b−1} f + f(b), where a ≤ b is plain or assumed, and f(a) for b = a; a product likewise."""

    whole: sp.Sum | sp.Product
    relation = Equal
    name = "the last one apart"

    @property
    def assumed(self) -> frozenset[Statement]:
        _, first, last = self.whole.limits[-1]
        order = LessEqual(first, last)
        return frozenset() if plainly(order) else frozenset({order})

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        kind = sp.Product if type(self.whole) is sp.Product else sp.Sum
        term, index, first, last = ranged(self.whole, kind)
        if lhs != self.whole:
            raise Refused("another sum or product")
        require_defined(term)
        end = put(term, {index: last})
        if first == last:
            return bool(rhs == end)
        before = kind(term, (index, first, last - 1))
        return bool(rhs == (before + end if kind is sp.Sum else before * end))


@dataclass(frozen=True)
class First(Rule):
    """Σ_{k=a}^{b} f = f(a) + Σ_{k=a+1}^{b} f, where a ≤ b is plain or assumed."""

    whole: sp.Sum
    relation = Equal
    name = "the first one apart"

    @property
    def assumed(self) -> frozenset[Statement]:
        _, first, last = self.whole.limits[-1]
        order = LessEqual(first, last)
        return frozenset() if plainly(order) else frozenset({order})

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        term, index, first, last = ranged(self.whole, sp.Sum)
        if lhs != self.whole:
            raise Refused("another sum")
        require_defined(term)
        return bool(rhs == put(term, {index: first}) + sp.Sum(term, (index, first + 1, last)))
