# Morlet rotary encoding, each pair of channels turned and damped by a wave packet.
#
# Generated: do not edit. Change the specification and run
#     mope generate morlet_rotary --backend torch
# This file needs torch alone; it may be copied by itself into another code base.
# It checks dtypes and no more: whatever shapes broadcast are taken, and whatever values. In mope the shapes, values and
# devices are validated by mope_impl/functional.
#
# Specification  morlet_rotary
# Claim          limit.rope-score
# Formula hash   9395f6822b2c05efa71e76823fa93be324b80e4f2a9bb21fc4a1c9d06f0ae408
# Symbols        x_0, x_1 = channels of x, b = positions, omega = omega, sigma = sigma
# Channel 0      x_0*re(psi(b, omega, sigma)) - x_1*im(psi(b, omega, sigma))
# Channel 1      x_0*im(psi(b, omega, sigma)) + x_1*re(psi(b, omega, sigma))
# with           psi(b, omega, sigma) = exp(-b**2/(2*sigma**2))*exp(I*b*omega)
# Computed as    (x_0*cos(theta) - x_1*sin(theta))*exp(-z**2/2), (x_0*sin(theta) + x_1*cos(theta))*exp(-z**2/2)
# with           theta = b*omega; z = b/sigma
# Cut off        |z| > 56: values and gradient summands are set to 0; values are below 2**-1074 there, and so are
#                gradient summands up to the powers of those inputs that they are divided by
# Accuracy       to first order a channel is off by at most (|x_0| + |x_1|) * (|omega*b| + 7) * 2**-53, without
#                |omega*b| if the product is exact (float32 omega, |positions| <= 2**24); then it is rounded once to the
#                dtype of the result (torch's CPU conversion to 16 bits passes through float32)
# mypy: allow-untyped-defs, allow-incomplete-defs
from __future__ import annotations

import torch
from torch import Tensor


