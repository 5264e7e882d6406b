"""Parameter groups for an optimiser: weight decay by name, never by shape."""
from __future__ import annotations

from typing import Any

from torch import nn

from .base import Versioned


def parameter_groups(module: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Two groups of parameters for an optimiser: one that decays, one that does not.

    Each module of this package names the parameters that must not decay (``no_decay``: frequencies, widths, centres, and
    what shapes a gate), whatever their shape. Decay would pull log σ to 0 and the width to one token, or a gate to ½ for
    every key; every other parameter decays. A parameter that is shared is exempt if any of its names is.

    Raises ValueError for a negative or NaN ``weight_decay``.
    """
    if not weight_decay >= 0:
        raise ValueError(f"weight_decay: got {weight_decay!r}, expected a number ≥ 0")
    exempt = {
        id(parameter)
        for owner in module.modules()
        if isinstance(owner, Versioned)
        for name, parameter in owner.named_parameters(recurse=False)
        if name in owner.no_decay
    }
    parameters = list(module.parameters())
    return [
        {"params": [p for p in parameters if id(p) not in exempt], "weight_decay": weight_decay},
        {"params": [p for p in parameters if id(p) in exempt], "weight_decay": 0.0},
    ]
