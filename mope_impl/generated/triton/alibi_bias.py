# Linear bias of ALiBi, one slope for each head.
#
# Generated: do not edit. Change the specification and run
#     mope generate alibi_bias --backend triton
# This file needs torch and triton alone; it may be copied by itself into another code base.
# It checks dtypes and no more: whatever shapes broadcast are taken, and whatever values. In mope the shapes, values and
# devices are validated by mope_impl/functional.
#
# Specification  alibi_bias
# Claim          limit.alibi
# Formula hash   1c22ba76de611bd88991f7e1c870b68eb0c366907d2b0cc509cb709a17ad98e2
# Symbols        d = distance, m_h = slope
# Channel 0      -m_h*Abs(d)
# Accuracy       to first order a channel is off by at most |slope*d| * 2**-53, 0 if the product is exact (float32
#                slope, |distance| <= 2**24); then it is rounded once to the dtype of the result (by way of float32 to
#                16 bits)
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
    distance, slope, out,
    stride_distance_b, stride_distance_q, stride_distance_k,
    stride_slope_h,
    stride_out_b, stride_out_h, stride_out_q, stride_out_k,
    size_h, size_q, size_k, blocks_q, blocks_k,
    WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):
    work = tl.float64 if WIDE else tl.float32
    program = tl.program_id(0).to(tl.int64)
    block_k = program % blocks_k
    block_q = program // blocks_k % blocks_q
    at_h = program // blocks_k // blocks_q % size_h
    at_b = program // blocks_k // blocks_q // size_h
    at_q = (block_q * ROWS + tl.arange(0, ROWS))[:, None]
    at_k = (block_k * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    in_q = at_q < size_q
    in_k = at_k < size_k
    inside = in_q & in_k
    at_distance = at_b * stride_distance_b + at_q * stride_distance_q + at_k * stride_distance_k
    at_slope = at_h * stride_slope_h
    at_out = at_b * stride_out_b + at_h * stride_out_h + at_q * stride_out_q + at_k * stride_out_k
    d = tl.load(distance + at_distance, mask=inside, other=0).to(tl.float64)
    m_h = tl.load(slope + at_slope).to(tl.float64)
    channel_0 = -(tl.abs(d) * m_h)
    tl.store(out + at_out, channel_0.to(work).to(out.dtype.element_ty), mask=inside)


@triton.jit
def _backward_kernel(
    incoming, distance, slope, gradient_distance, gradient_slope,
    stride_incoming_b, stride_incoming_h, stride_incoming_q, stride_incoming_k,
    stride_distance_b, stride_distance_q, stride_distance_k,
    stride_slope_h,
    size_h, size_q, size_k, blocks_q, blocks_k,
    NEEDS_DISTANCE: tl.constexpr, NEEDS_SLOPE: tl.constexpr, WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):
    work = tl.float64 if WIDE else tl.float32
    program = tl.program_id(0).to(tl.int64)
    block_k = program % blocks_k
    block_q = program // blocks_k % blocks_q
    at_h = program // blocks_k // blocks_q % size_h
    at_b = program // blocks_k // blocks_q // size_h
    at_q = (block_q * ROWS + tl.arange(0, ROWS))[:, None]
    at_k = (block_k * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    in_q = at_q < size_q
    in_k = at_k < size_k
    inside = in_q & in_k
    at_distance = at_b * stride_distance_b + at_q * stride_distance_q + at_k * stride_distance_k
    at_slope = at_h * stride_slope_h
    at_incoming = at_b * stride_incoming_b + at_h * stride_incoming_h + at_q * stride_incoming_q + at_k * stride_incoming_k
    d = tl.load(distance + at_distance, mask=inside, other=0).to(tl.float64)
    grad_0 = tl.load(incoming + at_incoming, mask=inside, other=0).to(work)
    wide_grad_0 = grad_0.to(tl.float64)
    if NEEDS_DISTANCE:
        m_h = tl.load(slope + at_slope).to(tl.float64)
        d_distance = -(tl.where(d > 0.0, 1.0, tl.where(d < 0.0, -1.0, 0.0)) * wide_grad_0 * m_h)
        sum_distance = tl.where(inside, d_distance.to(tl.float64), 0.0)
    if NEEDS_SLOPE:
        d_slope = -(tl.abs(d) * wide_grad_0)
        sum_slope = tl.where(inside, d_slope.to(tl.float64), 0.0)
    if NEEDS_DISTANCE:
        tl.store(gradient_distance + ((at_b * size_h + at_h) * size_q + at_q) * size_k + at_k, sum_distance, mask=inside)
    if NEEDS_SLOPE:
        tl.store(gradient_slope + ((at_b * size_h + at_h) * blocks_q + block_q) * blocks_k + block_k, tl.sum(tl.sum(sum_slope, axis=1), axis=0))


def _sizes(distance: Tensor, slope: Tensor) -> list[int]:
    """The size of each axis, b, h, q, k; an input may have size 1 in it instead."""
    return list(torch.broadcast_shapes(
        (distance.shape[0], 1, distance.shape[1], distance.shape[2]),
        (1, slope.shape[0], 1, 1),
    ))


def _result(gradient: Tensor, x: Tensor, shape: tuple[int, ...], needed: bool) -> Tensor:
    """The gradient of x from its parts, added up and rounded once; empty if it is not needed."""
    return gradient.sum_to_size(shape).reshape(x.shape).to(x.dtype) if needed else x.new_empty(0)


# A kernel that Triton interprets runs at once, where a tracer cannot follow it.
_operator = triton_op if isinstance(_forward_kernel, triton.JITFunction) else custom_op
# A name that is registered again loses its first operator. So each load of this file, edited or not, takes names that are free.
_load = next(n for n in count() if not hasattr(torch.ops.mope, f"alibi_bias_da3b10c20eda_{n}"))


@_operator(f"mope::alibi_bias_da3b10c20eda_{_load}", mutates_args=())
def _forward(distance: Tensor, slope: Tensor, dtype: torch.dtype) -> Tensor:
    size_b, size_h, size_q, size_k = _sizes(distance, slope)
    columns = 16 if size_k <= 16 else 32 if size_k <= 32 else COLUMNS
    blocks_q, blocks_k = triton.cdiv(size_q, ROWS), triton.cdiv(size_k, columns)
    programs = size_b * size_h * blocks_q * blocks_k
    wide = dtype == torch.float64
    out = distance.new_empty((size_b, size_h, size_q, size_k), dtype=torch.float64 if wide else dtype)
    if programs > 0:
        wrap_triton(_forward_kernel)[(programs,)](
            distance, slope, out,
            *distance.expand(size_b, size_q, size_k).stride(),
            *slope.expand(size_h).stride(),
            *out.stride(),
            size_h, size_q, size_k, blocks_q, blocks_k,
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return out.to(dtype)


@_forward.register_fake
def _forward_fake(distance: Tensor, slope: Tensor, dtype: torch.dtype) -> Tensor:
    size_b, size_h, size_q, size_k = _sizes(distance, slope)
    return distance.new_empty((size_b, size_h, size_q, size_k), dtype=dtype)


@_operator(f"mope::alibi_bias_backward_da3b10c20eda_{_load}", mutates_args=())
def _backward(incoming: Tensor, distance: Tensor, slope: Tensor, needs: list[bool]) -> tuple[Tensor, Tensor]:
    size_b, size_h, size_q, size_k = _sizes(distance, slope)
    columns = 16 if size_k <= 16 else 32 if size_k <= 32 else COLUMNS
    blocks_q, blocks_k = triton.cdiv(size_q, ROWS), triton.cdiv(size_k, columns)
    programs = size_b * size_h * blocks_q * blocks_k
    wide = incoming.dtype == torch.float64
    gradient_distance = distance.new_empty((size_b if needs[0] else 0, size_h, size_q, size_k), dtype=torch.float64)
    gradient_slope = distance.new_empty((size_b if needs[1] else 0, size_h, blocks_q, blocks_k), dtype=torch.float64)
    if programs > 0:
        wrap_triton(_backward_kernel)[(programs,)](
            incoming, distance, slope, gradient_distance, gradient_slope,
            *incoming.stride(),
            *distance.expand(size_b, size_q, size_k).stride(),
            *slope.expand(size_h).stride(),
            size_h, size_q, size_k, blocks_q, blocks_k,
            NEEDS_DISTANCE=needs[0], NEEDS_SLOPE=needs[1],
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return (
        _result(gradient_distance, distance, (distance.shape[0], 1, distance.shape[1], distance.shape[2]), needs[0]),
        _result(gradient_slope, slope, (1, slope.shape[0], 1, 1), needs[1]),
    )


@_backward.register_fake
def _backward_fake(incoming: Tensor, distance: Tensor, slope: Tensor, needs: list[bool]) -> tuple[Tensor, Tensor]:
    return (
        distance.new_empty(distance.shape if needs[0] else 0),
        slope.new_empty(slope.shape if needs[1] else 0),
    )


class _AlibiBias(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(distance: Tensor, slope: Tensor, dtype: torch.dtype) -> Tensor:
        return _forward(distance, slope, dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        distance, slope = inputs[:2]
        needs = ctx.needs_input_grad
        ctx.save_for_backward(
            distance,
            slope if needs[0] else slope.new_empty(()).expand(slope.shape),
        )

    @staticmethod
    def backward(ctx, incoming: Tensor) -> tuple[Tensor | None, ...]:
        needs = list(ctx.needs_input_grad[:2])
        found = _AlibiBiasGradients.apply(incoming, *ctx.saved_tensors, needs)
        return (*(x if needed else None for x, needed in zip(found, needs, strict=True)), None)


class _AlibiBiasGradients(torch.autograd.Function):
    """The gradients, which are not differentiated again."""

    generate_vmap_rule = True

    @staticmethod
    def forward(incoming: Tensor, distance: Tensor, slope: Tensor, needs: list[bool]) -> tuple[Tensor, Tensor]:
        return _backward(incoming, distance, slope, needs)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        pass

    @staticmethod
    def backward(ctx, *gradients: Tensor) -> tuple[None, ...]:
        raise RuntimeError("alibi_bias: the Triton kernel has no second derivative; that of the torch backend has")


_forward.register_autograd(_AlibiBias.backward, setup_context=_AlibiBias.setup_context)
_backward.register_autograd(_AlibiBiasGradients.backward)


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
    lead = distance.shape[:-2]
    out = _AlibiBias.apply(_flattened(distance, lead, 2), _padded(slope, 1), dtype)
    return out.reshape(lead + out.shape[1:])
