"""How e^y − 1 compares with y: (e^y − 1)² is at most (y²/2)(1 + e^{2y}), and not 0 where y is not."""
from __future__ import annotations

import sympy as sp
from sympy import S, exp

from ..derivation import Derivation, chain, directly
from ..logic import Assume, Cases, Contradiction, Order, Rearrange, Using, Weaken, instance
from ..rules import Bound, Part, Rewrite, Strict
from ..statement import Equal, Less, LessEqual, Not, Or
from . import SQUARED_EXCESS
from .exponential import EXP_IS_ONE
from .exponential import exponent as _exponent

exponent = sp.Symbol("y", real=True)
_above = sp.Symbol("u", nonnegative=True)
nonzero_exponent = sp.Symbol("y'", real=True, zero=False)


def _bound(y: sp.Expr) -> sp.Expr:
    return y**2 * (1 + exp(2 * y)) / 2


def _squared_excess_below() -> Cases:
    """At y ≥ 0 by Taylor's theorem; at y = −u by the same for u, as (e^{−u} − 1)² = e^{−2u}(e^u − 1)²."""

    def at(y: sp.Expr, factor: sp.Expr) -> Derivation:
        return directly(LessEqual((exp(y) - 1) ** 2, _bound(y)), Bound(Part(factor, SQUARED_EXCESS, _above)))

    low, high = Less(exponent, S.Zero), LessEqual(S.Zero, exponent)
    negated = Rearrange(LessEqual(S.Zero, -exponent), Weaken(LessEqual(exponent, S.Zero), Assume(low)))
    return Cases(
        LessEqual((exp(exponent) - 1) ** 2, _bound(exponent)),
        Order(Or(high, low)),
        (
            instance(at(_above, S.One), {_above: exponent}, Assume(high)),
            Using(instance(at(-_above, exp(-2 * _above)), {_above: -exponent}, Assume(negated.statement)), negated),
        ),
    )


SQUARED_EXCESS_BELOW = _squared_excess_below()
"""(e^y − 1)² ≤ (y²/2)(1 + e^{2y}) for real y."""


def _never_zero() -> Contradiction:
    y = nonzero_exponent
    same = Assume(Equal(exp(y) - 1, S.Zero))
    zero = Using(instance(EXP_IS_ONE, {_exponent: y}), Rearrange(Equal(exp(y), S.One), same))
    square = chain(y**2, (Rewrite(zero), S.Zero))
    positive = chain(S.Zero, (Strict(Part(S.One, None, y**2)), y**2), relation=Less)
    return Contradiction(Not(same.statement), square, Weaken(Not(square.statement), positive))


EXCESS_NEVER_ZERO = _never_zero()
"""e^y − 1 ≠ 0 for y ≠ 0."""
