"""Bounds of a modulus, and of a distance, by bounds on both sides."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, S

from ..derivation import Chain, Derivation, chain
from ..logic import Assume, Cases, Contradiction, NotBelow, Order, Rearrange, Using, Weaken, instance
from ..rules import Bound, Decide, Given, Known, Modulus, Part, Strict
from ..statement import Less, LessEqual, Not, Or
from ..vocabulary.numerals import Distance
from .reflexive import itself

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


_smaller, _larger, _excess = sp.Symbol("x", real=True), sp.Symbol("y", nonnegative=True), sp.Symbol("t", positive=True)


def _square_root_order() -> Cases:
    """Were b < a, then b² < a², as a² − b² = (a − b)² + 2b(a − b)."""
    at_most, above = LessEqual(_smaller, _larger), Less(_larger, _smaller)
    squares = LessEqual(_smaller**2, _larger**2)
    grown = chain(
        _larger**2,
        (Strict(Part(S.One, None, _excess**2), Part(2 * _larger, None, _excess)), (_larger + _excess) ** 2),
        relation=Less,
    )
    gap = _smaller - _larger
    higher = instance(grown, {_excess: gap}, Rearrange(Less(S.Zero, gap), Assume(above)))
    absurd = Contradiction(at_most, Assume(squares), NotBelow(Not(squares), higher))
    return Cases(at_most, Order(Or(at_most, above)), (Assume(at_most), absurd))


SQUARES = _square_root_order()
"""x² ≤ y² ⊢ x ≤ y for real x and y ≥ 0."""


def below_by_squares(order: Derivation, below: sp.Expr, above: sp.Expr) -> Using:
    """below ≤ above, from the order of their squares; the upper one is plainly nonnegative."""
    return Using(instance(SQUARES, {_smaller: below, _larger: above}), order)


BELOW_ITS_MODULUS = below_by_squares(Weaken(LessEqual(inside**2, inside**2), itself(inside**2)), inside, Abs(inside))
"""x ≤ |x| for a real x."""


def below_its_modulus(value: sp.Expr) -> Derivation:
    """x ≤ |x| for a real term."""
    return instance(BELOW_ITS_MODULUS, {inside: value})


def real_part_below(value: sp.Expr) -> Using:
    """|Re z| ≤ |z|, for |z|² = (Re z)² + (Im z)²."""
    real, imaginary, size = sp.re(value), sp.im(value), Abs(value)
    squares = chain(
        Abs(real) ** 2,
        (Bound(Part(S.One, None, imaginary**2)), real**2 + imaginary**2),
        (Decide(), size**2),
        relation=LessEqual,
    )
    return below_by_squares(squares, Abs(real), size)


_first, _second = sp.symbols("a b", complex=True)


def _triangle() -> Using:
    """|a + b|² = |a|² + |b|² + 2 Re(a b̄) ≤ (|a| + |b|)²."""
    crossed = _first * sp.conjugate(_second)
    cross = chain(
        sp.re(crossed), (Known(below_its_modulus(sp.re(crossed))), Abs(sp.re(crossed))),
        (Known(real_part_below(crossed)), Abs(crossed)), (Decide(), Abs(_first) * Abs(_second)), relation=LessEqual,
    )  # fmt: skip
    gap = Abs(_first) * Abs(_second) - sp.re(crossed)
    squares = chain(
        Abs(_first + _second) ** 2,
        (Decide(), Abs(_first) ** 2 + Abs(_second) ** 2 + 2 * sp.re(crossed)),
        (Bound(Given(S(2), gap)), (Abs(_first) + Abs(_second)) ** 2),
        relation=LessEqual,
    )
    order = Using(squares, Rearrange(LessEqual(S.Zero, gap), cross))
    return below_by_squares(order, Abs(_first + _second), Abs(_first) + Abs(_second))


TRIANGLE = _triangle()
"""|a + b| ≤ |a| + |b| for complex a and b."""


def triangle(first: sp.Expr, second: sp.Expr) -> Derivation:
    """|z + w| ≤ |z| + |w| for two terms."""
    return instance(TRIANGLE, {_first: first, _second: second})


_factors = sp.symbols("a b p q", complex=True)


def _two_products() -> Chain:
    a, b, p, q = _factors
    first, second = a * sp.conjugate(b), p * sp.conjugate(q)
    return chain(
        Abs(first + second),
        (Known(triangle(first, second)), Abs(first) + Abs(second)),
        (Decide(), Abs(a) * Abs(b) + Abs(p) * Abs(q)),
        relation=LessEqual,
    )


TWO_PRODUCTS = _two_products()
"""|a b̄ + p q̄| ≤ |a||b| + |p||q| for complex a, b, p and q."""


def two_products(*factors: sp.Expr) -> Derivation:
    """|a b̄ + p q̄| ≤ |a||b| + |p||q| for four terms."""
    return instance(TWO_PRODUCTS, dict(zip(_factors, factors, strict=True)))
