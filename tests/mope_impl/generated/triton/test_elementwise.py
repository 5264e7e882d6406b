r"""Encodings, relative kernel, biases and gate in Triton: values and gradients against closed forms in extended precision.

All of these are formed in float64 from inputs that are exact there, but for products with the incoming gradient. With v = 2⁻⁵³,
and u the unit of the format in which those products are formed (2⁻²⁴, or 2⁻⁵³ for float64 results):

1. Packets e·(cos θ, sin θ) with e = e^{−z²/c}, c = 2 or 4: a channel is off by (|θ| + 3z² + 8)v e, where 3z² bounds the
   roundings of z²/c with a centre (z is off by 2v|z| then).
2. Their gradients are sums of S = e(p ∂₀ + q ∂₁) times b, ω, z, …: 5u for S, as for a value of the rotary kernels
   (:mod:`.reference`), (|θ| + 3z² + 14)v for the rest, of the product of |p| + |q|, e and the factor; a sum of N adds Nv.
3. Biases and the gate: each of at most 14 operations is off by v of the magnitudes of its terms, which are named beside the
   true value; the slope of the sigmoid is below 1/4 times its argument's error.
The last rounding is step 5 of :mod:`.reference`.
"""
from __future__ import annotations

import importlib
import math
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

from .harness import DEVICE, changed, guarded, placed, whole
from .reference import WIDE, Result, V, exact, work_unit

DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)
Reference = Callable[..., tuple[list[Result], list[Result]]]


def run(name: str, given: list[Tensor], form: str, monkeypatch: pytest.MonkeyPatch, f=None, dtype=None):
    """Outputs, incoming gradients and gradients of a kernel, inputs unwritten and memory beside results untouched."""
    f = f or getattr(importlib.import_module(f"mope_impl.generated.triton.{name}"), name)
    inputs = [placed(value, form) for value in given]
    leaves = [value.detach().requires_grad_(value.is_floating_point()) for value in inputs]
    before = [whole(value) for value in inputs]
    torch.manual_seed(3)
    with guarded(monkeypatch):
        found = f(*leaves, dtype=dtype)
        outs = list(found) if isinstance(found, tuple) else [found]
        incoming = [placed(torch.randn(out.shape).to(out.dtype), form) for out in outs]
        wanted = [leaf for leaf in leaves if leaf.requires_grad]
        gradients = iter(torch.autograd.grad(outs, wanted, incoming))
        by_input = [next(gradients) if leaf.requires_grad else None for leaf in leaves]
    assert all(torch.equal(one, whole(value)) for one, value in zip(before, inputs, strict=True))
    return outs, incoming, by_input


def check(
    name: str, reference: Reference, given: list[Tensor], form: str, monkeypatch: pytest.MonkeyPatch, f=None, dtype=None
) -> None:
    outs, incoming, gradients = run(name, given, form, monkeypatch, f, dtype)
    values, slopes = reference([exact(value) for value in given], [exact(one) for one in incoming], work_unit(outs[0].dtype))
    for out, true in zip(outs, values, strict=True):
        true.check(out)
    for gradient, leaf, true in zip(gradients, given, slopes, strict=True):
        if gradient is not None:
            assert (gradient.shape, gradient.dtype) == (leaf.shape, leaf.dtype)
            true.check(gradient)


def packets(order: str, power: int, separate: bool) -> Reference:
    """Channels in the given order ("cs" or "sc"), an envelope e^{−z²/power}; power 0 for none."""

    def reference(given, incoming, u):
        positions, omega, *rest = given
        b = positions[:, None]
        omega = omega[None, :]
        sigma = rest[0][None, :] if rest else np.full_like(omega, np.inf)
        center = rest[1][None, :] if len(rest) > 1 else np.zeros_like(omega)
        theta = omega * b
        with np.errstate(divide="ignore", invalid="ignore"):
            beyond = abs((b - center) / sigma) > 64
            inner = np.where(beyond, WIDE(1), sigma)
            z = np.where(beyond, WIDE(0), (b - center) / inner)
        e = np.where(beyond, WIDE(0), np.exp(-z * z / power)) if power else np.ones_like(theta)
        waves = {"c": (np.cos(theta), -np.sin(theta)), "s": (np.sin(theta), np.cos(theta))}
        (first, d_first), (second, d_second) = (waves[kind] for kind in order)
        inside = (abs(theta) + 3 * z * z + 8) * V
        values = [Result(e * wave, e * inside + 2.0**-1070) for wave in (first, second)]
        p, q = incoming if separate else (incoming[0][:, 0::2], incoming[0][:, 1::2])
        turned, kept = e * (p * d_first + q * d_second), e * (p * first + q * second)
        size = (abs(p) + abs(q)) * e
        slope = 2 * z / power if power else z

        def gradient(true, factor, axis):
            one = Result(true, abs(factor) * (size * (5 * u + inside + 6 * V) + 2.0**-140))
            return one.summed(abs(factor) * size, axis)

        slopes = [
            gradient(omega * turned - slope / inner * kept, abs(omega) + abs(slope / inner), (1,)),
            gradient(b * turned, b + 0 * size, (0,)),
        ]
        if rest:
            slopes.append(gradient(slope * z / inner * kept, slope * z / inner + 0 * size, (0,)))
        if len(rest) > 1:
            slopes.append(gradient(slope / inner * kept, slope / inner + 0 * size, (0,)))
        if not separate:
            both = ([getattr(one, part) for one in values] for part in ("true", "error"))
            values = [Result(*(np.stack(parts, -1).reshape(b.shape[0], -1) for parts in both))]
        return values, slopes

    return reference


