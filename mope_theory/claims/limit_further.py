"""Further claims on limits: the rotary kernel and score, encodings that no format tells apart, ALiBi, no position."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, I, Integral, S, Sum, conjugate, exp, im, oo, pi, re, sqrt

from ..claim import Claim
from ..derivation import chain
from ..logic import Conjunction, LimitByRate, Nonzero, conjunction
from ..rules import Bound, Decide, Part
from ..statement import And, Equal, Exists, Implies, Less, LessEqual, Not, Statement, TendsTo, UniformlyTendsTo
from ..symbols import (
    K,
    N,
    P,
    T,
    b,
    carrier,
    d,
    j,
    m,
    n,
    omega,
    precision,
    psi,
    scale,
    sigma,
    slope,
    v,
    y,
)
from ..vocabulary.floating import Rounded, Ulp
from ..vocabulary.functions import SEQUENCES, Functions, Unknown
from .arguments import decay, defect, defect_below, not_uniform
from .enclosures import limit as enclosures
from .forms import INTEGER, POSITIVE, REAL, for_all
from .kernel_further import frequencies, widths
from .proofs.alibi import alibi, no_width
from .proofs.rounding import indistinguishable
from .proofs.score import Token, additive_limit, not_rotary, score_below

# --- limit.rope-kernel ----------------------------------------------------------------------------------------------------

_rotation = exp(I * omega * d)
_u = d**2 / (4 * sigma**2)
_rate_below = LessEqual(Abs(K(d, omega, sigma) - _rotation), _u)
_rate = chain(_rate_below.lhs, defect(_u), defect_below(_u), relation=LessEqual)

ROPE_KERNEL = Claim(
    id="limit.rope-kernel",
    title="The rotary limit of the relative kernel",
    place="2.3 unification",
    box={omega: REAL, sigma: POSITIVE, d: REAL},
    published=TendsTo(K(d, omega, sigma), sigma, _rotation, oo),
    ours=And(
        _rate_below,
        Not(UniformlyTendsTo(K(d, omega, sigma), sigma, _rotation, oo, d, INTEGER)),
    ),
    requires=("derivation", "enclosure", "formal"),
    derivations=(
        LimitByRate(TendsTo(K(d, omega, sigma), sigma, _rotation, oo), _rate),
        conjunction(_rate, not_uniform(K(d, omega, sigma), _rotation, d, 4)),
    ),
    enclosures=enclosures.rope_kernel(_rate_below),
    reading="For each fixed distance.",
    reason="|K(d) − e^{iωd}| = 1 − e^{−d²/4σ²} ≤ d²/4σ²; at distances that grow with σ the difference stays away from 0.",
)

# --- limit.rope-score -----------------------------------------------------------------------------------------------------

queries, keys = (Unknown(name, Functions(SEQUENCES, S.Reals)) for name in ("q", "kappa"))
"""Channels of the content of a query and of a key."""


def _interleaved(of: Unknown) -> sp.Expr:
    return of(2 * j) + I * of(2 * j + 1)


def _halves(of: Unknown) -> sp.Expr:
    return of(j) + I * of(j + N)


def _score(term: sp.Expr) -> sp.Expr:
    """c Re Σ_j term."""
    return scale * re(Sum(term, (j, 0, N - 1)))


_frequency, _width = frequencies(j), widths(j)


def _content(layout: object) -> tuple[sp.Expr, sp.Expr]:
    assert callable(layout)
    return layout(queries), conjugate(layout(keys))


def _rotary_score(layout: object, distance: sp.Expr) -> sp.Expr:
    q, k = _content(layout)
    return _score(q * k * carrier(distance, _frequency))


def _additive_score(query_code: sp.Expr, key_code: sp.Expr) -> sp.Expr:
    """Score of two tokens whose encodings have been added to their content."""
    return _score((_interleaved(queries) + query_code) * conjugate(_interleaved(keys) + key_code))


def _bounds(layout: object) -> tuple[LessEqual, LessEqual]:
    q, k = _content(layout)
    size = Abs(q) * Abs(k)
    product = P(m, n, _frequency, _width)
    return (
        LessEqual(
            Abs(_score(q * k * K(d, _frequency, _width)) - _rotary_score(layout, d)),
            scale * Sum(size * d**2 / (4 * _width**2), (j, 0, N - 1)),
        ),
        LessEqual(
            Abs(_score(q * k * product) - _rotary_score(layout, m - n)),
            scale * Sum(size * (m**2 + n**2) / (2 * _width**2), (j, 0, N - 1)),
        ),
    )


_additive = _additive_score(psi(m, _frequency, sigma * _width), psi(n, _frequency, sigma * _width))
_sinusoidal = _additive_score(carrier(m, _frequency), carrier(n, _frequency))
_tends_to_rotary = for_all(
    (queries, queries.space),
    (keys, keys.space),
    for_all((m, INTEGER), (n, INTEGER), TendsTo(_additive, sigma, _rotary_score(_interleaved, m - n), oo)),
)


def _rope_score_derivation() -> Conjunction:
    """The bounds for both kernels in both layouts, the limit of the additive score, and that it is not RoPE's."""
    shared = _frequency, _width
    kernels = (
        (K(d, *shared), carrier(d, _frequency), d**2 / (4 * _width**2)),
        (P(m, n, *shared), carrier(m - n, _frequency), (m**2 + n**2) / (2 * _width**2)),
    )
    bounds = [
        score_below(statement, _content(layout), *kernel)
        for layout in (_interleaved, _halves)
        for statement, kernel in zip(_bounds(layout), kernels, strict=True)
    ]
    wide = sigma * _width
    query, key = (
        Token(_interleaved(of), psi(place, _frequency, wide), carrier(place, _frequency), place**2 / (2 * wide**2))
        for of, place in ((queries, m), (keys, n))
    )
    limit = additive_limit(TendsTo(_additive, sigma, _sinusoidal, oo), query, key)
    return conjunction(*bounds, limit, not_rotary(_tends_to_rotary, limit, (queries, keys)))


