r"""Rotary encodings of queries and keys as modules.

Frequencies are those of :mod:`.frequencies`: float64, computed in each call and never stored. The width of an envelope is
learned as log σ, float32 or wider, and σ = exp(log σ) is formed in float64.
"""
from __future__ import annotations

import math
from typing import ClassVar

import torch
from torch import Tensor

from mope_impl import functional as F

from .base import Versioned, Wide, check_pairs, chosen_dtype
from .frequencies import ladder, positive_number

LAYOUTS = ("half", "interleaved")


class _Rotation(Versioned):
    """What both have: the channels that are encoded, their frequencies and their layout, which a state dict says."""

    settings: ClassVar[tuple[str, ...]] = ("layout",)

    def __init__(self, head_dim: int, rotary_dim: int | None, base: float, layout: str) -> None:
        super().__init__()
        if isinstance(head_dim, bool) or not isinstance(head_dim, int) or head_dim <= 0:
            raise ValueError(f"head_dim: got {head_dim!r}, expected a positive integer")
        width = head_dim if rotary_dim is None else rotary_dim
        check_pairs(width, "head_dim" if rotary_dim is None else "rotary_dim")
        if width > head_dim:
            raise ValueError(f"rotary_dim: got {rotary_dim}, expected at most {head_dim} as head_dim is")
        if layout not in LAYOUTS:
            raise ValueError(f"layout: got {layout!r}, expected one of {', '.join(map(repr, LAYOUTS))}")
        self.head_dim, self.rotary_dim, self.layout = head_dim, width, layout
        self.base = positive_number("base", base)

    def frequencies(self, device: torch.device | str | None = None) -> Tensor:
        """ω_i = base^(−2i/rotary_dim), (rotary_dim/2,), float64, radians per token."""
        return ladder(self.base, self.rotary_dim, device)

    def table(self, positions: Tensor, *, dtype: torch.dtype = torch.float32) -> Tensor:
        """Factors of the pairs at positions (T,), (T, rotary_dim), for :func:`mope_impl.functional.rotate`.

        Formed once in a forward pass they serve all layers, queries and keys; without parameters, as long as positions stay.
        """
        F.check_tensor("positions", positions)
        return F.rotary_table(positions, self.frequencies(positions.device), self._envelope(), dtype=dtype)

    def _envelope(self) -> Tensor | None:
        """Widths of the pairs; None where there is no envelope."""
        return None

    def _check(self, q: Tensor) -> None:
        F.check_tensor("q", q)
        if q.dim() == 4 and q.shape[-1] != self.head_dim:
            raise ValueError(f"q: got {q.shape[-1]} channels, expected {self.head_dim} as head_dim is")

    def extra_repr(self) -> str:
        return f"{self.head_dim}, rotary_dim={self.rotary_dim}, base={self.base:g}, layout={self.layout!r}"


class RotaryEncoding(_Rotation):
    r"""Rotary encoding (RoPE): each pair of channels is turned in proportion to the position.

    .. math:: (x_0 + i x_1) \mapsto (x_0 + i x_1)\, e^{i\omega_j b}, \qquad \omega_j = \text{base}^{-2j/d}

    Args:
        head_dim: channels of a head.
        rotary_dim: how many of them, the first ones, are encoded: d, even; the rest pass through. All, if left out.
        base: a positive real number; the fastest pair turns by one radian per token, the slowest nearly base times slower.
        layout: ``"half"`` pairs channel i with i + d/2 (Llama, GPT-NeoX), ``"interleaved"`` 2i with 2i + 1 (GPT-J).

    Shapes: q (B, H, T, head_dim), k the same or with fewer heads, positions (T,) or (B, T), integer or float → q and k, of
    their shapes and dtypes. There are no parameters; a conversion of the module changes nothing.

    A state dict says of which layout it is, and is refused by a module of the other: the weights around it would not fit.

    Raises:
        ValueError: for sizes, a base or a layout that are none, and as :func:`mope_impl.functional.rotary` does.

    Source: the rotary encoding of RoFormer; claim ``phase.rope-angle``.
    """

    def __init__(
        self, head_dim: int, *, rotary_dim: int | None = None, base: float = 10000.0, layout: str = "half"
    ) -> None:
        super().__init__(head_dim, rotary_dim, base, layout)

    def forward(self, q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        self._check(q)
        return F.rotary(q, k, positions, self.frequencies(q.device), layout=self.layout)


class MorletRotary(_Rotation, Wide):
    r"""Rotary encoding under Gaussian envelopes of learned widths, one for each pair.

    .. math:: (x_0 + i x_1) \mapsto (x_0 + i x_1)\, e^{i\omega_j b}\, e^{-b^2/2\sigma_j^2}

    Scores follow the product kernel: for finite σ they depend on both positions, not on their distance alone, and fade with
    the distance from position 0. σ → ∞ is :class:`RotaryEncoding`.

    Args:
        head_dim, rotary_dim, base, layout: as for :class:`RotaryEncoding`.
        sigma_init: the width in tokens that every pair starts with, positive and finite. The gradient of log σ is largest at
            positions about σ√2 and falls as b²/σ² below: a width far beyond the length of the sequences is hardly learned.
        device, dtype: of the parameter, which is never narrower than float32.

    Shapes: as for :class:`RotaryEncoding`.

    A state dict says of which layout it is, and is refused by a module of the other.

    Raises:
        ValueError: for sizes, a base, a layout or a width that are none, and as :func:`mope_impl.functional.morlet_rotary` does.

    Source: definition of the mother wavelet in the place of the rotation; claim ``limit.rope-score``.
    """

    no_decay: ClassVar[frozenset[str]] = frozenset({"log_sigma"})

    def __init__(
        self,
        head_dim: int,
        *,
        rotary_dim: int | None = None,
        base: float = 10000.0,
        layout: str = "half",
        sigma_init: float = 1024.0,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(head_dim, rotary_dim, base, layout)
        self.sigma_init = positive_number("sigma_init", sigma_init)
        self.log_sigma = self._parameter(self.rotary_dim // 2, device=device, dtype=chosen_dtype(dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        with torch.no_grad():
            self.log_sigma.fill_(math.log(self.sigma_init))

    def widths(self) -> Tensor:
        """σ in tokens as the encoding uses it, (rotary_dim/2,), float64, differentiable."""
        return self.log_sigma.to(torch.float64).exp()

    def _envelope(self) -> Tensor:
        return self.widths()

    def forward(self, q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        self._check(q)
        return F.morlet_rotary(q, k, positions, self.frequencies(q.device), self.widths(), layout=self.layout)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, sigma_init={self.sigma_init:g}"
