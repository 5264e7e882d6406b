# Gaussian bias, the logarithm of the envelope of the relative kernel, one width for each head.
#
# Generated: do not edit. Change the specification and run
#     mope generate gaussian_bias --backend torch
# This file needs torch alone; it may be copied by itself into another code base.
# It checks dtypes and no more: whatever shapes broadcast are taken, and whatever values. In mope the shapes, values and
# devices are validated by mope_impl/functional.
#
# Specification  gaussian_bias
# Claim          limit.alibi
# Formula hash   7bfb9d7f1b26e6e83a68c7a69614909eee501636cc3e22813613b204f6975e29
# Symbols        d = distance, sigma = sigma
# Channel 0      -d**2/(4*sigma**2)
# Computed as    -z**2/4
# with           z = d/sigma
# Accuracy       to first order a channel is off by at most 3 * d**2/(4*sigma**2) * 2**-53; then it is rounded once to
#                the dtype of the result (torch's CPU conversion to 16 bits passes through float32)
# mypy: allow-untyped-defs, allow-incomplete-defs
from __future__ import annotations

import torch
from torch import Tensor


class _GaussianBias(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(distance: Tensor, sigma: Tensor, dtype: torch.dtype) -> Tensor:
        d = distance.to(torch.float64).unsqueeze(-3)
        sigma_ = sigma.to(torch.float64).unsqueeze(-1).unsqueeze(-2)
        positive_sigma = torch.where(sigma_ > 0.0, sigma_, float("nan"))
        z = d / positive_sigma
        channel_0 = -0.25 * (z * z)
        return channel_0.to(dtype, copy=True)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs[:2])

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor | None, ...]:
        distance, sigma = ctx.saved_tensors
        results: list[Tensor | None] = [None] * 3
        d = distance.to(torch.float64).unsqueeze(-3)
        sigma_ = sigma.to(torch.float64).unsqueeze(-1).unsqueeze(-2)
        grad_0 = grad.to(torch.float64)
        positive_sigma = torch.where(sigma_ > 0.0, sigma_, float("nan"))
        z = d / positive_sigma
        grad_z = -0.5 * (grad_0 * z)
        if ctx.needs_input_grad[0]:
            d_distance = grad_z / positive_sigma
            results[0] = d_distance.sum(-3).sum_to_size(distance.shape).to(distance.dtype)
        if ctx.needs_input_grad[1]:
            d_sigma = -(grad_z * z / positive_sigma)
            results[1] = d_sigma.sum((-1, -2)).sum_to_size(sigma.shape).to(sigma.dtype)
        return tuple(results)


def gaussian_bias(distance: Tensor, sigma: Tensor, *, dtype: torch.dtype | None = None) -> Tensor:
    """Gaussian bias, the logarithm of the envelope of the relative kernel, one width for each head.

    Args:
        distance: (*b, q, k) distances in tokens, integer or float, |d| <= 2**53.
        sigma: (h,) widths in tokens, in [2**-256, inf].
        dtype: of the result; by default that of sigma.

    Returns:
        (*b, h, q, k).

    Raises:
        ValueError: if sigma is not floating point, or dtype is not.
    """
    if not sigma.dtype.is_floating_point:
        raise ValueError(f"sigma: got {sigma.dtype}, expected a floating-point dtype")
    if dtype is None:
        dtype = sigma.dtype
    elif not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ValueError(f"dtype: got {dtype!r}, expected a floating-point torch.dtype")
    return _GaussianBias.apply(distance, sigma, dtype)
