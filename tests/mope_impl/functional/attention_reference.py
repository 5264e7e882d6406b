"""Causal attention with gates, and its derivatives, in NumPy, with a bound for each rounding."""
from __future__ import annotations

import math

import numpy as np

from tests.mope_impl.nn.running_error import Array, Bounded, exact

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
