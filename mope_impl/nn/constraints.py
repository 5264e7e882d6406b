r"""How the frequencies and widths of a Morlet encoding follow from its parameters.

A constraint names two parameters of shape (n,), gives their initial values and maps them, in float64, to ω and σ.

Ties. Every branch is a ``torch.where`` on a strict comparison, so that at equality the value that is not clamped passes, with
its whole gradient; the other branch gets gradient 0. No version of the framework can change that, as it could for ``clamp``,
``minimum`` and ``maximum``.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

CAP = 0.95 * math.pi
"""Largest frequency, radians per token."""
FLOOR = 1e-3
"""Smallest width, tokens."""
PRODUCT = 5.0
"""Smallest ωσ: the tolerance that the paper calls its admissibility boundary."""
FIRST, LAST = 1.0, 0.99 * math.pi
"""Range of the initial frequencies of the reference, radians per token."""
LAST_INTERIOR = 0.94 * math.pi
"""Largest initial frequency of the bounded constraint, which must lie below CAP."""
EXCESS = 0.25
"""Initial ωσ − 5 of the bounded constraint."""


@dataclass(frozen=True)
class Constraint:
    """Two parameter names, their initial values for n pairs, and the map from the parameters to (ω, σ)."""

    names: tuple[str, str]
    initial: Callable[[int], tuple[Tensor, Tensor]]
    apply: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def _log_spaced(pairs: int, last: float) -> Tensor:
    """log ω of ``pairs`` frequencies, log-spaced from FIRST to ``last``."""
    return torch.linspace(math.log(FIRST), math.log(last), pairs, dtype=torch.float64, device="cpu")


def _reference_initial(pairs: int) -> tuple[Tensor, Tensor]:
    """ω log-spaced from 1 to 0.99π and σ = 5/ω: every pair starts at ωσ = 5, to the rounding of the parameters."""
    log_omega = _log_spaced(pairs, LAST)
    return log_omega, math.log(PRODUCT) - log_omega


def free(log_omega: Tensor, log_sigma: Tensor) -> tuple[Tensor, Tensor]:
    """ω = exp(log ω), σ = exp(log σ)."""
    return log_omega.exp(), log_sigma.exp()


def reference(log_omega: Tensor, log_sigma: Tensor) -> tuple[Tensor, Tensor]:
    """ω = min(exp(log ω), 0.95π), σ = max(exp(log σ), 10⁻³); then, where ωσ < 5, ω = 5/σ, which may exceed the cap again.

    Where 5/σ > ω the loss sees σ alone: log ω has gradient 0, and log σ gains −(5/σ) ∂L/∂ω (claim ``learning.clamp``).
    """
    omega, sigma = free(log_omega, log_sigma)
    omega = torch.where(omega > CAP, CAP, omega)
    sigma = torch.where(sigma < FLOOR, FLOOR, sigma)
    return torch.where(omega * sigma < PRODUCT, PRODUCT / sigma, omega), sigma


def _bounded_initial(pairs: int) -> tuple[Tensor, Tensor]:
    """The nearest interior spread to the reference: ω log-spaced from 1 to 0.94π, and ωσ = 5.25."""
    share = _log_spaced(pairs, LAST_INTERIOR).exp() / CAP
    return torch.logit(share), torch.full((pairs,), math.log(math.expm1(EXCESS)), dtype=torch.float64, device="cpu")


def bounded(logit_omega: Tensor, raw_product: Tensor) -> tuple[Tensor, Tensor]:
    """ω = 0.95π·sigmoid(a) and ωσ = 5 + log(1 + eᶜ): smooth, onto 0 < ω < 0.95π and ωσ > 5.

    Both stay strict in float64 for |a|, |c| ≤ 30; beyond, they are reached to rounding.
    """
    omega = CAP * torch.sigmoid(logit_omega)
    # softplus without the framework's threshold, above which it is another function
    return omega, (PRODUCT - functional.logsigmoid(-raw_product)) / omega


CONSTRAINTS = {
    "reference": Constraint(("log_omega", "log_sigma"), _reference_initial, reference),
    "free": Constraint(("log_omega", "log_sigma"), _reference_initial, free),
    "bounded": Constraint(("logit_omega", "raw_product"), _bounded_initial, bounded),
}
