r"""Attention whose scores follow the relative Morlet kernel, with a learned width for each head and pair of channels."""
from __future__ import annotations

import math
from typing import ClassVar

import torch
from torch import Tensor

from mope_impl import functional as F

from .base import Wide, check_pairs, chosen_dtype
from .frequencies import ladder, positive_number
from .rotary import LAYOUTS


class MorletAttention(Wide):
    r"""Causal attention under the relative kernel.

    .. math:: s_{mn} = D^{-1/2}\, \mathrm{Re} \sum_i q_{mi}\, \overline{k_{ni}}\, e^{i\omega_i (m - n)}\,
              e^{-(m - n)^2/4\sigma_{hi}^2}, \qquad \omega_i = \text{base}^{-2i/D}

    Scores see the distance alone; σ → ∞ is the rotary encoding.

    Args:
        head_dim: channels D of a head, even.
        n_heads: number of heads H.
        base, layout: as for :class:`mope_impl.nn.RotaryEncoding`.
        sigma_init: the width in tokens that every pair starts with, positive and finite.
        device, dtype: of the parameter log σ, (H, D/2), which is never narrower than float32.

    Shapes: q, k, v (B, H, T, D) → (B, H, T, D).

    A state dict says of which layout it is, and is refused by a module of the other.

    Raises:
        ValueError: for sizes, a base, a layout or a width that are none, and as :func:`mope_impl.functional.morlet_attention`
            does.

    Source: claims ``kernel.cross-correlation``, ``limit.rope-score``.
    """

    no_decay: ClassVar[frozenset[str]] = frozenset({"log_sigma"})
    settings: ClassVar[tuple[str, ...]] = ("layout",)

    def __init__(
        self,
        head_dim: int,
        n_heads: int,
        *,
        base: float = 10000.0,
        layout: str = "half",
        sigma_init: float = 1024.0,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        pairs = check_pairs(head_dim, "head_dim")
        if isinstance(n_heads, bool) or not isinstance(n_heads, int) or n_heads <= 0:
            raise ValueError(f"n_heads: got {n_heads!r}, expected a positive integer")
        if layout not in LAYOUTS:
            raise ValueError(f"layout: got {layout!r}, expected one of {', '.join(map(repr, LAYOUTS))}")
        self.head_dim, self.n_heads, self.layout = head_dim, n_heads, layout
        self.base, self.sigma_init = positive_number("base", base), positive_number("sigma_init", sigma_init)
        self.log_sigma = self._parameter(n_heads, pairs, device=device, dtype=chosen_dtype(dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        with torch.no_grad():
            self.log_sigma.fill_(math.log(self.sigma_init))

    def frequencies(self, device: torch.device | str | None = None) -> Tensor:
        """ω_i = base^(−2i/D), (D/2,), float64, radians per token."""
        return ladder(self.base, self.head_dim, device)

    def widths(self) -> Tensor:
        """σ in tokens as the kernel uses it, (H, D/2), float64, differentiable."""
        return self.log_sigma.to(torch.float64).exp()

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        """Scores of all queries and keys, (B, H, T, T), before the mask and the softmax."""
        omega = self.frequencies(q.device).expand(self.n_heads, -1)
        return F.morlet_scores(q, k, omega, self.widths(), layout=self.layout)

    def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        F.check_tensor("q", q)
        omega = self.frequencies(q.device).expand(self.n_heads, -1)
        return F.morlet_attention(q, k, v, omega, self.widths(), layout=self.layout)

    def extra_repr(self) -> str:
        return f"{self.head_dim}, {self.n_heads}, base={self.base:g}, layout={self.layout!r}, sigma_init={self.sigma_init:g}"
