"""Bounds of a modulus, and of a distance, by bounds on both sides."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, S

from ..derivation import Chain, Derivation, chain
from ..logic import Assume, Cases, Order, Rearrange, Using, Weaken, instance
from ..rules import Bound, Decide, Given, Known, Modulus
from ..statement import Less, LessEqual, Or
from ..vocabulary.numerals import Distance

inside, radius, center = sp.symbols("x r c", real=True)


def _modulus_below() -> Cases:
    def case(absolute: sp.Expr, other_side: sp.Expr) -> Chain:
        """|x| = w ≤ r, with w one of ±x, where 0 ≤ w."""
        return chain(
            Abs(inside),
            (Modulus(Bound(Given(S.One, absolute))), absolute),
            (Bound(Given(S.One, other_side)), radius),
            relation=LessEqual,
        )

    at_least, below = LessEqual(S.Zero, inside), Less(inside, S.Zero)
    negated = Rearrange(LessEqual(S.Zero, -inside), Weaken(LessEqual(inside, S.Zero), Assume(below)))
    return Cases(
        LessEqual(Abs(inside), radius),
        Order(Or(at_least, below)),
        (case(inside, radius - inside), Using(case(-inside, radius + inside), negated)),
    )


MODULUS_BELOW = _modulus_below()
"""0 ≤ r − x and 0 ≤ r + x ⊢ |x| ≤ r for real x and r."""

_offset = inside - center
DISTANCE_BELOW = chain(
    Distance(inside, center),
    (Decide(), Abs(_offset)),
    (Known(instance(MODULUS_BELOW, {inside: _offset})), radius),
    relation=LessEqual,
)
"""0 ≤ r − (x − c) and 0 ≤ r + (x − c) ⊢ |x − c| ≤ r for real x, c and r, the distance kept in one piece."""


def modulus_below(lower: Derivation, upper: Derivation) -> Using:
    """|x| ≤ r, from −r ≤ x and x ≤ r."""
    x, r = _sides(upper)
    return Using(
        instance(MODULUS_BELOW, {inside: x, radius: r}),
        Rearrange(LessEqual(S.Zero, r - x), upper),
        Rearrange(LessEqual(S.Zero, r + x), lower),
    )


def distance_below(c: sp.Expr, r: sp.Expr, lower: Derivation, upper: Derivation) -> Using:
    """|x − c| ≤ r, from c − r ≤ x and x ≤ c + r."""
    x, _ = _sides(upper)
    return Using(
        instance(DISTANCE_BELOW, {inside: x, center: c, radius: r}),
        Rearrange(LessEqual(S.Zero, r - (x - c)), upper),
        Rearrange(LessEqual(S.Zero, r + (x - c)), lower),
    )


def _sides(bound: Derivation) -> tuple[sp.Expr, sp.Expr]:
    statement = bound.statement
    assert isinstance(statement, LessEqual)
    return statement.lhs, statement.rhs
