"""The kernels for torch, by name."""
from __future__ import annotations

from mope_impl.generated.torch.alibi_bias import alibi_bias
from mope_impl.generated.torch.energy_gate import energy_gate
from mope_impl.generated.torch.gaussian_bias import gaussian_bias
from mope_impl.generated.torch.morlet_encoding import morlet_encoding
from mope_impl.generated.torch.morlet_rotary import morlet_rotary
from mope_impl.generated.torch.relative_kernel import relative_kernel
from mope_impl.generated.torch.rotary import rotary
from mope_impl.generated.torch.sinusoidal_encoding import sinusoidal_encoding
from mope_impl.generated.torch.turn import turn
from mope_impl.generated.torch.xpos_rotary import xpos_rotary

__all__ = [
    "alibi_bias",
    "energy_gate",
    "gaussian_bias",
    "morlet_encoding",
    "morlet_rotary",
    "relative_kernel",
    "rotary",
    "sinusoidal_encoding",
    "turn",
    "xpos_rotary",
]