def alibi(given, incoming, u):
    d, slope = given[0][:, None], given[1][None, :, None, None]
    g = incoming[0]
    d = d + 0 * g
    value = Result(-slope * abs(d), abs(slope * d) * V)
    over_heads = Result(-slope * np.sign(d) * g, abs(slope * g) * 2 * V).summed(abs(slope * g), (1,))
    return [value], [over_heads, Result(-abs(d) * g, abs(d * g) * 2 * V).summed(abs(d * g), (0, 2, 3))]


def gaussian(given, incoming, u):
    d, sigma = given[0][:, None], given[1][None, :, None, None]
    g = incoming[0]
    z = d / sigma + 0 * g
    by_d, by_sigma = -z / 2 / sigma * g, z * z / 2 / sigma * g
    slopes = [
        Result(by_d, abs(by_d) * 8 * V).summed(abs(by_d), (1,)),
        Result(by_sigma, abs(by_sigma) * 8 * V).summed(abs(by_sigma), (0, 2, 3)),
    ]
    return [Result(-z * z / 4, z * z / 4 * 4 * V)], slopes


def gate(given, incoming, u):
    e, mean, deviation, alpha, tau = given
    e, mean, deviation = e[:, :, None, :], mean[..., None], deviation[..., None]
    alpha, tau = (value[None, :, None, None] for value in (alpha, tau))
    g = incoming[0]
    divisor = np.maximum(deviation, WIDE(1e-08))
    z = (e - mean) / divisor
    x = alpha * (z - tau)
    off = (abs(alpha) * (5 * abs(z) + 2 * abs(tau)) + 4) * V
    y = 1 / (1 + np.exp(-x))
    slope = y / (1 + np.exp(x))
    terms = (slope * (abs(alpha) * (5 * abs(z) + 2 * abs(tau)) + 16) * V) * abs(g)

    def gradient(factor, axes):
        true = slope * g * factor
        return Result(true, abs(factor) * terms).summed(abs(true), axes)

    above = np.where(deviation > WIDE(1e-08), WIDE(1), WIDE(0))
    return [Result(y, off / 4 + 4 * V)], [
        gradient(alpha / divisor, (2,)), gradient(-alpha / divisor, (3,)), gradient(-alpha * above * z / divisor, (3,)),
        Result(slope * g * (z - tau), (abs(z) + abs(tau)) * terms).summed(abs(slope * g * (abs(z) + abs(tau))), (0, 2, 3)),
        gradient(-alpha + 0 * z, (0, 2, 3)),
    ]  # fmt: skip


def distances(queries: int, keys: int, batch: int = 1) -> Tensor:
    steps = torch.arange(queries)[:, None] - torch.arange(keys) * 2
    return torch.stack([steps + k for k in range(batch)]).float()


def cases(dtype: torch.dtype, tokens: int, pairs: int) -> dict[str, tuple[Reference, list[Tensor]]]:
    torch.manual_seed(5)
    positions = (torch.rand(tokens) - 0.5) * 60
    omega, sigma, center = torch.rand(pairs) * 3, torch.rand(pairs) * 20 + 1, torch.randn(pairs) * 5
    parameters = [value.to(dtype) for value in (omega, sigma, center)]
    one_a_head = (torch.rand(3) * 5 + 0.5).to(dtype)
    energies = [torch.rand(2, 3, pairs), torch.rand(2, 3, tokens), torch.rand(2, 3, tokens), torch.randn(3), torch.randn(3)]
    energies[2][..., ::3] = 0.0
    return {
        "morlet_encoding": (packets("cs", 2, False), [positions, *parameters]),
        "sinusoidal_encoding": (packets("sc", 0, False), [positions, parameters[0]]),
        "relative_kernel": (packets("cs", 4, True), [positions, *parameters[:2]]),
        "alibi_bias": (alibi, [distances(tokens, pairs, 2), one_a_head]),
        "gaussian_bias": (gaussian, [distances(tokens, pairs, 2), one_a_head]),
        "energy_gate": (gate, [value.to(dtype) for value in energies]),
    }


NAMES = tuple(cases(torch.float32, 1, 1))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(name, dtype, monkeypatch):
    reference, given = cases(dtype, 5, 10)[name]
    check(name, reference, given, "contiguous", monkeypatch)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sizes", [(1, 1), (15, 16), (17, 40), (33, 65)])