class _MorletRotary(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, positions: Tensor, omega: Tensor, sigma: Tensor, layout: str, dtype: torch.dtype) -> Tensor:
        x_0 = (x.chunk(2, -1)[0] if layout == "half" else x[..., 0::2]).to(torch.float64)
        x_1 = (x.chunk(2, -1)[1] if layout == "half" else x[..., 1::2]).to(torch.float64)
        b = positions.to(torch.float64).unsqueeze(-1).unsqueeze(-3)
        omega_ = omega.to(torch.float64).unsqueeze(-2)
        sigma_ = sigma.to(torch.float64).unsqueeze(-2)
        positive_sigma = torch.where(sigma_ > 0.0, sigma_, float("nan"))
        beyond_z = torch.abs(b / positive_sigma) > 56.0
        theta = b * omega_
        cos_1 = torch.cos(theta)
        sin_1 = torch.sin(theta)
        safe_sigma = torch.where(beyond_z, 1.0, positive_sigma)
        z = torch.where(beyond_z, 0.0, b) / safe_sigma
        exp_1 = torch.exp(-0.5 * (z * z))
        channel_0 = torch.where(beyond_z, 0.0, (cos_1 * x_0 - sin_1 * x_1) * exp_1)
        channel_1 = torch.where(beyond_z, 0.0, (sin_1 * x_0 + cos_1 * x_1) * exp_1)
        if layout == "half":
            return torch.cat((channel_0.to(dtype), channel_1.to(dtype)), -1)
        return torch.stack((channel_0, channel_1), -1).flatten(-2).to(dtype, copy=True)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, positions, omega, sigma = inputs[:4]
        needs = ctx.needs_input_grad
        ctx.save_for_backward(
            x if needs[1] or needs[2] or needs[3] else x.new_empty(()).expand(x.shape),
            positions,
            omega,
            sigma,
        )
        ctx.layout = inputs[-2]

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, positions, omega, sigma = ctx.saved_tensors
        layout = ctx.layout
        results: list[Tensor | None] = [None] * 6
        own = x.chunk(2, -1)[0] if layout == "half" else x[..., 0::2]
        b = positions.to(torch.float64).unsqueeze(-1).unsqueeze(-3)
        omega_ = omega.to(torch.float64).unsqueeze(-2)
        sigma_ = sigma.to(torch.float64).unsqueeze(-2)
        grad_0 = (grad.chunk(2, -1)[0] if layout == "half" else grad[..., 0::2]).to(torch.float64)
        grad_1 = (grad.chunk(2, -1)[1] if layout == "half" else grad[..., 1::2]).to(torch.float64)
        positive_sigma = torch.where(sigma_ > 0.0, sigma_, float("nan"))
        beyond_z = torch.abs(b / positive_sigma) > 56.0
        theta = b * omega_
        cos_1 = torch.cos(theta)
        sin_1 = torch.sin(theta)
        safe_sigma = torch.where(beyond_z, 1.0, positive_sigma)
        z = torch.where(beyond_z, 0.0, b) / safe_sigma
        exp_1 = torch.exp(-0.5 * (z * z))
        if ctx.needs_input_grad[1] or ctx.needs_input_grad[2] or ctx.needs_input_grad[3]:
            x_0 = own.to(torch.float64)
            x_1 = (x.chunk(2, -1)[1] if layout == "half" else x[..., 1::2]).to(torch.float64)
            sub_1 = cos_1 * x_0 - sin_1 * x_1
            add_1 = sin_1 * x_0 + cos_1 * x_1
        if ctx.needs_input_grad[1] or ctx.needs_input_grad[2]:
            grad_theta = (sub_1 * grad_1 - add_1 * grad_0) * exp_1
        if ctx.needs_input_grad[1] or ctx.needs_input_grad[3]:
            grad_z = -((sub_1 * grad_0 + add_1 * grad_1) * exp_1 * z)
        if ctx.needs_input_grad[0]:
            d_x_0 = torch.where(beyond_z, 0.0, (cos_1 * grad_0 + sin_1 * grad_1) * exp_1).sum_to_size(own.shape)
            d_x_1 = torch.where(beyond_z, 0.0, (cos_1 * grad_1 - sin_1 * grad_0) * exp_1).sum_to_size(own.shape)
            if layout == "half":
                results[0] = torch.cat((d_x_0.to(x.dtype), d_x_1.to(x.dtype)), -1)
            else:
                results[0] = torch.stack((d_x_0, d_x_1), -1).flatten(-2).to(x.dtype)
        if ctx.needs_input_grad[1]:
            d_positions = torch.where(beyond_z, 0.0, grad_theta * omega_ + grad_z / safe_sigma)
            results[1] = d_positions.sum((-1, -3)).sum_to_size(positions.shape).to(positions.dtype)
        if ctx.needs_input_grad[2]:
            d_omega = torch.where(beyond_z, 0.0, grad_theta * b)
            results[2] = d_omega.sum(-2).sum_to_size(omega.shape).to(omega.dtype)
        if ctx.needs_input_grad[3]:
            d_sigma = torch.where(beyond_z, 0.0, -(grad_z * z / safe_sigma))
            results[3] = d_sigma.sum(-2).sum_to_size(sigma.shape).to(sigma.dtype)
        return tuple(results)


def morlet_rotary(
    x: Tensor, positions: Tensor, omega: Tensor, sigma: Tensor, *, layout: str = "half", dtype: torch.dtype | None = None
) -> Tensor:
    """Morlet rotary encoding, each pair of channels turned and damped by a wave packet.

    Args:
        x: (*b, h, t, 2n) pairs of channels, to be turned.
        positions: (*b, t) positions in tokens, integer or float, |b| <= 2**53.
        omega: (h, n) frequencies in radians per token, |omega| <= 8192, (n,) for all heads.
        sigma: (h, n) widths of the envelope in tokens, in (0, inf], (n,) for all heads.
        layout: "half" for one channel after the other, "interleaved" for the channels of a pair side by side.
        dtype: of the result; by default that of x.

    Returns:
        (*b, h, t, 2n), in the layout asked for.

    Raises:
        ValueError: if x, omega, sigma are not floating point, or dtype is not, or layout is unknown.
    """
    if not x.dtype.is_floating_point:
        raise ValueError(f"x: got {x.dtype}, expected a floating-point dtype")
    if not omega.dtype.is_floating_point:
        raise ValueError(f"omega: got {omega.dtype}, expected a floating-point dtype")
    if not sigma.dtype.is_floating_point:
        raise ValueError(f"sigma: got {sigma.dtype}, expected a floating-point dtype")
    if layout not in ("half", "interleaved"):
        raise ValueError(f"layout: got {layout!r}, expected 'half' or 'interleaved'")
    if dtype is None:
        dtype = x.dtype
    elif not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ValueError(f"dtype: got {dtype!r}, expected a floating-point torch.dtype")
    return _MorletRotary.apply(x, positions, omega, sigma, layout, dtype)
