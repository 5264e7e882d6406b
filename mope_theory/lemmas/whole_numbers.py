"""Lemmas on whole numbers."""
from __future__ import annotations

import sympy as sp
from sympy import S

from ..derivation import Derivation, chain
from ..logic import (
    Alternative,
    Assume,
    Cases,
    Choose,
    Contradiction,
    Induction,
    NotBelow,
    Order,
    Rearrange,
    Specialise,
    Using,
    Weaken,
    Witness,
    instance,
)
from ..rules import Bound, Combine, Given, Known, Part
from ..statement import Equal, Exists, ForAll, Less, LessEqual, Not, Or
from ..symbols import N, ell, k
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


def _below_one() -> Derivation:
    low, high = LessEqual(_any, S.Zero), LessEqual(S.One, _any)
    absurd = Contradiction(low, Assume(high), NotBelow(Not(high), Assume(Less(_any, S.One))))
    return Cases(low, APART, (Assume(low), absurd))


BELOW_ONE = _below_one()
"""k < 1 ⊢ k ≤ 0, for a whole number k."""


def not_positive(less: Derivation) -> Derivation:
    """value ≤ 0, from value < 1, for a term that is plainly a whole number."""
    below = less.statement
    assert isinstance(below, Less)
    return Using(instance(BELOW_ONE, {_any: below.lhs}), less)


def _whole_powers() -> Derivation:
    """By induction: 2^{k+1} = 2ℓ for 2^k = ℓ."""
    power = Exists(ell, S.Integers, Equal(2**k, ell))
    base = Witness(power.substitute({k: S.Zero}), S.One, itself(S.One))
    doubled = chain(2 ** (k + 1), (Combine((S(2), Assume(power.body))), 2 * ell))
    following = power.substitute({k: k + 1})
    step = Choose(following, Assume(power), Witness(following, 2 * ell, doubled))
    return Induction(ForAll(k, S.Naturals0, power), base, step)


WHOLE_POWERS = _whole_powers()
"""For k = 0, 1, …: 2^k is a whole number ℓ."""
