# Energy gate, a sigmoid of the standard score of an energy.
#
# Generated: do not edit. Change the specification and run
#     mope generate energy_gate --backend triton
# This file needs torch and triton alone; it may be copied by itself into another code base.
# It checks dtypes and no more: whatever shapes broadcast are taken, and whatever values. In mope the shapes, values and
# devices are validated by mope_impl/functional.
#
# Specification  energy_gate
# Claim          gate.causal-form
# Formula hash   9a56c69675321a1f2bd4956fd5f674218107d70cb62caaa258f9182ec7ca8518
# Symbols        e = energy, mu_e = mean, sigma_e = deviation, alpha = sharpness, tau = threshold
# Channel 0      sigmoid(alpha*(-tau + (e - mu_e)/at_least(sigma_e, 1/100000000)))
# with           sigmoid(alpha*(-tau + (e - mu_e)/at_least(sigma_e, 1/100000000))) = 1/(1 + exp(-alpha*(-tau + (e -
#                mu_e)/at_least(sigma_e, 1/100000000))))
# with           at_least(sigma_e, 1/100000000) = Max(1/100000000, sigma_e)
# Computed as    sigmoid(alpha*(-tau + z))
# with           z = (e - mu_e)/at_least(sigma_e, 1/100000000)
# Accuracy       to first order a channel is off by at most (|sharpness*z| + 3) * 2**-53 with the standard score z; then
#                it is rounded once to the dtype of the result (by way of float32 to 16 bits)
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
    energy, mean, deviation, sharpness, threshold, out,
    stride_energy_b, stride_energy_h, stride_energy_k,
    stride_mean_b, stride_mean_h, stride_mean_q,
    stride_deviation_b, stride_deviation_h, stride_deviation_q,
    stride_sharpness_h,
    stride_threshold_h,
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
    at_energy = at_b * stride_energy_b + at_h * stride_energy_h + at_k * stride_energy_k
    at_mean = at_b * stride_mean_b + at_h * stride_mean_h + at_q * stride_mean_q
    at_deviation = at_b * stride_deviation_b + at_h * stride_deviation_h + at_q * stride_deviation_q
    at_sharpness = at_h * stride_sharpness_h
    at_threshold = at_h * stride_threshold_h
    at_out = at_b * stride_out_b + at_h * stride_out_h + at_q * stride_out_q + at_k * stride_out_k
    e = tl.load(energy + at_energy, mask=in_k, other=0).to(tl.float64)
    mu_e = tl.load(mean + at_mean, mask=in_q, other=0).to(tl.float64)
    sigma_e = tl.load(deviation + at_deviation, mask=in_q, other=0).to(tl.float64)
    alpha = tl.load(sharpness + at_sharpness).to(tl.float64)
    tau = tl.load(threshold + at_threshold).to(tl.float64)
    z = (e - mu_e) / tl.where(sigma_e <= tl.full((1, 1), 1e-08, tl.float64), tl.full((1, 1), 1e-08, tl.float64), sigma_e)
    channel_0 = tl.sigmoid((z - tau) * alpha)
    tl.store(out + at_out, channel_0.to(work).to(out.dtype.element_ty), mask=inside)


