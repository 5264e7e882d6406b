"""The shape of a model's wave packets: every ω and σ, as stored and as the forward pass uses them."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from mope_impl.nn import MorletAttention, MorletEncoding, MorletRotary

DIGITS = 7
"""Significant digits of a number that is kept: those of float32, in which the parameters are."""


@dataclass(frozen=True)
class Shape:
    r"""All pairs (ω, σ) of a model, in the order of its modules, then of heads, then of pairs.

    ``omega`` and ``sigma`` are the stored ones, before a constraint: e^{log ω} and e^{log σ}. A pair whose parameters are no
    logarithms (the bounded constraint) has no others than the effective ones, and a fixed frequency is its own effective one.

    Units: radians per token, tokens.
    """

    omega: tuple[float, ...]
    sigma: tuple[float, ...]
    omega_effective: tuple[float, ...]
    sigma_effective: tuple[float, ...]

    def to_dict(self) -> dict[str, list[float]]:
        """Plain lists by name."""
        return {name: list(getattr(self, name)) for name in self.__dataclass_fields__}


def rounded(value: float) -> float:
    """The number to DIGITS significant digits."""
    return float(f"{value:.{DIGITS}g}")


def shape(model: nn.Module) -> Shape | None:
    """The shape of a model at this moment; None where no width is learned."""
    rows = [row for module in model.modules() for row in _pairs(module)]
    if not rows:
        return None
    with torch.no_grad():
        columns = (torch.cat([row[i].detach().to("cpu", torch.float64).reshape(-1) for row in rows]) for i in range(4))
        return Shape(*(tuple(map(rounded, column.tolist())) for column in columns))


def _pairs(module: nn.Module) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor]]:
    """Stored ω and σ and effective ω and σ of a module that owns widths."""
    if isinstance(module, MorletEncoding):
        omega, sigma = module.frequencies_and_widths()
        if module.constraint == "bounded":
            yield omega, sigma, omega, sigma
        else:
            log_omega, log_sigma = (module.get_parameter(name).to(torch.float64) for name in ("log_omega", "log_sigma"))
            yield log_omega.exp(), log_sigma.exp(), omega, sigma
    elif isinstance(module, (MorletRotary, MorletAttention)):  # a fixed ladder, learned widths
        sigma = module.widths()
        omega = module.frequencies(sigma.device).expand_as(sigma)
        yield omega, sigma, omega, sigma
