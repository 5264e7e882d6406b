# xPos rotary encoding, each pair of channels turned and multiplied by an exponential of the position.
#
# Generated: do not edit. Change the specification and run
#     mope generate xpos_rotary --backend torch
# This file needs torch alone; it may be copied by itself into another code base.
# It checks dtypes and no more: whatever shapes broadcast are taken, and whatever values. In mope the shapes, values and
# devices are validated by mope_impl/functional.
#
# Specification  xpos_rotary
# Claim          kernel.rank-one
# Formula hash   d5ac30f40687d81ecfd7228ea7fa718b2fc329cea50d1ed3dfdf2122e73fbed5
# Symbols        x_0, x_1 = channels of x, b = positions, omega = omega, kappa = rate
# Channel 0      x_0*exp(b*kappa)*re(carrier(b, omega)) - x_1*exp(b*kappa)*im(carrier(b, omega))
# Channel 1      x_0*exp(b*kappa)*im(carrier(b, omega)) + x_1*exp(b*kappa)*re(carrier(b, omega))
# with           carrier(b, omega) = exp(I*b*omega)
# Computed as    (x_0*cos(theta) - x_1*sin(theta))*exp(w), (x_0*sin(theta) + x_1*cos(theta))*exp(w)
# with           theta = b*omega; w = b*kappa
# Accuracy       to first order a channel is off by at most exp(rate*b) * (|x_0| + |x_1|) * (|omega*b| + |rate*b| + 6) *
#                2**-53, without |omega*b| if that product is exact (float32 omega, |positions| <= 2**24); then it is
#                rounded once to the dtype of the result (torch's CPU conversion to 16 bits passes through float32)
# mypy: allow-untyped-defs, allow-incomplete-defs
from __future__ import annotations

import torch
from torch import Tensor


