# Sinusoidal positional encoding, sines and cosines in alternating channels.
#
# Generated: do not edit. Change the specification and run
#     mope generate sinusoidal_encoding --backend torch
# This file needs torch alone; it may be copied by itself into another code base.
# It checks dtypes and no more: whatever shapes broadcast are taken, and whatever values. In mope the shapes, values and
# devices are validated by mope_impl/functional.
#
# Specification  sinusoidal_encoding
# Claim          limit.sinusoidal
# Formula hash   b70f00d269683f9ce8ddb8f47b0e1e3e9fc4953396fafecfd2b56c9925309adc
# Symbols        b = positions, omega = omega
# Channel 0      im(carrier(b, omega))
# Channel 1      re(carrier(b, omega))
# with           carrier(b, omega) = exp(I*b*omega)
# Computed as    sin(theta), cos(theta)
# with           theta = b*omega
# Accuracy       to first order a channel is off by at most (|omega*b| + 1) * 2**-53, without |omega*b| if the product
#                is exact (float32 omega, |positions| <= 2**24); then it is rounded once to the dtype of the result
#                (torch's CPU conversion to 16 bits passes through float32)
# mypy: allow-untyped-defs, allow-incomplete-defs
from __future__ import annotations

import torch
from torch import Tensor


class _SinusoidalEncoding(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(positions: Tensor, omega: Tensor, dtype: torch.dtype) -> Tensor:
        b = positions.to(torch.float64).unsqueeze(-1)
        omega_ = omega.to(torch.float64)
        theta = b * omega_
        channel_0 = torch.sin(theta)
        channel_1 = torch.cos(theta)
        return torch.stack((channel_0, channel_1), -1).flatten(-2).to(dtype, copy=True)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs[:2])

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor | None, ...]:
        positions, omega = ctx.saved_tensors
        results: list[Tensor | None] = [None] * 3
        b = positions.to(torch.float64).unsqueeze(-1)
        omega_ = omega.to(torch.float64)
        grad_0 = grad[..., 0::2].to(torch.float64)
        grad_1 = grad[..., 1::2].to(torch.float64)
        theta = b * omega_
        grad_theta = torch.cos(theta) * grad_0 - torch.sin(theta) * grad_1
        if ctx.needs_input_grad[0]:
            d_positions = grad_theta * omega_
            results[0] = d_positions.sum(-1).sum_to_size(positions.shape).to(positions.dtype)
        if ctx.needs_input_grad[1]:
            d_omega = grad_theta * b
            results[1] = d_omega.sum_to_size(omega.shape).to(omega.dtype)
        return tuple(results)


def sinusoidal_encoding(positions: Tensor, omega: Tensor, *, dtype: torch.dtype | None = None) -> Tensor:
    """Sinusoidal positional encoding, sines and cosines in alternating channels.

    Args:
        positions: (*t,) positions in tokens, integer or float, |b| <= 2**53.
        omega: (n,) frequencies in radians per token, |omega| <= 8192.
        dtype: of the result; by default that of omega.

    Returns:
        (*t, 2n), channel k of n = i at 2i + k.

    Raises:
        ValueError: if omega is not floating point, or dtype is not.
    """
    if not omega.dtype.is_floating_point:
        raise ValueError(f"omega: got {omega.dtype}, expected a floating-point dtype")
    if dtype is None:
        dtype = omega.dtype
    elif not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ValueError(f"dtype: got {dtype!r}, expected a floating-point torch.dtype")
    return _SinusoidalEncoding.apply(positions, omega, dtype)
