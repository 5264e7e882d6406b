# Energy gate, a sigmoid of the standard score of an energy.
#
# Generated: do not edit. Change the specification and run
#     mope generate energy_gate --backend torch
# This file needs torch alone; it may be copied by itself into another code base.
# It checks dtypes and no more: whatever shapes broadcast are taken, and whatever values. In mope the shapes, values and
# devices are validated by mope_impl/functional.
#
# Specification  energy_gate
# Claim          gate.causal-form
# Formula hash   9a56c69675321a1f2bd4956fd5f674218107d70cb62caaa258f9182ec7ca8518
# Symbols        e = energy, mu_e = mean, sigma_e = deviation, alpha = sharpness, tau = threshold
# Channel 0      sigmoid(alpha*(-tau + (e - mu_e)/at_least(sigma_e, 1/100000000)))
# with           sigmoid(alpha*(-tau + (e - mu_e)/at_least(sigma_e, 1/100000000))) = 1/(1 + exp(-alpha*(-tau + (e -
#                mu_e)/at_least(sigma_e, 1/100000000))))
# with           at_least(sigma_e, 1/100000000) = Max(1/100000000, sigma_e)
# Computed as    sigmoid(alpha*(-tau + z))
# with           z = (e - mu_e)/at_least(sigma_e, 1/100000000)
# Accuracy       to first order a channel is off by at most (|sharpness*z| + 3) * 2**-53 with the standard score z; then
#                it is rounded once to the dtype of the result (torch's CPU conversion to 16 bits passes through
#                float32)
# mypy: allow-untyped-defs, allow-incomplete-defs
from __future__ import annotations

import torch
from torch import Tensor


class _EnergyGate(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(
        energy: Tensor, mean: Tensor, deviation: Tensor, sharpness: Tensor, threshold: Tensor, dtype: torch.dtype
    ) -> Tensor:
        e = energy.to(torch.float64).unsqueeze(-2)
        mu_e = mean.to(torch.float64).unsqueeze(-1)
        sigma_e = deviation.to(torch.float64).unsqueeze(-1)
        alpha = sharpness.to(torch.float64).unsqueeze(-1).unsqueeze(-2)
        tau = threshold.to(torch.float64).unsqueeze(-1).unsqueeze(-2)
        z = (e - mu_e) / torch.where(sigma_e <= 1e-08, 1e-08, sigma_e)
        channel_0 = torch.sigmoid((z - tau) * alpha)
        return channel_0.to(dtype, copy=True)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs[:5])

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor | None, ...]:
        energy, mean, deviation, sharpness, threshold = ctx.saved_tensors
        results: list[Tensor | None] = [None] * 6
        e = energy.to(torch.float64).unsqueeze(-2)
        mu_e = mean.to(torch.float64).unsqueeze(-1)
        sigma_e = deviation.to(torch.float64).unsqueeze(-1)
        alpha = sharpness.to(torch.float64).unsqueeze(-1).unsqueeze(-2)
        tau = threshold.to(torch.float64).unsqueeze(-1).unsqueeze(-2)
        grad_0 = grad.to(torch.float64)
        at_least_1 = torch.where(sigma_e <= 1e-08, 1e-08, sigma_e)
        z = (e - mu_e) / at_least_1
        sub_1 = z - tau
        mul_1 = sub_1 * alpha
        sigmoid_1 = torch.sigmoid(-mul_1)
        sigmoid_2 = torch.sigmoid(mul_1)
        if ctx.needs_input_grad[0] or ctx.needs_input_grad[1] or ctx.needs_input_grad[2] or ctx.needs_input_grad[4]:
            grad_z = sigmoid_1 * sigmoid_2 * grad_0 * alpha
        if ctx.needs_input_grad[0] or ctx.needs_input_grad[1]:
            d_energy = grad_z / at_least_1
        if ctx.needs_input_grad[0]:
            results[0] = d_energy.sum(-2).sum_to_size(energy.shape).to(energy.dtype)
        if ctx.needs_input_grad[1]:
            d_mean = -d_energy
            results[1] = d_mean.sum(-1).sum_to_size(mean.shape).to(mean.dtype)
        if ctx.needs_input_grad[2]:
            d_deviation = -((sigma_e > 1e-08).to(torch.float64) * grad_z * z / at_least_1)
            results[2] = d_deviation.sum(-1).sum_to_size(deviation.shape).to(deviation.dtype)
        if ctx.needs_input_grad[3]:
            d_sharpness = sub_1 * sigmoid_1 * sigmoid_2 * grad_0
            results[3] = d_sharpness.sum((-1, -2)).sum_to_size(sharpness.shape).to(sharpness.dtype)
        if ctx.needs_input_grad[4]:
            d_threshold = -grad_z
            results[4] = d_threshold.sum((-1, -2)).sum_to_size(threshold.shape).to(threshold.dtype)
        return tuple(results)


def energy_gate(
    energy: Tensor, mean: Tensor, deviation: Tensor, sharpness: Tensor, threshold: Tensor, *, dtype: torch.dtype | None = None
) -> Tensor:
    """Energy gate, a sigmoid of the standard score of an energy.

    Args:
        energy: (*b, h, k) energies of the keys.
        mean: (*b, h, q) mean of the energies that each query compares with.
        deviation: (*b, h, q) their standard deviation, >= 0.
        sharpness: (h,) slopes of the gate in the standard score.
        threshold: (h,) standard scores at which the gate is 1/2.
        dtype: of the result; by default the promoted dtype of energy, mean, deviation, sharpness, threshold.

    Returns:
        (*b, h, q, k).

    Raises:
        ValueError: if energy, mean, deviation, sharpness, threshold are not floating point, or dtype is not.
    """
    if not energy.dtype.is_floating_point:
        raise ValueError(f"energy: got {energy.dtype}, expected a floating-point dtype")
    if not mean.dtype.is_floating_point:
        raise ValueError(f"mean: got {mean.dtype}, expected a floating-point dtype")
    if not deviation.dtype.is_floating_point:
        raise ValueError(f"deviation: got {deviation.dtype}, expected a floating-point dtype")
    if not sharpness.dtype.is_floating_point:
        raise ValueError(f"sharpness: got {sharpness.dtype}, expected a floating-point dtype")
    if not threshold.dtype.is_floating_point:
        raise ValueError(f"threshold: got {threshold.dtype}, expected a floating-point dtype")
    if dtype is None:
        dtype = energy.dtype
        dtype = torch.promote_types(dtype, mean.dtype)
        dtype = torch.promote_types(dtype, deviation.dtype)
        dtype = torch.promote_types(dtype, sharpness.dtype)
        dtype = torch.promote_types(dtype, threshold.dtype)
    elif not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ValueError(f"dtype: got {dtype!r}, expected a floating-point torch.dtype")
    return _EnergyGate.apply(energy, mean, deviation, sharpness, threshold, dtype)
