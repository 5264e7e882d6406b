"""The uncertainty relation on the line: 0 ≤ ∫|χ − iνφ + λ(b − c)φ|² for every λ, with the derivative χ and the means c and ν.

It is A − λE + λ²S with E = ∫|φ|², S = ∫(b − c)²|φ|², A = ∫|χ − iνφ|² and, for the spectrum, N = ∫(ξ − ν)²|φ̂|² = 2πA, so that
E² ≤ 4AS. Where these are equal, the integral is 0 at λ = E/2S, and φ solves a differential equation of first order.
"""
from __future__ import annotations

import sympy as sp
from sympy import Lambda, S, oo, pi, sqrt

from ...derivation import Chain, Derivation, chain
from ...lemmas import GAUSSIAN
from ...lemmas.square_integrable import (
    BY_PARTS,
    ENERGY,
    FIRST_ORDER,
    INNER_PRODUCT,
    MOMENTS,
    PLANCHEREL,
    SOBOLEV,
    WEAK_DERIVATIVE,
    angle,
    carried,
    constant,
    first,
    growth,
    multiple,
    second,
    wave,
    weight,
)
from ...logic import (
    Assume,
    Cite,
    Conjunction,
    Contradiction,
    Generalise,
    NotBelow,
    RefutedMember,
    Replace,
    Suppose,
    Using,
    Weaken,
    conjunction,
    instance,
)
from ...rules import Decide, Known, Part, Rewrite, Strict
from ...statement import Equal, Exists, Implies, Less, Not
from ...symbols import b, center, nu, sigma, xi
from ...vocabulary.spectra import Fourier, finite_energy, squared
from . import spreads
from .deviations import root_mean_square
from .shorthand import Form, at, detach, given, member, witness

_weight, _spectrum = squared(wave(b)), squared(Fourier(wave, xi))
_energy, _spectral_energy = finite_energy(_weight, b), finite_energy(_spectrum, xi)
_about, _spectral_about = finite_energy((b - center) ** 2 * _weight, b), finite_energy((xi - nu) ** 2 * _spectrum, xi)
_slope_energy = finite_energy(squared(carried), b)
"""E, Ê, S, N and A."""

_nonzero = Assume(Less(S.Zero, _energy))
_confined = Assume(Less(finite_energy(b**2 * _weight, b), oo))
_smooth = Assume(Less(finite_energy(xi**2 * _spectrum, xi), oo))
"""What is admitted of a wave function."""

_plancherel = detach(Cite(PLANCHEREL), _confined)
_spectral_equation = member(_plancherel, 1)
_spectral_positive = Using(
    instance(
        spreads.SPECTRAL_ENERGY_POSITIVE, {spreads.energy: _energy, spreads.spectral_about: _spectral_energy}, _nonzero
    ),
    _spectral_equation,
)


# --- means ---------------------------------------------------------------------------------------------------------------

_moments = detach(instance(Cite(MOMENTS), {weight: Lambda(b, _weight)}), conjunction(Cite(ENERGY), _confined))


def _spectral_mean() -> Derivation:
    """∃ ν ∈ ℝ: ∫ξ|φ̂|² = ν ∫|φ̂|², in ξ instead of b."""
    general: Form = instance(Cite(MOMENTS), {weight: Lambda(xi, _spectrum)})
    known_moments: tuple[Form, ...] = (member(_plancherel, 0), _smooth)
    finite, second_moment = (
        chain(named.lhs, (Decide(), moment.statement.lhs), (Known(moment), oo), relation=Less)
        for named, moment in zip(general.statement.hypothesis.body, known_moments, strict=True)
    )
    mean: Form = member(detach(general, conjunction(finite, second_moment)), 0)
    known = mean.statement.body
    first_moment = finite_energy(xi * _spectrum, xi)
    renamed = chain(
        first_moment, (Decide(), known.lhs), (Known(Assume(known)), known.rhs), (Decide(), center * _spectral_energy)
    )
    return given(mean, witness(Exists(nu, S.Reals, Equal(first_moment, nu * _spectral_energy)), center, renamed))


_mean, _spectral_mean_exists = member(_moments, 0), _spectral_mean()


