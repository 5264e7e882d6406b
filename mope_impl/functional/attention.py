"""Attention whose scores follow the relative Morlet kernel, in its dense form."""
from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from .distances import relative_kernel
from .heads import check_head_parameters, check_queries_and_keys
from .tables import check_layout, rotary_table, rotate
from .validation import check_dtype, check_positive, check_tensor, without_autocast


class _DampedScores(torch.autograd.Function):
    """Σ over pairs of (aᵢ · bᵢ) envelopeᵢ. Forward-mode differentiation is refused, for there is no jvp.

    a (…, Q, n, 2), b (…, K, n, 2), envelope (…, n, Q, K). Only these are saved, and one pair at a time is as large as the result.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(a: Tensor, b: Tensor, envelope: Tensor) -> Tensor:
        scores = torch.zeros((), dtype=a.dtype, device=a.device)
        for i in range(a.shape[-2]):
            scores = scores + _products(a, b, i) * envelope[..., i, :, :]
        return scores

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, ...]:
        a, b, envelope = ctx.saved_tensors
        for_a, for_b, for_envelope = [], [], []
        for i in range(a.shape[-2]):
            damped = grad * envelope[..., i, :, :]
            for_a.append(damped @ b[..., i, :])
            for_b.append(damped.transpose(-1, -2) @ a[..., i, :])
            for_envelope.append((grad * _products(a, b, i)).sum_to_size(envelope[..., i, :, :].shape))
        d_a, d_b = torch.stack(for_a, -2).sum_to_size(a.shape), torch.stack(for_b, -2).sum_to_size(b.shape)
        return d_a, d_b, torch.stack(for_envelope, -3)


def _products(a: Tensor, b: Tensor, pair: int) -> Tensor:
    """a · b of one pair for all queries and keys."""
    first, second = (a[..., :, None, pair, c] * b[..., None, :, pair, c] for c in (0, 1))
    return first + second


def morlet_scores(
    q: Tensor, k: Tensor, omega: Tensor, sigma: Tensor, *, scale: float | None = None, layout: str = "half"
) -> Tensor:
    r"""Scores of queries and keys that follow the relative Morlet kernel.

    .. math:: s_{mn} = \text{scale} \cdot \mathrm{Re} \sum_i q_{mi}\, \overline{k_{ni}}\, K_i(m - n), \qquad
              K_i(d) = e^{i\omega_i d}\, e^{-d^2/4\sigma_i^2}

    Args:
        q, k: (B, H, T, D) each, k may have fewer heads; positions are 0 … T − 1.
        omega: frequencies in radians per token, (n,) or (heads of k, n), 2n = D, \|ω\| ≤ 8192.
        sigma: widths in tokens, of either shape, in (0, ∞]; ∞ gives the scores of the rotary encoding.
        scale: 1/√D if left out.
        layout: ``"half"`` or ``"interleaved"``, see :mod:`mope_impl.functional.rotations`.

    Returns:
        (B, H, T, T), of the promoted dtype of q and k, formed in float32 or wider.

    Raises:
        ValueError: as :func:`rotary` does, for channels without a partner, and for σ ≤ 0 or NaN where values may be read.

    Source: claims ``kernel.cross-correlation``, ``limit.rope-score``.
    """
    check_layout(layout)
    check_queries_and_keys(q, k)
    check_head_parameters({"omega": omega, "sigma": sigma}, q, k)
    if 2 * omega.shape[-1] != q.shape[-1]:
        raise ValueError(f"omega: got {omega.shape[-1]} pairs, expected {q.shape[-1] / 2:g} for {q.shape[-1]} channels")
    check_positive("sigma", sigma, "widths in (0, ∞]")
    narrow = torch.promote_types(q.dtype, k.dtype)
    wide = torch.promote_types(narrow, torch.float32)
    groups, tokens, pairs = q.shape[1] // k.shape[1], q.shape[2], omega.shape[-1]
    places = torch.arange(tokens, device=q.device)
    table = rotary_table(places, omega, dtype=wide)
    axis = -2 if layout == "half" else -1
    sizes = (2, pairs) if layout == "half" else (pairs, 2)
    queries = rotate(q.to(wide).unflatten(1, (-1, groups)), table.unsqueeze(-3), layout=layout)
    keys = rotate(k.to(wide), table, layout=layout).unsqueeze(2)
    envelope = relative_kernel(places[:, None] - places, torch.zeros_like(sigma.flatten()), sigma.flatten(), dtype=wide)[0]
    envelope = envelope.unflatten(-1, (-1, pairs)).permute(2, 3, 0, 1)  # (H or 1, n, T, T)
    a, b = (x.unflatten(-1, sizes).movedim(axis, -1) for x in (queries, keys))
    with without_autocast(q.device):
        scores = _DampedScores.apply(a, b, envelope.unsqueeze(1))
    factor = q.shape[-1] ** -0.5 if scale is None else scale
    return (scores * factor).flatten(1, 2).to(narrow)


def morlet_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    omega: Tensor,
    sigma: Tensor,
    *,
    causal: bool = True,
    scale: float | None = None,
    layout: str = "half",
) -> Tensor:
    r"""Attention whose scores follow the relative Morlet kernel, in its dense form.

    .. math:: y_m = \sum_n \mathrm{softmax}_n(s_{mn})\, v_n

    with the scores of :func:`morlet_scores`, over n ≤ m if causal.

    Args:
        q, k, omega, sigma, scale, layout: as for :func:`morlet_scores`.
        v: (B, heads of k, T, any).
        causal: whether a query sees the keys up to its own position only.

    Returns:
        (B, H, T, channels of v), of the dtype of v; the softmax is formed in float32 or wider.

    Raises:
        ValueError: as :func:`morlet_scores` does, and for a v that does not fit k.

    Source: claims ``kernel.cross-correlation``, ``limit.rope-score``.
    """
    scores = morlet_scores(q, k, omega, sigma, scale=scale, layout=layout)
    check_tensor("v", v)
    check_dtype("v", v.dtype)
    if v.dim() != 4 or v.shape[:3] != k.shape[:3] or v.device != k.device:
        expected = f"({', '.join(map(str, k.shape[:3]))}, channels) on {k.device}"
        raise ValueError(f"v: got shape {tuple(v.shape)} on {v.device}, expected {expected} as k has")
    if causal:
        tokens = q.shape[2]
        seen = torch.ones(tokens, tokens, dtype=torch.bool, device=q.device).tril()
        scores = scores.masked_fill(~seen, -math.inf)
    weights = torch.softmax(scores, -1, dtype=torch.promote_types(scores.dtype, torch.float32)).to(v.dtype)
    return weights @ v.repeat_interleave(q.shape[1] // k.shape[1], 1)
