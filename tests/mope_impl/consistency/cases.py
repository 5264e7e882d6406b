"""Calls of any kernel over its box, drawn by Hypothesis: shapes, dtypes, and values where roundings differ.

What an input is called says how its values are drawn: widths so that the envelope is neither 1 nor 0 as a rule, rates so that
an exponential stays finite, deviations about the clamp. A name that has no line is drawn from its domain, of moderate size.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

import mope_theory as mt
from mope_theory.spec import Input
from tests.mope_impl.consistency.harness import DTYPES, Case

Values = st.SearchStrategy[float]
LIMITS = {torch.float16: 60000.0, torch.bfloat16: 1e38, torch.float32: 1e38, torch.float64: 1e38}
MODERATE = 1e3
INTERLEAVED_OR_HALF = ("half", "interleaved")


def powers(low: float, high: float) -> Values:
    return st.floats(math.log2(low), math.log2(high)).map(lambda e: 2.0**e)


def signed(low: float, high: float) -> Values:
    return st.builds(lambda x, sign: sign * x, powers(low, high), st.sampled_from([1, -1]))


def widths(reach: float) -> Values:
    """Often at a given |z|, else of any size, or ∞."""
    anywhere = st.one_of(powers(1e-3, 6e4), powers(1e-37, 1e38), st.just(math.inf))
    return st.one_of(powers(0.02, 80).map(lambda z: max(reach, 1e-30) / z), anywhere)


SAMPLERS: Mapping[str, Callable[[float], Values]] = {
    "omega": lambda reach: signed(1e-4, 8192),
    "sigma": widths,
    "center": lambda reach: st.one_of(st.just(0.0), st.floats(-min(reach, 60000), min(reach, 60000))),
    "rate": lambda reach: signed(1e-3, 80).map(lambda growth: growth / max(reach, 1.0)),
    "x": lambda reach: st.one_of(st.just(0.0), signed(1e-4, 1e4), signed(1e-30, 1e30)),
    "real": lambda reach: st.one_of(st.just(0.0), signed(1e-4, 1e4)),
    "imaginary": lambda reach: st.one_of(st.just(0.0), signed(1e-4, 1e4)),
    "slope": lambda reach: st.one_of(st.just(0.0), signed(1e-6, 1e3)),
    "energy": lambda reach: st.floats(-reach, reach),
    "mean": lambda reach: st.floats(-reach, reach),
    "deviation": lambda reach: st.one_of(powers(1e-3, 10).map(lambda share: share * reach), powers(1e-10, 1e-6), st.just(0.0)),
    "sharpness": lambda reach: signed(1e-2, 100),
    "threshold": lambda reach: st.floats(-3, 3),
}
"""Values of an input, given the largest position or distance, or another number of that size."""


def sampled(x: Input, reach: float) -> Values:
    if x.name in SAMPLERS:
        return SAMPLERS[x.name](reach)
    return st.floats(*(float(max(min(end, MODERATE), -MODERATE)) for end in (x.domain.inf, x.domain.sup)))


def within(x: Input, value: Tensor) -> Tensor:
    """Rounded to its dtype a value may have left the domain, or overflowed: 1 and the largest stand for it there."""
    limit = LIMITS[value.dtype]
    clamped = torch.where(value.isinf() & (not x.may_be_infinite), limit, value).clamp(-math.inf, math.inf)
    least = 0.0 if x.domain.inf <= 0 else float(x.domain.inf)
    return torch.where(clamped > least, clamped, 1.0) if x.is_positive else clamped


@st.composite
def cases(draw: st.DrawFn, name: str, float_numbers: bool = False, largest: int = 3) -> Case:
    """A call with up to so many elements along each axis."""
    spec, dtype = mt.spec(name), DTYPES[draw(st.sampled_from(sorted(DTYPES)))]
    other = draw(st.sampled_from([dtype, torch.float32, torch.float64]))
    sizes = {axis: draw(st.integers(1, largest)) for axis in spec.axes}
    lead = draw(st.sampled_from([(), (2,)])) if len(spec.axes) > 2 else (draw(st.integers(1, largest + 1)),)
    reach = draw(st.sampled_from([4.0, 300.0, 5000.0, 2.0**24]))
    inputs = {
        x.name: draw(tensors(x, shape_of(x, sizes, lead), reach, dtype if x.kind == "float" else other, float_numbers))
        for x in spec.inputs
    }
    return Case(name, inputs, dtype, draw(st.sampled_from(INTERLEAVED_OR_HALF)))


def shape_of(x: Input, sizes: Mapping[str, int], lead: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of an input with its channels, which lie in its last axis."""
    plain = [sizes[axis] for axis in x.own if not axis.startswith("*")]
    shape = [*(lead if any(axis.startswith("*") for axis in x.own) else ()), *plain]
    if x.has_channels and x.layout != "stacked":
        shape[-1] *= len(x.symbols)
    return tuple(shape) + ((len(x.symbols),) if x.layout == "stacked" else ())


@st.composite
def tensors(
    draw: st.DrawFn, x: Input, shape: tuple[int, ...], reach: float, dtype: torch.dtype, float_numbers: bool
) -> Tensor:
    count = math.prod(shape)
    if x.kind == "number":
        dtype = draw(st.sampled_from([torch.float64, torch.float32, torch.bfloat16])) if float_numbers else torch.int64
        whole: st.SearchStrategy[Any] = st.floats(-reach, reach) if float_numbers else st.integers(-int(reach), int(reach))
        return torch.tensor(draw(st.lists(whole, min_size=count, max_size=count))).to(dtype).reshape(shape)
    values = draw(st.lists(sampled(x, reach), min_size=count, max_size=count))
    return within(x, torch.tensor(values, dtype=torch.float64).to(dtype)).reshape(shape)


def morlet(positions: Tensor, omega: Tensor, sigma: Tensor, center: Tensor, dtype: torch.dtype) -> Case:
    """A call of the Morlet encoding."""
    inputs = {"positions": positions, "omega": omega, "sigma": sigma, "center": center}
    return Case("morlet_encoding", inputs, dtype)


def every_kernel() -> list[str]:
    return [spec.name for spec in mt.specs()]