# --- the quadratic -------------------------------------------------------------------------------------------------------

_derivative: Form = detach(Cite(SOBOLEV), conjunction(_confined, _smooth))
"""∃ χ."""
_weak = Assume(WEAK_DERIVATIVE)
_at_mean: Form = at(Assume(_derivative.statement.body.body[1]), nu)
_slope_finite = member(_at_mean, 0)
_slope_equation = chain(_spectral_about, (Known(member(_at_mean, 1)), 2 * pi * _slope_energy))
_about_finite, _about_nonnegative = (member(at(member(_moments, 1), center), number) for number in (0, 1))
_by_parts: Form = detach(Cite(BY_PARTS), conjunction(_weak, _confined))
_moved = finite_energy(squared((b - center) * wave(b)), b)
_about_equation = chain(_moved, (Decide(), _about))
_moved_finite = chain(_moved, (Known(_about_equation), _about), (Known(_about_finite), oo), relation=Less)


def _expanded(by: sp.Expr) -> tuple[Derivation, Derivation, Chain]:
    """∫|χ − iνφ + λ(b − c)φ|² is finite, is not negative, and is A − λE + λ²S."""
    pair = {first: Lambda(b, (b - center) * wave(b)), second: Lambda(b, carried), multiple: by}
    whole = instance(Cite(INNER_PRODUCT), pair, _moved_finite, _slope_finite)
    square: Form = member(whole, 2)
    moved = square.statement.rhs.xreplace({_by_parts.statement.lhs: _by_parts.statement.rhs})
    value = chain(
        square.statement.lhs,
        (Known(square), square.statement.rhs),
        (Rewrite(_by_parts), moved),
        (Rewrite(_about_equation), spreads.quadratic(_slope_energy, _energy, _about, by)),
    )
    return member(whole, 0), member(whole, 1), value


def _never_negative() -> Generalise:
    _, nonnegative, value = _expanded(multiple)
    every = spreads.never_negative(_slope_energy, _energy, _about)
    order = chain(
        S.Zero,
        (Known(nonnegative), value.statement.lhs),
        (Known(value), value.statement.rhs),
        relation=type(every.body),  # type: ignore[arg-type]
    )
    return Generalise(every, order)


_every = _never_negative()
_slope_nonnegative = _expanded(S.Zero)[1]
_about_positive = Using(
    instance(
        spreads.ABOUT_POSITIVE,
        {spreads.slope_energy: _slope_energy, spreads.energy: _energy, spreads.any_about: _about},
        _slope_nonnegative,
        _nonzero,
        _about_nonnegative,
    ),
    _every,
)
_numbers = {
    spreads.slope_energy: _slope_energy,
    spreads.energy: _energy,
    spreads.about: _about,
    spreads.spectral_energy: _spectral_energy,
    spreads.spectral_about: _spectral_about,
}
_facts = (_slope_nonnegative, _nonzero, _about_positive, _spectral_positive)
_variances = {
    spreads.variance: _about / _energy,
    spreads.spectral_variance: _spectral_about / _spectral_energy,
}


def _variances_nonnegative() -> tuple[Derivation, Derivation]:
    position = {spreads.variance: _about, spreads.energy: _energy}
    spectral = {x: _numbers[x] for x in (spreads.slope_energy, spreads.spectral_energy, spreads.spectral_about)}
    return (
        instance(spreads.VARIANCE, position, _about_nonnegative, _nonzero),
        Using(instance(spreads.SPECTRAL_VARIANCE, spectral, _slope_nonnegative, _spectral_positive), _slope_equation),
    )


def _of_spreads(lemma: Derivation, product: Form, *facts: Derivation) -> Using:
    """A lemma on the two spreads, for the standard deviations of a product."""
    position, spectral = sorted(product.args, key=lambda x: x.args[0].variables != (b,))
    numbers = {spreads.spread: position, spreads.spectral_spread: spectral, **_variances}
    here = instance(lemma, numbers, *_variances_nonnegative(), _nonzero, _spectral_positive)
    roots = (
        root_mean_square(position, center, Assume(Equal(finite_energy(b * _weight, b), center * _energy)), _nonzero),
        root_mean_square(
            spectral, nu, Assume(Equal(finite_energy(xi * _spectrum, xi), nu * _spectral_energy)), _spectral_positive
        ),
    )
    return Using(here, *roots, *facts)


