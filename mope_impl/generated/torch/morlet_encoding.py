# Morlet positional encoding, real and imaginary parts of a wave packet in alternating channels.
#
# Generated: do not edit. Change the specification and run
#     mope generate morlet_encoding --backend torch
# This file needs torch alone; it may be copied by itself into another code base.
# It checks dtypes and no more: whatever shapes broadcast are taken, and whatever values. In mope the shapes, values and
# devices are validated by mope_impl/functional.
#
# Specification  morlet_encoding
# Claim          kernel.product
# Formula hash   09d7164b28712faa37c7309a8378c854c204a9ac2c7dde37fecd4a4a6b58151b
# Symbols        b = positions, omega = omega, sigma = sigma, b_0 = center
# Channel 0      re(psi(b, omega, sigma, b_0))
# Channel 1      im(psi(b, omega, sigma, b_0))
# with           psi(b, omega, sigma, b_0) = exp(-(b - b_0)**2/(2*sigma**2))*exp(I*b*omega)
# Computed as    exp(-z**2/2)*cos(theta), exp(-z**2/2)*sin(theta)
# with           theta = b*omega; z = (b - b_0)/sigma
# Cut off        |z| > 40: values and gradient summands are set to 0; values are below 2**-1074 there, and so are
#                gradient summands up to the powers of those inputs that they are divided by
# Accuracy       to first order a channel is off by at most (|omega*b| + 5) * 2**-53, without |omega*b| if the product
#                is exact (float32 omega, |positions| <= 2**24); then it is rounded once to the dtype of the result
#                (torch's CPU conversion to 16 bits passes through float32)
# mypy: allow-untyped-defs, allow-incomplete-defs
from __future__ import annotations

import torch
from torch import Tensor


class _MorletEncoding(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(positions: Tensor, omega: Tensor, sigma: Tensor, center: Tensor, dtype: torch.dtype) -> Tensor:
        b = positions.to(torch.float64).unsqueeze(-1)
        omega_ = omega.to(torch.float64)
        sigma_ = sigma.to(torch.float64)
        b_0 = center.to(torch.float64)
        z_numerator = b - b_0
        positive_sigma = torch.where(sigma_ > 0.0, sigma_, float("nan"))
        beyond_z = torch.abs(z_numerator / positive_sigma) > 40.0
        safe_sigma = torch.where(beyond_z, 1.0, positive_sigma)
        z = torch.where(beyond_z, 0.0, z_numerator) / safe_sigma
        exp_1 = torch.exp(-0.5 * (z * z))
        theta = b * omega_
        channel_0 = torch.where(beyond_z, 0.0, exp_1 * torch.cos(theta))
        channel_1 = torch.where(beyond_z, 0.0, exp_1 * torch.sin(theta))
        return torch.stack((channel_0, channel_1), -1).flatten(-2).to(dtype, copy=True)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs[:4])

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor | None, ...]:
        positions, omega, sigma, center = ctx.saved_tensors
        results: list[Tensor | None] = [None] * 5
        b = positions.to(torch.float64).unsqueeze(-1)
        omega_ = omega.to(torch.float64)
        sigma_ = sigma.to(torch.float64)
        b_0 = center.to(torch.float64)
        grad_0 = grad[..., 0::2].to(torch.float64)
        grad_1 = grad[..., 1::2].to(torch.float64)
        z_numerator = b - b_0
        positive_sigma = torch.where(sigma_ > 0.0, sigma_, float("nan"))
        beyond_z = torch.abs(z_numerator / positive_sigma) > 40.0
        theta = b * omega_
        cos_1 = torch.cos(theta)
        sin_1 = torch.sin(theta)
        safe_sigma = torch.where(beyond_z, 1.0, positive_sigma)
        z = torch.where(beyond_z, 0.0, z_numerator) / safe_sigma
        exp_1 = torch.exp(-0.5 * (z * z))
        if ctx.needs_input_grad[0] or ctx.needs_input_grad[2] or ctx.needs_input_grad[3]:
            grad_z = -((cos_1 * grad_0 + sin_1 * grad_1) * exp_1 * z)
        if ctx.needs_input_grad[0] or ctx.needs_input_grad[1]:
            grad_theta = (cos_1 * grad_1 - sin_1 * grad_0) * exp_1
        if ctx.needs_input_grad[0] or ctx.needs_input_grad[3]:
            div_1 = grad_z / safe_sigma
        if ctx.needs_input_grad[0]:
            d_positions = torch.where(beyond_z, 0.0, grad_theta * omega_ + div_1)
            results[0] = d_positions.sum(-1).sum_to_size(positions.shape).to(positions.dtype)
        if ctx.needs_input_grad[1]:
            d_omega = torch.where(beyond_z, 0.0, grad_theta * b)
            results[1] = d_omega.sum_to_size(omega.shape).to(omega.dtype)
        if ctx.needs_input_grad[2]:
            d_sigma = torch.where(beyond_z, 0.0, -(grad_z * z / safe_sigma))
            results[2] = d_sigma.sum_to_size(sigma.shape).to(sigma.dtype)
        if ctx.needs_input_grad[3]:
            d_center = torch.where(beyond_z, 0.0, -div_1)
            results[3] = d_center.sum_to_size(center.shape).to(center.dtype)
        return tuple(results)


def morlet_encoding(
    positions: Tensor, omega: Tensor, sigma: Tensor, center: Tensor | None = None, *, dtype: torch.dtype | None = None
) -> Tensor:
    """Morlet positional encoding, real and imaginary parts of a wave packet in alternating channels.

    Args:
        positions: (*t,) positions in tokens, integer or float, |b| <= 2**53.
        omega: (n,) carrier frequencies in radians per token, |omega| <= 8192.
        sigma: (n,) widths of the envelope in tokens, in (0, inf].
        center: (n,) centres of the envelope in tokens, |b_0| <= 2**53; None stands for 0.
        dtype: of the result; by default the promoted dtype of omega, sigma, center.

    Returns:
        (*t, 2n), channel k of n = i at 2i + k.

    Raises:
        ValueError: if omega, sigma, center are not floating point, or dtype is not.
    """
    if not omega.dtype.is_floating_point:
        raise ValueError(f"omega: got {omega.dtype}, expected a floating-point dtype")
    if not sigma.dtype.is_floating_point:
        raise ValueError(f"sigma: got {sigma.dtype}, expected a floating-point dtype")
    if center is not None and not center.dtype.is_floating_point:
        raise ValueError(f"center: got {center.dtype}, expected a floating-point dtype")
    if center is None:
        center = torch.full_like(omega, 0.0)
    if dtype is None:
        dtype = torch.promote_types(torch.promote_types(omega.dtype, sigma.dtype), center.dtype)
    elif not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ValueError(f"dtype: got {dtype!r}, expected a floating-point torch.dtype")
    return _MorletEncoding.apply(positions, omega, sigma, center, dtype)
