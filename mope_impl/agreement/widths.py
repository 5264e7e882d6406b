"""Encodings of widths that no format tells from infinity against claim ``limit.indistinguishable``.

Ours multiplies carrier and envelope in float64 and rounds once to the format of the result. So the envelope rounds to 1, and
every bit is the limit's, from the width at which it does so in float64; from the width of the narrower format on the result is
within one unit in the last place.
"""
from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from mope_impl import functional as F

from .disagreement import require

REACH = 2048
"""Largest |position|, the T of the claim."""
FORMATS = {torch.float32: 24, torch.float64: 53}
"""Significant bits."""


def far_widths_change_nothing(encoding: Callable[[Tensor, Tensor, Tensor], Tensor] = F.morlet_encoding) -> str:
    """The encoding on every integer position up to T and 64 frequencies, beside its own limit of σ = ∞."""
    positions = torch.arange(-REACH, REACH + 1)
    said = []
    for dtype, bits in FORMATS.items():
        omega = torch.linspace(0.01, 3, 64, dtype=dtype)
        limit = encoding(positions, omega, torch.full_like(omega, math.inf))
        exact = encoding(positions, omega, torch.full_like(omega, REACH * 2.0**27))  # above 2^{53/2} T, for either format
        require(torch.equal(exact, limit), f"{dtype}: bits differ from the limit at σ = 2^27 T, where the envelope rounds to 1")
        once = encoding(positions, omega, torch.full_like(omega, REACH * 2.0 ** math.ceil(bits / 2)))
        step = torch.nextafter(limit.abs(), torch.full_like(limit, math.inf)) - limit.abs()
        require(((once - limit).abs() <= step).all(), f"{dtype}: more than one unit in the last place at σ = T/√u")
        said.append(str(dtype).removeprefix("torch."))
    return f"{' and '.join(said)}: bit for bit the limit from σ = 2^27 T on, within one unit in the last place from T/√u on"
