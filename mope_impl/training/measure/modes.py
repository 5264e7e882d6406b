"""The state in which a model is measured: dropout off, autocast off, and afterwards everything as it was."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Every module in evaluation mode and no autocast within; each module's own mode is restored."""
    modes = [(module, module.training) for module in model.modules()]
    device = next((parameter.device.type for parameter in model.parameters()), "cpu")
    model.eval()
    try:
        with torch.autocast(device, enabled=False):
            yield
    finally:
        for module, mode in modes:
            module.training = mode
