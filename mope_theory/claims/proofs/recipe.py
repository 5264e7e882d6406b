"""The published recipe: what the cap and the clamp leave of a pair, where training starts, what decay alone does."""
from __future__ import annotations

import sympy as sp
from sympy import Max, Min, Rational, S

from ...derivation import Chain, chain, directly
from ...judgement import Derivation
from ...logic import Assume, Cases, Conjunction, Contradiction, Order, Rearrange, Suppose, Using, conjunction, instance
from ...rules import Bound, Decide, Extremum, Given, Known, Monotone, Numbers, Part, Rewrite, Strict, WithinExtrema
from ...statement import Exists, Less, LessEqual, Not, Or
from ...symbols import channel, omega, sigma
from ...vocabulary.recipe import (
    BOUNDARY,
    CAP,
    FLOOR,
    PAIRS,
    PUBLISHED_DECAY,
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
    return chain(clamped.statement.lhs * used, (Rewrite(clamped), BOUNDARY))


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
    _, most = _frequency_range()
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


_power = sp.Symbol("r", positive=True)
"""What decay has multiplied the logarithms by."""


def _raised(order: Derivation) -> Chain:
    """a^r ≤ b^r from a ≤ b, for positive a and b: through the logarithm and back."""
    known: Form = order.statement
    a, b = known.lhs, known.rhs
    logarithms = chain(sp.log(a), (Monotone(order, _p, sp.log(_p)), sp.log(b)), relation=LessEqual)
    gap = sp.log(b) - sp.log(a)
    scaled = Using(
        chain(_power * sp.log(a), (Bound(Given(_power, gap)), _power * sp.log(b)), relation=LessEqual),
        Rearrange(LessEqual(S.Zero, gap), logarithms),
    )
    return chain(
        a**_power,
        (Decide(), sp.exp(_power * sp.log(a), evaluate=False)),
        (Monotone(scaled, _v, sp.exp(_v)), sp.exp(_power * sp.log(b), evaluate=False)),
        (Decide(), b**_power),
        relation=LessEqual,
    )


def decay(statement: Form) -> Conjunction:
    """For every power 0 < r ≤ 1 in the place of Π; that Π is one is an enclosure of its 5,000 factors."""
    figure, narrowest, widest, *rest = statement.body
    product, effective = rest[2], rest[4]
    positive = directly(Less(S.Zero, PUBLISHED_DECAY), Numbers())
    at_most_one = directly(LessEqual(S.Zero, 1 - PUBLISHED_DECAY), Numbers())
    members = iter((_width_above(), _width_below(), _product_of_powers(), _effective_after_decay()))

    def published(member: Form) -> Derivation:
        general = next(members)
        known = instance(general, {_power: PUBLISHED_DECAY}, positive)
        return Using(known, at_most_one) if at_most_one.statement in known.assumptions else known

    proved = {id(x): published(x) for x in (narrowest, widest, product, effective)}
    return conjunction(*(proved.get(id(x)) or rounded(x) for x in (figure, narrowest, widest, *rest)))


def _width_above() -> Chain:
    """σ_127^r ≤ σ_i^r, for σ = 5/ω falls."""
    _, most = _frequency_range()
    narrowest, width = InitialWidth(sp.Integer(PAIRS - 1)), InitialWidth(channel)
    top: Form = most.statement
    order = chain(
        narrowest,
        (Decide(), BOUNDARY / top.rhs),
        (Monotone(most, _p, BOUNDARY / _p), BOUNDARY / top.lhs),
        (Decide(), width),
        relation=LessEqual,
    )
    return _raised(order)


def _width_below() -> Chain:
    """σ_i^r ≤ σ_0^r."""
    least, _ = _frequency_range()
    widest, width = InitialWidth(S.Zero), InitialWidth(channel)
    bottom: Form = least.statement
    order = chain(
        width,
        (Decide(), BOUNDARY / bottom.rhs),
        (Monotone(least, _p, BOUNDARY / _p), BOUNDARY),
        (Decide(), widest),
        relation=LessEqual,
    )
    return _raised(order)


def _product_of_powers() -> Chain:
    """ω_i^r σ_i^r = 5^r."""
    return chain(InitialFrequency(channel) ** _power * InitialWidth(channel) ** _power, (Decide(), BOUNDARY**_power))


def _effective_after_decay() -> Chain:
    """ω_eff = 5/σ^r, for min(ω^r, cap) ≤ ω^r = 5^r/σ^r ≤ 5/σ^r, and σ^r ≥ σ_127^r ≥ 1 is above the floor."""
    frequency, width = InitialFrequency(channel) ** _power, InitialWidth(channel) ** _power
    narrowest = InitialWidth(sp.Integer(PAIRS - 1))
    above_one = chain(S.Zero, (Bound(Part(S.One, None, _power)), _power), relation=LessEqual)
    wide = chain(
        FLOOR,
        (Numbers(), S.One),
        (Monotone(above_one, _v, narrowest**_v), narrowest**_power),
        (Known(_width_above()), width),
        relation=LessEqual,
    )
    floor = chain(EffectiveWidth(width), (Decide(), Max(width, FLOOR)), (Extremum(wide), width))
    less_power = chain(_power, (Bound(Given(S.One, 1 - _power)), S.One), relation=LessEqual)
    target = BOUNDARY / width
    uncapped = chain(
        Min(frequency, CAP),
        (WithinExtrema(), frequency),
        (Decide(), BOUNDARY**_power / width),
        (Bound(Given(1 / width, BOUNDARY - BOUNDARY**_power)), target),
        relation=LessEqual,
    )
    below = Rearrange(
        LessEqual(S.Zero, BOUNDARY - BOUNDARY**_power),
        chain(BOUNDARY**_power, (Monotone(less_power, _v, BOUNDARY**_v), BOUNDARY), relation=LessEqual),
    )
    clamp = chain(Max(Min(frequency, CAP), target), (Extremum(Using(uncapped, below)), target))
    return chain(
        EffectiveFrequency(frequency, width),
        (Decide(), Max(Min(frequency, CAP), BOUNDARY / EffectiveWidth(width))),
        (Rewrite(floor), Max(Min(frequency, CAP), target)),
        (Known(clamp), target),
    )