def _with_choices(conclusion: Derivation) -> Derivation:
    """What follows for the two means and the derivative."""
    return given(_mean, given(_spectral_mean_exists, given(_derivative, conclusion)))


def uncertainty(statement: Implies) -> Suppose:
    """½ ≤ Δb Δξ."""
    conclusion: Form = statement.conclusion
    quarter = Using(
        instance(spreads.ABOVE_QUARTER, _numbers, *_facts), _every, _spectral_equation, _slope_equation
    )
    return Suppose(statement, _with_choices(_of_spreads(spreads.ABOVE_HALF, conclusion.rhs, quarter)))


# --- widths of the wave packet -------------------------------------------------------------------------------------------


def narrower(published: Form) -> RefutedMember:
    """Δb = σ/√2 < σ."""
    width = published.body[0]
    gap = sigma / 4
    below = chain(
        width.lhs,
        (Decide(GAUSSIAN), sigma / sqrt(2)),
        (Strict(Part(gap, None, S.One), Part(gap, None, (sqrt(2) - 1) ** 2)), sigma),
        relation=Less,
    )
    return RefutedMember(Not(published), NotBelow(Not(width), below))


def attained(statement: Form) -> Conjunction:
    """The widths by the moments of a Gaussian, and that Gaussians alone attain the bound."""
    *widths, alone = statement.body
    return conjunction(*(chain(width.lhs, (Decide(GAUSSIAN), width.rhs)) for width in widths), equality(alone))


# --- equality ------------------------------------------------------------------------------------------------------------


def equality(statement: Implies) -> Suppose:
    """Δb Δξ = ½ for Gaussians alone."""
    hypothesis: Form = statement.hypothesis
    equation = hypothesis.body[-1]
    quarter = _of_spreads(spreads.IS_QUARTER, equation.lhs, Assume(equation))
    zero: Form = Using(instance(spreads.VANISHES, _numbers, *_facts), quarter, _spectral_equation, _slope_equation)
    return Suppose(statement, _with_choices(given(zero, _gaussian(statement.conclusion, Assume(zero.statement.body)))))


def _gaussian(statement: Form, zero: Derivation) -> Derivation:
    """χ = (iν − λ(b − c))φ, so that φ = κe^{iνb − λ(b − c)²/2}; κ is not 0, as φ is not."""
    by = spreads.positive_multiple
    bell = {growth: Lambda(b, -by * (b - center) ** 2 / 2), angle: Lambda(b, nu * b)}
    solved: Form = instance(Cite(FIRST_ORDER), bell)
    residual = solved.statement.hypothesis.body[1].lhs
    finite, _, value = _expanded(by)
    square = value.statement.lhs
    solution: Form = detach(
        solved,
        conjunction(
            _weak,
            chain(residual, (Decide(), square), (Known(finite), oo), relation=Less),
            chain(residual, (Decide(), square), (Known(value), value.statement.rhs), (Known(zero), S.Zero)),
        ),
    )
    same = Assume(solution.statement.body)
    return given(solution, _witnesses(statement, same, 1 / sqrt(by)))


def _witnesses(statement: Form, same: Form, width: sp.Expr) -> Derivation:
    null = Equal(constant, S.Zero)
    vanishes = Replace(Equal(_energy, S.Zero), Assume(null), same)
    never = Contradiction(Not(null), vanishes, Weaken(Not(vanishes.statement), _nonzero))
    placed = {constant: (never,)}
    values = (constant, nu, center, width)
    levels = [statement]
    for value in values:
        levels.append(levels[-1].body.substitute({levels[-1].var: value}))
    found: Derivation = chain(levels[-1].lhs, (Decide(), same.statement.lhs), (Known(same), S.Zero))
    for level, value in zip(reversed(levels[:-1]), reversed(values), strict=True):
        found = witness(level, value, found, *placed.get(value, ()))
    return found