@triton.jit
def _backward_kernel(
    incoming, energy, mean, deviation, sharpness, threshold, gradient_energy, gradient_mean, gradient_deviation, gradient_sharpness, gradient_threshold,
    stride_incoming_b, stride_incoming_h, stride_incoming_q, stride_incoming_k,
    stride_energy_b, stride_energy_h, stride_energy_k,
    stride_mean_b, stride_mean_h, stride_mean_q,
    stride_deviation_b, stride_deviation_h, stride_deviation_q,
    stride_sharpness_h,
    stride_threshold_h,
    size_h, size_q, size_k, blocks_q, blocks_k,
    NEEDS_ENERGY: tl.constexpr, NEEDS_MEAN: tl.constexpr, NEEDS_DEVIATION: tl.constexpr, NEEDS_SHARPNESS: tl.constexpr, NEEDS_THRESHOLD: tl.constexpr, WIDE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
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
    at_energy = at_b * stride_energy_b + at_h * stride_energy_h + at_k * stride_energy_k
    at_mean = at_b * stride_mean_b + at_h * stride_mean_h + at_q * stride_mean_q
    at_deviation = at_b * stride_deviation_b + at_h * stride_deviation_h + at_q * stride_deviation_q
    at_sharpness = at_h * stride_sharpness_h
    at_threshold = at_h * stride_threshold_h
    at_incoming = at_b * stride_incoming_b + at_h * stride_incoming_h + at_q * stride_incoming_q + at_k * stride_incoming_k
    e = tl.load(energy + at_energy, mask=in_k, other=0).to(tl.float64)
    mu_e = tl.load(mean + at_mean, mask=in_q, other=0).to(tl.float64)
    sigma_e = tl.load(deviation + at_deviation, mask=in_q, other=0).to(tl.float64)
    alpha = tl.load(sharpness + at_sharpness).to(tl.float64)
    tau = tl.load(threshold + at_threshold).to(tl.float64)
    grad_0 = tl.load(incoming + at_incoming, mask=inside, other=0).to(work)
    wide_grad_0 = grad_0.to(tl.float64)
    at_least_1 = tl.where(sigma_e <= tl.full((1, 1), 1e-08, tl.float64), tl.full((1, 1), 1e-08, tl.float64), sigma_e)
    z = (e - mu_e) / at_least_1
    sub_1 = z - tau
    mul_1 = sub_1 * alpha
    sigmoid_1 = tl.sigmoid(-mul_1)
    sigmoid_2 = tl.sigmoid(mul_1)
    if NEEDS_ENERGY or NEEDS_MEAN or NEEDS_DEVIATION or NEEDS_THRESHOLD:
        grad_z = sigmoid_1 * sigmoid_2 * wide_grad_0 * alpha
    if NEEDS_ENERGY or NEEDS_MEAN:
        d_energy = grad_z / at_least_1
    if NEEDS_ENERGY:
        sum_energy = tl.where(inside, d_energy.to(tl.float64), 0.0)
    if NEEDS_MEAN:
        d_mean = -d_energy
        sum_mean = tl.where(inside, d_mean.to(tl.float64), 0.0)
    if NEEDS_DEVIATION:
        d_deviation = -((sigma_e > tl.full((1, 1), 1e-08, tl.float64)).to(tl.float64) * grad_z * z / at_least_1)
        sum_deviation = tl.where(inside, d_deviation.to(tl.float64), 0.0)
    if NEEDS_SHARPNESS:
        d_sharpness = sub_1 * sigmoid_1 * sigmoid_2 * wide_grad_0
        sum_sharpness = tl.where(inside, d_sharpness.to(tl.float64), 0.0)
    if NEEDS_THRESHOLD:
        d_threshold = -grad_z
        sum_threshold = tl.where(inside, d_threshold.to(tl.float64), 0.0)
    if NEEDS_ENERGY:
        tl.store(gradient_energy + ((at_b * size_h + at_h) * blocks_q + block_q) * size_k + at_k, tl.sum(sum_energy, axis=0, keep_dims=True), mask=in_k)
    if NEEDS_MEAN:
        tl.store(gradient_mean + ((at_b * size_h + at_h) * size_q + at_q) * blocks_k + block_k, tl.sum(sum_mean, axis=1, keep_dims=True), mask=in_q)
    if NEEDS_DEVIATION:
        tl.store(gradient_deviation + ((at_b * size_h + at_h) * size_q + at_q) * blocks_k + block_k, tl.sum(sum_deviation, axis=1, keep_dims=True), mask=in_q)
    if NEEDS_SHARPNESS:
        tl.store(gradient_sharpness + ((at_b * size_h + at_h) * blocks_q + block_q) * blocks_k + block_k, tl.sum(tl.sum(sum_sharpness, axis=1), axis=0))
    if NEEDS_THRESHOLD:
        tl.store(gradient_threshold + ((at_b * size_h + at_h) * blocks_q + block_q) * blocks_k + block_k, tl.sum(tl.sum(sum_threshold, axis=1), axis=0))


def _sizes(energy: Tensor, mean: Tensor, deviation: Tensor, sharpness: Tensor, threshold: Tensor) -> list[int]:
    """The size of each axis, b, h, q, k; an input may have size 1 in it instead."""
    return list(torch.broadcast_shapes(
        (energy.shape[0], energy.shape[1], 1, energy.shape[2]),
        (mean.shape[0], mean.shape[1], mean.shape[2], 1),
        (deviation.shape[0], deviation.shape[1], deviation.shape[2], 1),
        (1, sharpness.shape[0], 1, 1),
        (1, threshold.shape[0], 1, 1),
    ))


def _result(gradient: Tensor, x: Tensor, shape: tuple[int, ...], needed: bool) -> Tensor:
    """The gradient of x from its parts, added up and rounded once; empty if it is not needed."""
    return gradient.sum_to_size(shape).reshape(x.shape).to(x.dtype) if needed else x.new_empty(0)


# A kernel that Triton interprets runs at once, where a tracer cannot follow it.
_operator = triton_op if isinstance(_forward_kernel, triton.JITFunction) else custom_op
# A name that is registered again loses its first operator. So each load of this file, edited or not, takes names that are free.
_load = next(n for n in count() if not hasattr(torch.ops.mope, f"energy_gate_f7e0c98a9920_{n}"))


@_operator(f"mope::energy_gate_f7e0c98a9920_{_load}", mutates_args=())
def _forward(
    energy: Tensor, mean: Tensor, deviation: Tensor, sharpness: Tensor, threshold: Tensor, dtype: torch.dtype
) -> Tensor:
    size_b, size_h, size_q, size_k = _sizes(energy, mean, deviation, sharpness, threshold)
    columns = 16 if size_k <= 16 else 32 if size_k <= 32 else COLUMNS
    blocks_q, blocks_k = triton.cdiv(size_q, ROWS), triton.cdiv(size_k, columns)
    programs = size_b * size_h * blocks_q * blocks_k
    wide = dtype == torch.float64
    out = energy.new_empty((size_b, size_h, size_q, size_k), dtype=torch.float64 if wide else dtype)
    if programs > 0:
        wrap_triton(_forward_kernel)[(programs,)](
            energy, mean, deviation, sharpness, threshold, out,
            *energy.expand(size_b, size_h, size_k).stride(),
            *mean.expand(size_b, size_h, size_q).stride(),
            *deviation.expand(size_b, size_h, size_q).stride(),
            *sharpness.expand(size_h).stride(),
            *threshold.expand(size_h).stride(),
            *out.stride(),
            size_h, size_q, size_k, blocks_q, blocks_k,
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return out.to(dtype)


@_forward.register_fake
def _forward_fake(
    energy: Tensor, mean: Tensor, deviation: Tensor, sharpness: Tensor, threshold: Tensor, dtype: torch.dtype
) -> Tensor:
    size_b, size_h, size_q, size_k = _sizes(energy, mean, deviation, sharpness, threshold)
    return energy.new_empty((size_b, size_h, size_q, size_k), dtype=dtype)


@_operator(f"mope::energy_gate_backward_f7e0c98a9920_{_load}", mutates_args=())
def _backward(
    incoming: Tensor, energy: Tensor, mean: Tensor, deviation: Tensor, sharpness: Tensor, threshold: Tensor, needs: list[bool]
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    size_b, size_h, size_q, size_k = _sizes(energy, mean, deviation, sharpness, threshold)
    columns = 16 if size_k <= 16 else 32 if size_k <= 32 else COLUMNS
    blocks_q, blocks_k = triton.cdiv(size_q, ROWS), triton.cdiv(size_k, columns)
    programs = size_b * size_h * blocks_q * blocks_k
    wide = incoming.dtype == torch.float64
    gradient_energy = energy.new_empty((size_b if needs[0] else 0, size_h, blocks_q, size_k), dtype=torch.float64)
    gradient_mean = energy.new_empty((size_b if needs[1] else 0, size_h, size_q, blocks_k), dtype=torch.float64)
    gradient_deviation = energy.new_empty((size_b if needs[2] else 0, size_h, size_q, blocks_k), dtype=torch.float64)
    gradient_sharpness = energy.new_empty((size_b if needs[3] else 0, size_h, blocks_q, blocks_k), dtype=torch.float64)
    gradient_threshold = energy.new_empty((size_b if needs[4] else 0, size_h, blocks_q, blocks_k), dtype=torch.float64)
    if programs > 0:
        wrap_triton(_backward_kernel)[(programs,)](
            incoming, energy, mean, deviation, sharpness, threshold, gradient_energy, gradient_mean, gradient_deviation, gradient_sharpness, gradient_threshold,
            *incoming.stride(),
            *energy.expand(size_b, size_h, size_k).stride(),
            *mean.expand(size_b, size_h, size_q).stride(),
            *deviation.expand(size_b, size_h, size_q).stride(),
            *sharpness.expand(size_h).stride(),
            *threshold.expand(size_h).stride(),
            size_h, size_q, size_k, blocks_q, blocks_k,
            NEEDS_ENERGY=needs[0], NEEDS_MEAN=needs[1], NEEDS_DEVIATION=needs[2], NEEDS_SHARPNESS=needs[3], NEEDS_THRESHOLD=needs[4],
            WIDE=wide, ROWS=ROWS, COLUMNS=columns,
        )
    return (
        _result(gradient_energy, energy, (energy.shape[0], energy.shape[1], 1, energy.shape[2]), needs[0]),
        _result(gradient_mean, mean, (mean.shape[0], mean.shape[1], mean.shape[2], 1), needs[1]),
        _result(gradient_deviation, deviation, (deviation.shape[0], deviation.shape[1], deviation.shape[2], 1), needs[2]),
        _result(gradient_sharpness, sharpness, (1, sharpness.shape[0], 1, 1), needs[3]),
        _result(gradient_threshold, threshold, (1, threshold.shape[0], 1, 1), needs[4]),
    )


@_backward.register_fake
def _backward_fake(
    incoming: Tensor, energy: Tensor, mean: Tensor, deviation: Tensor, sharpness: Tensor, threshold: Tensor, needs: list[bool]
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    return (
        energy.new_empty(energy.shape if needs[0] else 0),
        mean.new_empty(mean.shape if needs[1] else 0),
        deviation.new_empty(deviation.shape if needs[2] else 0),
        sharpness.new_empty(sharpness.shape if needs[3] else 0),
        threshold.new_empty(threshold.shape if needs[4] else 0),
    )


class _EnergyGate(torch.autograd.Function):
    """Saves what of its inputs the gradients read; forward-mode differentiation is refused, for there is no jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(
        energy: Tensor, mean: Tensor, deviation: Tensor, sharpness: Tensor, threshold: Tensor, dtype: torch.dtype
    ) -> Tensor:
        return _forward(energy, mean, deviation, sharpness, threshold, dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs[:5])

    @staticmethod
    def backward(ctx, incoming: Tensor) -> tuple[Tensor | None, ...]:
        needs = list(ctx.needs_input_grad[:5])
        found = _EnergyGateGradients.apply(incoming, *ctx.saved_tensors, needs)
        return (*(x if needed else None for x, needed in zip(found, needs, strict=True)), None)


class _EnergyGateGradients(torch.autograd.Function):
    """The gradients, which are not differentiated again."""

    generate_vmap_rule = True

    @staticmethod
    def forward(
        incoming: Tensor, energy: Tensor, mean: Tensor, deviation: Tensor, sharpness: Tensor, threshold: Tensor, needs: list[bool]
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        return _backward(incoming, energy, mean, deviation, sharpness, threshold, needs)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        pass

    @staticmethod
    def backward(ctx, *gradients: Tensor) -> tuple[None, ...]:
        raise RuntimeError("energy_gate: the Triton kernel has no second derivative; that of the torch backend has")


_forward.register_autograd(_EnergyGate.backward, setup_context=_EnergyGate.setup_context)
_backward.register_autograd(_EnergyGateGradients.backward)


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


def energy_gate(
    energy: Tensor, mean: Tensor, deviation: Tensor, sharpness: Tensor, threshold: Tensor, *, dtype: torch.dtype | None = None
) -> Tensor:
    """Energy gate, a sigmoid of the standard score of an energy.

    Args:
        energy: (*b, h, k) energies of the keys.
        mean: (*b, h, q) mean of the energies that each query compares with.
        deviation: (*b, h, q) their standard deviation, >= 0.
        sharpness: (h,) slopes of the gate in the standard score.
        threshold: (h,) standard scores at which the gate is 1/2.
        dtype: of the result; by default the promoted dtype of energy, mean, deviation, sharpness, threshold.

    Returns:
        (*b, h, q, k).

    Raises:
        ValueError: if energy, mean, deviation, sharpness, threshold are not floating point, or dtype is not.
    """
    if not energy.dtype.is_floating_point:
        raise ValueError(f"energy: got {energy.dtype}, expected a floating-point dtype")
    if not mean.dtype.is_floating_point:
        raise ValueError(f"mean: got {mean.dtype}, expected a floating-point dtype")
    if not deviation.dtype.is_floating_point:
        raise ValueError(f"deviation: got {deviation.dtype}, expected a floating-point dtype")
    if not sharpness.dtype.is_floating_point:
        raise ValueError(f"sharpness: got {sharpness.dtype}, expected a floating-point dtype")
    if not threshold.dtype.is_floating_point:
        raise ValueError(f"threshold: got {threshold.dtype}, expected a floating-point dtype")
    if dtype is None:
        dtype = energy.dtype
        dtype = torch.promote_types(dtype, mean.dtype)
        dtype = torch.promote_types(dtype, deviation.dtype)
        dtype = torch.promote_types(dtype, sharpness.dtype)
        dtype = torch.promote_types(dtype, threshold.dtype)
    elif not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ValueError(f"dtype: got {dtype!r}, expected a floating-point torch.dtype")
    lead = torch.broadcast_shapes(energy.shape[:-2], mean.shape[:-2], deviation.shape[:-2])
    out = _EnergyGate.apply(
        _flattened(energy, lead, 2), _flattened(mean, lead, 2), _flattened(deviation, lead, 2), _padded(sharpness, 1), _padded(threshold, 1), dtype
    )
    return out.reshape(lead + out.shape[1:])
