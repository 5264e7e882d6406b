r"""The sinusoidal table as a module without parameters or buffers: its frequencies are those of :mod:`.frequencies`."""
from __future__ import annotations

import torch
from torch import Tensor

from mope_impl import functional as F

from .base import Encoding, check_pairs
from .frequencies import ladder, positive_number


class SinusoidalEncoding(Encoding):
    r"""The fixed table of sines and cosines, at any position.

    .. math:: y_{2i} = \sin(\omega_i b), \quad y_{2i+1} = \cos(\omega_i b), \quad \omega_i = \text{base}^{-2i/d}

    It is the Morlet encoding at σ = ∞ with the two channels of each pair exchanged (claim ``limit.sinusoidal``).

    Args:
        d_model: number of channels d, even.
        base: a positive real number, of NumPy or Python. The fastest pair turns by one radian per token; the slowest has
            base^((d − 2)/d) times its period, which nears base as d grows.
        dtype: of the result.

    Shapes: positions of any shape, integer or float → ``(*positions.shape, d)``.

    Raises:
        ValueError: for an odd or non-positive ``d_model``, a base that is not positive and finite as float64, positions that
            are not numbers.

    Source: the sinusoidal encoding of the Transformer; claim ``limit.sinusoidal``.
    """

    def __init__(self, d_model: int, base: float = 10000.0, *, dtype: torch.dtype | None = None) -> None:
        super().__init__(dtype)
        check_pairs(d_model)
        self.d_model, self.base = d_model, positive_number("base", base)

    def frequencies(self, device: torch.device | str | None = None) -> Tensor:
        """ω_i = base^(−2i/d), (d/2,), float64, radians per token."""
        return ladder(self.base, self.d_model, device)

    def forward(self, positions: Tensor) -> Tensor:
        omega = self.frequencies(getattr(positions, "device", None))
        return F.sinusoidal_encoding(positions, omega, dtype=self.dtype)

    def extra_repr(self) -> str:
        return f"{self.d_model}, base={self.base:g}, dtype={self.dtype}"