_rope_score = _rope_score_derivation()

ROPE_SCORE = Claim(
    id="limit.rope-score",
    title="The rotary limit of the score",
    place="2.3 unification",
    box={
        scale: POSITIVE, m: REAL, n: REAL, d: REAL, N: S.Naturals,
        queries: queries.space, keys: keys.space, frequencies: frequencies.space, widths: widths.space,
    },
    published=_tends_to_rotary,
    ours=_rope_score.statement,
    requires=("derivation", "enclosure", "formal", "kernel"),
    derivations=(_rope_score.members[-1], _rope_score),
    enclosures=enclosures.rope_score(_rope_score.statement, queries, keys, frequencies, widths),
    reading=(
        "The encoding of the paper is added to the embedding, so its score is that of the sums. Channels are paired as "
        "2j, 2j + 1; projections are left out, because it is enough that the statement fails without them; all widths "
        "grow together, as σς_j."
    ),
    reason=(
        "With K or P on the score the limit is RoPE's, at the rates d²/4σ² and (m² + n²)/2σ². Added to the content the "
        "encoding brings terms of position alone, and the limit is the sinusoidal score."
    ),
    uses=("limit.rope-kernel", "kernel.product", "limit.sinusoidal"),
)

# --- limit.indistinguishable ----------------------------------------------------------------------------------------------

SINGLE = sp.Integer(24)
"""Significant bits of float32."""
_unit = sp.Integer(2) ** (-precision)
_in_range = LessEqual(Abs(b), T)


def _within_one_ulp(value: sp.Expr, limit: sp.Expr) -> tuple[Statement, ...]:
    return tuple(
        LessEqual(
            Abs(Rounded(part(value), precision) - Rounded(part(limit), precision)), Ulp(part(limit), precision)
        )
        for part in (re, im)
    )


_rounded_envelope = Rounded(Abs(psi(b, omega, sigma)), precision)
_plain = carrier(b, omega)

_envelope_is_one = Implies(
    And(_in_range, LessEqual(4096 * T, sigma)), Equal(Rounded(Abs(psi(b, omega, sigma)), SINGLE), S.One)
)

_indistinguishable = And(
    _envelope_is_one,
    Implies(
        Equal(_rounded_envelope, S.One),
        And(
            *(
                Equal(Rounded(part(_plain) * _rounded_envelope, precision), Rounded(part(_plain), precision))
                for part in (re, im)
            )
        ),
    ),
    Implies(And(_in_range, LessEqual(T / sqrt(_unit), sigma)), And(*_within_one_ulp(psi(b, omega, sigma), _plain))),
    Implies(
        And(LessEqual(Abs(d), T), LessEqual(T / sqrt(2 * _unit), sigma)),
        And(*_within_one_ulp(K(d, omega, sigma), carrier(d, omega))),
    ),
)

INDISTINGUISHABLE = Claim(
    id="limit.indistinguishable",
    title="Widths that no format tells from infinity",
    place="–",
    box={
        omega: REAL, sigma: POSITIVE, b: REAL, d: REAL, T: POSITIVE, precision: sp.Range(2, oo),
    },
    ours=_indistinguishable,
    requires=("derivation", "enclosure", "kernel"),
    derivations=(indistinguishable(_indistinguishable),),
    enclosures=enclosures.indistinguishable(_envelope_is_one),
    reading=(
        "rd is rounding to nearest, ties to even, with exponents without end; u = 2^{−p}. The encoding is the rounded "
        "product of the carrier and the rounded envelope."
    ),
    reason=(
        "An envelope within half a rounding unit of 1 rounds to 1; a relative change of at most u/2 moves a number by less "
        "than half its spacing, and so its rounding by at most one step."
    ),
    uses=("limit.sinusoidal", "limit.rope-kernel"),
)

