"""Further claims on the kernel of two encoded positions: what it factors into, when it is relative, its rank and its sign."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, I, Integral, Rational, S, Sum, conjugate, cos, exp, oo, pi, re, sqrt

from ..claim import Claim
from ..derivation import chain
from ..lemmas import GAUSSIAN
from ..rules import Decide
from ..statement import And, Equal, Exists, Implies, Less, LessEqual, Not, Statement
from ..symbols import (
    K,
    N,
    P,
    carrier,
    channel,
    cofactor,
    d,
    delta,
    dimension,
    factor,
    j,
    k,
    m,
    n,
    omega,
    psi,
    s,
    sigma,
    t,
    xi,
    zeta,
)
from ..vocabulary.functions import MATRICES, SEQUENCES, Functions, Indices, Unknown
from ..vocabulary.numerals import decimal, rounds_to
from ..vocabulary.sequences import distinct, nonzero
from ..vocabulary.spectra import normal_density, squared, theta
from .enclosures import kernel as enclosures
from .forms import INTEGER, NONNEGATIVE, NONZERO, POSITIVE, REAL, exists, for_all, function_of_difference, iff
from .proofs.not_stationary import not_stationary
from .proofs.poisson import discrete, tiling
from .proofs.positive_definite import positive_definite
from .proofs.rank import full_rank
from .proofs.rank_one import rank_one

frequencies = Unknown("varpi", Functions(SEQUENCES, S.Reals))
widths = Unknown("varsigma", Functions(SEQUENCES, POSITIVE))
weights = Unknown("w", Functions(SEQUENCES, NONNEGATIVE))
"""Frequency, width and weight of each term of a mixture."""
positions = Unknown("x", Functions(SEQUENCES, S.Reals))
tokens = Unknown("z", Functions(SEQUENCES, S.Integers))
"""Positions that are real, and positions that are integers."""
vector = Unknown("a", Functions(SEQUENCES, S.Complexes))
left, right = (Unknown(name, Functions(MATRICES, S.Complexes)) for name in ("U", "V"))
"""Features of the queries and of the keys: row, position; column, feature."""
query, key = (Unknown(name, Functions(S.Integers, NONZERO)) for name in ("f", "h"))
relative = Unknown("g", Functions(S.Integers, S.Complexes))
"""A function of the difference of two positions."""

_ALL = {omega: REAL, sigma: POSITIVE, m: REAL, n: REAL}

FACTORISATION = Claim(
    id="kernel.factorisation",
    title="A relative kernel and an origin prior",
    place="–",
    box=_ALL,
    ours=Equal(P(m, n), K(m - n, omega, sigma) * exp(-((m + n) ** 2) / (4 * sigma**2))),
    requires=("derivation", "formal"),
    derivations=(
        chain(
            P(m, n),
            (Decide(), exp(I * omega * (m - n)) * exp(-((m - n) ** 2 + (m + n) ** 2) / (4 * sigma**2))),
            (Decide(), K(m - n, omega, sigma) * exp(-((m + n) ** 2) / (4 * sigma**2))),
        ),
    ),
    reason="m² + n² = (m − n)²/2 + (m + n)²/2: one half goes with the distance, the other with the midpoint.",
    uses=("kernel.product",),
)

_mixture = Sum(weights(channel) * P(j, k, frequencies(channel), widths(channel)), (channel, 0, N - 1))
_some_weight = Exists(channel, Indices(N), Less(S.Zero, weights(channel)))

_not_stationary = And(
    Equal(P(m + s, n + s), P(m, n) * exp(-(s * (m + n) + s**2) / sigma**2)),
    Implies(And(Not(Equal(s, S.Zero)), Equal(P(m + s, n + s), P(m, n))), Equal(m + n, -s)),
    Equal(P(S.Zero, S.Zero), S.One),
    Equal(P(S.One, S.One), exp(-1 / sigma**2)),
    Less(exp(-1 / sigma**2), S.One),
    Implies(
        _some_weight,
        Not(function_of_difference(_mixture, relative, INTEGER)),
    ),
)

NOT_STATIONARY = Claim(
    id="kernel.not-stationary",
    title="The product kernel is not relative",
    place="–",
    box=_ALL | {s: REAL, N: S.Naturals, weights: weights.space, frequencies: frequencies.space, widths: widths.space},
    ours=_not_stationary,
    requires=("derivation", "formal"),
    derivations=(not_stationary(_not_stationary, weights, widths),),
    reason=(
        "A common shift s multiplies P(m, n) by e^{−(s(m+n)+s²)/σ²}; on the diagonal every term of a nonnegative mixture "
        "falls from 0 to 1, so no such mixture is a function of the distance."
    ),
    uses=("kernel.product", "kernel.factorisation"),
)

_window = Indices(N)
_powers = exists(
    (zeta, POSITIVE),
    (omega, REAL),
    (factor, NONZERO),
    (cofactor, NONZERO),
    for_all(
        (j, _window),
        And(
            Equal(query(j), factor * zeta**j * exp(I * omega * j)),
            Equal(key(j), cofactor * zeta ** (-j) * exp(-I * omega * j)),
        ),
    ),
)

_rank_one = iff(function_of_difference(query(j) * key(k), relative, _window), _powers)

RANK_ONE = Claim(
    id="kernel.rank-one",
    title="Relative kernels of one feature a token are RoPE and xPos",
    place="–",
    box={N: S.Naturals, query: query.space, key: key.space},
    ours=_rank_one,
    requires=("derivation", "formal"),
    derivations=(rank_one(_rank_one, query, key),),
    reading=(
        "Nowhere zero on N consecutive integers. The ratio r of the powers is written r = ζe^{iω}: ζ = 1 is RoPE, "
        "any other ζ is xPos."
    ),
    reason=(
        "f(m+1)h(n+1) = f(m)h(n) makes f(m+1)/f(m) equal to h(n)/h(n+1) for all m and n, hence constant: f is a power "
        "and h the inverse power."
    ),
)


def _gap(sequence: Unknown) -> sp.Expr:
    return sequence(j) - sequence(k)


_kernel_matrix = K(_gap(positions), omega, sigma)

_full_rank = Implies(
    distinct(positions),
    And(
        Implies(
            for_all((j, Indices(N)), Equal(Sum(_kernel_matrix * vector(k), (k, 0, N - 1)), S.Zero)),
            for_all((j, Indices(N)), Equal(vector(j), S.Zero)),
        ),
        Implies(
            Less(dimension, N),
            Not(
                exists(
                    (left, left.space),
                    (right, right.space),
                    for_all(
                        (j, Indices(N)),
                        (k, Indices(N)),
                        Equal(
                            Sum(left(j, channel) * right(k, channel), (channel, 0, dimension - 1)), _kernel_matrix
                        ),
                    ),
                )
            ),
        ),
    ),
)

RANK = Claim(
    id="kernel.rank",
    title="The relative kernel has full rank",
    place="–",
    box={omega: REAL, sigma: POSITIVE, N: S.Naturals, dimension: S.Naturals, positions: positions.space, vector: vector.space},
    ours=_full_rank,
    requires=("derivation",),
    derivations=(full_rank(_full_rank, vector, positions, left, right),),
    reason=(
        "The matrix is strictly positive definite, so its rank is the number of positions, and a product of features of "
        "width D has rank at most D."
    ),
    uses=("kernel.positive-definite",),
)

_tiles = Sum(
    psi(m, omega, sigma, j * delta) * conjugate(psi(n, omega, sigma, j * delta)), (j, -oo, oo)
)

_tiling = And(
    Equal(
        _tiles,
        sigma * sqrt(pi) / delta * K(m - n, omega, sigma) * theta(pi**2 * sigma**2 / delta**2, pi * (m + n) / delta),
    ),
    rounds_to(theta(pi**2, S.Zero) - 1, "1.03e-4"),
    LessEqual(Abs(theta(pi**2, pi * (m + n) / delta) - 1), theta(pi**2, S.Zero) - 1),
)

TILING = Claim(
    id="kernel.tiling",
    title="A tiling of centres gives the relative kernel",
    place="–",
    box=_ALL | {delta: POSITIVE},
    ours=_tiling,
    requires=("derivation", "enclosure"),
    derivations=(tiling(_tiling),),
    enclosures=enclosures.tiling(_tiling),
    reason=(
        "Summed over centres jδ the origin prior becomes a Gaussian comb in the midpoint, and Poisson summation leaves a "
        "constant and a ripple, at most 1.03e-4 for δ = σ."
    ),
    uses=("kernel.factorisation",),
)

_overlap = Sum(psi(t, omega, sigma) * conjugate(psi(t - d, omega, sigma)), (t, -oo, oo))
_integral = sigma * sqrt(pi) * K(d, omega, sigma)


def _discretisation(width: sp.Expr) -> sp.Expr:
    """2 e^{−π²σ²} / (1 − e^{−3π²σ²})."""
    return 2 * exp(-(pi**2) * width**2) / (1 - exp(-3 * pi**2 * width**2))


_discrete = And(
    Equal(_overlap, _integral * theta(pi**2 * sigma**2, pi * d)),
    LessEqual(Abs(_overlap / _integral - 1), _discretisation(sigma)),
    rounds_to(_discretisation(decimal("1.49")), "6.1e-10"),
    rounds_to(_discretisation(Rational(1, 2)), "0.17"),
    Implies(LessEqual(sigma, decimal("0.28")), LessEqual(S.One, _discretisation(sigma))),
)

DISCRETE = Claim(
    id="kernel.discrete",
    title="Cross-correlation on the integers",
    place="–",
    box={omega: REAL, sigma: POSITIVE, d: INTEGER},
    ours=_discrete,
    requires=("derivation", "enclosure"),
    derivations=(discrete(_discrete),),
    enclosures=enclosures.discrete(_discrete),
    reason=(
        "Poisson summation: the sum over tokens is the integral plus aliases e^{−π²σ²k²}, negligible at σ = 1.49, "
        "17 % at σ = 0.5."
    ),
    uses=("kernel.cross-correlation",),
)


def _form(kernel: sp.Expr) -> sp.Expr:
    """Σ_{j,k} a_j ā_k · kernel, the quadratic form of a matrix of kernel values."""
    return Sum(vector(j) * conjugate(vector(k)) * kernel, (j, 0, N - 1), (k, 0, N - 1))


_norm = Sum(squared(vector(j)), (j, 0, N - 1))
_smallest = Sum((-1) ** j * exp(-(j**2) / (4 * sigma**2)), (j, -oo, oo))
_real, _whole = (K(_gap(x), omega, sigma) for x in (positions, tokens))


def _strictly(sequence: Unknown, floor: sp.Expr) -> Statement:
    """The forms of the kernel and of its real part exceed a floor at distinct positions and a nonzero vector."""
    kernel = K(_gap(sequence), omega, sigma)
    return Implies(
        And(distinct(sequence), nonzero(vector)), And(Less(floor, _form(kernel)), Less(floor, _form(re(kernel))))
    )


_floor = LessEqual(4 * sigma * sqrt(pi) * exp(-(pi**2) * sigma**2), _smallest)
_floor_at_widest = rounds_to(4 * Rational(9, 2) * sqrt(pi) * exp(-(pi**2) * Rational(81, 4)), "5e-86")

_positive_definite = And(
    Equal(K(-d, omega, sigma), conjugate(K(d, omega, sigma))),
    _strictly(positions, S.Zero),
    LessEqual(S.Zero, _form(_real)),
    LessEqual(S.Zero, _form(re(_real))),
    LessEqual(S.Zero, _form(carrier(_gap(positions), omega))),
    LessEqual(S.Zero, _form(cos(omega * _gap(positions)))),
    _strictly(tokens, _smallest * _norm),
    _floor,
    _floor_at_widest,
)

POSITIVE_DEFINITE = Claim(
    id="kernel.positive-definite",
    title="The relative kernel is positive definite",
    place="–",
    box={
        omega: REAL, sigma: POSITIVE, d: REAL, N: S.Naturals,
        positions: positions.space, tokens: tokens.space, vector: vector.space,
    },
    ours=_positive_definite,
    requires=("derivation", "enclosure", "formal"),
    derivations=(positive_definite(_positive_definite, vector, positions, tokens),),
    enclosures=enclosures.positive_definite(_positive_definite, vector, positions, tokens),
    reading=(
        "K(−d) is the conjugate of K(d), so every form is real. The smallest eigenvalue is bounded through the form: "
        "it exceeds θ₄(0, e^{−1/4σ²}) times the squared norm of the vector."
    ),
    reason=(
        "K is the Fourier transform of a Gaussian measure of full support; on the integers the folded density is smallest "
        "half a turn away from ω, where it is a theta function, tiny but positive."
    ),
    uses=("kernel.frequency-mixture",),
)

_mixed = Integral(exp(I * xi * d) * normal_density(xi, omega, 1 / (2 * sigma**2)), (xi, -oo, oo))

FREQUENCY_MIXTURE = Claim(
    id="kernel.frequency-mixture",
    title="RoPE averaged over frequencies",
    place="–",
    box={omega: REAL, sigma: POSITIVE, d: REAL},
    ours=Equal(_mixed, K(d, omega, sigma)),
    requires=("derivation", "enclosure", "formal"),
    derivations=(chain(_mixed, (Decide(GAUSSIAN), K(d, omega, sigma))),),
    enclosures=enclosures.frequency_mixture(Equal(_mixed, K(d, omega, sigma))),
    reason="The characteristic function of a normal frequency with mean ω and variance 1/(2σ²) is e^{iωd} e^{−d²/4σ²}.",
)

CLAIMS = (
    FACTORISATION,
    NOT_STATIONARY,
    RANK_ONE,
    RANK,
    TILING,
    DISCRETE,
    POSITIVE_DEFINITE,
    FREQUENCY_MIXTURE,
)
