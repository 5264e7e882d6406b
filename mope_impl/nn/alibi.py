r"""Attention with linear biases: each head pays for distance at a rate of its own."""
from __future__ import annotations

import torch
from torch import Tensor

from mope_impl import functional as F

from .base import Versioned


class ALiBi(Versioned):
    r"""The biases of all heads, to be added to their scores.

    .. math:: \text{bias}_h(m, n) = -2^{-8h/H}\,|m - n|, \qquad h = 1 \dots H

    Args:
        n_heads: number of heads H.

    Shapes: positions (T,), integer or float → (H, T, T), rows of queries, columns of keys. There are no parameters.

    Raises:
        ValueError: for a number of heads that is not a positive integer, for positions that are not (T,), and as
            :func:`mope_impl.functional.alibi_bias` does.

    Source: the paper of ALiBi, whose slopes are the geometric sequence that starts at 2^(−8/H) with that ratio.
    """

    def __init__(self, n_heads: int) -> None:
        super().__init__()
        if isinstance(n_heads, bool) or not isinstance(n_heads, int) or n_heads <= 0:
            raise ValueError(f"n_heads: got {n_heads!r}, expected a positive integer")
        self.n_heads = n_heads

    def slopes(self, device: torch.device | str | None = None) -> Tensor:
        """2^(−8h/H) per token, h = 1 … H, (H,), float64."""
        return torch.exp2(torch.arange(1, self.n_heads + 1, dtype=torch.float64, device=device) * (-8 / self.n_heads))

    def forward(self, positions: Tensor, *, dtype: torch.dtype = torch.float32) -> Tensor:
        F.check_tensor("positions", positions)
        if positions.dim() != 1:
            raise ValueError(f"positions: got shape {tuple(positions.shape)}, expected (T,)")
        distance = positions[:, None] - positions
        return F.alibi_bias(distance, self.slopes(positions.device), dtype=dtype)

    def extra_repr(self) -> str:
        return f"{self.n_heads}"