# --- limit.alibi ----------------------------------------------------------------------------------------------------------

_gaussian, _laplacian = exp(-(d**2) / (4 * sigma**2)), exp(-slope * Abs(d))
first, second = sp.symbols("d_1 d_2", real=True)
"""Two distances."""


def _matches(distance: sp.Expr) -> Statement:
    return Equal(exp(-(distance**2) / (4 * sigma**2)), exp(-slope * Abs(distance)))


_mixing = slope / sqrt(2 * pi) / sqrt(v) * exp(-(slope**2) * v / 2)

_some_width = Exists(
    sigma, POSITIVE, for_all((d, INTEGER), TendsTo(K(d, omega, sigma), omega, _laplacian, S.Zero))
)
_alibi = And(
    TendsTo(K(d, omega, sigma), omega, _gaussian, S.Zero),
    Implies(
        And(Less(S.Zero, Abs(first)), Less(Abs(first), Abs(second))), Not(And(_matches(first), _matches(second)))
    ),
    Equal(Integral(exp(-(d**2) / (2 * v)) * _mixing, (v, 0, oo)), _laplacian),
    Equal(exp(y - slope * Abs(d)), _laplacian * exp(y)),
    Implies(
        Not(Equal(d, S.Zero)), Not(for_all((y, REAL), Equal(exp(y * _gaussian), exp(y - slope * Abs(d)))))
    ),
)

ALIBI = Claim(
    id="limit.alibi",
    title="ALiBi and the zero-frequency limit",
    place="2.3 unification",
    box={sigma: POSITIVE, d: REAL, first: REAL, second: REAL, slope: POSITIVE, y: REAL},
    published=_some_width,
    ours=_alibi,
    requires=("derivation", "enclosure", "formal"),
    derivations=(no_width(_some_width), alibi(_alibi)),
    enclosures=enclosures.alibi(_alibi.body[1], first, second),
    reading=(
        "For a slope μ > 0 there is a width at which the kernel tends to ALiBi's weight e^{−μ|d|} at every distance as "
        "ω → 0. ALiBi adds −μ|d| to a score y."
    ),
    reason=(
        "At ω = 0 the kernel is a Gaussian in the distance, ALiBi's weight an exponential: they can agree at one |d| > 0 "
        "only. The exponential is a mixture of such Gaussians over Gamma-distributed squared widths, and it multiplies "
        "weights where the kernel multiplies scores."
    ),
)

apart = sp.Symbol("d_1", real=True, zero=False)
"""A distance that is not 0."""


def _no_position() -> Conjunction:
    """|K(0) − 1| = 0 ≤ σ, and |K(d)| = e^{−d²/4σ²} ≤ 4σ²/d² for d ≠ 0."""
    origin, away = K(S.Zero, omega, sigma), K(apart, omega, sigma)
    u = apart**2 / (4 * sigma**2)
    at_origin = chain(Abs(origin - 1), (Decide(), S.Zero), (Bound(Part(S.One, None, sigma)), sigma), relation=LessEqual)
    elsewhere = chain(Abs(away), (Decide(), exp(-u)), decay(u), relation=LessEqual)
    vanishes = LimitByRate(TendsTo(away, sigma, S.Zero, S.Zero), elsewhere)
    conclusion = TendsTo(K(d, omega, sigma), sigma, S.Zero, S.Zero)
    return conjunction(
        LimitByRate(TendsTo(origin, sigma, S.One, S.Zero), at_origin),
        Nonzero(Implies(Not(Equal(d, S.Zero)), conclusion), apart, vanishes),
    )


NO_POSITION = Claim(
    id="limit.no-position",
    title="The limit of no width",
    place="–",
    box={omega: REAL, d: REAL},
    ours=And(
        TendsTo(K(S.Zero, omega, sigma), sigma, S.One, S.Zero),
        Implies(Not(Equal(d, S.Zero)), TendsTo(K(d, omega, sigma), sigma, S.Zero, S.Zero)),
    ),
    requires=("derivation", "formal"),
    derivations=(_no_position(),),
    reason="K(0) is 1 at every width; away from 0 the Gaussian e^{−d²/4σ²} vanishes as σ → 0.",
)

CLAIMS = (ROPE_KERNEL, ROPE_SCORE, INDISTINGUISHABLE, ALIBI, NO_POSITION)
