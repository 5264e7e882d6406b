"""Forms of statement that several claims share."""
from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from ..statement import And, Equal, Exists, ForAll, Implies, Statement
from ..symbols import j, k
from ..vocabulary.functions import Unknown

REAL = sp.S.Reals
INTEGER = sp.S.Integers
POSITIVE = sp.Interval.open(0, sp.oo)
NONNEGATIVE = sp.Interval(0, sp.oo)
NONZERO = sp.S.Complexes - sp.FiniteSet(0)


def iff(left: Statement, right: Statement) -> And:
    """left ⇔ right, as two implications."""
    return And(Implies(left, right), Implies(right, left))


def for_all(*bound: tuple[sp.Symbol, sp.Set] | Statement) -> Statement:
    """∀ x ∈ A: ∀ y ∈ B: … body, from (variable, domain) pairs and the body."""
    return _nested(ForAll, *bound)


def exists(*bound: tuple[sp.Symbol, sp.Set] | Statement) -> Statement:
    """∃ x ∈ A: ∃ y ∈ B: … body, from (variable, domain) pairs and the body."""
    return _nested(Exists, *bound)


def _nested(
    quantifier: Callable[[sp.Symbol, sp.Set, Statement], Statement], *bound: tuple[sp.Symbol, sp.Set] | Statement
) -> Statement:
    *pairs, body = bound
    assert isinstance(body, Statement)
    for pair in reversed(pairs):
        assert isinstance(pair, tuple)
        variable, domain = pair
        body = quantifier(variable, domain, body)
    return body


def function_of_difference(value: sp.Expr, of: Unknown, positions: sp.Set) -> Statement:
    """∃ g ∀ j, k ∈ positions: value(j, k) = g(j − k)."""
    return exists((of, of.space), for_all((j, positions), (k, positions), Equal(value, of(j - k))))
