r"""Rounding bounds of the Morlet encoding and its gradients: the only tolerances that the tests use.

Setting. :math:`\psi = e^{i\omega b} e^{-z^2/2}`, :math:`z = (b - b_0)/\sigma`, in float64 from inputs that are exact
there, then one rounding to the output format. u = 2⁻⁵³, η = 2⁻¹⁰⁷⁴; :math:`\hat x` is the computed x. Each operation
rounds once, fl(x∘y) = (x∘y)(1+δ) + ε, |δ| ≤ u, |ε| ≤ η/2 and δε = 0.

Hypotheses on the platform (:data:`EXP_ULPS`, :data:`TRIG_ULPS`): exp, cos and sin of float64 err by at most one unit in
the last place of their result, that is by a factor 1 + 2uθ, |θ| ≤ 1, and by η where the result is subnormal.

Forward, step by step, errors relative unless said:

1. offset b − b₀: u (0 without a centre); z = offset/σ: one more, so 2u.
2. z²: twice that and one product, 5u; −z²/2 is exact after it. As an absolute error of the exponent: 5u·z²/2.
3. envelope g = exp(−z²/2): the exponent's absolute error is g's relative one, and exp adds its own: (5z²/2 + 2)u.
4. phase φ = ωb: absolute error Δφ = u|ωb|, and 0 where the product is exact (:func:`product_is_exact`).
5. cos φ: |cos φ̂ − cos φ| ≤ Δφ exactly (Lipschitz), and 2u of its value. The same for sin φ.
6. product g·cos φ: u. Together: **g·|cos φ|·(5z²/2 + 5)u + g·Δφ** (:func:`forward_error`), with |sin φ| for the other
   channel, and a few η for underflow.
7. rounding to the output format of unit u′ and subnormal spacing η′: u′|value| + η′/2 (:func:`rounded`). The platform
   converts float64 to a 16-bit format through float32, which rounds twice: 2⁻²⁴|value| + 2⁻¹⁵⁰ more there.

Gradients, for an upstream gradient (p, q) of the two channels, S = q cos φ − p sin φ and R = p cos φ + q sin φ:

    ∂ω: Σ b g S      ∂σ: Σ (z²/σ) g R      ∂b₀: Σ (z/σ) g R      ∂b: Σ ω g S − (z/σ) g R

8. Each summand is a sum of monomials like (z²/σ)·g·p·cos φ. A monomial inherits (5z²/2 + 2)u from g, 2u from cos φ,
   2u from each z, and u from each operation on the way, whatever their order (:data:`OPERATIONS`, with one in reserve
   so that 1/σ may be a reciprocal). |p cos φ| + |q sin φ| ≤ |p| + |q| =: A bounds every cancellation. So the error of a
   summand is at most **A·g·c·((5z²/2 + 4 + 2k + operations)u + Δφ)**, with c = |b|, z²/σ, |z|/σ, |ω| and k the number
   of factors z (:func:`gradient_terms`).
9. A summand beyond the guard, |z| > :data:`GUARD`, is replaced by 0: its error is its size. One that is subnormal on
   the way errs by η times what follows.
10. A sum of N terms in any order: (N−1)u Σ|terms| more (:func:`sum_error`); then step 7.

Second order. Every relative error above is below (5·40²/2 + 20)u < 2⁻⁴⁰, and the Lipschitz bound of step 5 is exact, so
that products of two errors, and the rounding of the bound itself, are covered by the factor :data:`SECOND_ORDER`.

Domain: |b| ≤ 2⁵³ for integers, |ωb| ≤ 2¹⁰⁰⁰, σ ≥ 2⁻¹⁰⁰⁰ or ∞. A bound is ∞ where the output format overflows.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .formats import FLOAT32, FLOAT64, Array, Format, product_is_exact

EXP_ULPS = 1.0
"""Error of float64 exp on a CPU, ulp. Source: SLEEF documents 1.0 ulp for its u10 functions, which torch's vector loops
call, glibc below 1 ulp for the scalar ones; sampled against Arb in the tests."""
TRIG_ULPS = 1.0
"""Error of float64 cos and sin on a CPU, ulp, arguments up to 2³⁷. Source and test as for EXP_ULPS."""
GUARD = 40.0
"""|z| beyond which the kernel may replace the envelope by 0: e^{−800} is far below the smallest float64."""
OPERATIONS = {"omega": 5, "sigma": 7, "center": 6, "positions": 7}
"""Roundings along a monomial: 3, 5, 4 and 4 products or quotients, one addition (two for ∂b), one in reserve."""
SECOND_ORDER = 1 + 2.0**-20

U = FLOAT64.unit
ETA = FLOAT64.smallest


class Terms(NamedTuple):
    """Upper bounds for the summands of one gradient: their sizes, and their errors in float64."""

    size: Array
    error: Array


def _array(x: ArrayLike) -> Array:
    return np.asarray(x, dtype=np.float64)


def phase_error(omega: ArrayLike, position: ArrayLike) -> Array:
    """Δφ of step 4: |fl(ωb) − ωb| ≤ u|ωb|, and 0 where the product is exact."""
    w, b = _array(omega), _array(position)
    return np.where(product_is_exact(w, b), 0.0, U * np.abs(w * b))


def _z(sigma: ArrayLike, position: ArrayLike, center: ArrayLike) -> Array:
    """|z|, ∞ where the quotient overflows; 0 at σ = ∞."""
    with np.errstate(over="ignore"):
        return np.abs((_array(position) - _array(center)) / _array(sigma))


def _envelope(z: Array) -> Array:
    """e^{−z²/2}, 0 where it underflows."""
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(-0.5 * z * z)


def _relative_envelope_error(z: Array) -> Array:
    """Step 3, in units of u; no larger than at the guard, beyond which the envelope underflows."""
    near = np.minimum(z, GUARD)
    return 2.5 * near * near + 2 * EXP_ULPS


def forward_error(
    omega: ArrayLike, sigma: ArrayLike, position: ArrayLike, center: ArrayLike = 0.0
) -> tuple[Array, Array]:
    """Steps 1–6: bounds for the errors of the real and the imaginary channel before the output is rounded.

    Arguments are exact float64 values of one shape, or broadcast together.
    """
    z, turn = _z(sigma, position, center), phase_error(omega, position)
    g = _envelope(z)
    relative = (_relative_envelope_error(z) + 2 * TRIG_ULPS + 1) * U
    phase = _array(omega) * _array(position)
    bounds = []
    for wave in (np.abs(np.cos(phase)), np.abs(np.sin(phase))):
        largest = np.minimum(1.0, wave + turn + 2 * U)
        bounds.append((g * (largest * relative + np.minimum(turn, 2.0)) + 4 * ETA) * SECOND_ORDER)
    return bounds[0], bounds[1]


def gradient_terms(
    omega: ArrayLike,
    sigma: ArrayLike,
    position: ArrayLike,
    center: ArrayLike = 0.0,
    grad_real: ArrayLike = 1.0,
    grad_imag: ArrayLike = 1.0,
) -> dict[str, Terms]:
    """Steps 8–9: for ∂ω, ∂σ, ∂b₀ and ∂b, bounds for the size and the error of each summand in float64."""
    w, s, b = np.abs(_array(omega)), _array(sigma), np.abs(_array(position))
    upstream = np.abs(_array(grad_real)) + np.abs(_array(grad_imag))
    z, turn = _z(sigma, position, center), np.minimum(phase_error(omega, position), 2.0)
    shared = _relative_envelope_error(z) + 2 * TRIG_ULPS
    angular_omega = _monomial(upstream, z, 0, b, np.ones_like(s), shared + OPERATIONS["omega"], turn)
    angular_position = _monomial(upstream, z, 0, w, np.ones_like(s), shared + OPERATIONS["positions"], turn)
    radial_position = _monomial(upstream, z, 1, np.ones_like(b), s, shared + 2 + OPERATIONS["positions"], turn)
    return {
        "omega": angular_omega,
        "sigma": _monomial(upstream, z, 2, np.ones_like(b), s, shared + 4 + OPERATIONS["sigma"], turn),
        "center": _monomial(upstream, z, 1, np.ones_like(b), s, shared + 2 + OPERATIONS["center"], turn),
        "positions": Terms(
            angular_position.size + radial_position.size, angular_position.error + radial_position.error
        ),
    }


def _monomial(upstream: Array, z: Array, k: int, factor: Array, width: Array, roundings: Array, turn: Array) -> Terms:
    """Size A·g·factor·|z|ᵏ/width and error of a monomial; ``roundings`` in units of u.

    Formed through logarithms where the envelope alone would underflow and 1/width would overflow.
    """
    with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
        power = np.where(z > 0, k * np.log(z), 0.0 if k == 0 else -np.inf) if k else np.zeros_like(z)
        logarithm = np.log(upstream) + power - 0.5 * z * z + np.log(factor) - np.log(width)
        size = np.where(np.isinf(z) | (upstream == 0) | (factor == 0), 0.0, np.exp(logarithm)) * SECOND_ORDER
        kept = np.where(z > GUARD * (1 - 2.0**-40), 1.0, roundings * U + turn)
        follows = np.maximum(1.0, np.minimum(z, GUARD) ** k) * np.maximum(1.0, 1.0 / width) * np.maximum(1.0, factor)
        error = (size * kept + 8 * ETA * follows * np.maximum(1.0, upstream)) * SECOND_ORDER
    return Terms(size, error)


def sum_error(terms: Terms, axis: int | tuple[int, ...] | None = 0, unit: float = U) -> Array:
    """Step 10: error of the sum of the computed summands over ``axis``, in any order of summation, in an arithmetic of that unit,
    float64 as a rule."""
    count = terms.size.size if axis is None else int(np.prod([terms.size.shape[a] for a in np.atleast_1d(axis)]))
    total = np.sum(terms.error, axis=axis) + (count - 1) * unit * np.sum(terms.size + terms.error, axis=axis)
    return _array(total * SECOND_ORDER)


def rounded(error: ArrayLike, value: ArrayLike, output: Format) -> Array:
    """Step 7: bound for |output − value|, given the error before the last rounding and the exact value.

    ∞ where the value may exceed the largest finite number of the format. Float64 is not rounded again.
    """
    before, largest = _array(error), np.abs(_array(value)) + _array(error)
    if output.precision == FLOAT64.precision:
        return before
    bound = before + largest * output.unit + output.underflow
    if output.precision < FLOAT32.precision:
        bound = bound + largest * FLOAT32.unit + FLOAT32.underflow
    bound = bound * SECOND_ORDER
    return np.where(largest * (1 + output.unit) >= output.largest, np.inf, bound)
