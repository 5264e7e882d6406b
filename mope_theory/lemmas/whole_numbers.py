"""Lemmas on whole numbers."""
from __future__ import annotations

import sympy as sp
from sympy import S

from ..derivation import Derivation, chain
from ..logic import Alternative, Assume, Cases, Induction, Order, Rearrange, Specialise, Weaken, instance
from ..rules import Bound, Given, Known, Part
from ..statement import ForAll, Less, LessEqual, Or
from ..symbols import N, k
from .reflexive import itself


def _at_least_one() -> Derivation:
    """By induction over the positive whole numbers."""
    every = ForAll(k, S.Naturals, LessEqual(S.One, k))
    base = Weaken(LessEqual(S.One, S.One), itself(S.One))
    step = chain(S.One, (Known(Assume(every.body)), k), (Bound(Part(S.One, None, S.One)), k + 1), relation=LessEqual)
    return Specialise(LessEqual(S.One, N), Induction(every, base, step), N)


AT_LEAST_ONE = _at_least_one()
"""1 ≤ N."""

LAST_INDEX = Rearrange(LessEqual(S.Zero, N - 1), AT_LEAST_ONE)
"""0 ≤ N − 1."""

_any = sp.Symbol("k", integer=True)


def _apart() -> Derivation:
    """By induction from 0 on; a negative number is below 0 anyhow."""
    low, high = LessEqual(_any, S.Zero), LessEqual(S.One, _any)
    statement = Or(low, high)
    every = ForAll(_any, S.Naturals0, statement)
    base = Alternative(statement.substitute({_any: S.Zero}), Weaken(LessEqual(S.Zero, S.Zero), itself(S.Zero)))
    above = chain(S.One, (Bound(Given(S.One, _any)), _any + 1), relation=LessEqual)
    step = Alternative(statement.substitute({_any: _any + 1}), above)
    not_negative, negative = LessEqual(S.Zero, _any), Less(_any, S.Zero)
    here = Specialise(statement, Induction(every, base, step), _any, (Assume(not_negative),))
    below = Alternative(statement, Weaken(low, Assume(negative)))
    return Cases(statement, Order(Or(not_negative, negative)), (here, below))


APART = _apart()
"""k ≤ 0 or 1 ≤ k, for a whole number k."""


def apart(value: sp.Expr) -> Derivation:
    """value ≤ 0 or 1 ≤ value, for a term that is plainly a whole number."""
    return instance(APART, {_any: value})
