# Pairs of channels times complex factors.
#
# Generated: do not edit. Change the specification and run
#     mope generate turn --backend triton
# This file needs torch and triton alone; it may be copied by itself into another code base.
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
#                (by way of float32 to 16 bits). That is where data are float64; otherwise data are multiplied by
#                coefficients in float32, which adds at most 2 * 2**-24 of the sum of the magnitudes of the two terms
# mypy: allow-untyped-defs, allow-incomplete-defs
from __future__ import annotations

from itertools import count

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.library import custom_op, triton_op, wrap_triton

ROWS, COLUMNS = 16, 64


@triton.jit
def _forward_kernel(
    x, real, imaginary, out,
    stride_x_b, stride_x_n, stride_x_c,
    stride_real_b, stride_real_n,
    stride_imaginary_b, stride_imaginary_n,
    stride_out_b, stride_out_n, stride_out_c,
    size_b, size_n, blocks_b, blocks_n,
    WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):
    work = tl.float64 if WIDE else tl.float32
    program = tl.program_id(0).to(tl.int64)
    block_n = program % blocks_n
    block_b = program // blocks_n
    at_b = (block_b * ROWS + tl.arange(0, ROWS))[:, None]
    at_n = (block_n * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    in_b = at_b < size_b
    in_n = at_n < size_n
    inside = in_b & in_n
    at_real = at_b * stride_real_b + at_n * stride_real_n
    at_imaginary = at_b * stride_imaginary_b + at_n * stride_imaginary_n
    at_x = at_b * stride_x_b + at_n * stride_x_n
    at_out = at_b * stride_out_b + at_n * stride_out_n
    x_0 = tl.load(x + at_x, mask=inside, other=0).to(work)
    x_1 = tl.load(x + at_x + stride_x_c, mask=inside, other=0).to(work)
    u_0 = tl.load(real + at_real, mask=inside, other=0).to(work)
    u_1 = tl.load(imaginary + at_imaginary, mask=inside, other=0).to(work)
    channel_0 = u_0 * x_0 - u_1 * x_1
    channel_1 = u_0 * x_1 + u_1 * x_0
    tl.store(out + at_out, channel_0.to(work).to(out.dtype.element_ty), mask=inside)
    tl.store(out + at_out + stride_out_c, channel_1.to(work).to(out.dtype.element_ty), mask=inside)


@triton.jit
def _backward_kernel(
    incoming, x, real, imaginary, gradient_x, gradient_real, gradient_imaginary,
    stride_incoming_b, stride_incoming_n, stride_incoming_c,
    stride_x_b, stride_x_n, stride_x_c,
    stride_real_b, stride_real_n,
    stride_imaginary_b, stride_imaginary_n,
    stride_gradient_x_b, stride_gradient_x_n, stride_gradient_x_c,
    size_b, size_n, blocks_b, blocks_n,
    NEEDS_X: tl.constexpr, NEEDS_REAL: tl.constexpr, NEEDS_IMAGINARY: tl.constexpr, WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):
    work = tl.float64 if WIDE else tl.float32
    program = tl.program_id(0).to(tl.int64)
    block_n = program % blocks_n
    block_b = program // blocks_n
    at_b = (block_b * ROWS + tl.arange(0, ROWS))[:, None]
    at_n = (block_n * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    in_b = at_b < size_b
    in_n = at_n < size_n
    inside = in_b & in_n
    at_real = at_b * stride_real_b + at_n * stride_real_n
    at_imaginary = at_b * stride_imaginary_b + at_n * stride_imaginary_n
    at_incoming = at_b * stride_incoming_b + at_n * stride_incoming_n
    at_x = at_b * stride_x_b + at_n * stride_x_n
    grad_0 = tl.load(incoming + at_incoming, mask=inside, other=0).to(work)
    grad_1 = tl.load(incoming + at_incoming + stride_incoming_c, mask=inside, other=0).to(work)
    if NEEDS_REAL or NEEDS_IMAGINARY:
        x_0 = tl.load(x + at_x, mask=inside, other=0).to(work)
        x_1 = tl.load(x + at_x + stride_x_c, mask=inside, other=0).to(work)
    if NEEDS_X:
        u_0 = tl.load(real + at_real, mask=inside, other=0).to(work)
        u_1 = tl.load(imaginary + at_imaginary, mask=inside, other=0).to(work)
        d_x_0 = grad_0 * u_0 + grad_1 * u_1
        d_x_1 = grad_1 * u_0 - grad_0 * u_1
        at_gradient_x = at_b * stride_gradient_x_b + at_n * stride_gradient_x_n
        tl.store(gradient_x + at_gradient_x, d_x_0.to(work).to(gradient_x.dtype.element_ty), mask=inside)
        tl.store(gradient_x + at_gradient_x + stride_gradient_x_c, d_x_1.to(work).to(gradient_x.dtype.element_ty), mask=inside)
    if NEEDS_REAL:
        d_real = grad_0 * x_0 + grad_1 * x_1
        sum_real = tl.where(inside, d_real.to(tl.float64), 0.0)
    if NEEDS_IMAGINARY:
        d_imaginary = grad_1 * x_0 - grad_0 * x_1
        sum_imaginary = tl.where(inside, d_imaginary.to(tl.float64), 0.0)
    if NEEDS_REAL:
        tl.store(gradient_real + at_b * size_n + at_n, sum_real, mask=inside)
    if NEEDS_IMAGINARY:
        tl.store(gradient_imaginary + at_b * size_n + at_n, sum_imaginary, mask=inside)


def _sizes(x: Tensor, real: Tensor, imaginary: Tensor) -> list[int]:
    """The size of each axis, b, n; an input may have size 1 in it instead."""
    return list(torch.broadcast_shapes(
        (x.shape[0], x.shape[1] // 2),
        (real.shape[0], real.shape[1]),
        (imaginary.shape[0], imaginary.shape[1]),
    ))


def _chosen(x: Tensor, layout: str) -> Tensor:
    """The channels in an axis of their own, the last."""
    return x.unflatten(-1, (2, x.shape[-1] // 2)).transpose(-1, -2) if layout == "half" else x.unflatten(-1, (x.shape[-1] // 2, 2))


def _result(gradient: Tensor, x: Tensor, shape: tuple[int, ...], needed: bool) -> Tensor:
    """The gradient of x from its parts, added up and rounded once; empty if it is not needed."""
    return gradient.sum_to_size(shape).reshape(x.shape).to(x.dtype) if needed else x.new_empty(0)


# A kernel that Triton interprets runs at once, where a tracer cannot follow it.
_operator = triton_op if isinstance(_forward_kernel, triton.JITFunction) else custom_op
# A name that is registered again loses its first operator. So each load of this file, edited or not, takes names that are free.
_load = next(n for n in count() if not hasattr(torch.ops.mope, f"turn_c495964dfc2d_{n}"))


@_operator(f"mope::turn_c495964dfc2d_{_load}", mutates_args=())
def _forward(x: Tensor, real: Tensor, imaginary: Tensor, layout: str, dtype: torch.dtype) -> Tensor:
    size_b, size_n = _sizes(x, real, imaginary)
    columns = 16 if size_n <= 16 else 32 if size_n <= 32 else COLUMNS
    blocks_b, blocks_n = triton.cdiv(size_b, ROWS), triton.cdiv(size_n, columns)
    programs = blocks_b * blocks_n
    wide = torch.float64 in (x.dtype, real.dtype, imaginary.dtype, dtype)
    out = x.new_empty((size_b, 2 * size_n), dtype=torch.float64 if wide else dtype)
    if programs > 0:
        wrap_triton(_forward_kernel)[(programs,)](
            x, real, imaginary, out,
            *_chosen(x, layout).expand(size_b, size_n, 2).stride(),
            *real.expand(size_b, size_n).stride(),
            *imaginary.expand(size_b, size_n).stride(),
            *_chosen(out, layout).stride(),
            size_b, size_n, blocks_b, blocks_n,
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return out.to(dtype)


@_forward.register_fake
def _forward_fake(x: Tensor, real: Tensor, imaginary: Tensor, layout: str, dtype: torch.dtype) -> Tensor:
    size_b, size_n = _sizes(x, real, imaginary)
    return x.new_empty((size_b, 2 * size_n), dtype=dtype)


@_operator(f"mope::turn_backward_c495964dfc2d_{_load}", mutates_args=())
def _backward(
    incoming: Tensor, x: Tensor, real: Tensor, imaginary: Tensor, layout: str, needs: list[bool]
) -> tuple[Tensor, Tensor, Tensor]:
    size_b, size_n = _sizes(x, real, imaginary)
    columns = 16 if size_n <= 16 else 32 if size_n <= 32 else COLUMNS
    blocks_b, blocks_n = triton.cdiv(size_b, ROWS), triton.cdiv(size_n, columns)
    programs = blocks_b * blocks_n
    wide = torch.float64 in (x.dtype, real.dtype, imaginary.dtype, incoming.dtype)
    shape = (size_b, 2 * size_n)
    gradient_x = x.new_empty((size_b if needs[0] else 0, 2 * size_n), dtype=torch.float64 if wide or x.shape != shape else x.dtype)
    gradient_real = x.new_empty((size_b if needs[1] else 0, size_n), dtype=torch.float64)
    gradient_imaginary = x.new_empty((size_b if needs[2] else 0, size_n), dtype=torch.float64)
    if programs > 0:
        wrap_triton(_backward_kernel)[(programs,)](
            incoming, x, real, imaginary, gradient_x, gradient_real, gradient_imaginary,
            *_chosen(incoming, layout).stride(),
            *_chosen(x, layout).expand(size_b, size_n, 2).stride(),
            *real.expand(size_b, size_n).stride(),
            *imaginary.expand(size_b, size_n).stride(),
            *_chosen(gradient_x, layout).stride(),
            size_b, size_n, blocks_b, blocks_n,
            NEEDS_X=needs[0], NEEDS_REAL=needs[1], NEEDS_IMAGINARY=needs[2],
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return (
        _result(gradient_x, x, (x.shape[0], x.shape[1]), needs[0]),
        _result(gradient_real, real, (real.shape[0], real.shape[1]), needs[1]),
        _result(gradient_imaginary, imaginary, (imaginary.shape[0], imaginary.shape[1]), needs[2]),
    )


@_backward.register_fake
def _backward_fake(
    incoming: Tensor, x: Tensor, real: Tensor, imaginary: Tensor, layout: str, needs: list[bool]
) -> tuple[Tensor, Tensor, Tensor]:
    return (
        x.new_empty(x.shape if needs[0] else 0),
        real.new_empty(real.shape if needs[1] else 0),
        imaginary.new_empty(imaginary.shape if needs[2] else 0),
    )


class _Turn(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, real: Tensor, imaginary: Tensor, layout: str, dtype: torch.dtype) -> Tensor:
        return _forward(x, real, imaginary, layout, dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, real, imaginary = inputs[:3]
        needs = ctx.needs_input_grad
        ctx.save_for_backward(
            x if needs[1] or needs[2] else x.new_empty(()).expand(x.shape),
            real if needs[0] else real.new_empty(()).expand(real.shape),
            imaginary if needs[0] else imaginary.new_empty(()).expand(imaginary.shape),
        )
        ctx.layout = inputs[3]

    @staticmethod
    def backward(ctx, incoming: Tensor) -> tuple[Tensor | None, ...]:
        needs = list(ctx.needs_input_grad[:3])
        found = _TurnGradients.apply(incoming, *ctx.saved_tensors, ctx.layout, needs)
        return (*(x if needed else None for x, needed in zip(found, needs, strict=True)), None, None)


class _TurnGradients(torch.autograd.Function):
    """The gradients, which are not differentiated again."""

    generate_vmap_rule = True

    @staticmethod
    def forward(
        incoming: Tensor, x: Tensor, real: Tensor, imaginary: Tensor, layout: str, needs: list[bool]
    ) -> tuple[Tensor, Tensor, Tensor]:
        return _backward(incoming, x, real, imaginary, layout, needs)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        pass

    @staticmethod
    def backward(ctx, *gradients: Tensor) -> tuple[None, ...]:
        raise RuntimeError("turn: the Triton kernel has no second derivative; that of the torch backend has")


_forward.register_autograd(_Turn.backward, setup_context=_Turn.setup_context)
_backward.register_autograd(_TurnGradients.backward)


def _padded(x: Tensor, axes: int) -> Tensor:
    """x with as many axes; those that it lacks are in front, of size 1."""
    return x.reshape((1,) * (axes - x.dim()) + x.shape)


def _flattened(x: Tensor, lead: torch.Size, axes: int) -> Tensor:
    """x with its axes before the last ones as a single one, spread to `lead` unless they are of size 1."""
    x = _padded(x, axes)
    own, last = x.shape[: x.dim() - axes], x.shape[x.dim() - axes :]
    if all(size == 1 for size in own):
        return x.reshape((1, *last))
    return x.expand(lead + last).flatten(0, len(lead) - 1)


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
    lead = torch.broadcast_shapes(x.shape[:-1], real.shape[:-1], imaginary.shape[:-1])
    out = _Turn.apply(
        _flattened(x, lead, 1), _flattened(real, lead, 1), _flattened(imaginary, lead, 1), layout, dtype
    )
    return out.reshape(lead + out.shape[1:])
