"""Initial values: what two variants have in common starts alike in both, for each seed."""
from __future__ import annotations

import torch
from torch import nn

from .seeds import seed_of


def initialise(model: nn.Module, seed: int) -> None:
    """Draw every parameter anew, each module's from a generator that its name and the seed decide.

    Each module that holds parameters of its own has ``reset_parameters``, which takes the global generator; what that one was
    is left as it was. Raises TypeError for a module that has parameters and no such method: they would escape the seed.
    """
    with torch.random.fork_rng(devices=[]):
        for name, module in model.named_modules():
            if not any(True for _ in module.parameters(recurse=False)):
                continue
            reset = getattr(module, "reset_parameters", None)
            if reset is None:
                raise TypeError(f"{name}: {type(module).__name__} has parameters and no reset_parameters")
            torch.manual_seed(seed_of("initial values", seed, name))
            reset()
