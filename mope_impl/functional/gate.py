"""The energy gate of attention."""
from __future__ import annotations

import torch
from torch import Tensor

from .backend import kernel
from .validation import check_dtype, check_float, check_plain


def energy_gate(
    energy: Tensor,
    mean: Tensor,
    deviation: Tensor,
    sharpness: Tensor,
    threshold: Tensor,
    *,
    dtype: torch.dtype | None = None,
) -> Tensor:
    r"""Gates of keys, a sigmoid of the standard scores of their energies.

    .. math:: g = \frac{1}{1 + e^{-\alpha(z - \tau)}}, \qquad z = \frac{e - \text{mean}}{\max(\text{deviation}, 10^{-8})}

    Args:
        energy: e of the keys, (\*b, H, K).
        mean, deviation: statistics of the energies that each query compares with, (\*b, H, Q); Q = 1 where every query has
            the same. A deviation of 10⁻⁸ or less has no influence, and gradient 0.
        sharpness, threshold: α and τ of the heads, (H,).
        dtype: dtype of the result, float64, float32, bfloat16 or float16; by default the promoted dtype of all arguments.

    Returns:
        ``(*b, H, Q, K)``, formed in float64 and rounded once. Nothing overflows for arguments up to 2^128.

    Raises:
        ValueError: for a wrong type, dtype, layout, shape or device.

    Source: energy-gated attention; claim ``gate.causal-form``.
    """
    given = {"energy": energy, "mean": mean, "deviation": deviation, "sharpness": sharpness, "threshold": threshold}
    for name, value in given.items():
        check_float(name, value, energy, "energy is")
        check_plain(name, value)
    if energy.dim() < 2:
        raise ValueError(f"energy: got shape {tuple(energy.shape)}, expected two dimensions or more, (*b, H, K)")
    lead, heads = tuple(energy.shape[:-1]), energy.shape[-2]
    for name in ("mean", "deviation"):
        if tuple(given[name].shape) != (*lead, *mean.shape[-1:]):
            expected = f"({', '.join(map(str, lead))}, Q) for an energy {tuple(energy.shape)}, one Q for mean and deviation"
            raise ValueError(f"{name}: got shape {tuple(given[name].shape)}, expected {expected}")
    for name in ("sharpness", "threshold"):
        if tuple(given[name].shape) != (heads,):
            raise ValueError(f"{name}: got shape {tuple(given[name].shape)}, expected ({heads},), one for each head")
    if dtype is not None:
        check_dtype("dtype", dtype)
    return kernel("energy_gate", energy)(energy, mean, deviation, sharpness, threshold, dtype=dtype)
