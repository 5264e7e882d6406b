r"""Rounding bounds of the rotary encodings and their gradients: the only tolerances that their tests use.

Setting. A pair (x₀, x₁) becomes (x₀ + i·x₁)·e^{iθ}·g with θ = ωb and a real factor g = e^w: w = 0 for the rotary encoding,
w = −z²/2 with z = b/σ for the Morlet one, w = κb for xPos. All in float64 from inputs that are exact there, then one rounding to
the output format. Notation and hypotheses on the platform are those of :mod:`.rounding`.

The factor, its relative error in units of u (:class:`Growth`):

1. w = 0: g is 1, exactly.
2. w = −z²/2: z has one rounding, z² three, the half none; so w is off by 1.5z²·u, and g by **(1.5z² + 2)u** of itself.
3. w = κb: one rounding, so that g is off by **(|κb| + 2)u** of itself; where κ = ln ζ is computed, by one unit in the last
   place, 2u of itself, **(3|κb| + 2)u**. Where g overflows every bound is ∞.

Values. With A = |x₀| + |x₁|: each monomial x·cos θ·g inherits the relative error of g, 2u from the cosine, and u from the
product, from the sum, and from the product with g (:data:`VALUE`); and Δφ (step 4 of :mod:`.rounding`) in the place of its
cosine. So a channel is off by at most **A·g·((VALUE + 2 + roundings of g)u + Δφ)** (:func:`value_error`). Where g is subnormal it
is off by η, a channel by A·η, and by some η of its own.

Every relative error is below (1.5·56² + 20)u < 2⁻⁴⁰, so that products of two are covered by ``SECOND_ORDER``.

Gradients, for an upstream gradient (p, q) of the two channels, P = |p| + |q|, S = q·c₀ − p·c₁ and R = p·c₀ + q·c₁ with the
values (c₀, c₁) before the product with g:

    ∂x₀: g(p cos θ + q sin θ)    ∂x₁: g(q cos θ − p sin θ)
    ∂ω: Σ b g S    ∂parameter: Σ w′ g R    ∂b: Σ ω g S + ẇ g R

with w′ the derivative of w by σ or κ, z²/σ or b, and ẇ that by b, −z/σ or κ.

4. ∂x is a value with P in the place of A.
5. A monomial like p·x₀·cos θ·g has five operations, one more for each of b, ω, w′ and ẇ, one for the sum of ∂b, up to three for
   a factor like z²/σ with u for each z, one in reserve (:data:`OPERATIONS`). The four monomials add up to A·P, so that a summand
   is off by at most **A·P·g·|factor|·((operations + 2 + roundings of g)u + Δφ)** (:func:`gradient_terms`).
6. Beyond |z| = 56 a summand is replaced by 0, and from |z| = 38.7 on g is: below η times what it is multiplied by.

Sums and the last rounding are steps 10 and 7 of :mod:`.rounding`.

Through a table. The factor is formed once for a position, as what the kernel makes of (1, 0), and pairs are multiplied by it in
an arithmetic of unit u′: that of the inputs, float32 at least. The products with 1 and 0 are exact, so that in float64 nothing
changes: where a monomial was x·cos θ·g it is x·(cos θ·g), with as many roundings. In float32

7. the factor is rounded once, u′ of itself, and by η′/2 where it is subnormal; two products are off by u′, and their sum by u′
   of itself, which is the last rounding (step 7 of :mod:`.rounding` counts it for a result of 16 bits, too). So a channel is off
   by at most **2u′·A·g** more, and by A·η′/2 and η′ where something underflows (:func:`turned_error`). ∂x likewise.
8. A gradient of a parameter comes from that of the factor, Σ p·x₀ + q·x₁ and Σ q·x₀ − p·x₁ over N sequences and heads of q and k,
   in any order: u′ from a product, u′ from the sum of two, (N − 1)u′ from the sum, u′ in reserve. What follows, in float64, is
   linear in it with the same factors as in step 5. So a summand is off by at most **(N + 2)u′·A·P·g·|factor|** more, and by
   2η′·g·|factor| where products underflow (:func:`summed_terms`). The first order is exceeded by (N + 4)u′ of it.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .formats import FLOAT64, Array, Format
from .rounding import ETA, EXP_ULPS, SECOND_ORDER, TRIG_ULPS, Terms, U, phase_error

VALUE = 3
"""Roundings along a monomial of a value."""
OPERATIONS = {"omega": 7, "parameter": 11, "positions": 11}
"""Roundings along a monomial of a gradient: five, one for the factor b; five, three for z²/σ, two for z; the same for ∂b, which
has one z less and a sum instead; one in reserve each."""
GUARD = 56.0
"""|z| beyond which the kernel may replace the envelope by 0."""


class Growth(NamedTuple):
    """The factor g = e^w: its size, its relative error in units of u, and the sizes of the derivatives of w."""

    size: Array
    roundings: Array
    by_parameter: Array
    by_position: Array


def no_growth() -> Growth:
    """Step 1."""
    one, zero = np.ones(()), np.zeros(())
    return Growth(one, zero, zero, zero)


def gaussian(sigma: ArrayLike, position: ArrayLike) -> Growth:
    """Step 2; |z| is cut at the guard, where nothing is left of the envelope."""
    width = np.asarray(sigma, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore"):
        z = np.minimum(np.abs(np.asarray(position, dtype=np.float64) / width), GUARD)
        return Growth(np.exp(-0.5 * z * z), 1.5 * z * z + 2 * EXP_ULPS, z * z / width, z / width)


def exponential(rate: ArrayLike, position: ArrayLike, computed_rate: bool = False) -> Growth:
    """Step 3; ``computed_rate`` if the rate is the logarithm that is computed of ζ."""
    slope, b = np.asarray(rate, dtype=np.float64), np.abs(np.asarray(position, dtype=np.float64))
    with np.errstate(over="ignore", under="ignore"):
        size = np.exp(slope * np.asarray(position, dtype=np.float64))
        roundings = (3 if computed_rate else 1) * np.abs(slope) * b + 2 * EXP_ULPS
        return Growth(size, roundings, b, np.abs(slope))


def value_error(growth: Growth, omega: ArrayLike, position: ArrayLike, first: ArrayLike, second: ArrayLike) -> Array:
    """Bound for the error of either channel before it is rounded, given the two channels of the input.

    Arguments are exact float64 values that broadcast together.
    """
    return _error(growth, omega, position, np.abs(first) + np.abs(second), VALUE, 1.0)


def turned_error(
    growth: Growth, omega: ArrayLike, position: ArrayLike, first: ArrayLike, second: ArrayLike, arithmetic: Format
) -> Array:
    """Step 7: bound for the error of either channel through a table, before the last rounding; ∞ where the factor overflows."""
    before = value_error(growth, omega, position, first, second)
    if arithmetic.precision == FLOAT64.precision:
        return before
    size = np.abs(first) + np.abs(second)
    lost = size * arithmetic.underflow + 2 * arithmetic.underflow
    more = (2 * arithmetic.unit * size * growth.size + lost) * SECOND_ORDER
    return np.where(growth.size < arithmetic.largest, before + more, np.inf)


def summed_terms(terms: Terms, growth: Growth, factor: ArrayLike, count: int, arithmetic: Format) -> Terms:
    """Step 8: the summands of a gradient of a parameter, or of positions, through the gradient of a table that ``count``
    sequences and heads share."""
    if arithmetic.precision == FLOAT64.precision:
        return terms
    relative = (count + 2) * arithmetic.unit * (1 + (count + 4) * arithmetic.unit)
    lost = 4 * arithmetic.underflow * growth.size * np.abs(np.asarray(factor, dtype=np.float64))
    return Terms(terms.size * (1 + relative), terms.error * (1 + relative) + (relative * terms.size + lost) * SECOND_ORDER)


def gradient_terms(
    growth: Growth,
    omega: ArrayLike,
    position: ArrayLike,
    pair: tuple[ArrayLike, ArrayLike],
    upstream: tuple[ArrayLike, ArrayLike],
) -> dict[str, Terms]:
    """Bounds for the sizes and errors of the summands of ∂ω, ∂parameter and ∂b, and for ∂x, which has one."""
    both = np.abs(upstream[0]) + np.abs(upstream[1])
    size = both * (np.abs(pair[0]) + np.abs(pair[1]))

    def terms(largest: Array, operations: int, factor: ArrayLike) -> Terms:
        whole = largest * growth.size * np.asarray(factor, dtype=np.float64) * SECOND_ORDER
        return Terms(whole, _error(growth, omega, position, largest, operations, factor))

    turned = terms(size, OPERATIONS["positions"], np.abs(omega))
    stretched = terms(size, OPERATIONS["positions"], growth.by_position)
    return {
        "x": terms(both, VALUE, 1.0),
        "omega": terms(size, OPERATIONS["omega"], np.abs(position)),
        "parameter": terms(size, OPERATIONS["parameter"], growth.by_parameter),
        "positions": Terms(turned.size + stretched.size, turned.error + stretched.error),
    }


def _error(
    growth: Growth, omega: ArrayLike, position: ArrayLike, largest: Array, operations: int, factor: ArrayLike
) -> Array:
    """largest·g·factor·((operations + 2 + roundings)u + Δφ), and what underflows."""
    turn = np.minimum(phase_error(omega, position), 2.0)
    scale, times = np.asarray(largest, dtype=np.float64), np.asarray(factor, dtype=np.float64)
    relative = (operations + 2 * TRIG_ULPS + growth.roundings) * U + turn
    lost = 8 * ETA * np.maximum(1.0, times) * np.maximum(1.0, scale)
    return np.asarray((scale * growth.size * times * relative + lost) * SECOND_ORDER, dtype=np.float64)
