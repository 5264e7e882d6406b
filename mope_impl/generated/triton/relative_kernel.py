# Relative Morlet kernel, real and imaginary parts.
#
# Generated: do not edit. Change the specification and run
#     mope generate relative_kernel --backend triton
# This file needs torch and triton alone; it may be copied by itself into another code base.
# It checks dtypes and no more: whatever shapes broadcast are taken, and whatever values. In mope the shapes, values and
# devices are validated by mope_impl/functional.
#
# Specification  relative_kernel
# Claim          kernel.cross-correlation
# Formula hash   13b7a0b2f90e717b6e3f54acb7466530b86c1f67626fae61bf2b3b17a85f9d03
# Symbols        d = distance, omega = omega, sigma = sigma
# Channel 0      re(K(d, omega, sigma))
# Channel 1      im(K(d, omega, sigma))
# with           K(d, omega, sigma) = exp(-d**2/(4*sigma**2))*exp(I*d*omega)
# Computed as    exp(-z**2/4)*cos(theta), exp(-z**2/4)*sin(theta)
# with           theta = d*omega; z = d/sigma
# Cut off        |z| > 64: values and gradient summands are set to 0; values are below 2**-1074 there, and so are
#                gradient summands up to the powers of those inputs that they are divided by
# Accuracy       to first order a channel is off by at most (|omega*d| + 4) * 2**-53, without |omega*d| if the product
#                is exact (float32 omega, |distance| <= 2**24); then it is rounded once to the dtype of the result (by
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
    distance, omega, sigma, out_0, out_1,
    stride_distance_t,
    stride_omega_n,
    stride_sigma_n,
    stride_out_0_t, stride_out_0_n,
    stride_out_1_t, stride_out_1_n,
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
    at_distance = at_t * stride_distance_t
    at_omega = at_n * stride_omega_n
    at_sigma = at_n * stride_sigma_n
    at_out_0 = at_t * stride_out_0_t + at_n * stride_out_0_n
    at_out_1 = at_t * stride_out_1_t + at_n * stride_out_1_n
    d = tl.load(distance + at_distance, mask=in_t, other=0).to(tl.float64)
    omega_ = tl.load(omega + at_omega, mask=in_n, other=0).to(tl.float64)
    sigma_ = tl.load(sigma + at_sigma, mask=in_n, other=0).to(tl.float64)
    positive_sigma = tl.where(sigma_ > 0.0, sigma_, float("nan"))
    beyond_z = tl.abs(d / positive_sigma) > 64.0
    safe_sigma = tl.where(beyond_z, 1.0, positive_sigma)
    z = tl.where(beyond_z, 0.0, d) / safe_sigma
    exp_1 = tl.exp(-0.25 * (z * z))
    theta = d * omega_
    channel_0 = tl.where(beyond_z, 0.0, exp_1 * tl.cos(theta))
    channel_1 = tl.where(beyond_z, 0.0, exp_1 * tl.sin(theta))
    tl.store(out_0 + at_out_0, channel_0.to(work).to(out_0.dtype.element_ty), mask=inside)
    tl.store(out_1 + at_out_1, channel_1.to(work).to(out_1.dtype.element_ty), mask=inside)


