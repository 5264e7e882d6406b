"""AdamW over named groups of parameters, and its state by the names of the parameters."""
from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from mope_impl.nn import parameter_groups

from .config import OptimizerConfig

STATE = ("step", "exp_avg", "exp_avg_sq")
"""What AdamW keeps of each parameter: the number of its steps, the means of gradient and squared gradient."""


def adamw(model: nn.Module, settings: OptimizerConfig) -> torch.optim.AdamW:
    """AdamW whose groups have names.

    "decay" and "no decay" by the names of the parameters (:func:`mope_impl.nn.parameter_groups`); under ``decay_all`` there is
    one group, "all decay (as published)", in which log ω and log σ are pulled to 0 as well.
    """
    if settings.decay_all:
        parameters = list(model.parameters())
        groups = [{"name": "all decay (as published)", "params": parameters, "weight_decay": settings.weight_decay}]
    else:
        names = ("decay", "no decay")
        groups = [
            {"name": name, **group}
            for name, group in zip(names, parameter_groups(model, settings.weight_decay), strict=True)
            if group["params"]
        ]
    # One fused pass over all parameters; it exists for the CPU and for CUDA.
    devices = {parameter.device.type for parameter in model.parameters()}
    return torch.optim.AdamW(groups, lr=settings.rate, betas=(settings.beta1, settings.beta2), fused=devices <= {"cpu", "cuda"})


def set_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Give every group this learning rate."""
    for group in optimizer.param_groups:
        group["lr"] = rate


def state_tensors(optimizer: torch.optim.Optimizer, model: nn.Module) -> dict[str, Tensor]:
    """The state, as ``parameter/quantity`` → tensor; empty before the first step."""
    return {
        f"{name}/{quantity}": optimizer.state[parameter][quantity]
        for name, parameter in model.named_parameters()
        if optimizer.state.get(parameter)
        for quantity in STATE
    }


def load_state_tensors(optimizer: torch.optim.Optimizer, model: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    """Put the state of :func:`state_tensors` back.

    Raises ValueError for tensors that are missing, too many or of another shape; nothing is changed then.
    """
    if not tensors:
        optimizer.state.clear()
        return
    parameters = dict(model.named_parameters())
    expected = {f"{name}/{quantity}" for name in parameters for quantity in STATE}
    if tensors.keys() != expected:
        raise ValueError(f"optimiser state: {', '.join(sorted(expected ^ tensors.keys())[:3])} … missing or not known")
    for name, parameter in parameters.items():
        for quantity in STATE:
            shape = tuple(tensors[f"{name}/{quantity}"].shape)
            wanted = () if quantity == "step" else tuple(parameter.shape)
            if shape != wanted:
                raise ValueError(f"optimiser state {name}/{quantity}: got shape {shape}, expected {wanted}")
    for name, parameter in parameters.items():
        optimizer.state[parameter] = {
            quantity: tensors[f"{name}/{quantity}"].to(parameter.device, copy=True) for quantity in STATE
        }
