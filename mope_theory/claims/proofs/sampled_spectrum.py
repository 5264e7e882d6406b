"""The variance of the spectrum of the samples over a period: ∫y²ϑ²/∫ϑ² for y = ξ − ω, ϑ(y) = 1 + 2 Σe^{−2k²} cos ky, and bounds.

ϑ lies within 10⁻⁶ of its first three terms, the moments of which have antiderivatives.
"""
from __future__ import annotations

import sympy as sp
from sympy import Integral, Lambda, Rational, S, cos, exp, oo, pi, sin

from ...derivation import Chain, Derivation, chain, directly
from ...lemmas.gaps import gap
from ...lemmas.integration import COMPARISON, FUNDAMENTAL, SYMMETRIC, center, end, high, low, primitive, radius, start
from ...lemmas.quotients import at_least, at_most, lesser, times
from ...lemmas.quotients import end as quotient_end
from ...lemmas.reflexive import itself
from ...lemmas.theta import crest, nome
from ...logic import Cite, Generalise, Rearrange, Using, Weaken, conjunction, instance
from ...rules import Bound, Decide, Given, Known, Numbers, Part, Reindexed, Termwise
from ...statement import Less, LessEqual
from ...symbols import k, omega, xi
from ...vocabulary.spectra import theta
from .sampled_positions import from_one, over, smaller, twice_crest_below
from .shorthand import Form, detach

FLOOR, CEILING = Rational(22633, 10**4), Rational(22634, 10**4)
"""Bounds of the variance."""
NEAR = Rational(1, 10**6)
"""How far ϑ is from its first three terms, at most."""

_y = xi - omega
_period = (xi, omega - pi, omega + pi)
_spectrum = theta(S(2), _y)
_damp = exp(-2 * k**2)
_crest, _ripple = over(_damp, S(3)), over(_damp * cos(k * _y), S(3))


def _terms(more: sp.Expr) -> sp.Expr:
    """The first three terms of ϑ, and so much more."""
    return 1 + more + 2 * exp(-2) * cos(_y) + 2 * exp(-8) * cos(2 * _y)


def _rest_below() -> Chain:
    """2 Σ_{k≥3} e^{−2k²} ≤ 10⁻⁶, as (k + 2)² ≥ k² + 8."""
    new, old = exp(-2 * (k + 2) ** 2), exp(-2 * (k**2 + 8))
    terms = Using(smaller(-2 * (k**2 + 8), -2 * (k + 2) ** 2), from_one)
    rest = crest.xreplace({nome: S(2)})
    tail = chain(
        _crest, (Reindexed(S(2)), over(new)), (Termwise(terms, k, S.One, oo), over(old)), (Decide(), exp(-16) * rest),
        relation=LessEqual,
    )  # fmt: skip
    most = twice_crest_below(S(2), S.One)
    return chain(
        2 * _crest,
        (Known(Rearrange(LessEqual(2 * _crest, 2 * exp(-16) * rest), tail, S(2))), 2 * exp(-16) * rest),
        (Known(Rearrange(LessEqual(2 * exp(-16) * rest, exp(-16)), most, exp(-16))), exp(-16)),
        (Numbers(), NEAR),
        relation=LessEqual,
    )


def _near() -> tuple[Using, Using]:
    """ϑ lies within 10⁻⁶ of its first three terms: 1 ± cos = (sin² + (1 ± cos)²)/2."""

    def below(sign: int) -> Bound:
        parts = (sin(k * _y) ** 2, (1 + sign * cos(k * _y)) ** 2)
        return Bound(*(Part(_damp / 2, None, part) for part in parts))

    up = chain(_damp * cos(k * _y), (below(-1), _damp), relation=LessEqual)
    down = chain(-_damp, (below(1), _damp * cos(k * _y)), relation=LessEqual)
    ripple_up = chain(_ripple, (Termwise(up, k, S(3), oo), _crest), relation=LessEqual)
    ripple_down = chain(
        -_crest, (Decide(), over(-_damp, S(3))), (Termwise(down, k, S(3), oo), _ripple), relation=LessEqual
    )
    small = gap(_rest_below())
    whole = _terms(S.Zero) + 2 * _ripple
    above = chain(
        _spectrum,
        (Decide(), whole),
        (Bound(Given(S(2), _crest - _ripple), Given(S.One, NEAR - 2 * _crest)), _terms(NEAR)),
        relation=LessEqual,
    )
    under = chain(
        _terms(-NEAR),
        (Bound(Given(S(2), _ripple + _crest), Given(S.One, NEAR - 2 * _crest)), whole),
        (Decide(), _spectrum),
        relation=LessEqual,
    )
    return Using(under, gap(ripple_down), small), Using(above, gap(ripple_up), small)


