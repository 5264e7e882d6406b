r"""The geometric ladder of frequencies, base^(−2i/d), of the sinusoidal table and of rotary encodings.

It is computed in float64 in each call and never stored, so that no conversion, no meta device and no copy can spoil it. The
relative error of a frequency is at most about (ln base + 2)·2⁻⁵³ (the exponent is rounded once, the power once), 1.3·10⁻¹⁵ for
base 10000: 1.4·10⁻⁹ rad at position 2²⁰. Frequencies in float32 would cost 0.03 rad there.
"""
from __future__ import annotations

import math
from numbers import Real

import torch
from torch import Tensor


def ladder(base: float, channels: int, device: torch.device | str | None = None) -> Tensor:
    """ω_i = base^(−2i/d), i = 0 … d/2 − 1, (d/2,), float64, radians per token."""
    exponents = torch.arange(0, channels, 2, dtype=torch.float64, device=device) / -channels
    return torch.pow(base, exponents)


def positive_number(name: str, value: object) -> float:
    """A number as a float64; ValueError unless it is real, positive and finite as such."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{name}: got {value!r}, expected a positive finite number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not 0 < number < math.inf:
        raise ValueError(f"{name}: got {number}, expected a positive finite number")
    return number
