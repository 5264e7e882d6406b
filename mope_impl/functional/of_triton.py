"""The kernels for Triton, by name; importing this loads triton."""
from __future__ import annotations

from torch.library import custom_op

from mope_impl.generated.triton.alibi_bias import alibi_bias
from mope_impl.generated.triton.energy_gate import energy_gate
from mope_impl.generated.triton.gaussian_bias import gaussian_bias
from mope_impl.generated.triton.morlet_encoding import morlet_encoding
from mope_impl.generated.triton.morlet_rotary import morlet_rotary
from mope_impl.generated.triton.relative_kernel import relative_kernel
from mope_impl.generated.triton.rotary import _operator, rotary
from mope_impl.generated.triton.sinusoidal_encoding import sinusoidal_encoding
from mope_impl.generated.triton.xpos_rotary import xpos_rotary

INTERPRETED = _operator is custom_op
"""Whether they run in Triton's interpreter, on the CPU."""

__all__ = [
    "INTERPRETED",
    "alibi_bias",
    "energy_gate",
    "gaussian_bias",
    "morlet_encoding",
    "morlet_rotary",
    "relative_kernel",
    "rotary",
    "sinusoidal_encoding",
    "xpos_rotary",
]
