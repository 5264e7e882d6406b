# Relative Morlet kernel, real and imaginary parts.
#
# Generated: do not edit. Change the specification and run
#     mope generate relative_kernel --backend torch
# This file needs torch alone; it may be copied by itself into another code base.
# It checks dtypes and no more: whatever shapes broadcast are taken, and whatever values. In mope the shapes, values and
# devices are validated by mope_impl/functional.
#
# Specification  relative_kernel
# Claim          kernel.cross-correlation
# Formula hash   13b7a0b2f90e717b6e3f54acb7466530b86c1f67626fae61bf2b3b17a85f9d03
# Symbols        d = distance, omega = omega, sigma = sigma
# Channel 0      re(K(d, omega, sigma))
# Channel 1      im(K(d, omega, sigma))
# with           K(d, omega, sigma) = exp(-d**2/(4*sigma**2))*exp(I*d*omega)
# Computed as    exp(-z**2/4)*cos(theta), exp(-z**2/4)*sin(theta)
# with           theta = d*omega; z = d/sigma
# Cut off        |z| > 64: values and gradient summands are set to 0; values are below 2**-1074 there, and so are
#                gradient summands up to the powers of those inputs that they are divided by
# Accuracy       to first order a channel is off by at most (|omega*d| + 4) * 2**-53, without |omega*d| if the product
#                is exact (float32 omega, |distance| <= 2**24); then it is rounded once to the dtype of the result
#                (torch's CPU conversion to 16 bits passes through float32)
# mypy: allow-untyped-defs, allow-incomplete-defs
from __future__ import annotations

import torch
from torch import Tensor


class _RelativeKernel(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(distance: Tensor, omega: Tensor, sigma: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        d = distance.to(torch.float64).unsqueeze(-1)
        omega_ = omega.to(torch.float64)
        sigma_ = sigma.to(torch.float64)
        positive_sigma = torch.where(sigma_ > 0.0, sigma_, float("nan"))
        beyond_z = torch.abs(d / positive_sigma) > 64.0
        safe_sigma = torch.where(beyond_z, 1.0, positive_sigma)
        z = torch.where(beyond_z, 0.0, d) / safe_sigma
        exp_1 = torch.exp(-0.25 * (z * z))
        theta = d * omega_
        channel_0 = torch.where(beyond_z, 0.0, exp_1 * torch.cos(theta))
        channel_1 = torch.where(beyond_z, 0.0, exp_1 * torch.sin(theta))
        return channel_0.to(dtype, copy=True), channel_1.to(dtype, copy=True)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs[:3])

    @staticmethod
    def backward(ctx, *grads: Tensor) -> tuple[Tensor | None, ...]:
        distance, omega, sigma = ctx.saved_tensors
        results: list[Tensor | None] = [None] * 4
        d = distance.to(torch.float64).unsqueeze(-1)
        omega_ = omega.to(torch.float64)
        sigma_ = sigma.to(torch.float64)
        grad_0 = grads[0].to(torch.float64)
        grad_1 = grads[1].to(torch.float64)
        positive_sigma = torch.where(sigma_ > 0.0, sigma_, float("nan"))
        beyond_z = torch.abs(d / positive_sigma) > 64.0
        theta = d * omega_
        cos_1 = torch.cos(theta)
        sin_1 = torch.sin(theta)
        safe_sigma = torch.where(beyond_z, 1.0, positive_sigma)
        z = torch.where(beyond_z, 0.0, d) / safe_sigma
        exp_1 = torch.exp(-0.25 * (z * z))
        if ctx.needs_input_grad[0] or ctx.needs_input_grad[1]:
            grad_theta = (cos_1 * grad_1 - sin_1 * grad_0) * exp_1
        if ctx.needs_input_grad[0] or ctx.needs_input_grad[2]:
            grad_z = -0.5 * ((cos_1 * grad_0 + sin_1 * grad_1) * exp_1 * z)
        if ctx.needs_input_grad[0]:
            d_distance = torch.where(beyond_z, 0.0, grad_theta * omega_ + grad_z / safe_sigma)
            results[0] = d_distance.sum(-1).sum_to_size(distance.shape).to(distance.dtype)
        if ctx.needs_input_grad[1]:
            d_omega = torch.where(beyond_z, 0.0, grad_theta * d)
            results[1] = d_omega.sum_to_size(omega.shape).to(omega.dtype)
        if ctx.needs_input_grad[2]:
            d_sigma = torch.where(beyond_z, 0.0, -(grad_z * z / safe_sigma))
            results[2] = d_sigma.sum_to_size(sigma.shape).to(sigma.dtype)
        return tuple(results)


def relative_kernel(
    distance: Tensor, omega: Tensor, sigma: Tensor, *, dtype: torch.dtype | None = None
) -> tuple[Tensor, Tensor]:
    """Relative Morlet kernel, real and imaginary parts.

    Args:
        distance: (*t,) distances in tokens, integer or float, |d| <= 2**53.
        omega: (n,) carrier frequencies in radians per token, |omega| <= 8192.
        sigma: (n,) widths of the envelope in tokens, in (0, inf].
        dtype: of the result; by default the promoted dtype of omega, sigma.

    Returns:
        (*t, n) for each of 2 channels.

    Raises:
        ValueError: if omega, sigma are not floating point, or dtype is not.
    """
    if not omega.dtype.is_floating_point:
        raise ValueError(f"omega: got {omega.dtype}, expected a floating-point dtype")
    if not sigma.dtype.is_floating_point:
        raise ValueError(f"sigma: got {sigma.dtype}, expected a floating-point dtype")
    if dtype is None:
        dtype = torch.promote_types(omega.dtype, sigma.dtype)
    elif not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ValueError(f"dtype: got {dtype!r}, expected a floating-point torch.dtype")
    return _RelativeKernel.apply(distance, omega, sigma, dtype)
