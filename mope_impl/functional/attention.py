r"""Rotations by a table that layers share, and attention whose scores follow the relative Morlet kernel.

**Tables.** A rotation multiplies each pair of channels by a complex number of its position: e^{iωb}, or under an envelope
e^{iωb} e^{−b²/2σ²}. Those numbers are the Morlet encoding, T·n of them, against B·H·T·n pairs in each layer. Formed once, in
float64 and rounded once to float32 or wider, they serve every layer, and what is left for each pair is a complex product.
"""
from __future__ import annotations

import math

import torch
from torch import Tensor

from .distances import relative_kernel
from .encodings import morlet_encoding
from .heads import check_head_parameters, check_queries_and_keys
from .rotations import LAYOUTS
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
    def setup_context(ctx, inputs, output) -> None:  # type: ignore[no-untyped-def]
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor, ...]:  # type: ignore[no-untyped-def]
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


def rotary_table(
    positions: Tensor, omega: Tensor, sigma: Tensor | None = None, *, dtype: torch.dtype = torch.float32
) -> Tensor:
    r"""The factors that a rotary encoding multiplies pairs of channels by.

    .. math:: e^{i\omega b}\, e^{-b^2/2\sigma^2}

    Args:
        positions: b in tokens, (T,) as a rule, as for :func:`morlet_encoding`.
        omega: frequencies in radians per token, (n,), \|ω\| ≤ 8192.
        sigma: widths of the envelope in tokens, (n,), in (0, ∞]; None for ∞, which is no envelope.
        dtype: of the result: float32 or float64, for the phase of a narrower one is off by whole positions.

    Returns:
        ``(*positions.shape, 2n)``, real and imaginary parts in alternating channels, rounded once from float64.

    Raises:
        ValueError: as :func:`morlet_encoding` does, and for a dtype that is narrower than float32.

    Source: definition of the mother wavelet; claims ``phase.rope-angle``, ``limit.rope-score``.
    """
    if dtype not in (torch.float32, torch.float64):
        raise ValueError(f"dtype: got {dtype!r}, expected torch.float32 or torch.float64")
    check_tensor("omega", omega)
    return morlet_encoding(positions, omega, torch.full_like(omega, math.inf) if sigma is None else sigma, dtype=dtype)


def rotate(x: Tensor, table: Tensor, *, layout: str = "half") -> Tensor:
    r"""Multiply the pairs of channels of x by the factors of a table.

    .. math:: (x_0 + i x_1) \mapsto (x_0 + i x_1)\, w

    Args:
        x: (…, D), float64, float32, bfloat16 or float16.
        table: factors w of :func:`rotary_table`, broadcast against x: (…, 2n), 2n ≤ D. The other channels pass through.
        layout: ``"half"`` or ``"interleaved"``, see :mod:`mope_impl.functional.rotations`.

    Returns:
        Of the shape and dtype of x; products are formed in float32 or wider and rounded once more to that dtype.

    Raises:
        ValueError: for a wrong type, dtype, layout or number of channels.

    Source: claim ``phase.rope-angle``.
    """
    if layout not in LAYOUTS:
        raise ValueError(f"layout: got {layout!r}, expected 'half' or 'interleaved'")
    for name, value in (("x", x), ("table", table)):
        check_tensor(name, value)
        check_dtype(name, value.dtype)
    width = table.shape[-1]
    if width % 2 or width > x.shape[-1]:
        raise ValueError(f"table: got {width} channels, expected an even number up to {x.shape[-1]} as x has")
    wide = torch.promote_types(torch.promote_types(x.dtype, table.dtype), torch.float32)
    real, imaginary = table.to(wide).unflatten(-1, (width // 2, 2)).unbind(-1)
    pairs = x[..., :width].to(wide).unflatten(-1, (2, width // 2) if layout == "half" else (width // 2, 2))
    axis = -2 if layout == "half" else -1
    first, second = pairs.unbind(axis)
    turned = torch.stack((first * real - second * imaginary, first * imaginary + second * real), axis).flatten(-2).to(x.dtype)
    return turned if width == x.shape[-1] else torch.cat((turned, x[..., width:]), -1)


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
    if layout not in LAYOUTS:
        raise ValueError(f"layout: got {layout!r}, expected 'half' or 'interleaved'")
    check_queries_and_keys(q, k)
    check_head_parameters({"omega": omega, "sigma": sigma}, q, k)
    if 2 * omega.shape[-1] != q.shape[-1]:
        raise ValueError(f"omega: got {omega.shape[-1]} pairs, expected {q.shape[-1] / 2:g} for {q.shape[-1]} channels")
    check_positive("sigma", sigma, "widths in (0, ∞]")
    narrow = torch.promote_types(q.dtype, k.dtype)
    wide = torch.promote_types(narrow, torch.float32)
    groups, tokens, pairs = q.shape[1] // k.shape[1], q.shape[2], omega.shape[-1]
    places = torch.arange(tokens, device=q.device)
    table = rotary_table(places, omega.flatten(), dtype=wide).unflatten(-1, (*omega.shape[:-1], 2 * pairs))
    table = table.transpose(0, 1) if omega.dim() == 2 else table
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
