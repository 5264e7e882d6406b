"""One call of a kernel, its exact values and gradients, and the worst error in units of the derived bound.

Whatever the kernel: every reference value is the formula of the specification in ball arithmetic at the exact binary inputs,
gradients come from Taylor arithmetic on balls, and bounds from a running error analysis of the numerical form.
"""
from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module

import numpy as np
import sympy as sp
import torch
from flint import arb
from torch import Tensor

import mope_theory as mt
from mope_theory.reference import derivative_arb, rounding, to_acb
from mope_theory.reference.formats import FLOAT64, FORMATS, Array, Format
from mope_theory.reference.running import Bounds
from mope_theory.spec import Input, KernelSpec
from mope_theory.symbols import Head
from mope_theory.vocabulary.operations import at_least

DTYPES = {name: getattr(torch, name) for name in FORMATS}
Kernel = Callable[..., Tensor | tuple[Tensor, ...]]


@cache
def bounds(name: str, arithmetic: Format = FLOAT64) -> Bounds:
    return Bounds(mt.spec(name), arithmetic)


def generated(name: str) -> Kernel:
    """The committed kernel of a specification."""
    return getattr(import_module(f"mope_impl.generated.torch.{name}"), name)


@dataclass(frozen=True)
class Case:
    """One call: the name of the kernel, its inputs by name, the dtype of the result, and a layout where one is asked for."""

    name: str
    inputs: dict[str, Tensor]
    dtype: torch.dtype
    layout: str = "half"

    @cached_property
    def spec(self) -> KernelSpec:
        return mt.spec(self.name)

    @property
    def options(self) -> dict[str, object]:
        return {"dtype": self.dtype} | ({"layout": self.layout} if self.spec.layout_is_chosen else {})

    def with_inputs(self, **changed: Tensor) -> Case:
        return Case(self.name, self.inputs | changed, self.dtype, self.layout)

    def arithmetic(self, *others: torch.dtype) -> Format:
        """The format that the kernel computes in, given the dtypes of what it reads besides its inputs."""
        if self.spec.arithmetic == "float64":
            return FLOAT64
        dtypes = [x.dtype for x in self.inputs.values()]
        return format_of(functools.reduce(torch.promote_types, (*dtypes, *others), torch.float32))

    @cached_property
    def columns(self) -> dict[sp.Symbol, Array]:
        """Each symbol as a float64 array that broadcasts over the axes of the output."""
        return {
            symbol: self._over_all_axes(x, part)
            for x in self.spec.inputs
            for symbol, part in zip(x.symbols, split(x.layout, len(x.symbols), self.inputs[x.name], self.layout), strict=True)
        }

    def _over_all_axes(self, x: Input, value: Tensor) -> Array:
        """The array with axes of length 1 where it lacks some; a starred axis may be any number of them, or none."""
        array = value.detach().to(torch.float64).numpy()
        if not any(axis.startswith("*") for axis in x.own):
            array = array.reshape((1,) * (len(x.own) - array.ndim) + array.shape)
        plain = [axis for axis in x.own if not axis.startswith("*")]
        lead = array.shape[: array.ndim - len(plain)]
        sizes = dict(zip(plain, array.shape[array.ndim - len(plain) :], strict=True))
        return array.reshape(lead + tuple(sizes.get(axis, 1) for axis in self.spec.axes if not axis.startswith("*")))

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Of one channel of the output."""
        return np.broadcast_shapes(*(array.shape for array in self.columns.values()))

    @cached_property
    def points(self) -> list[dict[sp.Symbol, float]]:
        """The values of the symbols at each element of the output."""
        arrays = np.broadcast_arrays(*self.columns.values())
        columns = (array.ravel().tolist() for array in arrays)
        return [dict(zip(self.columns, point, strict=True)) for point in zip(*columns, strict=True)]


def split(layout: str, count: int, value: Tensor, chosen: str) -> tuple[Tensor, ...]:
    """The channels of an array."""
    if layout == "separate":
        return (value,)
    if layout == "stacked":
        return value.unbind(-1)
    if layout == "halves" or (layout == "chosen" and chosen == "half"):
        return value.chunk(count, -1)
    return tuple(value[..., k::count] for k in range(count))


def outputs(case: Case, out: Tensor | tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """The channels of a result."""
    return out if isinstance(out, tuple) else split(case.spec.layout, len(case.spec.channels), out, case.layout)


def resolved(expression: sp.Expr, point: dict[sp.Symbol, float]) -> sp.Expr:
    """The formula with the branch of each modulus and maximum of an input that holds at the point.

    Where two meet, the one that the kernels promise: |0| is 0 and has no slope, a value at the floor (as float64 has it) is the
    floor.
    """
    if isinstance(expression, sp.Abs) and expression.args[0].is_Symbol:
        return expression.args[0] * int(np.sign(point[expression.args[0]]))
    if type(expression) is at_least:
        x, floor = expression.args
        return x if point[x] > float(floor) else floor
    if isinstance(expression, Head) and any(part for part in expression.atoms(at_least)):
        return resolved(expression.definition(), point)
    return expression.func(*(resolved(arg, point) for arg in expression.args)) if expression.args else expression


def format_of(dtype: torch.dtype) -> Format:
    return FORMATS[str(dtype).removeprefix("torch.")]


def as_floats(values: list[arb]) -> Array:
    return np.array([float(v.mid()) for v in values])


def excess(computed: Tensor, exact: list[arb], error: Array, dtype: torch.dtype) -> float:
    """Worst error in units of its bound: at most 1, or the bound is broken. A NaN is infinitely wrong."""
    bound = rounding.rounded(error.ravel(), as_floats(exact), format_of(dtype))
    worst = 0.0
    for got, true, allowed in zip(computed.detach().to(torch.float64).ravel().tolist(), exact, bound, strict=True):
        if math.isinf(allowed):
            assert abs(got) > 0.99 * format_of(dtype).largest, "the bound is infinite only where the result overflows"
            continue
        if not math.isfinite(got):
            return math.inf
        worst = max(worst, float(abs(arb(got) - true).upper()) / allowed)
    return worst


def forward_excess(case: Case, kernel: Kernel) -> float:
    """Worst ratio of error to bound of the values that a kernel gives."""
    return value_excess(case, kernel(*case.inputs.values(), **case.options))


def value_excess(case: Case, result: Tensor | tuple[Tensor, ...]) -> float:
    """Worst ratio of error to bound of all channels of a result."""
    found = outputs(case, result)
    allowed = [bounds(case.name, case.arithmetic()).forward(point) for point in case.points]
    worst = 0.0
    for k, (channel, out) in enumerate(zip(case.spec.channels, found, strict=True)):
        assert out.dtype == case.dtype
        assert out.shape == case.shape
        exact = [to_acb(resolved(channel, point), point).real for point in case.points]
        worst = max(worst, excess(out, exact, np.array([row[k] for row in allowed]), case.dtype))
    return worst


def upstream_for(case: Case, generator: torch.Generator) -> tuple[Tensor, ...]:
    """Random incoming gradients of the channels."""
    return tuple(torch.randn(case.shape, generator=generator).to(case.dtype) for _ in case.spec.channels)


def gradients(case: Case, kernel: Kernel, upstream: tuple[Tensor, ...]) -> dict[str, Tensor]:
    """What the kernel gives for each floating-point input."""
    given = leaves(case)
    found = outputs(case, kernel(*given.values(), **case.options))
    asked = {k: v for k, v in given.items() if v.requires_grad}
    return dict(zip(asked, torch.autograd.grad(found, list(asked.values()), upstream), strict=True))


def leaves(case: Case) -> dict[str, Tensor]:
    """Copies of the inputs that ask for gradients where they can have some."""
    return {k: v.detach().clone().requires_grad_(v.dtype.is_floating_point) for k, v in case.inputs.items()}


def gradient_excess(case: Case, kernel: Kernel, upstream: tuple[Tensor, ...]) -> dict[str, float]:
    """Worst ratio of error to bound of each gradient that a kernel gives."""
    return slope_excess(case, gradients(case, kernel, upstream), upstream)


def slope_excess(case: Case, found: dict[str, Tensor], upstream: tuple[Tensor, ...]) -> dict[str, float]:
    """Worst ratio of error to bound of the gradient by each input."""
    incoming = [tuple(v) for v in zip(*(g.to(torch.float64).ravel().tolist() for g in upstream), strict=True)]
    worst = {}
    for name, got in found.items():
        x = case.spec.input(name)
        assert (got.dtype, got.shape) == (case.inputs[name].dtype, case.inputs[name].shape)
        parts = split(x.layout, len(x.symbols), got, case.layout)
        worst[name] = max(
            _summed_excess(case, symbol, part, incoming) for symbol, part in zip(x.symbols, parts, strict=True)
        )
    return worst


def _summed_excess(case: Case, symbol: sp.Symbol, got: Tensor, incoming: list[tuple[float, ...]]) -> float:
    own_bounds = bounds(case.name, arithmetic := case.arithmetic(case.dtype))
    terms = [own_bounds.gradient(point, v, symbol) for point, v in zip(case.points, incoming, strict=True)]
    own, count = case.columns[symbol].shape, len(case.shape)
    own = (1,) * (count - len(own)) + own
    axes = tuple(a for a in range(count) if own[a] == 1)
    summed = np.array(list(_slopes(case, symbol, incoming)), dtype=object).reshape(case.shape).sum(axis=axes)
    size, error = (np.array(column).reshape(case.shape) for column in zip(*terms, strict=True))
    allowed = rounding.sum_error(rounding.Terms(size, error), axes, arithmetic.unit)
    return excess(got, list(np.atleast_1d(summed).ravel()), allowed, got.dtype)


def _slopes(case: Case, symbol: sp.Symbol, incoming: list[tuple[float, ...]]) -> Iterator[arb]:
    """Σ_k v_k ∂c_k/∂x at each element."""
    for point, v in zip(case.points, incoming, strict=True):
        slopes = (derivative_arb(resolved(c, point), point, symbol).real for c in case.spec.channels)
        yield sum((arb(one) * slope for one, slope in zip(v, slopes, strict=True)), start=arb(0))