def test_sizes_beside_those_of_a_block(name, sizes, monkeypatch):
    reference, given = cases(torch.float32, *sizes)[name]
    check(name, reference, given, "contiguous", monkeypatch)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["transposed", "odd"])
def test_any_strides(name, form, monkeypatch):
    reference, given = cases(torch.float32, 17, 10)[name]
    check(name, reference, given, form, monkeypatch)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "energy_gate"])
def test_integer_positions_and_a_wider_result(name, monkeypatch):
    reference, given = cases(torch.float32, 5, 7)[name]
    given[0] = given[0].round().to(torch.int64)
    check(name, reference, given, "contiguous", monkeypatch, dtype=torch.float64)


@pytest.mark.parametrize("name", ["morlet_encoding", "relative_kernel"])
def test_edges_of_the_width(name, monkeypatch):
    """∞ is no envelope, with gradient 0; beyond the guard value and gradient are 0; a tiny width leaves position 0 alone."""
    reference = cases(torch.float32, 1, 1)[name][0]
    positions = torch.tensor([0.0, 1.0, -3.0, 1e5, 2.0**24 + 2, 1e15])
    sigma = torch.tensor([math.inf, 1e-10, 1e-20, 1e-38, 1.4e-45, 1e-3, 1e30])
    given = [positions, torch.linspace(0.1, 3.0, 7), sigma, torch.zeros(7)]
    check(name, reference, given if name == "morlet_encoding" else given[:3], "contiguous", monkeypatch)


def test_a_bias_beyond_the_range_is_a_mask_without_nan():
    sigma = torch.tensor([1e-38, math.inf, 2.0], device=DEVICE, requires_grad=True)
    from mope_impl.generated.triton.gaussian_bias import gaussian_bias

    bias = gaussian_bias(torch.tensor([[[0, 2**40]]], device=DEVICE), sigma)
    assert bias[0, :, 0].tolist() == [[0.0, -math.inf], [0.0, 0.0], [0.0, -(2.0**76)]]
    assert not torch.autograd.grad(bias[..., 0].sum(), sigma)[0].any()


@pytest.mark.parametrize("name", NAMES)
def test_sizes_of_zero(name):
    """Gradients are sums of no terms."""
    f = getattr(importlib.import_module(f"mope_impl.generated.triton.{name}"), name)
    for sizes in ((0, 3), (3, 0)):
        leaves = [value.to(DEVICE).requires_grad_() for value in cases(torch.float32, *sizes)[name][1]]
        found = f(*leaves)
        outs = found if isinstance(found, tuple) else (found,)
        assert all(out.numel() == 0 for out in outs)
        for gradient, leaf in zip(torch.autograd.grad(sum(out.sum() for out in outs), leaves), leaves, strict=True):
            assert gradient.shape == leaf.shape
            assert not gradient.any()


WIDE_BASE, NARROW_BASE = "z_numerator = b - b_0", "z_numerator = b.to(tl.float32) - b_0.to(tl.float32)"
ALL, ROWS_ALONE = "* blocks_k + block_k, tl.sum(tl.sum(sum_sigma", "* blocks_k, tl.sum(tl.sum(sum_sigma"

FAULTS = {
    ("morlet_encoding", "difference in float32"): (WIDE_BASE, NARROW_BASE),
    ("morlet_encoding", "channels exchanged"): ("out + at_out + stride_out_c", "out + at_out"),
    ("relative_kernel", "one output for both"): ("tl.store(out_1 + at_out_1,", "tl.store(out_0 + at_out_1,"),
    ("gaussian_bias", "square of the width"): ("z = d / positive_sigma", "z = d * d / (positive_sigma * positive_sigma)"),
    ("gaussian_bias", "rows alone are summed"): (ALL, ROWS_ALONE),
    ("alibi_bias", "slope of another head"): ("at_h * stride_slope_h", "at_b * stride_slope_h"),
    ("energy_gate", "constant in float32"): ("tl.full((1, 1), 1e-08, tl.float64)", "tl.full((1, 1), 1e-08, tl.float32)"),
    ("energy_gate", "mask lost"): (".dtype.element_ty), mask=inside)", ".dtype.element_ty))"),
}


if DEVICE == "cpu":  # a fault may write anywhere, which a GPU does not survive; there test_gpu.py runs these in the interpreter

    @pytest.mark.parametrize("name, fault", FAULTS)
    def test_a_planted_fault_is_caught(name, fault, monkeypatch, tmp_path):
        kernels = changed(name, *FAULTS[name, fault], tmp_path)
        reference, given = cases(torch.float64, 17, 70)[name]
        if name == "morlet_encoding":
            given[0], given[3] = given[0] + 2.0**20, given[3] + 2.0**20
        with pytest.raises(AssertionError):
            check(name, reference, given, "contiguous", monkeypatch, getattr(kernels, name))
