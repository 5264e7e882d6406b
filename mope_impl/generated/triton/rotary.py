# Rotary encoding, each pair of channels turned in proportion to the position.
#
# Generated: do not edit. Change the specification and run
#     mope generate rotary --backend triton
# This file needs torch and triton alone; it may be copied by itself into another code base.
# It checks dtypes and no more: whatever shapes broadcast are taken, and whatever values. In mope the shapes, values and
# devices are validated by mope_impl/functional.
#
# Specification  rotary
# Claim          phase.rope-angle
# Formula hash   2ede76e8e4d99cc3bd262bdcad744e58603d0907cbe305528acb757730bac50c
# Symbols        x_0, x_1 = channels of x, b = positions, omega = omega
# Channel 0      x_0*re(carrier(b, omega)) - x_1*im(carrier(b, omega))
# Channel 1      x_0*im(carrier(b, omega)) + x_1*re(carrier(b, omega))
# with           carrier(b, omega) = exp(I*b*omega)
# Computed as    x_0*cos(theta) - x_1*sin(theta), x_0*sin(theta) + x_1*cos(theta)
# with           theta = b*omega
# Accuracy       to first order a channel is off by at most (|x_0| + |x_1|) * (|omega*b| + 3) * 2**-53, without
#                |omega*b| if the product is exact (float32 omega, |positions| <= 2**24); then it is rounded once to the
#                dtype of the result (by way of float32 to 16 bits). That is where data are float64; otherwise data are
#                multiplied by coefficients in float32, which adds at most 3 * 2**-24 of the sum of the magnitudes of
#                the two terms
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
    x, positions, omega, out,
    stride_x_b, stride_x_h, stride_x_t, stride_x_n, stride_x_c,
    stride_positions_b, stride_positions_t,
    stride_omega_h, stride_omega_n,
    stride_out_b, stride_out_h, stride_out_t, stride_out_n, stride_out_c,
    groups, members, size_t, size_n, blocks_t, blocks_n,
    WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):
    work = tl.float64 if WIDE else tl.float32
    program = tl.program_id(0).to(tl.int64)
    block_n = program % blocks_n
    block_t = program // blocks_n % blocks_t
    at_group = program // blocks_n // blocks_t % groups
    at_b = program // blocks_n // blocks_t // groups
    at_t = (block_t * ROWS + tl.arange(0, ROWS))[:, None]
    at_n = (block_n * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    in_t = at_t < size_t
    in_n = at_n < size_n
    inside = in_t & in_n
    at_positions = at_b * stride_positions_b + at_t * stride_positions_t
    at_omega = at_group * stride_omega_h + at_n * stride_omega_n
    b = tl.load(positions + at_positions, mask=in_t, other=0).to(tl.float64)
    omega_ = tl.load(omega + at_omega, mask=in_n, other=0).to(tl.float64)
    theta = b * omega_
    work_cos = tl.cos(theta).to(work)
    work_sin = tl.sin(theta).to(work)
    for member in tl.range(members, num_stages=4):
        at_h = at_group * members + member
        at_x = at_b * stride_x_b + at_h * stride_x_h + at_t * stride_x_t + at_n * stride_x_n
        at_out = at_b * stride_out_b + at_h * stride_out_h + at_t * stride_out_t + at_n * stride_out_n
        x_0 = tl.load(x + at_x, mask=inside, other=0).to(work)
        x_1 = tl.load(x + at_x + stride_x_c, mask=inside, other=0).to(work)
        channel_0 = work_cos * x_0 - work_sin * x_1
        channel_1 = work_sin * x_0 + work_cos * x_1
        tl.store(out + at_out, channel_0.to(work).to(out.dtype.element_ty), mask=inside)
        tl.store(out + at_out + stride_out_c, channel_1.to(work).to(out.dtype.element_ty), mask=inside)


@triton.jit
def _backward_kernel(
    incoming, x, positions, omega, gradient_x, gradient_positions, gradient_omega,
    stride_incoming_b, stride_incoming_h, stride_incoming_t, stride_incoming_n, stride_incoming_c,
    stride_x_b, stride_x_h, stride_x_t, stride_x_n, stride_x_c,
    stride_positions_b, stride_positions_t,
    stride_omega_h, stride_omega_n,
    stride_gradient_x_b, stride_gradient_x_h, stride_gradient_x_t, stride_gradient_x_n, stride_gradient_x_c,
    groups, members, size_t, size_n, blocks_t, blocks_n,
    NEEDS_X: tl.constexpr, NEEDS_POSITIONS: tl.constexpr, NEEDS_OMEGA: tl.constexpr, WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):
    work = tl.float64 if WIDE else tl.float32
    program = tl.program_id(0).to(tl.int64)
    block_n = program % blocks_n
    block_t = program // blocks_n % blocks_t
    at_group = program // blocks_n // blocks_t % groups
    at_b = program // blocks_n // blocks_t // groups
    at_t = (block_t * ROWS + tl.arange(0, ROWS))[:, None]
    at_n = (block_n * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    in_t = at_t < size_t
    in_n = at_n < size_n
    inside = in_t & in_n
    at_positions = at_b * stride_positions_b + at_t * stride_positions_t
    at_omega = at_group * stride_omega_h + at_n * stride_omega_n
    b = tl.load(positions + at_positions, mask=in_t, other=0).to(tl.float64)
    omega_ = tl.load(omega + at_omega, mask=in_n, other=0).to(tl.float64)
    theta = b * omega_
    work_cos = tl.cos(theta).to(work)
    work_sin = tl.sin(theta).to(work)
    if NEEDS_POSITIONS:
        sum_positions = tl.zeros((ROWS, COLUMNS), tl.float64)
    if NEEDS_OMEGA:
        sum_omega = tl.zeros((ROWS, COLUMNS), tl.float64)
    for member in tl.range(members, num_stages=4):
        at_h = at_group * members + member
        at_incoming = at_b * stride_incoming_b + at_h * stride_incoming_h + at_t * stride_incoming_t + at_n * stride_incoming_n
        at_x = at_b * stride_x_b + at_h * stride_x_h + at_t * stride_x_t + at_n * stride_x_n
        grad_0 = tl.load(incoming + at_incoming, mask=inside, other=0).to(work)
        grad_1 = tl.load(incoming + at_incoming + stride_incoming_c, mask=inside, other=0).to(work)
        if NEEDS_POSITIONS or NEEDS_OMEGA:
            x_0 = tl.load(x + at_x, mask=inside, other=0).to(work)
            x_1 = tl.load(x + at_x + stride_x_c, mask=inside, other=0).to(work)
            grad_theta = (work_cos * x_0 - work_sin * x_1) * grad_1 - (work_sin * x_0 + work_cos * x_1) * grad_0
            wide_grad_theta = grad_theta.to(tl.float64)
        if NEEDS_X:
            d_x_0 = work_cos * grad_0 + work_sin * grad_1
            d_x_1 = work_cos * grad_1 - work_sin * grad_0
            at_gradient_x = at_b * stride_gradient_x_b + at_h * stride_gradient_x_h + at_t * stride_gradient_x_t + at_n * stride_gradient_x_n
            tl.store(gradient_x + at_gradient_x, d_x_0.to(work).to(gradient_x.dtype.element_ty), mask=inside)
            tl.store(gradient_x + at_gradient_x + stride_gradient_x_c, d_x_1.to(work).to(gradient_x.dtype.element_ty), mask=inside)
        if NEEDS_POSITIONS:
            d_positions = wide_grad_theta * omega_
            sum_positions += tl.where(inside, d_positions.to(tl.float64), 0.0)
        if NEEDS_OMEGA:
            d_omega = wide_grad_theta * b
            sum_omega += tl.where(inside, d_omega.to(tl.float64), 0.0)
    if NEEDS_POSITIONS:
        tl.store(gradient_positions + ((at_b * groups + at_group) * size_t + at_t) * blocks_n + block_n, tl.sum(sum_positions, axis=1, keep_dims=True), mask=in_t)
    if NEEDS_OMEGA:
        tl.store(gradient_omega + ((at_b * groups + at_group) * blocks_t + block_t) * size_n + at_n, tl.sum(sum_omega, axis=0, keep_dims=True), mask=in_n)


def _sizes(x: Tensor, positions: Tensor, omega: Tensor) -> list[int]:
    """The size of each axis, b, h, t, n; an input may have size 1 in it instead."""
    return list(torch.broadcast_shapes(
        (x.shape[0], x.shape[1], x.shape[2], x.shape[3] // 2),
        (positions.shape[0], 1, positions.shape[1], 1),
        (1, omega.shape[0], 1, omega.shape[1]),
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
_load = next(n for n in count() if not hasattr(torch.ops.mope, f"rotary_e1c7748df0eb_{n}"))


@_operator(f"mope::rotary_e1c7748df0eb_{_load}", mutates_args=())
def _forward(x: Tensor, positions: Tensor, omega: Tensor, layout: str, dtype: torch.dtype) -> Tensor:
    size_b, size_h, size_t, size_n = _sizes(x, positions, omega)
    groups = omega.shape[0]
    columns = 16 if size_n <= 16 else 32 if size_n <= 32 else COLUMNS
    blocks_t, blocks_n = triton.cdiv(size_t, ROWS), triton.cdiv(size_n, columns)
    programs = size_b * groups * blocks_t * blocks_n
    wide = torch.float64 in (x.dtype, dtype)
    out = x.new_empty((size_b, size_h, size_t, 2 * size_n), dtype=torch.float64 if wide else dtype)
    if programs > 0:
        wrap_triton(_forward_kernel)[(programs,)](
            x, positions, omega, out,
            *_chosen(x, layout).expand(size_b, size_h, size_t, size_n, 2).stride(),
            *positions.expand(size_b, size_t).stride(),
            *omega.expand(groups, size_n).stride(),
            *_chosen(out, layout).stride(),
            groups, size_h // groups, size_t, size_n, blocks_t, blocks_n,
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return out.to(dtype)


@_forward.register_fake
def _forward_fake(x: Tensor, positions: Tensor, omega: Tensor, layout: str, dtype: torch.dtype) -> Tensor:
    size_b, size_h, size_t, size_n = _sizes(x, positions, omega)
    return x.new_empty((size_b, size_h, size_t, 2 * size_n), dtype=dtype)


@_operator(f"mope::rotary_backward_e1c7748df0eb_{_load}", mutates_args=())
def _backward(
    incoming: Tensor, x: Tensor, positions: Tensor, omega: Tensor, layout: str, needs: list[bool]
) -> tuple[Tensor, Tensor, Tensor]:
    size_b, size_h, size_t, size_n = _sizes(x, positions, omega)
    groups = omega.shape[0]
    columns = 16 if size_n <= 16 else 32 if size_n <= 32 else COLUMNS
    blocks_t, blocks_n = triton.cdiv(size_t, ROWS), triton.cdiv(size_n, columns)
    programs = size_b * groups * blocks_t * blocks_n
    wide = torch.float64 in (x.dtype, incoming.dtype)
    shape = (size_b, size_h, size_t, 2 * size_n)
    gradient_x = x.new_empty((size_b if needs[0] else 0, size_h, size_t, 2 * size_n), dtype=torch.float64 if wide or x.shape != shape else x.dtype)
    gradient_positions = x.new_empty((size_b if needs[1] else 0, groups, size_t, blocks_n), dtype=torch.float64)
    gradient_omega = x.new_empty((size_b if needs[2] else 0, groups, blocks_t, size_n), dtype=torch.float64)
    if programs > 0:
        wrap_triton(_backward_kernel)[(programs,)](
            incoming, x, positions, omega, gradient_x, gradient_positions, gradient_omega,
            *_chosen(incoming, layout).stride(),
            *_chosen(x, layout).expand(size_b, size_h, size_t, size_n, 2).stride(),
            *positions.expand(size_b, size_t).stride(),
            *omega.expand(groups, size_n).stride(),
            *_chosen(gradient_x, layout).stride(),
            groups, size_h // groups, size_t, size_n, blocks_t, blocks_n,
            NEEDS_X=needs[0], NEEDS_POSITIONS=needs[1], NEEDS_OMEGA=needs[2],
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return (
        _result(gradient_x, x, (x.shape[0], x.shape[1], x.shape[2], x.shape[3]), needs[0]),
        _result(gradient_positions, positions, (positions.shape[0], 1, positions.shape[1], 1), needs[1]),
        _result(gradient_omega, omega, (1, omega.shape[0], 1, omega.shape[1]), needs[2]),
    )


@_backward.register_fake
def _backward_fake(
    incoming: Tensor, x: Tensor, positions: Tensor, omega: Tensor, layout: str, needs: list[bool]
) -> tuple[Tensor, Tensor, Tensor]:
    return (
        x.new_empty(x.shape if needs[0] else 0),
        positions.new_empty(positions.shape if needs[1] else 0),
        omega.new_empty(omega.shape if needs[2] else 0),
    )


class _Rotary(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, positions: Tensor, omega: Tensor, layout: str, dtype: torch.dtype) -> Tensor:
        return _forward(x, positions, omega, layout, dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, positions, omega = inputs[:3]
        needs = ctx.needs_input_grad
        ctx.save_for_backward(
            x if needs[1] or needs[2] else x.new_empty(()).expand(x.shape),
            positions,
            omega,
        )
        ctx.layout = inputs[3]

    @staticmethod
    def backward(ctx, incoming: Tensor) -> tuple[Tensor | None, ...]:
        needs = list(ctx.needs_input_grad[:3])
        found = _RotaryGradients.apply(incoming, *ctx.saved_tensors, ctx.layout, needs)
        return (*(x if needed else None for x, needed in zip(found, needs, strict=True)), None, None)


class _RotaryGradients(torch.autograd.Function):
    """The gradients, which are not differentiated again."""

    generate_vmap_rule = True

    @staticmethod
    def forward(
        incoming: Tensor, x: Tensor, positions: Tensor, omega: Tensor, layout: str, needs: list[bool]
    ) -> tuple[Tensor, Tensor, Tensor]:
        return _backward(incoming, x, positions, omega, layout, needs)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        pass

    @staticmethod
    def backward(ctx, *gradients: Tensor) -> tuple[None, ...]:
        raise RuntimeError("rotary: the Triton kernel has no second derivative; that of the torch backend has")


_forward.register_autograd(_Rotary.backward, setup_context=_Rotary.setup_context)
_backward.register_autograd(_RotaryGradients.backward)


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


def rotary(
    x: Tensor, positions: Tensor, omega: Tensor, *, layout: str = "half", dtype: torch.dtype | None = None
) -> Tensor:
    """Rotary encoding, each pair of channels turned in proportion to the position.

    Args:
        x: (*b, h, t, 2n) pairs of channels, to be turned.
        positions: (*b, t) positions in tokens, integer or float, |b| <= 2**53.
        omega: (h, n) frequencies in radians per token, |omega| <= 8192, (n,) for all heads.
        layout: "half" for one channel after the other, "interleaved" for the channels of a pair side by side.
        dtype: of the result; by default that of x.

    Returns:
        (*b, h, t, 2n), in the layout asked for.

    Raises:
        ValueError: if x, omega are not floating point, or dtype is not, or layout is unknown.
    """
    if not x.dtype.is_floating_point:
        raise ValueError(f"x: got {x.dtype}, expected a floating-point dtype")
    if not omega.dtype.is_floating_point:
        raise ValueError(f"omega: got {omega.dtype}, expected a floating-point dtype")
    if layout not in ("half", "interleaved"):
        raise ValueError(f"layout: got {layout!r}, expected 'half' or 'interleaved'")
    if dtype is None:
        dtype = x.dtype
    elif not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ValueError(f"dtype: got {dtype!r}, expected a floating-point torch.dtype")
    lead = torch.broadcast_shapes(x.shape[:-3], positions.shape[:-1])
    out = _Rotary.apply(_flattened(x, lead, 3), _flattened(positions, lead, 1), _padded(omega, 2), layout, dtype)
    return out.reshape(lead + out.shape[1:])
