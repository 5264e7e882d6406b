# Linear bias of ALiBi, one slope for each head.
#
# Generated: do not edit. Change the specification and run
#     mope generate alibi_bias --backend torch
# This file needs torch alone; it may be copied by itself into another code base.
# It checks dtypes and no more: whatever shapes broadcast are taken, and whatever values. In mope the shapes, values and
# devices are validated by mope_impl/functional.
#
# Specification  alibi_bias
# Claim          limit.alibi
# Formula hash   1c22ba76de611bd88991f7e1c870b68eb0c366907d2b0cc509cb709a17ad98e2
# Symbols        d = distance, m_h = slope
# Channel 0      -m_h*Abs(d)
# Accuracy       to first order a channel is off by at most |slope*d| * 2**-53, 0 if the product is exact (float32
#                slope, |distance| <= 2**24); then it is rounded once to the dtype of the result (torch's CPU conversion
#                to 16 bits passes through float32)
# mypy: allow-untyped-defs, allow-incomplete-defs
from __future__ import annotations

import torch
from torch import Tensor


class _AlibiBias(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(distance: Tensor, slope: Tensor, dtype: torch.dtype) -> Tensor:
        d = distance.to(torch.float64).unsqueeze(-3)
        m_h = slope.to(torch.float64).unsqueeze(-1).unsqueeze(-2)
        channel_0 = -(torch.abs(d) * m_h)
        return channel_0.to(dtype, copy=True)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        distance, slope = inputs[:2]
        needs = ctx.needs_input_grad
        ctx.save_for_backward(
            distance,
            slope if needs[0] else slope.new_empty(()).expand(slope.shape),
        )

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor | None, ...]:
        distance, slope = ctx.saved_tensors
        results: list[Tensor | None] = [None] * 3
        d = distance.to(torch.float64).unsqueeze(-3)
        grad_0 = grad.to(torch.float64)
        if ctx.needs_input_grad[0]:
            m_h = slope.to(torch.float64).unsqueeze(-1).unsqueeze(-2)
            d_distance = -(torch.sign(d) * grad_0 * m_h)
            results[0] = d_distance.sum(-3).sum_to_size(distance.shape).to(distance.dtype)
        if ctx.needs_input_grad[1]:
            d_slope = -(torch.abs(d) * grad_0)
            results[1] = d_slope.sum((-1, -2)).sum_to_size(slope.shape).to(slope.dtype)
        return tuple(results)


def alibi_bias(distance: Tensor, slope: Tensor, *, dtype: torch.dtype | None = None) -> Tensor:
    """Linear bias of ALiBi, one slope for each head.

    Args:
        distance: (*b, q, k) distances in tokens, integer or float, |d| <= 2**53.
        slope: (h,) slopes per token, |slope| <= 2**128.
        dtype: of the result; by default that of slope.

    Returns:
        (*b, h, q, k).

    Raises:
        ValueError: if slope is not floating point, or dtype is not.
    """
    if not slope.dtype.is_floating_point:
        raise ValueError(f"slope: got {slope.dtype}, expected a floating-point dtype")
    if dtype is None:
        dtype = slope.dtype
    elif not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ValueError(f"dtype: got {dtype!r}, expected a floating-point torch.dtype")
    return _AlibiBias.apply(distance, slope, dtype)
