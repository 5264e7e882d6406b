# Pairs of channels times complex factors.
#
# Generated: do not edit. Change the specification and run
#     mope generate turn --backend torch
# This file needs torch alone; it may be copied by itself into another code base.
# It checks dtypes and no more: whatever shapes broadcast are taken, and whatever values. In mope the shapes, values and
# devices are validated by mope_impl/functional.
#
# Specification  turn
# Claim          phase.rope-angle
# Formula hash   c3924ab67429e913e16853ae474a06c51172221d7dfde7be5693a03dfddba278
# Symbols        x_0, x_1 = channels of x, u_0 = real, u_1 = imaginary
# Channel 0      u_0*x_0 - u_1*x_1
# Channel 1      u_0*x_1 + u_1*x_0
# Arithmetic     in the promoted dtype of the inputs, float32 at least
# Accuracy       to first order a channel is off by at most 2 * (|x_0| + |x_1|) * max(|u_0|, |u_1|) * 2**-24, and 2**-53
#                in the place of 2**-24 where an input is float64; then it is rounded once to the dtype of the result
#                (torch's CPU conversion to 16 bits passes through float32)
# mypy: allow-untyped-defs, allow-incomplete-defs
from __future__ import annotations

import torch
from torch import Tensor


class _Turn(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, real: Tensor, imaginary: Tensor, layout: str, dtype: torch.dtype) -> Tensor:
        wide = torch.float32
        wide = torch.promote_types(wide, x.dtype)
        wide = torch.promote_types(wide, real.dtype)
        wide = torch.promote_types(wide, imaginary.dtype)
        x_0 = (x.chunk(2, -1)[0] if layout == "half" else x[..., 0::2]).to(wide)
        x_1 = (x.chunk(2, -1)[1] if layout == "half" else x[..., 1::2]).to(wide)
        u_0 = real.to(wide)
        u_1 = imaginary.to(wide)
        channel_0 = u_0 * x_0 - u_1 * x_1
        channel_1 = u_0 * x_1 + u_1 * x_0
        if layout == "half":
            return torch.cat((channel_0.to(dtype), channel_1.to(dtype)), -1)
        return torch.stack((channel_0, channel_1), -1).flatten(-2).to(dtype, copy=True)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, real, imaginary = inputs[:3]
        needs = ctx.needs_input_grad
        ctx.save_for_backward(
            x if needs[1] or needs[2] else x.new_empty(()).expand(x.shape),
            real if needs[0] else real.new_empty(()).expand(real.shape),
            imaginary if needs[0] else imaginary.new_empty(()).expand(imaginary.shape),
        )
        ctx.layout = inputs[-2]

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, real, imaginary = ctx.saved_tensors
        layout = ctx.layout
        results: list[Tensor | None] = [None] * 5
        wide = torch.float32
        wide = torch.promote_types(wide, x.dtype)
        wide = torch.promote_types(wide, real.dtype)
        wide = torch.promote_types(wide, imaginary.dtype)
        wide = torch.promote_types(wide, grad.dtype)
        own = x.chunk(2, -1)[0] if layout == "half" else x[..., 0::2]
        grad_0 = (grad.chunk(2, -1)[0] if layout == "half" else grad[..., 0::2]).to(wide)
        grad_1 = (grad.chunk(2, -1)[1] if layout == "half" else grad[..., 1::2]).to(wide)
        if ctx.needs_input_grad[1] or ctx.needs_input_grad[2]:
            x_0 = own.to(wide)
            x_1 = (x.chunk(2, -1)[1] if layout == "half" else x[..., 1::2]).to(wide)
        if ctx.needs_input_grad[0]:
            u_0 = real.to(wide)
            u_1 = imaginary.to(wide)
            d_x_0 = (grad_0 * u_0 + grad_1 * u_1).sum_to_size(own.shape)
            d_x_1 = (grad_1 * u_0 - grad_0 * u_1).sum_to_size(own.shape)
            if layout == "half":
                results[0] = torch.cat((d_x_0.to(x.dtype), d_x_1.to(x.dtype)), -1)
            else:
                results[0] = torch.stack((d_x_0, d_x_1), -1).flatten(-2).to(x.dtype)
        if ctx.needs_input_grad[1]:
            d_real = grad_0 * x_0 + grad_1 * x_1
            results[1] = d_real.sum_to_size(real.shape).to(real.dtype)
        if ctx.needs_input_grad[2]:
            d_imaginary = grad_1 * x_0 - grad_0 * x_1
            results[2] = d_imaginary.sum_to_size(imaginary.shape).to(imaginary.dtype)
        return tuple(results)


def turn(
    x: Tensor, real: Tensor, imaginary: Tensor, *, layout: str = "half", dtype: torch.dtype | None = None
) -> Tensor:
    """Pairs of channels times complex factors.

    Args:
        x: (*b, 2n) pairs of channels, to be turned.
        real: (*b, n) real parts of the factors.
        imaginary: (*b, n) imaginary parts of the factors.
        layout: "half" for one channel after the other, "interleaved" for the channels of a pair side by side.
        dtype: of the result; by default that of x.

    Returns:
        (*b, 2n), in the layout asked for.

    Raises:
        ValueError: if x, real, imaginary are not floating point, or dtype is not, or layout is unknown.
    """
    if not x.dtype.is_floating_point:
        raise ValueError(f"x: got {x.dtype}, expected a floating-point dtype")
    if not real.dtype.is_floating_point:
        raise ValueError(f"real: got {real.dtype}, expected a floating-point dtype")
    if not imaginary.dtype.is_floating_point:
        raise ValueError(f"imaginary: got {imaginary.dtype}, expected a floating-point dtype")
    if layout not in ("half", "interleaved"):
        raise ValueError(f"layout: got {layout!r}, expected 'half' or 'interleaved'")
    if dtype is None:
        dtype = x.dtype
    elif not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ValueError(f"dtype: got {dtype!r}, expected a floating-point torch.dtype")
    return _Turn.apply(x, real, imaginary, layout, dtype)
