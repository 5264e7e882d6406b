"""The published recipe: what the cap and the clamp leave of a pair, where training starts, what decay alone does."""
from __future__ import annotations

import sympy as sp
from sympy import Max, Min, Rational, S

from ...derivation import Chain, chain, directly
from ...judgement import Derivation
from ...logic import Assume, Cases, Conjunction, Contradiction, Order, Rearrange, Suppose, Using, conjunction, instance
from ...rules import Bound, Decide, Extremum, Given, Known, Monotone, Numbers, Part, Rewrite, Strict, WithinExtrema
from ...statement import Equal, Exists, Less, LessEqual, Not, Or
from ...symbols import channel, omega, sigma
from ...vocabulary.recipe import (
    BOUNDARY,
    CAP,
    FLOOR,
    PAIRS,
    EffectiveFrequency,
    EffectiveWidth,
    InitialFrequency,
    InitialWidth,
)
from ..arguments import no_such
from .shorthand import Form

used = sp.Symbol("w", positive=True)
"""A width as the forward pass uses it."""
_v = sp.Symbol("v", real=True)
_p = sp.Symbol("p", positive=True)


def _clamped(width: sp.Symbol) -> Chain:
    """max(min(ω, cap), 5/w) = 5/w given w < 5/cap: the capped frequency is at most the cap, and that is below 5/w."""
    gap = BOUNDARY / CAP - width
    below = chain(
        Min(omega, CAP),
        (WithinExtrema(), CAP),
        (Strict(Given(CAP / width, gap, strict=True)), BOUNDARY / width),
        relation=Less,
    )
    return chain(Max(Min(omega, CAP), BOUNDARY / width), (Extremum(below), BOUNDARY / width))


def _forced_product() -> Derivation:
    """0 < 5/cap − w ⇒ max(min(ω, cap), 5/w)·w = 5."""
    clamped = _clamped(used)
    product = chain(clamped.statement.lhs * used, (Rewrite(clamped), BOUNDARY))
    return product


def forced(statement: Form) -> Conjunction:
    """σ < 5/cap leaves the width that is used below 5/cap too, for so is the floor."""
    product, figure = statement.body
    narrow: Less = product.hypothesis
    forcing, width = narrow.rhs, EffectiveWidth(sigma)
    floor_is_larger, width_is_larger = LessEqual(sigma, FLOOR), Less(FLOOR, sigma)

    def below(value: sp.Expr, larger: Extremum, order: Derivation) -> Derivation:
        """The width that is used is the value, which lies below 5/cap."""
        used_width = chain(width, (Decide(), Max(sigma, FLOOR)), (larger, value), (Known(order), forcing), relation=Less)
        return Rearrange(Less(S.Zero, forcing - width), used_width)

    small = Cases(
        Less(S.Zero, forcing - width),
        Order(Or(floor_is_larger, width_is_larger)),
        (
            below(FLOOR, Extremum(Assume(floor_is_larger)), directly(Less(FLOOR, forcing), Numbers())),
            below(sigma, Extremum(Assume(width_is_larger)), Assume(narrow)),
        ),
    )
    clamped = Using(instance(_forced_product(), {used: width}), small)
    ends: Form = clamped.statement
    conclusion = chain(product.conclusion.lhs, (Decide(), ends.lhs), (Known(clamped), BOUNDARY))
    return conjunction(Suppose(product, conclusion), rounded(figure))


def rounded(figure: LessEqual) -> Chain:
    """A number that is rounded to a numeral, by an enclosure."""
    return directly(figure, Numbers())


def _frequency_range() -> tuple[Derivation, Derivation]:
    """1 ≤ ω_i for every i, and ω_i ≤ 0.99π given i ≤ 127: a power of 0.99π > 1 grows with its exponent i/127."""
    frequency, top = InitialFrequency(channel), InitialFrequency(sp.Integer(PAIRS - 1))
    base, steps = top.definition(), channel / Rational(PAIRS - 1)
    grows = base**_v
    above = chain(S.Zero, (Bound(Part(S.One, None, steps)), steps), relation=LessEqual)
    gap = PAIRS - 1 - channel
    below = chain(steps, (Bound(Given(Rational(1, PAIRS - 1), gap)), S.One), relation=LessEqual)
    least = chain(S.One, (Monotone(above, _v, grows), base**steps), (Decide(), frequency), relation=LessEqual)
    most = chain(frequency, (Decide(), base**steps), (Monotone(below, _v, grows), base), relation=LessEqual)
    last = Rearrange(LessEqual(S.Zero, gap), Assume(LessEqual(channel, sp.Integer(PAIRS - 1))))
    return least, Using(most, last)


def start(published: Exists) -> Derivation:
    """Every pair has ω_iσ_i = 5, as it is stored and as it is used."""
    away: Form = published.body
    stored, in_use = away.body.body
    frequency, width = InitialFrequency(channel), InitialWidth(channel)
    least, most = _frequency_range()
    top: sp.Expr = most.statement.rhs  # type: ignore[attr-defined]
    wide = chain(
        FLOOR,
        (Numbers(), BOUNDARY / top),
        (Monotone(most, _p, BOUNDARY / _p), BOUNDARY / frequency),
        (Decide(), width),
        relation=LessEqual,
    )
    floor = chain(EffectiveWidth(width), (Decide(), Max(width, FLOOR)), (Extremum(wide), width))
    uncapped = chain(Min(frequency, CAP), (WithinExtrema(), frequency), (Decide(), BOUNDARY / width), relation=LessEqual)
    clamp = chain(Max(Min(frequency, CAP), BOUNDARY / width), (Extremum(uncapped), BOUNDARY / width))
    effective = chain(
        in_use.lhs,
        (Decide(), Max(Min(frequency, CAP), BOUNDARY / EffectiveWidth(width)) * EffectiveWidth(width)),
        (Rewrite(floor), Max(Min(frequency, CAP), BOUNDARY / width) * width),
        (Rewrite(clamp), BOUNDARY),
    )
    at_boundary = conjunction(directly(stored, Decide()), effective)
    return no_such(published, Contradiction(Not(away), at_boundary, Assume(away)))