class _XposRotary(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, positions: Tensor, omega: Tensor, rate: Tensor, layout: str, dtype: torch.dtype) -> Tensor:
        x_0 = (x.chunk(2, -1)[0] if layout == "half" else x[..., 0::2]).to(torch.float64)
        x_1 = (x.chunk(2, -1)[1] if layout == "half" else x[..., 1::2]).to(torch.float64)
        b = positions.to(torch.float64).unsqueeze(-1).unsqueeze(-3)
        omega_ = omega.to(torch.float64).unsqueeze(-2)
        kappa = rate.to(torch.float64).unsqueeze(-2)
        theta = b * omega_
        cos_1 = torch.cos(theta)
        sin_1 = torch.sin(theta)
        w = b * kappa
        exp_1 = torch.exp(w)
        channel_0 = (cos_1 * x_0 - sin_1 * x_1) * exp_1
        channel_1 = (sin_1 * x_0 + cos_1 * x_1) * exp_1
        if layout == "half":
            return torch.cat((channel_0.to(dtype), channel_1.to(dtype)), -1)
        return torch.stack((channel_0, channel_1), -1).flatten(-2).to(dtype, copy=True)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, positions, omega, rate = inputs[:4]
        needs = ctx.needs_input_grad
        ctx.save_for_backward(
            x if needs[1] or needs[2] or needs[3] else x.new_empty(()).expand(x.shape),
            positions,
            omega,
            rate,
        )
        ctx.layout = inputs[-2]

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, positions, omega, rate = ctx.saved_tensors
        layout = ctx.layout
        results: list[Tensor | None] = [None] * 6
        own = x.chunk(2, -1)[0] if layout == "half" else x[..., 0::2]
        b = positions.to(torch.float64).unsqueeze(-1).unsqueeze(-3)
        omega_ = omega.to(torch.float64).unsqueeze(-2)
        kappa = rate.to(torch.float64).unsqueeze(-2)
        grad_0 = (grad.chunk(2, -1)[0] if layout == "half" else grad[..., 0::2]).to(torch.float64)
        grad_1 = (grad.chunk(2, -1)[1] if layout == "half" else grad[..., 1::2]).to(torch.float64)
        theta = b * omega_
        cos_1 = torch.cos(theta)
        sin_1 = torch.sin(theta)
        w = b * kappa
        exp_1 = torch.exp(w)
        if ctx.needs_input_grad[1] or ctx.needs_input_grad[2] or ctx.needs_input_grad[3]:
            x_0 = own.to(torch.float64)
            x_1 = (x.chunk(2, -1)[1] if layout == "half" else x[..., 1::2]).to(torch.float64)
            sub_1 = cos_1 * x_0 - sin_1 * x_1
            add_1 = sin_1 * x_0 + cos_1 * x_1
        if ctx.needs_input_grad[1] or ctx.needs_input_grad[2]:
            grad_theta = (sub_1 * grad_1 - add_1 * grad_0) * exp_1
        if ctx.needs_input_grad[1] or ctx.needs_input_grad[3]:
            grad_w = (sub_1 * grad_0 + add_1 * grad_1) * exp_1
        if ctx.needs_input_grad[0]:
            d_x_0 = ((cos_1 * grad_0 + sin_1 * grad_1) * exp_1).sum_to_size(own.shape)
            d_x_1 = ((cos_1 * grad_1 - sin_1 * grad_0) * exp_1).sum_to_size(own.shape)
            if layout == "half":
                results[0] = torch.cat((d_x_0.to(x.dtype), d_x_1.to(x.dtype)), -1)
            else:
                results[0] = torch.stack((d_x_0, d_x_1), -1).flatten(-2).to(x.dtype)
        if ctx.needs_input_grad[1]:
            d_positions = grad_theta * omega_ + grad_w * kappa
            results[1] = d_positions.sum((-1, -3)).sum_to_size(positions.shape).to(positions.dtype)
        if ctx.needs_input_grad[2]:
            d_omega = grad_theta * b
            results[2] = d_omega.sum(-2).sum_to_size(omega.shape).to(omega.dtype)
        if ctx.needs_input_grad[3]:
            d_rate = grad_w * b
            results[3] = d_rate.sum(-2).sum_to_size(rate.shape).to(rate.dtype)
        return tuple(results)


def xpos_rotary(
    x: Tensor, positions: Tensor, omega: Tensor, rate: Tensor, *, layout: str = "half", dtype: torch.dtype | None = None
) -> Tensor:
    """xPos rotary encoding, each pair of channels turned and multiplied by an exponential of the position.

    Args:
        x: (*b, h, t, 2n) pairs of channels, to be turned.
        positions: (*b, t) positions in tokens, integer or float, |b| <= 2**53.
        omega: (h, n) frequencies in radians per token, |omega| <= 8192, (n,) for all heads.
        rate: (h, n) growth per token, ln zeta for queries and -ln zeta for keys.
        layout: "half" for one channel after the other, "interleaved" for the channels of a pair side by side.
        dtype: of the result; by default that of x.

    Returns:
        (*b, h, t, 2n), in the layout asked for.

    Raises:
        ValueError: if x, omega, rate are not floating point, or dtype is not, or layout is unknown.
    """
    if not x.dtype.is_floating_point:
        raise ValueError(f"x: got {x.dtype}, expected a floating-point dtype")
    if not omega.dtype.is_floating_point:
        raise ValueError(f"omega: got {omega.dtype}, expected a floating-point dtype")
    if not rate.dtype.is_floating_point:
        raise ValueError(f"rate: got {rate.dtype}, expected a floating-point dtype")
    if layout not in ("half", "interleaved"):
        raise ValueError(f"layout: got {layout!r}, expected 'half' or 'interleaved'")
    if dtype is None:
        dtype = x.dtype
    elif not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ValueError(f"dtype: got {dtype!r}, expected a floating-point torch.dtype")
    return _XposRotary.apply(x, positions, omega, rate, layout, dtype)