@triton.jit
def _backward_kernel(
    incoming_0, incoming_1, distance, omega, sigma, gradient_distance, gradient_omega, gradient_sigma,
    stride_incoming_0_t, stride_incoming_0_n,
    stride_incoming_1_t, stride_incoming_1_n,
    stride_distance_t,
    stride_omega_n,
    stride_sigma_n,
    size_t, size_n, blocks_t, blocks_n,
    NEEDS_DISTANCE: tl.constexpr, NEEDS_OMEGA: tl.constexpr, NEEDS_SIGMA: tl.constexpr, WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
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
    at_distance = at_t * stride_distance_t
    at_omega = at_n * stride_omega_n
    at_sigma = at_n * stride_sigma_n
    at_incoming_0 = at_t * stride_incoming_0_t + at_n * stride_incoming_0_n
    at_incoming_1 = at_t * stride_incoming_1_t + at_n * stride_incoming_1_n
    d = tl.load(distance + at_distance, mask=in_t, other=0).to(tl.float64)
    omega_ = tl.load(omega + at_omega, mask=in_n, other=0).to(tl.float64)
    sigma_ = tl.load(sigma + at_sigma, mask=in_n, other=0).to(tl.float64)
    grad_0 = tl.load(incoming_0 + at_incoming_0, mask=inside, other=0).to(work)
    grad_1 = tl.load(incoming_1 + at_incoming_1, mask=inside, other=0).to(work)
    positive_sigma = tl.where(sigma_ > 0.0, sigma_, float("nan"))
    beyond_z = tl.abs(d / positive_sigma) > 64.0
    theta = d * omega_
    work_cos = tl.cos(theta).to(work)
    work_sin = tl.sin(theta).to(work)
    safe_sigma = tl.where(beyond_z, 1.0, positive_sigma)
    z = tl.where(beyond_z, 0.0, d) / safe_sigma
    work_exp = tl.exp(-0.25 * (z * z)).to(work)
    if NEEDS_DISTANCE or NEEDS_OMEGA:
        grad_theta = (work_cos * grad_1 - work_sin * grad_0) * work_exp
        wide_grad_theta = grad_theta.to(tl.float64)
    if NEEDS_DISTANCE or NEEDS_SIGMA:
        wide_mul = ((work_cos * grad_0 + work_sin * grad_1) * work_exp).to(tl.float64)
        grad_z = -0.5 * (wide_mul * z)
    if NEEDS_DISTANCE:
        d_distance = tl.where(beyond_z, 0.0, wide_grad_theta * omega_ + grad_z / safe_sigma)
        sum_distance = tl.where(inside, d_distance.to(tl.float64), 0.0)
    if NEEDS_OMEGA:
        d_omega = tl.where(beyond_z, 0.0, wide_grad_theta * d)
        sum_omega = tl.where(inside, d_omega.to(tl.float64), 0.0)
    if NEEDS_SIGMA:
        d_sigma = tl.where(beyond_z, 0.0, -(grad_z * z / safe_sigma))
        sum_sigma = tl.where(inside, d_sigma.to(tl.float64), 0.0)
    if NEEDS_DISTANCE:
        tl.store(gradient_distance + at_t * blocks_n + block_n, tl.sum(sum_distance, axis=1, keep_dims=True), mask=in_t)
    if NEEDS_OMEGA:
        tl.store(gradient_omega + block_t * size_n + at_n, tl.sum(sum_omega, axis=0, keep_dims=True), mask=in_n)
    if NEEDS_SIGMA:
        tl.store(gradient_sigma + block_t * size_n + at_n, tl.sum(sum_sigma, axis=0, keep_dims=True), mask=in_n)


def _sizes(distance: Tensor, omega: Tensor, sigma: Tensor) -> list[int]:
    """The size of each axis, t, n; an input may have size 1 in it instead."""
    return list(torch.broadcast_shapes(
        (distance.shape[0], 1),
        (1, omega.shape[0]),
        (1, sigma.shape[0]),
    ))


def _result(gradient: Tensor, x: Tensor, shape: tuple[int, ...], needed: bool) -> Tensor:
    """The gradient of x from its parts, added up and rounded once; empty if it is not needed."""
    return gradient.sum_to_size(shape).reshape(x.shape).to(x.dtype) if needed else x.new_empty(0)


# A kernel that Triton interprets runs at once, where a tracer cannot follow it.
_operator = triton_op if isinstance(_forward_kernel, triton.JITFunction) else custom_op
# A name that is registered again loses its first operator. So each load of this file, edited or not, takes names that are free.
_load = next(n for n in count() if not hasattr(torch.ops.mope, f"relative_kernel_6f7cffe58005_{n}"))


@_operator(f"mope::relative_kernel_6f7cffe58005_{_load}", mutates_args=())
def _forward(distance: Tensor, omega: Tensor, sigma: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    size_t, size_n = _sizes(distance, omega, sigma)
    columns = 16 if size_n <= 16 else 32 if size_n <= 32 else COLUMNS
    blocks_t, blocks_n = triton.cdiv(size_t, ROWS), triton.cdiv(size_n, columns)
    programs = blocks_t * blocks_n
    wide = dtype == torch.float64
    out_0 = distance.new_empty((size_t, size_n), dtype=torch.float64 if wide else dtype)
    out_1 = distance.new_empty((size_t, size_n), dtype=torch.float64 if wide else dtype)
    if programs > 0:
        wrap_triton(_forward_kernel)[(programs,)](
            distance, omega, sigma, out_0, out_1,
            *distance.expand(size_t).stride(),
            *omega.expand(size_n).stride(),
            *sigma.expand(size_n).stride(),
            *out_0.stride(),
            *out_1.stride(),
            size_t, size_n, blocks_t, blocks_n,
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return out_0.to(dtype), out_1.to(dtype)


@_forward.register_fake
def _forward_fake(distance: Tensor, omega: Tensor, sigma: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    size_t, size_n = _sizes(distance, omega, sigma)
    return distance.new_empty((size_t, size_n), dtype=dtype), distance.new_empty((size_t, size_n), dtype=dtype)


@_operator(f"mope::relative_kernel_backward_6f7cffe58005_{_load}", mutates_args=())
def _backward(
    incoming_0: Tensor, incoming_1: Tensor, distance: Tensor, omega: Tensor, sigma: Tensor, needs: list[bool]
) -> tuple[Tensor, Tensor, Tensor]:
    size_t, size_n = _sizes(distance, omega, sigma)
    columns = 16 if size_n <= 16 else 32 if size_n <= 32 else COLUMNS
    blocks_t, blocks_n = triton.cdiv(size_t, ROWS), triton.cdiv(size_n, columns)
    programs = blocks_t * blocks_n
    wide = incoming_0.dtype == torch.float64
    gradient_distance = distance.new_empty((size_t if needs[0] else 0, blocks_n), dtype=torch.float64)
    gradient_omega = distance.new_empty((blocks_t if needs[1] else 0, size_n), dtype=torch.float64)
    gradient_sigma = distance.new_empty((blocks_t if needs[2] else 0, size_n), dtype=torch.float64)
    if programs > 0:
        wrap_triton(_backward_kernel)[(programs,)](
            incoming_0, incoming_1, distance, omega, sigma, gradient_distance, gradient_omega, gradient_sigma,
            *incoming_0.stride(),
            *incoming_1.stride(),
            *distance.expand(size_t).stride(),
            *omega.expand(size_n).stride(),
            *sigma.expand(size_n).stride(),
            size_t, size_n, blocks_t, blocks_n,
            NEEDS_DISTANCE=needs[0], NEEDS_OMEGA=needs[1], NEEDS_SIGMA=needs[2],
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return (
        _result(gradient_distance, distance, (distance.shape[0], 1), needs[0]),
        _result(gradient_omega, omega, (1, omega.shape[0]), needs[1]),
        _result(gradient_sigma, sigma, (1, sigma.shape[0]), needs[2]),
    )


@_backward.register_fake
def _backward_fake(
    incoming_0: Tensor, incoming_1: Tensor, distance: Tensor, omega: Tensor, sigma: Tensor, needs: list[bool]
) -> tuple[Tensor, Tensor, Tensor]:
    return (
        distance.new_empty(distance.shape if needs[0] else 0),
        omega.new_empty(omega.shape if needs[1] else 0),
        sigma.new_empty(sigma.shape if needs[2] else 0),
    )


class _RelativeKernel(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(distance: Tensor, omega: Tensor, sigma: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        return _forward(distance, omega, sigma, dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs[:3])

    @staticmethod
    def backward(ctx, incoming_0: Tensor, incoming_1: Tensor) -> tuple[Tensor | None, ...]:
        needs = list(ctx.needs_input_grad[:3])
        found = _RelativeKernelGradients.apply(incoming_0, incoming_1, *ctx.saved_tensors, needs)
        return (*(x if needed else None for x, needed in zip(found, needs, strict=True)), None)


class _RelativeKernelGradients(torch.autograd.Function):
    """The gradients, which are not differentiated again."""

    generate_vmap_rule = True

    @staticmethod
    def forward(
        incoming_0: Tensor, incoming_1: Tensor, distance: Tensor, omega: Tensor, sigma: Tensor, needs: list[bool]
    ) -> tuple[Tensor, Tensor, Tensor]:
        return _backward(incoming_0, incoming_1, distance, omega, sigma, needs)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        pass

    @staticmethod
    def backward(ctx, *gradients: Tensor) -> tuple[None, ...]:
        raise RuntimeError("relative_kernel: the Triton kernel has no second derivative; that of the torch backend has")


_forward.register_autograd(_RelativeKernel.backward, setup_context=_RelativeKernel.setup_context)
_backward.register_autograd(_RelativeKernelGradients.backward)


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


def relative_kernel(
    distance: Tensor, omega: Tensor, sigma: Tensor, *, dtype: torch.dtype | None = None
) -> tuple[Tensor, Tensor]:
    """Relative Morlet kernel, real and imaginary parts.

    Args:
        distance: (*t,) distances in tokens, integer or float, |d| <= 2**53.
        omega: (n,) carrier frequencies in radians per token, |omega| <= 8192.
        sigma: (n,) widths of the envelope in tokens, in (0, inf].
        dtype: of the result; by default the promoted dtype of omega, sigma.

    Returns:
        (*t, n) for each of 2 channels.

    Raises:
        ValueError: if omega, sigma are not floating point, or dtype is not.
    """
    if not omega.dtype.is_floating_point:
        raise ValueError(f"omega: got {omega.dtype}, expected a floating-point dtype")
    if not sigma.dtype.is_floating_point:
        raise ValueError(f"sigma: got {sigma.dtype}, expected a floating-point dtype")
    if dtype is None:
        dtype = torch.promote_types(omega.dtype, sigma.dtype)
    elif not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ValueError(f"dtype: got {dtype!r}, expected a floating-point torch.dtype")
    lead = distance.shape
    out_0, out_1 = _RelativeKernel.apply(
        _flattened(distance, lead, 0), _padded(omega, 1), _padded(sigma, 1), dtype
    )
    return out_0.reshape(lead + out_0.shape[1:]), out_1.reshape(lead + out_1.shape[1:])
