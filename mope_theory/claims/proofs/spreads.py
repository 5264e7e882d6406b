"""What the uncertainty relation says of numbers: if 0 ≤ A − λE + λ²S for every λ, then 0 < S and ¼ ≤ (S/E)(N/Ê).

Here Ê = 2πE and N = 2πA; S/E and N/Ê are the squares of the two spreads.
"""
from __future__ import annotations

import sympy as sp
from sympy import Rational, S, oo, pi, sqrt

from ...derivation import Chain, Derivation, chain, directly
from ...lemmas.modulus import below_by_squares
from ...logic import Assume, Cases, Contradiction, NotBelow, Order, Rearrange, Specialise, Using
from ...rules import Bound, Combine, Given, Known, Numbers, Part, Rewrite, Strict
from ...statement import Equal, Exists, ForAll, Less, LessEqual, Not, Or
from .shorthand import witness

slope_energy = sp.Symbol("A", nonnegative=True)
energy, about, spectral_energy = sp.symbols("E S E'", positive=True)
spectral_about = sp.Symbol("N'", complex=True)
any_about = sp.Symbol("S'", real=True)
multiple, positive_multiple = sp.Symbol("lambda", real=True), sp.Symbol("lambda'", positive=True)
"""A, E, S, Ê, N, an S of which no sign is known, and λ."""
variance, spectral_variance = sp.symbols("v w", nonnegative=True)
spread, spectral_spread = sp.symbols("d_v d_w", complex=True)

HALF, QUARTER = Rational(1, 2), Rational(1, 4)
SPECTRAL_ENERGY = Equal(spectral_energy, 2 * pi * energy)
SPECTRAL_ABOUT = Equal(spectral_about, 2 * pi * slope_energy)
_roots = sqrt(variance) * sqrt(spectral_variance)


def quadratic(a: sp.Expr, e: sp.Expr, s: sp.Expr, at: sp.Expr) -> sp.Expr:
    """A − λE + λ²S."""
    return a - at * e + at**2 * s


def never_negative(a: sp.Expr, e: sp.Expr, s: sp.Expr) -> ForAll:
    """0 ≤ A − λE + λ²S for every λ."""
    return ForAll(multiple, S.Reals, LessEqual(S.Zero, quadratic(a, e, s, multiple)))


def _at(s: sp.Expr, value: sp.Expr) -> Specialise:
    every = never_negative(slope_energy, energy, s)
    return Specialise(every.body.substitute({multiple: value}), Assume(every), value)


def _about_positive() -> Cases:
    """Were S ≤ 0, the quadratic would be at most −1 at λ = (A + 1)/E."""
    steep = (slope_energy + 1) / energy
    here = _at(any_about, steep)
    below = chain(
        S.Zero,
        (Known(here), quadratic(slope_energy, energy, any_about, steep)),
        (Bound(Given(steep**2, -any_about)), S.NegativeOne),
        relation=LessEqual,
    )
    at_most, above = LessEqual(any_about, S.Zero), Less(S.Zero, any_about)
    known = Using(below, Rearrange(LessEqual(S.Zero, -any_about), Assume(at_most)))
    negative = NotBelow(Not(below.statement), directly(Less(S.NegativeOne, S.Zero), Numbers()))
    return Cases(above, Order(Or(at_most, above)), (Contradiction(above, known, negative), Assume(above)))


ABOUT_POSITIVE = _about_positive()
"""0 ≤ A − λE + λ²S′ for every λ ⊢ 0 < S′."""

_lowest = energy / (2 * about)
_product = about / energy * (spectral_about / spectral_energy)
_reduced = about * slope_energy / energy**2
_REDUCED = chain(
    _product,
    (Rewrite(Assume(SPECTRAL_ENERGY)), about / energy * (spectral_about / (2 * pi * energy))),
    (Rewrite(Assume(SPECTRAL_ABOUT)), _reduced),
)


def _above_quarter() -> Using:
    """At λ = E/2S the quadratic is A − E²/4S."""
    least = _at(about, _lowest)
    gap = quadratic(slope_energy, energy, about, _lowest)
    order = chain(
        QUARTER, (Bound(Given(about / energy**2, gap)), _reduced), (Known(_REDUCED), _product), relation=LessEqual
    )
    return Using(order, least)


ABOVE_QUARTER = _above_quarter()
"""0 ≤ A − λE + λ²S for every λ, Ê = 2πE, N = 2πA ⊢ ¼ ≤ (S/E)(N/Ê)."""


def _vanishes() -> Derivation:
    equal = Assume(Equal(_product, QUARTER))
    known = chain(_reduced, (Known(_REDUCED), _product), (Known(equal), QUARTER))
    zero = Equal(quadratic(slope_energy, energy, about, positive_multiple), S.Zero)
    here = Rearrange(zero.substitute({positive_multiple: _lowest}), known, energy**2 / about)
    return witness(Exists(positive_multiple, sp.Interval.open(0, oo), zero), _lowest, here)


VANISHES = _vanishes()
"""(S/E)(N/Ê) = ¼, Ê = 2πE, N = 2πA ⊢ A − λE + λ²S = 0 for a λ > 0."""

SPREADS = chain(
    spread * spectral_spread,
    (Rewrite(Assume(Equal(spread, sqrt(variance)))), sqrt(variance) * spectral_spread),
    (Rewrite(Assume(Equal(spectral_spread, sqrt(spectral_variance)))), _roots),
)
"""d_v = √v, d_w = √w ⊢ d_v d_w = √v √w."""

ABOVE_HALF = chain(
    HALF,
    (Known(below_by_squares(Assume(LessEqual(QUARTER, variance * spectral_variance)), HALF, _roots)), _roots),
    (Known(SPREADS), spread * spectral_spread),
    relation=LessEqual,
)
"""¼ ≤ vw ⊢ ½ ≤ √v √w."""


def _is_quarter() -> Chain:
    """vw − ¼ = (√v √w + ½)(√v √w − ½)."""
    half = Assume(Equal(spread * spectral_spread, HALF))
    known = chain(_roots, (Known(SPREADS), spread * spectral_spread), (Known(half), HALF))
    return chain(variance * spectral_variance, (Combine((_roots + HALF, known)), QUARTER))


IS_QUARTER = _is_quarter()
"""√v √w = ½ ⊢ vw = ¼."""

SPECTRAL_ENERGY_POSITIVE = chain(
    S.Zero,
    (Strict(Part(S.One, None, 2 * pi * energy)), 2 * pi * energy),
    (Known(Assume(Equal(spectral_about, 2 * pi * energy))), spectral_about),
    relation=Less,
)
"""Ê = 2πE ⊢ 0 < Ê."""

VARIANCE = directly(LessEqual(S.Zero, variance / energy), Bound(Part(1 / energy, None, variance)))
"""0 ≤ S/E."""


def _spectral_variance() -> Chain:
    quotient = spectral_about / spectral_energy
    known = chain(quotient, (Rewrite(Assume(SPECTRAL_ABOUT)), 2 * pi * slope_energy / spectral_energy))
    positive = Bound(Part(2 * pi / spectral_energy, None, slope_energy))
    return chain(S.Zero, (positive, known.statement.rhs), (Known(known), quotient), relation=LessEqual)


SPECTRAL_VARIANCE = _spectral_variance()
"""N = 2πA ⊢ 0 ≤ N/Ê."""