_base, _excess = sp.symbols("p u", nonnegative=True)
_GROWN = directly(
    LessEqual(_base**2, (_base + _excess) ** 2), Bound(Part(S.One, None, _excess**2), Part(2 * _base, None, _excess))
)


def _squares() -> tuple[Derivation, Derivation]:
    """(P − 10⁻⁶)² ≤ ϑ² ≤ (P + 10⁻⁶)² for the first three terms P, as P − 10⁻⁶ ≥ 0."""
    under, above = _near()
    rest = 1 - NEAR - 2 * exp(-2) - 2 * exp(-8)
    waves = ((exp(-2), _y), (exp(-8), 2 * _y))
    parts = (Part(size, None, part) for size, a in waves for part in (sin(a) ** 2, (1 + cos(a)) ** 2))
    positive = Using(
        directly(LessEqual(S.Zero, _terms(-NEAR)), Bound(Given(S.One, rest), *parts)),
        _nonnegative_number(rest),
    )
    nonnegative = chain(
        S.Zero, (Known(positive), _terms(-NEAR)), (Known(under), _spectrum), relation=LessEqual
    )
    return (
        instance(_GROWN, {_base: _terms(-NEAR), _excess: _spectrum - _terms(-NEAR)}, positive, gap(under)),
        instance(_GROWN, {_base: _spectrum, _excess: _terms(NEAR) - _spectrum}, nonnegative, gap(above)),
    )


def _nonnegative_number(value: sp.Expr) -> Derivation:
    """0 ≤ a number."""
    return Weaken(LessEqual(S.Zero, value), directly(Less(S.Zero, value), Numbers()))


def _integrated(order: Form) -> Derivation:
    """∫f ≤ ∫g over the period, from f ≤ g."""
    f, g = order.statement.lhs, order.statement.rhs
    values = {low: Lambda(xi, f), high: Lambda(xi, g), start: _period[1], end: _period[2]}
    known: Form = instance(Cite(COMPARISON), values)
    ends, every = known.statement.hypothesis.body
    return detach(known, conjunction(directly(ends, Bound(Part(S.One, None, 2 * pi))), Generalise(every, order)))


_more = sp.Symbol("s", real=True)


def _coefficients() -> tuple[sp.Expr, ...]:
    """c₀, …, c₄ of (1 + s + a₁ cos y + a₂ cos 2y)² = Σ c_j cos jy."""
    a0, a1, a2 = 1 + _more, 2 * exp(-2), 2 * exp(-8)
    return (
        a0**2 + a1**2 / 2 + a2**2 / 2, 2 * a0 * a1 + a1 * a2, a1**2 / 2 + 2 * a0 * a2, a1 * a2, a2**2 / 2
    )  # fmt: skip


def _moments() -> tuple[Chain, Chain]:
    """∫(P + s)² and ∫y²(P + s)² over the period, by antiderivatives."""
    first, *others = _coefficients()
    mass = first * _y + sum(c * sin(j * _y) / j for j, c in enumerate(others, 1))
    square = first * _y**3 / 3 + sum(
        c * (_y**2 * sin(j * _y) / j + 2 * _y * cos(j * _y) / j**2 - 2 * sin(j * _y) / j**3) for j, c in enumerate(others, 1)
    )
    return _by_antiderivative(_terms(_more) ** 2, mass), _by_antiderivative(_y**2 * _terms(_more) ** 2, square)


