# Sinusoidal positional encoding, sines and cosines in alternating channels.
#
# Generated: do not edit. Change the specification and run
#     mope generate sinusoidal_encoding --backend triton
# This file needs torch and triton alone; it may be copied by itself into another code base.
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
#                is exact (float32 omega, |positions| <= 2**24); then it is rounded once to the dtype of the result (by
#                way of float32 to 16 bits)
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
    positions, omega, out,
    stride_positions_t,
    stride_omega_n,
    stride_out_t, stride_out_n, stride_out_c,
    size_t, size_n, blocks_t, blocks_n,
    WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):
    work = tl.float64 if WIDE else tl.float32
    program = tl.program_id(0).to(tl.int64)
    block_n = program % blocks_n
    block_t = program // blocks_n
    at_t = (block_t * ROWS + tl.arange(0, ROWS))[:, None]
    at_n = (block_n * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    in_t = at_t < size_t
    in_n = at_n < size_n
    inside = in_t & in_n
    at_positions = at_t * stride_positions_t
    at_omega = at_n * stride_omega_n
    at_out = at_t * stride_out_t + at_n * stride_out_n
    b = tl.load(positions + at_positions, mask=in_t, other=0).to(tl.float64)
    omega_ = tl.load(omega + at_omega, mask=in_n, other=0).to(tl.float64)
    theta = b * omega_
    channel_0 = tl.sin(theta)
    channel_1 = tl.cos(theta)
    tl.store(out + at_out, channel_0.to(work).to(out.dtype.element_ty), mask=inside)
    tl.store(out + at_out + stride_out_c, channel_1.to(work).to(out.dtype.element_ty), mask=inside)


@triton.jit
def _backward_kernel(
    incoming, positions, omega, gradient_positions, gradient_omega,
    stride_incoming_t, stride_incoming_n, stride_incoming_c,
    stride_positions_t,
    stride_omega_n,
    size_t, size_n, blocks_t, blocks_n,
    NEEDS_POSITIONS: tl.constexpr, NEEDS_OMEGA: tl.constexpr, WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):
    work = tl.float64 if WIDE else tl.float32
    program = tl.program_id(0).to(tl.int64)
    block_n = program % blocks_n
    block_t = program // blocks_n
    at_t = (block_t * ROWS + tl.arange(0, ROWS))[:, None]
    at_n = (block_n * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    in_t = at_t < size_t
    in_n = at_n < size_n
    inside = in_t & in_n
    at_positions = at_t * stride_positions_t
    at_omega = at_n * stride_omega_n
    at_incoming = at_t * stride_incoming_t + at_n * stride_incoming_n
    b = tl.load(positions + at_positions, mask=in_t, other=0).to(tl.float64)
    omega_ = tl.load(omega + at_omega, mask=in_n, other=0).to(tl.float64)
    grad_0 = tl.load(incoming + at_incoming, mask=inside, other=0).to(work)
    grad_1 = tl.load(incoming + at_incoming + stride_incoming_c, mask=inside, other=0).to(work)
    theta = b * omega_
    work_cos = tl.cos(theta).to(work)
    work_sin = tl.sin(theta).to(work)
    grad_theta = work_cos * grad_0 - work_sin * grad_1
    wide_grad_theta = grad_theta.to(tl.float64)
    if NEEDS_POSITIONS:
        d_positions = wide_grad_theta * omega_
        sum_positions = tl.where(inside, d_positions.to(tl.float64), 0.0)
    if NEEDS_OMEGA:
        d_omega = wide_grad_theta * b
        sum_omega = tl.where(inside, d_omega.to(tl.float64), 0.0)
    if NEEDS_POSITIONS:
        tl.store(gradient_positions + at_t * blocks_n + block_n, tl.sum(sum_positions, axis=1, keep_dims=True), mask=in_t)
    if NEEDS_OMEGA:
        tl.store(gradient_omega + block_t * size_n + at_n, tl.sum(sum_omega, axis=0, keep_dims=True), mask=in_n)


def _sizes(positions: Tensor, omega: Tensor) -> list[int]:
    """The size of each axis, t, n; an input may have size 1 in it instead."""
    return list(torch.broadcast_shapes(
        (positions.shape[0], 1),
        (1, omega.shape[0]),
    ))


def _interleaved(x: Tensor) -> Tensor:
    """The channels in an axis of their own, the last."""
    return x.unflatten(-1, (x.shape[-1] // 2, 2))


def _result(gradient: Tensor, x: Tensor, shape: tuple[int, ...], needed: bool) -> Tensor:
    """The gradient of x from its parts, added up and rounded once; empty if it is not needed."""
    return gradient.sum_to_size(shape).reshape(x.shape).to(x.dtype) if needed else x.new_empty(0)


# A kernel that Triton interprets runs at once, where a tracer cannot follow it.
_operator = triton_op if isinstance(_forward_kernel, triton.JITFunction) else custom_op
# A name that is registered again loses its first operator. So each load of this file, edited or not, takes names that are free.
_load = next(n for n in count() if not hasattr(torch.ops.mope, f"sinusoidal_encoding_eb6a08441c84_{n}"))


@_operator(f"mope::sinusoidal_encoding_eb6a08441c84_{_load}", mutates_args=())
def _forward(positions: Tensor, omega: Tensor, dtype: torch.dtype) -> Tensor:
    size_t, size_n = _sizes(positions, omega)
    columns = 16 if size_n <= 16 else 32 if size_n <= 32 else COLUMNS
    blocks_t, blocks_n = triton.cdiv(size_t, ROWS), triton.cdiv(size_n, columns)
    programs = blocks_t * blocks_n
    wide = dtype == torch.float64
    out = positions.new_empty((size_t, 2 * size_n), dtype=torch.float64 if wide else dtype)
    if programs > 0:
        wrap_triton(_forward_kernel)[(programs,)](
            positions, omega, out,
            *positions.expand(size_t).stride(),
            *omega.expand(size_n).stride(),
            *_interleaved(out).stride(),
            size_t, size_n, blocks_t, blocks_n,
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return out.to(dtype)


@_forward.register_fake
def _forward_fake(positions: Tensor, omega: Tensor, dtype: torch.dtype) -> Tensor:
    size_t, size_n = _sizes(positions, omega)
    return positions.new_empty((size_t, 2 * size_n), dtype=dtype)


@_operator(f"mope::sinusoidal_encoding_backward_eb6a08441c84_{_load}", mutates_args=())
def _backward(incoming: Tensor, positions: Tensor, omega: Tensor, needs: list[bool]) -> tuple[Tensor, Tensor]:
    size_t, size_n = _sizes(positions, omega)
    columns = 16 if size_n <= 16 else 32 if size_n <= 32 else COLUMNS
    blocks_t, blocks_n = triton.cdiv(size_t, ROWS), triton.cdiv(size_n, columns)
    programs = blocks_t * blocks_n
    wide = incoming.dtype == torch.float64
    gradient_positions = positions.new_empty((size_t if needs[0] else 0, blocks_n), dtype=torch.float64)
    gradient_omega = positions.new_empty((blocks_t if needs[1] else 0, size_n), dtype=torch.float64)
    if programs > 0:
        wrap_triton(_backward_kernel)[(programs,)](
            incoming, positions, omega, gradient_positions, gradient_omega,
            *_interleaved(incoming).stride(),
            *positions.expand(size_t).stride(),
            *omega.expand(size_n).stride(),
            size_t, size_n, blocks_t, blocks_n,
            NEEDS_POSITIONS=needs[0], NEEDS_OMEGA=needs[1],
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return (
        _result(gradient_positions, positions, (positions.shape[0], 1), needs[0]),
        _result(gradient_omega, omega, (1, omega.shape[0]), needs[1]),
    )


@_backward.register_fake
def _backward_fake(incoming: Tensor, positions: Tensor, omega: Tensor, needs: list[bool]) -> tuple[Tensor, Tensor]:
    return (
        positions.new_empty(positions.shape if needs[0] else 0),
        omega.new_empty(omega.shape if needs[1] else 0),
    )


class _SinusoidalEncoding(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(positions: Tensor, omega: Tensor, dtype: torch.dtype) -> Tensor:
        return _forward(positions, omega, dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs[:2])

    @staticmethod
    def backward(ctx, incoming: Tensor) -> tuple[Tensor | None, ...]:
        needs = list(ctx.needs_input_grad[:2])
        found = _SinusoidalEncodingGradients.apply(incoming, *ctx.saved_tensors, needs)
        return (*(x if needed else None for x, needed in zip(found, needs, strict=True)), None)


class _SinusoidalEncodingGradients(torch.autograd.Function):
    """The gradients, which are not differentiated again."""

    generate_vmap_rule = True

    @staticmethod
    def forward(incoming: Tensor, positions: Tensor, omega: Tensor, needs: list[bool]) -> tuple[Tensor, Tensor]:
        return _backward(incoming, positions, omega, needs)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        pass

    @staticmethod
    def backward(ctx, *gradients: Tensor) -> tuple[None, ...]:
        raise RuntimeError("sinusoidal_encoding: the Triton kernel has no second derivative; that of the torch backend has")


_forward.register_autograd(_SinusoidalEncoding.backward, setup_context=_SinusoidalEncoding.setup_context)
_backward.register_autograd(_SinusoidalEncodingGradients.backward)


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
    lead = positions.shape
    out = _SinusoidalEncoding.apply(_flattened(positions, lead, 0), _padded(omega, 1), dtype)
    return out.reshape(lead + out.shape[1:])
