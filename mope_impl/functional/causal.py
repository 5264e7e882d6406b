r"""Causal attention with gates, in a form that keeps nothing of size T² for the backward pass.

For sequences of a few hundred tokens, compiled in 16 bits for a CPU, two products of matrices and one fused pass between them
are faster than the framework's fused attention; elsewhere they are slower. Only the inputs are saved. What the backward pass
needs of the weights it forms again, from the transposed product k qᵀ: a compiler that sees both passes would take q kᵀ for the
one of the forward pass, and keep it.
With a gate for each pair of query and key there are T² numbers anyway.
"""
from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from .heads import check_queries_and_keys
from .validation import check_dtype, check_tensor, without_autocast

SMALLEST = 1e-8
"""Smallest sum of gated weights, and smallest deviation of energies, that is divided by."""


class _CausalAttention(torch.autograd.Function):
    """Saves its inputs only; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(q: Tensor, k: Tensor, v: Tensor, gates: Tensor | None, bias: Tensor | None, scale: float) -> Tensor:
        share = _shares(q @ k.transpose(-1, -2), scale, bias, _seen(q), -1)
        if gates is not None:
            gated = share * gates.to(share.dtype)
            total = gated.sum(-1, keepdim=True)
            share = gated / torch.where(total <= SMALLEST, SMALLEST, total)
        return share.to(v.dtype) @ v

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.save_for_backward(*inputs[:-1])
        ctx.scale = inputs[-1]

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        q, k, v, gates, bias = ctx.saved_tensors
        # Rows of queries where gates are laid out so, for to transpose those would cost more than is saved.
        straight = gates is not None and gates.shape[-2] > 1
        keys = -1 if straight else -2

        def laid(x: Tensor) -> Tensor:
            return x if straight else x.transpose(-1, -2)

        product = q @ k.transpose(-1, -2) if straight else k @ q.transpose(-1, -2)
        share = _shares(product, ctx.scale, None if bias is None else laid(bias), laid(_seen(q)), keys)
        slope = (grad @ v.transpose(-1, -2) if straight else v @ grad.transpose(-1, -2)).to(share.dtype)
        d_gates = None
        if gates is None:
            weight = share
            d_score = weight * (slope - (weight * slope).sum(keys, keepdim=True))
        else:
            gated = share * laid(gates.to(share.dtype))
            total = gated.sum(keys, keepdim=True)
            divided = total > SMALLEST
            weight = gated / torch.where(divided, total, SMALLEST)
            common = (weight * slope).sum(keys, keepdim=True)
            d_score = weight * slope - torch.where(divided, weight, share) * common
            if ctx.needs_input_grad[3]:
                d_gate = share * (slope - torch.where(divided, common, 0.0)) / torch.where(divided, total, SMALLEST)
                d_gates = laid(d_gate).sum_to_size(gates.shape).to(gates.dtype)
        d_bias = None
        if ctx.needs_input_grad[4]:
            d_bias = laid(d_score).sum_to_size(bias.shape).to(bias.dtype)
        d_product = laid((d_score * ctx.scale).to(q.dtype))
        d_v = laid(weight.to(v.dtype)).transpose(-1, -2) @ grad
        return d_product @ k, d_product.transpose(-1, -2) @ q, d_v, d_gates, d_bias, None


def _seen(q: Tensor) -> Tensor:
    """Which key (column) each query (row) sees."""
    places = torch.arange(q.shape[-2], device=q.device)
    return places[:, None] >= places


def _shares(product: Tensor, scale: float, bias: Tensor | None, seen: Tensor, keys: int) -> Tensor:
    """Softmax over the axis of the keys, in float32 or wider; 0 for keys that are not seen."""
    scores = product.to(torch.promote_types(product.dtype, torch.float32)) * scale
    if bias is not None:
        scores = scores + bias.to(scores.dtype)
    scores = torch.where(seen, scores, -math.inf)
    powers = (scores - scores.detach().amax(keys, keepdim=True)).exp()
    return powers / powers.sum(keys, keepdim=True)


def causal_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    gates: Tensor | None = None,
    bias: Tensor | None = None,
    scale: float | None = None,
) -> Tensor:
    r"""Causal attention, its weights multiplied by gates and normalised again if there are any.

    .. math:: A_{jk} = \mathrm{softmax}_{k \le j}(\text{scale} \cdot q_j \cdot k_k + \text{bias}_{jk}), \quad
              y_j = \sum_{k \le j} A_{jk} g_{jk} v_k \Big/ \max\Big(\sum_{k \le j} A_{jk} g_{jk}, 10^{-8}\Big)

    Args:
        q, k: (B, H, T, D) each, of one dtype.
        v: (B, H, T, channels), of that dtype, too.
        gates: g, which broadcasts to (B, H, T, T), and must be finite; None for 1. Of float32 as a rule.
        bias: which broadcasts to (B, H, T, T), or None.
        scale: 1/√D if left out.

    Returns:
        (B, H, T, channels), of the dtype of q. Products of matrices are formed in that dtype whatever the autocast state, the
        rest in float32 or wider.

    Raises:
        ValueError: for a wrong type, dtype, shape or device.

    Source: scaled dot-product attention; energy-gated attention, claim ``gate.causal-form``.
    """
    check_queries_and_keys(q, k)
    if k.shape[1] != q.shape[1]:
        raise ValueError(f"k: got {k.shape[1]} heads, expected {q.shape[1]} as q has")
    check_tensor("v", v)
    if v.dim() != 4 or v.shape[:3] != q.shape[:3]:
        raise ValueError(f"v: got shape {tuple(v.shape)}, expected {(*q.shape[:3], 'channels')} for q of shape {tuple(q.shape)}")
    whole = (*q.shape[:3], q.shape[2])
    for name, value in (("k", k), ("v", v)):
        if value.dtype != q.dtype or value.device != q.device:
            raise ValueError(f"{name}: got {value.dtype} on {value.device}, expected {q.dtype} on {q.device} as q has")
    for name, given in (("gates", gates), ("bias", bias)):
        if given is None:
            continue
        check_tensor(name, given)
        check_dtype(name, given.dtype)
        if given.device != q.device:
            raise ValueError(f"{name}: got device {given.device}, expected {q.device} as q is on")
        if given.dim() > 4 or any(a not in (1, b) for a, b in zip(given.shape[::-1], whole[::-1], strict=False)):
            raise ValueError(f"{name}: got shape {tuple(given.shape)}, expected one that broadcasts to {whole}")
    with without_autocast(q.device):
        return _CausalAttention.apply(q, k, v, gates, bias, q.shape[-1] ** -0.5 if scale is None else scale)
