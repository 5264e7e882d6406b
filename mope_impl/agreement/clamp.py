"""Gradients through the clamp of the reference constraint against claim ``learning.clamp``."""
from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from mope_impl.nn.constraints import CAP, FLOOR, PRODUCT, reference

from .disagreement import require

UNIT = 2.0**-53
PAIRS = 64


def gradients_pass_as_claimed(constraint: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]] = reference) -> str:
    """log ω gets 0 where ωσ < 5, log σ gains −(5/σ) ∂L/∂ω; at the tie all of the gradient passes to ω.

    L is any smooth function, here one with known partial derivatives: L = g·ω_eff + h·σ, so that ∂₁L = g and ∂₂L = h. Then
    the derivative by log σ is hσ − 5g/σ, of one and the same rounded σ on both sides. The framework rounds the term of g five
    times (5/σ, again by σ, times g, the sum, times σ) and that of h twice, we three times and twice: at most 8 units of 2⁻⁵³
    of |hσ| + |5g/σ| to first order. The ninth is more than what is of second order.
    """
    random = torch.Generator().manual_seed(0)
    log_sigma = torch.empty(PAIRS, dtype=torch.float64).uniform_(0.7, 3.0, generator=random)
    below = torch.log(PRODUCT / log_sigma.exp() * torch.empty(PAIRS, dtype=torch.float64).uniform_(0.2, 0.95, generator=random))
    g, h = torch.randn(2, PAIRS, dtype=torch.float64, generator=random)
    by_omega, by_sigma, sigma = _slopes(constraint, below, log_sigma, g, h)
    require((below.exp() < CAP).all() and (sigma > FLOOR).all(), "the trial is to meet neither the cap nor the floor")
    require(not by_omega.any(), "a clamped log ω gets a gradient")
    off = (by_sigma - (h * sigma - PRODUCT * g / sigma)).abs()
    require((off <= 9 * UNIT * ((h * sigma).abs() + (PRODUCT * g / sigma).abs())).all(), "log σ does not gain −(5/σ) ∂L/∂ω")

    log_omega, log_width = _ties()
    require(len(log_omega), "no pair found whose ω and σ multiply to 5 in every bit")
    one = torch.ones_like(log_omega)
    by_omega, by_sigma, sigma = _slopes(constraint, log_omega, log_width, one, one)
    whole = torch.equal(by_omega, log_omega.exp()) and torch.equal(by_sigma, sigma)
    require(whole, "at the tie ω does not get all of its gradient")
    return f"{PAIRS} clamped pairs: log ω gets 0, log σ gains −(5/σ)∂L/∂ω; at the tie all passes to ω"


def _ties() -> tuple[Tensor, Tensor]:
    """log ω and log σ near −log σ + log 5 for which the product of the rounded exponentials is 5 exactly."""
    log_omega = torch.linspace(-1, 1, PAIRS, dtype=torch.float64)[:, None].expand(-1, 17)
    log_sigma = (math.log(PRODUCT) - log_omega) * (1 + UNIT * torch.arange(-8, 9))
    tie = log_omega.exp() * log_sigma.exp() == PRODUCT
    return log_omega[tie], log_sigma[tie]


def _slopes(
    constraint: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]], log_omega: Tensor, log_sigma: Tensor, g: Tensor, h: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """∂L/∂log ω and ∂L/∂log σ for L = Σ(g ω_eff + h σ), and σ."""
    leaves = log_omega.clone().requires_grad_(), log_sigma.clone().requires_grad_()
    omega, sigma = constraint(*leaves)
    by_omega, by_sigma = torch.autograd.grad((g * omega + h * sigma).sum(), leaves)
    return by_omega, by_sigma, sigma.detach()
