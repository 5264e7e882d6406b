"""Causal attention with gates, its derivatives, and Morlet scores, in NumPy, with a bound for each rounding."""
from __future__ import annotations

import math

import numpy as np

from tests.mope_impl.nn.running_error import Array, Bounded, U, exact, rounded

SMALLEST = exact(1e-8)


def chosen(where: Array, one: Bounded, other: Bounded) -> Bounded:
    return Bounded(np.where(where, one.value, other.value), np.where(where, one.error, other.error))


def added_up(x: Bounded, shape: tuple[int, ...]) -> Bounded:
    """Over the axes along which a tensor of this shape was broadcast."""
    for axis in range(-len(x.value.shape), 0):
        if -axis > len(shape) or shape[axis] == 1:
            along = Bounded(np.moveaxis(x.value, axis, -1), np.moveaxis(x.error, axis, -1)).sum()
            x = Bounded(np.moveaxis(along.value, -1, axis), np.moveaxis(along.error, -1, axis))
    return Bounded(x.value.reshape(shape), x.error.reshape(shape))


def causal_attention(
    q: Array, k: Array, v: Array, gates: Array | None, bias: Array | None, upstream: Array
) -> tuple[Bounded, list[Bounded]]:
    r"""The result, and the gradients of q, k, v and of gates and bias where given.

    With weights wⱼ = aⱼgⱼ/s, s = max(Σ aⱼgⱼ, 10⁻⁸), and slopes tⱼ of the result by them: where s is the sum the slope by a score
    is wⱼ(tⱼ − Σ wᵢtᵢ), and by a gate aⱼ(tⱼ − Σ wᵢtᵢ)/s; where it is 10⁻⁸, wⱼtⱼ − aⱼΣ wᵢtᵢ, and aⱼtⱼ/s.
    """
    q_, k_, v_, g = map(exact, (q, k, v, upstream))
    scale = exact(1 / math.sqrt(q.shape[-1]))
    score = q_ @ k_.swap() * scale
    score = score if bias is None else score + exact(bias)
    share = score.softmax(np.tril(np.ones(score.value.shape[-2:], dtype=bool)))
    slope = g @ v_.swap()
    if gates is None:
        weight = share
        d_score = weight * (slope - (weight * slope).sum())
    else:
        gated = share * exact(gates)
        total = gated.sum()
        assert (np.abs(total.value - 1e-8) > total.error).all(), "which of them divides is not sure"
        sums = total.value > 1e-8
        divisor = chosen(sums, total, SMALLEST)
        weight = gated / divisor
        common = (weight * slope).sum()
        d_score = weight * slope - chosen(sums, weight, share) * common
        d_gate = share * (slope - chosen(sums, common, exact(0.0))) / divisor
    gradients = [d_score * scale @ k_, (d_score * scale).swap() @ q_, weight.swap() @ g]
    if gates is not None:
        gradients.append(added_up(d_gate, gates.shape))
    if bias is not None:
        gradients.append(added_up(d_score, bias.shape))
    return weight @ v_, gradients


def morlet_scores(q: Array, k: Array, omega: Array, sigma: Array, layout: str, scale: float) -> tuple[Bounded, Array]:
    r"""Scores by the definition, and a bound for how far those may be that turn queries and keys first.

    With q k̄ = a + ic in a pair, and d = m − n, a term is (a cos ωd − c sin ωd) e^{−d²/4σ²}.
    """
    q, k = pairs(q, layout), np.repeat(pairs(k, layout), q.shape[1] // k.shape[1], 1)
    omega, sigma = (np.repeat(np.atleast_2d(x), q.shape[1] // len(np.atleast_2d(x)), 0)[:, None] for x in (omega, sigma))
    places = np.arange(q.shape[2])
    distance = (places[:, None] - places)[None, :, :, None]  # with heads before, pairs behind
    exponent = -(distance**2) / (4 * sigma[:, None] ** 2)
    envelope = rounded(exponent, 4 * U * np.abs(exponent)).exp()
    first, second = exact(q[:, :, :, None]), exact(k[:, :, None])
    cos, sin = turn(omega[:, None] * distance)
    real = first[..., 0, :] * second[..., 0, :] + first[..., 1, :] * second[..., 1, :]
    imaginary = first[..., 1, :] * second[..., 0, :] - first[..., 0, :] * second[..., 1, :]
    by_distance = summed((real * cos - imaginary * sin) * envelope, scale)
    turned = []
    for x, axis in ((q, 3), (k, 2)):
        cos, sin = turn(omega * places[:, None])
        one, two = exact(x[:, :, :, 0]), exact(x[:, :, :, 1])
        both = one * cos - two * sin, two * cos + one * sin
        turned.append([Bounded(np.expand_dims(y.value, axis), np.expand_dims(y.error, axis)) for y in both])
    (q_0, q_1), (k_0, k_1) = turned
    by_turning = summed((q_0 * k_0 + q_1 * k_1) * envelope, scale)
    return by_distance, by_turning.error


def pairs(x: Array, layout: str) -> Array:
    """(…, 2, n), the channels of a pair."""
    half = x.shape[-1] // 2
    return np.stack((x[..., :half], x[..., half:]) if layout == "half" else (x[..., 0::2], x[..., 1::2]), -2)


def turn(angle: Array) -> tuple[Bounded, Bounded]:
    """Cosine and sine of an angle that was rounded once."""
    return tuple(rounded(f(angle), U * np.abs(angle) + 4 * U) for f in (np.cos, np.sin))


def summed(terms: Bounded, scale: float) -> Bounded:
    """Over pairs, times a scale."""
    return (terms.sum() * exact(scale))[..., 0]
