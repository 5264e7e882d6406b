r"""How the frequencies and widths of a Morlet encoding follow from its parameters.

A constraint names two parameters of shape (n,), gives the values that they start with and maps them, in float64, to ω and σ.

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
"""Initial ωσ − 5 of the bounded constraint where a start on the bound is asked for, which it does not reach."""


@dataclass(frozen=True)
class Constraint:
    """Two parameter names, the parameters for a start at log ω and ωσ, and the map from the parameters to (ω, σ).

    ``last`` is where log-spaced frequencies that start at 1 end; initial ωσ must be ``smallest`` at least.
    """

    names: tuple[str, str]
    last: float
    smallest: float
    initial: Callable[[Tensor, float], tuple[Tensor, Tensor]]
    apply: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def log_spaced(pairs: int, last: float) -> Tensor:
    """log ω of ``pairs`` frequencies, log-spaced from FIRST to ``last``."""
    return torch.linspace(math.log(FIRST), math.log(last), pairs, dtype=torch.float64, device="cpu")


def _logarithms(log_omega: Tensor, product: float) -> tuple[Tensor, Tensor]:
    """log ω, and log σ such that ωσ is the product, to the rounding of the parameters."""
    return log_omega, math.log(product) - log_omega


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


def _interior(log_omega: Tensor, product: float) -> tuple[Tensor, Tensor]:
    """Parameters of the bounded constraint; for a product on its bound they are those of the nearest start, 5.25."""
    excess = product - PRODUCT if product > PRODUCT else EXCESS
    raw = torch.full_like(log_omega, excess + math.log(-math.expm1(-excess)))  # log(expm1(excess)) without overflow
    return torch.logit(log_omega.exp() / CAP), raw


def bounded(logit_omega: Tensor, raw_product: Tensor) -> tuple[Tensor, Tensor]:
    """ω = 0.95π·sigmoid(a) and ωσ = 5 + log(1 + eᶜ): smooth, onto 0 < ω < 0.95π and ωσ > 5.

    Both stay strict in float64 for |a|, |c| ≤ 30; beyond, they are reached to rounding.
    """
    omega = CAP * torch.sigmoid(logit_omega)
    # softplus without the framework's threshold, above which it is another function
    return omega, (PRODUCT - functional.logsigmoid(-raw_product)) / omega


CONSTRAINTS = {
    "reference": Constraint(("log_omega", "log_sigma"), LAST, 0.0, _logarithms, reference),
    "free": Constraint(("log_omega", "log_sigma"), LAST, 0.0, _logarithms, free),
    "bounded": Constraint(("logit_omega", "raw_product"), LAST_INTERIOR, PRODUCT, _interior, bounded),
}
