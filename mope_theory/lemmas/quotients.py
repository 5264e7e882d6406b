"""Bounds of a quotient with a positive denominator, and of a multiple."""
from __future__ import annotations

import sympy as sp

from ..derivation import Derivation, directly
from ..logic import Using, instance
from ..rules import Bound, Given
from ..statement import LessEqual
from .gaps import gap

numerator, denominator = sp.Symbol("n", real=True), sp.Symbol("d", positive=True)
end, lesser = sp.symbols("q x", real=True)

AT_MOST = directly(LessEqual(numerator / denominator, end), Bound(Given(1 / denominator, end * denominator - numerator)))
"""0 ≤ q d − n ⊢ n/d ≤ q."""
AT_LEAST = directly(LessEqual(end, numerator / denominator), Bound(Given(1 / denominator, numerator - end * denominator)))
"""0 ≤ n − q d ⊢ q ≤ n/d."""
TIMES = directly(LessEqual(denominator * lesser, denominator * end), Bound(Given(denominator, end - lesser)))
"""0 ≤ q − x ⊢ d x ≤ d q."""


def _quotient(lemma: Derivation, n: sp.Expr, d: sp.Expr, q: sp.Expr, order: Derivation, facts: tuple[Derivation, ...]) -> Using:
    return Using(instance(lemma, {numerator: n, denominator: d, end: q}, *facts), gap(order))


def at_most(n: sp.Expr, d: sp.Expr, q: sp.Expr, order: Derivation, *facts: Derivation) -> Using:
    """n/d ≤ q, from n ≤ q d; facts say that d is positive and n real, where that is not plain."""
    return _quotient(AT_MOST, n, d, q, order, facts)


def at_least(n: sp.Expr, d: sp.Expr, q: sp.Expr, order: Derivation, *facts: Derivation) -> Using:
    """q ≤ n/d, from q d ≤ n."""
    return _quotient(AT_LEAST, n, d, q, order, facts)


def times(factor: sp.Expr, order: Derivation, *facts: Derivation) -> Using:
    """c x ≤ c y, from x ≤ y, for a plainly positive c."""
    statement = order.statement
    assert isinstance(statement, LessEqual)
    here = instance(TIMES, {denominator: factor, lesser: statement.lhs, end: statement.rhs}, *facts)
    return Using(here, gap(order))
