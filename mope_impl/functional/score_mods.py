r"""Functions of the distance for FlexAttention, one for each head: a ``score_mod`` for ``torch.nn.attention.flex_attention``.

Its ``score_mod`` sees one score at a time. Cosines and exponentials formed there would be float32 on most devices, whose phase is
off by whole positions far away, and the gradient of a width would be gathered from every score at one address. So the values of
a head at all distances are formed beforehand by the certified kernel, in float64, and rounded once; what is left for a score is
one value of this table. The table takes gradients back to the parameters through the kernel.

.. code-block:: python

    score_mod = F.gaussian_score_mod(sigma, length=q.shape[2])                  # sigma (H,), one width for each head
    causal = create_block_mask(lambda b, h, m, n: m >= n, None, None, q.shape[2], k.shape[2])
    out = torch.compile(flex_attention)(q, k, v, score_mod=score_mod, block_mask=causal)

**Positions** are the indices m of queries and n of keys, below ``length``; none is checked, as a ``score_mod`` cannot. Where
queries begin later than keys, as in a cache, shift them: ``lambda s, b, h, m, n: score_mod(s, b, h, m + start, n)``.

**Gradients.** On a CPU FlexAttention has no backward pass (torch 2.13): a parameter that requires one is refused there, rather
than left to fail within the compiler; detach it, or use the dense forms. A CPU compiles no float64 queries either.
"""
from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from .distances import alibi_bias, gaussian_bias, relative_kernel
from .validation import check_float, check_plain

ScoreMod = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]
"""Of a score, the indices of batch and head, and the positions of query and key."""

FORWARD_ONLY = frozenset({"cpu"})
"""Types of devices on which FlexAttention has no backward pass."""


def gaussian_score_mod(sigma: Tensor, length: int) -> ScoreMod:
    r"""Add the Gaussian bias to scores.

    .. math:: s_{mn} \mapsto s_{mn} - (m - n)^2 / 4\sigma_h^2

    Args:
        sigma: widths in tokens, (H,), one for each head of queries, in [2^−256, ∞].
        length: positions are less than this.

    Returns:
        The ``score_mod``; its values are those of :func:`gaussian_bias` in float32, or float64 if sigma is.

    Raises:
        ValueError: as :func:`gaussian_bias` does, for another shape or length, and for a gradient that is needed on a CPU.

    Source: claim ``limit.alibi``, where ω tends to 0.
    """
    distance = _distances(length, sigma=sigma)
    return _added(_usable(gaussian_bias(distance, sigma, dtype=_wide(sigma)).squeeze(-1), "sigma", "F.gaussian_bias"), length)


def alibi_score_mod(slope: Tensor, length: int) -> ScoreMod:
    r"""Add the linear bias of ALiBi to scores.

    .. math:: s_{mn} \mapsto s_{mn} - \text{slope}_h\,|m - n|

    Args:
        slope: slopes per token, (H,), one for each head of queries.
        length: positions are less than this.

    Returns:
        The ``score_mod``; its values are those of :func:`alibi_bias` in float32, or float64 if slope is.

    Raises:
        ValueError: as :func:`alibi_bias` does, for another shape or length, and for a gradient that is needed on a CPU.

    Source: the paper of ALiBi; claim ``limit.alibi``.
    """
    distance = _distances(length, slope=slope)
    return _added(_usable(alibi_bias(distance, slope, dtype=_wide(slope)).squeeze(-1), "slope", "F.alibi_bias"), length)


def morlet_score_mod(omega: Tensor, sigma: Tensor, length: int) -> ScoreMod:
    r"""Multiply scores by the real part of the relative Morlet kernel of their head.

    .. math:: s_{mn} \mapsto s_{mn} \cos(\omega_h (m - n))\, e^{-(m - n)^2/4\sigma_h^2}

    A head has one frequency and one width here, for all its channels; :func:`morlet_attention` has one for each pair.

    Args:
        omega: frequencies in radians per token, (H,), one for each head of queries, \|ω\| ≤ 8192.
        sigma: widths in tokens, (H,), in (0, ∞].
        length: positions are less than this.

    Returns:
        The ``score_mod``; its values are those of :func:`relative_kernel` in float32, or float64 if omega or sigma is.

    Raises:
        ValueError: as :func:`relative_kernel` does, for another shape or length, and for a gradient that is needed on a CPU.

    Source: claim ``kernel.cross-correlation``.
    """
    distance = _distances(length, omega=omega, sigma=sigma).squeeze(-1)
    real, _ = relative_kernel(distance, omega, sigma, dtype=torch.promote_types(_wide(omega), _wide(sigma)))
    table, last = _usable(real.T.contiguous(), "omega or sigma", "F.relative_kernel"), length - 1

    def score_mod(score: Tensor, batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return score * table[head, query - key + last].to(score.dtype)

    return score_mod


def _added(table: Tensor, length: int) -> ScoreMod:
    last = length - 1

    def score_mod(score: Tensor, batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return score + table[head, query - key + last].to(score.dtype)

    return score_mod


def _distances(length: int, **parameters: Tensor) -> Tensor:
    """All distances of positions below a length, (2·length − 1, 1), after a look at the arguments."""
    if isinstance(length, bool) or not isinstance(length, int) or length < 1:
        raise ValueError(f"length: got {length!r}, expected a positive integer")
    for name, value in parameters.items():
        check_float(name, value, value)
        check_plain(name, value)
        if value.dim() != 1:
            raise ValueError(f"{name}: got shape {tuple(value.shape)}, expected (H,), one for each head")
    return torch.arange(1 - length, length, device=value.device).unsqueeze(-1)


def _wide(parameter: Tensor) -> torch.dtype:
    return torch.promote_types(parameter.dtype, torch.float32)


def _usable(table: Tensor, name: str, dense: str) -> Tensor:
    if table.requires_grad and table.device.type in FORWARD_ONLY:
        raise ValueError(
            f"{name}: requires a gradient, and FlexAttention has no backward pass on {table.device.type}; "
            f"detach it, or use {dense} with attention that is written out"
        )
    return table
