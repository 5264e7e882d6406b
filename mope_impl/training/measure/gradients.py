r"""Slopes of the loss by ω and σ as the forward pass uses them, from which the multiplier of the constraint follows.

At a minimum of L(ω, σ) over ωσ ≥ 5 there is a μ ≥ 0 with ∂L/∂ω = μσ and ∂L/∂σ = μω (claim ``learning.multipliers``). Hence

.. math:: \mu = \frac{1}{\sigma}\frac{\partial L}{\partial\omega}, \qquad
    \omega\frac{\partial L}{\partial\omega} - \sigma\frac{\partial L}{\partial\sigma} = 0 :

μ > 0 says that the loss would fall if the pair were let below the boundary, and the balance is how far the pair is from such
a point along the boundary, whose tangent in (log ω, log σ) is (1, −1).
"""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from mope_impl.nn import MorletEncoding

from .modes import evaluating
from .shape import rounded

BATCH = 32
"""Windows in a pass."""


@dataclass(frozen=True)
class Gradients:
    """∂L/∂ω_eff and ∂L/∂σ_eff of every pair, nats per token over radians per token and over tokens, and the loss there."""

    omega: tuple[float, ...]
    sigma: tuple[float, ...]
    loss: float

    def to_dict(self) -> dict[str, list[float] | float]:
        return {"omega": list(self.omega), "sigma": list(self.sigma), "loss": self.loss}


def multipliers(slope_by_omega: Tensor, sigma: Tensor) -> Tensor:
    """μ = (∂L/∂ω)/σ of every pair, nats."""
    return slope_by_omega / sigma


def balances(slope_by_omega: Tensor, slope_by_sigma: Tensor, omega: Tensor, sigma: Tensor) -> Tensor:
    """ω ∂L/∂ω − σ ∂L/∂σ of every pair, nats: 0 at a minimum under the constraint."""
    return omega * slope_by_omega - sigma * slope_by_sigma


def slopes(model: nn.Module, inputs: Tensor, targets: Tensor, batch: int = BATCH) -> tuple[Tensor, Tensor, float]:
    r"""∂L/∂ω_eff and ∂L/∂σ_eff of the additive Morlet encoding of a model, and L, over fixed windows.

    Args:
        model: has a ``MorletEncoding`` as ``encoding``; ``model(inputs, targets)`` is the mean loss. Dropout is off and
            autocast too while it is measured; the model itself is left as it is, gradients included.
        inputs, targets: (N, T), int64.
        batch: windows in a pass; it changes rounding only.

    Returns:
        Two tensors (d/2,), float64, and the mean loss in nats per token.

    Raises:
        ValueError: for a model without an additive Morlet encoding, or without windows.
    """
    encoding = getattr(model, "encoding", None)
    if not isinstance(encoding, MorletEncoding):
        raise ValueError(f"model: its encoding is {type(encoding).__name__}, expected a MorletEncoding")
    if inputs.dim() != 2 or not inputs.numel() or inputs.shape != targets.shape:
        raise ValueError(f"inputs: got shape {tuple(inputs.shape)}, expected (N, T) as targets are, N ≥ 1")
    with torch.no_grad():
        omega, sigma = (value.clone().requires_grad_() for value in encoding.frequencies_and_widths())
    total_omega, total_sigma, total = torch.zeros_like(omega), torch.zeros_like(sigma), 0.0
    with evaluating(model), _given(encoding, omega, sigma), torch.enable_grad():
        for first in range(0, len(inputs), batch):
            part = slice(first, first + batch)
            loss = model(inputs[part], targets[part])
            by_omega, by_sigma = torch.autograd.grad(loss, (omega, sigma))
            share = inputs[part].numel() / inputs.numel()
            total_omega += share * by_omega
            total_sigma += share * by_sigma
            total += share * float(loss.detach())
    return total_omega.detach(), total_sigma.detach(), total


def gradients(model: nn.Module, inputs: Tensor, targets: Tensor, batch: int = BATCH) -> Gradients:
    """:func:`slopes` as plain numbers of DIGITS digits."""
    by_omega, by_sigma, loss = slopes(model, inputs, targets, batch)
    return Gradients(tuple(map(rounded, by_omega.tolist())), tuple(map(rounded, by_sigma.tolist())), rounded(loss))


@contextmanager
def _given(encoding: MorletEncoding, omega: Tensor, sigma: Tensor) -> Iterator[None]:
    """The encoding uses these ω and σ, whatever its parameters and its constraint say."""
    encoding.__dict__["frequencies_and_widths"] = lambda: (omega, sigma)
    try:
        yield
    finally:
        del encoding.__dict__["frequencies_and_widths"]
