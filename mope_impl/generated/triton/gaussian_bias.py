# Gaussian bias, the logarithm of the envelope of the relative kernel, one width for each head.
#
# Generated: do not edit. Change the specification and run
#     mope generate gaussian_bias --backend triton
# This file needs torch and triton alone; it may be copied by itself into another code base.
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
#                the dtype of the result (by way of float32 to 16 bits)
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
    distance, sigma, out,
    stride_distance_b, stride_distance_q, stride_distance_k,
    stride_sigma_h,
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
    at_sigma = at_h * stride_sigma_h
    at_out = at_b * stride_out_b + at_h * stride_out_h + at_q * stride_out_q + at_k * stride_out_k
    d = tl.load(distance + at_distance, mask=inside, other=0).to(tl.float64)
    sigma_ = tl.load(sigma + at_sigma).to(tl.float64)
    positive_sigma = tl.where(sigma_ > 0.0, sigma_, float("nan"))
    z = d / positive_sigma
    channel_0 = -0.25 * (z * z)
    tl.store(out + at_out, channel_0.to(work).to(out.dtype.element_ty), mask=inside)


@triton.jit
def _backward_kernel(
    incoming, distance, sigma, gradient_distance, gradient_sigma,
    stride_incoming_b, stride_incoming_h, stride_incoming_q, stride_incoming_k,
    stride_distance_b, stride_distance_q, stride_distance_k,
    stride_sigma_h,
    size_h, size_q, size_k, blocks_q, blocks_k,
    NEEDS_DISTANCE: tl.constexpr, NEEDS_SIGMA: tl.constexpr, WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
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
    at_sigma = at_h * stride_sigma_h
    at_incoming = at_b * stride_incoming_b + at_h * stride_incoming_h + at_q * stride_incoming_q + at_k * stride_incoming_k
    d = tl.load(distance + at_distance, mask=inside, other=0).to(tl.float64)
    sigma_ = tl.load(sigma + at_sigma).to(tl.float64)
    grad_0 = tl.load(incoming + at_incoming, mask=inside, other=0).to(work)
    wide_grad_0 = grad_0.to(tl.float64)
    positive_sigma = tl.where(sigma_ > 0.0, sigma_, float("nan"))
    z = d / positive_sigma
    grad_z = -0.5 * (wide_grad_0 * z)
    if NEEDS_DISTANCE:
        d_distance = grad_z / positive_sigma
        sum_distance = tl.where(inside, d_distance.to(tl.float64), 0.0)
    if NEEDS_SIGMA:
        d_sigma = -(grad_z * z / positive_sigma)
        sum_sigma = tl.where(inside, d_sigma.to(tl.float64), 0.0)
    if NEEDS_DISTANCE:
        tl.store(gradient_distance + ((at_b * size_h + at_h) * size_q + at_q) * size_k + at_k, sum_distance, mask=inside)
    if NEEDS_SIGMA:
        tl.store(gradient_sigma + ((at_b * size_h + at_h) * blocks_q + block_q) * blocks_k + block_k, tl.sum(tl.sum(sum_sigma, axis=1), axis=0))


def _sizes(distance: Tensor, sigma: Tensor) -> list[int]:
    """The size of each axis, b, h, q, k; an input may have size 1 in it instead."""
    return list(torch.broadcast_shapes(
        (distance.shape[0], 1, distance.shape[1], distance.shape[2]),
        (1, sigma.shape[0], 1, 1),
    ))


def _result(gradient: Tensor, x: Tensor, shape: tuple[int, ...], needed: bool) -> Tensor:
    """The gradient of x from its parts, added up and rounded once; empty if it is not needed."""
    return gradient.sum_to_size(shape).reshape(x.shape).to(x.dtype) if needed else x.new_empty(0)


# A kernel that Triton interprets runs at once, where a tracer cannot follow it.
_operator = triton_op if isinstance(_forward_kernel, triton.JITFunction) else custom_op
# A name that is registered again loses its first operator. So each load of this file, edited or not, takes names that are free.
_load = next(n for n in count() if not hasattr(torch.ops.mope, f"gaussian_bias_8f3f0824550e_{n}"))


@_operator(f"mope::gaussian_bias_8f3f0824550e_{_load}", mutates_args=())
def _forward(distance: Tensor, sigma: Tensor, dtype: torch.dtype) -> Tensor:
    size_b, size_h, size_q, size_k = _sizes(distance, sigma)
    columns = 16 if size_k <= 16 else 32 if size_k <= 32 else COLUMNS
    blocks_q, blocks_k = triton.cdiv(size_q, ROWS), triton.cdiv(size_k, columns)
    programs = size_b * size_h * blocks_q * blocks_k
    wide = dtype == torch.float64
    out = distance.new_empty((size_b, size_h, size_q, size_k), dtype=torch.float64 if wide else dtype)
    if programs > 0:
        wrap_triton(_forward_kernel)[(programs,)](
            distance, sigma, out,
            *distance.expand(size_b, size_q, size_k).stride(),
            *sigma.expand(size_h).stride(),
            *out.stride(),
            size_h, size_q, size_k, blocks_q, blocks_k,
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return out.to(dtype)


@_forward.register_fake
def _forward_fake(distance: Tensor, sigma: Tensor, dtype: torch.dtype) -> Tensor:
    size_b, size_h, size_q, size_k = _sizes(distance, sigma)
    return distance.new_empty((size_b, size_h, size_q, size_k), dtype=dtype)


@_operator(f"mope::gaussian_bias_backward_8f3f0824550e_{_load}", mutates_args=())
def _backward(incoming: Tensor, distance: Tensor, sigma: Tensor, needs: list[bool]) -> tuple[Tensor, Tensor]:
    size_b, size_h, size_q, size_k = _sizes(distance, sigma)
    columns = 16 if size_k <= 16 else 32 if size_k <= 32 else COLUMNS
    blocks_q, blocks_k = triton.cdiv(size_q, ROWS), triton.cdiv(size_k, columns)
    programs = size_b * size_h * blocks_q * blocks_k
    wide = incoming.dtype == torch.float64
    gradient_distance = distance.new_empty((size_b if needs[0] else 0, size_h, size_q, size_k), dtype=torch.float64)
    gradient_sigma = distance.new_empty((size_b if needs[1] else 0, size_h, blocks_q, blocks_k), dtype=torch.float64)
    if programs > 0:
        wrap_triton(_backward_kernel)[(programs,)](
            incoming, distance, sigma, gradient_distance, gradient_sigma,
            *incoming.stride(),
            *distance.expand(size_b, size_q, size_k).stride(),
            *sigma.expand(size_h).stride(),
            size_h, size_q, size_k, blocks_q, blocks_k,
            NEEDS_DISTANCE=needs[0], NEEDS_SIGMA=needs[1],
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return (
        _result(gradient_distance, distance, (distance.shape[0], 1, distance.shape[1], distance.shape[2]), needs[0]),
        _result(gradient_sigma, sigma, (1, sigma.shape[0], 1, 1), needs[1]),
    )


@_backward.register_fake
def _backward_fake(incoming: Tensor, distance: Tensor, sigma: Tensor, needs: list[bool]) -> tuple[Tensor, Tensor]:
    return (
        distance.new_empty(distance.shape if needs[0] else 0),
        sigma.new_empty(sigma.shape if needs[1] else 0),
    )


class _GaussianBias(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(distance: Tensor, sigma: Tensor, dtype: torch.dtype) -> Tensor:
        return _forward(distance, sigma, dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs[:2])

    @staticmethod
    def backward(ctx, incoming: Tensor) -> tuple[Tensor | None, ...]:
        needs = list(ctx.needs_input_grad[:2])
        found = _GaussianBiasGradients.apply(incoming, *ctx.saved_tensors, needs)
        return (*(x if needed else None for x, needed in zip(found, needs, strict=True)), None)


class _GaussianBiasGradients(torch.autograd.Function):
    """The gradients, which are not differentiated again."""

    generate_vmap_rule = True

    @staticmethod
    def forward(incoming: Tensor, distance: Tensor, sigma: Tensor, needs: list[bool]) -> tuple[Tensor, Tensor]:
        return _backward(incoming, distance, sigma, needs)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        pass

    @staticmethod
    def backward(ctx, *gradients: Tensor) -> tuple[None, ...]:
        raise RuntimeError("gaussian_bias: the Triton kernel has no second derivative; that of the torch backend has")


_forward.register_autograd(_GaussianBias.backward, setup_context=_GaussianBias.setup_context)
_backward.register_autograd(_GaussianBiasGradients.backward)


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
    lead = distance.shape[:-2]
    out = _GaussianBias.apply(_flattened(distance, lead, 2), _padded(sigma, 1), dtype)
    return out.reshape(lead + out.shape[1:])