def _by_antiderivative(f: sp.Expr, antiderivative: sp.Expr) -> Chain:
    """∫F′ = F(ω + π) − F(ω − π)."""
    values = {primitive: Lambda(xi, antiderivative), start: _period[1], end: _period[2]}
    known: Form = instance(Cite(FUNDAMENTAL), values)
    return chain(Integral(f, _period), (Decide(), known.statement.lhs), (Known(known), known.statement.rhs))


def _ordered_moments(moment: Chain, orders: tuple[Derivation, Derivation], named: Integral) -> tuple[Chain, Chain]:
    """Numbers below and above an integral over the period, which is named by the weight of the statement."""
    floor, ceiling = (instance(moment, {_more: sign * NEAR}) for sign in (-1, 1))
    below, above = map(_integrated, orders)
    ends: tuple[Form, Form, Form, Form] = tuple(x.statement for x in (floor, ceiling, below, above))  # type: ignore[assignment]
    return (
        chain(
            ends[0].rhs,
            (Known(floor), ends[0].lhs),
            (Known(below), ends[2].rhs),
            (Decide(), named),
            relation=LessEqual,
        ),
        chain(
            named,
            (Decide(), ends[3].lhs),
            (Known(above), ends[1].lhs),
            (Known(ceiling), ends[1].rhs),
            relation=LessEqual,
        ),
    )


_WEIGHED = directly(LessEqual(_y**2 * lesser, _y**2 * quotient_end), Bound(Given(_y**2, quotient_end - lesser)))


def _weighed(order: Form) -> Derivation:
    """y²f ≤ y²g, from f ≤ g."""
    values = {lesser: order.statement.lhs, quotient_end: order.statement.rhs}
    return Using(instance(_WEIGHED, values), gap(order))


def spectral_variance(weight: sp.Expr) -> tuple[sp.Expr, tuple[Using, Using], Derivation]:
    """∫y²w / ∫w with its bounds, and 0 < ∫w."""
    mass, square = Integral(weight, _period), Integral(_y**2 * weight, _period)
    orders, (mass_moment, square_moment) = _squares(), _moments()
    mass_floor, mass_ceiling = _ordered_moments(mass_moment, orders, mass)
    floor, ceiling = _ordered_moments(square_moment, (_weighed(orders[0]), _weighed(orders[1])), square)
    lowest, highest = mass_floor.statement.lhs, mass_ceiling.statement.rhs
    positive = chain(S.Zero, (Numbers(), lowest), (Known(mass_floor), mass), relation=Less)
    scaled = times(FLOOR, mass_ceiling, mass_ceiling)
    low_order = chain(
        FLOOR * mass,
        (Known(scaled), FLOOR * highest),
        (Numbers(), floor.statement.lhs),
        (Known(floor), square),
        relation=LessEqual,
    )
    high_order = chain(
        square,
        (Known(ceiling), ceiling.statement.rhs),
        (Numbers(), CEILING * lowest),
        (Known(Rearrange(LessEqual(CEILING * lowest, CEILING * mass), mass_floor, CEILING)), CEILING * mass),
        relation=LessEqual,
    )
    facts = (floor, positive)
    bounds = (
        at_least(square, mass, FLOOR, low_order, *facts),
        at_most(square, mass, CEILING, high_order, *facts),
    )
    return square / mass, bounds, positive


def mean(weight: sp.Expr) -> Chain:
    """∫ξw = ω∫w, as w is symmetric about ω."""
    known: Form = instance(Cite(SYMMETRIC), {low: Lambda(xi, _spectrum**2), center: omega, radius: pi})
    every = known.statement.hypothesis
    sides = every.body
    same = itself(sides.lhs) if sides.lhs == sides.rhs else chain(sides.lhs, (Decide(), sides.rhs))
    equation: Form = detach(known, Generalise(every, same))
    return chain(
        Integral(xi * weight, _period),
        (Decide(), equation.statement.lhs),
        (Known(equation), equation.statement.rhs),
        (Decide(), omega * Integral(weight, _period)),
    )
