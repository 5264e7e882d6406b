"""A generated kernel against the formula of its specification, at the exact binary values of its inputs."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import mpmath
import torch

from mope_theory.reference import to_mpmath
from mope_theory.spec import KernelSpec, parse_axes

UNIT = 2.0**-23
"""Twice the most that one rounding to float32 changes a number below 1, or relatively one above: the kernel rounds once, and as
much again is left for its arithmetic, which is done in float64."""


def worst(spec: KernelSpec, kernel: Callable[..., Any], samples: Mapping[str, Sequence[Any]]) -> float:
    """The largest error of a channel in units of its bound: at most 1 in a kernel that computes the formula.

    samples: values of each input, nested as deep as it has axes; floating-point inputs are given in float32.
    """
    inputs = {
        one.name: torch.tensor(samples[one.name], dtype=None if one.kind == "number" else torch.float32) for one in spec.inputs
    }
    axes = {one.name: parse_axes(one.axes, one.name) for one in spec.inputs}
    sizes = {axis: size for name, own in axes.items() for axis, size in zip(own, inputs[name].shape, strict=True)}
    found = kernel(*inputs.values())
    largest = 0.0
    for place in itertools.product(*(range(sizes[axis]) for axis in spec.axes)):
        at = dict(zip(spec.axes, place, strict=True))
        point = {one.symbol: inputs[one.name][tuple(at[axis] for axis in axes[one.name])].item() for one in spec.inputs}
        for channel, formula in enumerate(spec.channels):
            exact = to_mpmath(formula, point, dps=30).real
            error = abs(mpmath.mpf(_channel(spec, found, place, channel).item()) - exact)
            largest = max(largest, float(error / (UNIT * max(1, abs(exact)))))
    return largest


def _channel(spec: KernelSpec, found: Any, place: tuple[int, ...], channel: int) -> torch.Tensor:
    """One channel of the result at one place, wherever the layout puts it."""
    if spec.layout == "separate":
        return (found if len(spec.channels) > 1 else [found])[channel][place]
    if spec.layout == "stacked":
        return found[(*place, channel)]
    count = len(spec.channels)
    size = found.shape[-1] // count
    last = place[-1] * count + channel if spec.layout == "interleaved" else channel * size + place[-1]
    return found[(*place[:-1], last)]
