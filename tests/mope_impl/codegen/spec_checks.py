"""Value checks of the kernels by name: closed forms written out by hand, gradients, and the edges of each box.

A check takes the name of a specification and a kernel that claims to be it, and raises. None compares text, bytes or hashes.
"""
from __future__ import annotations

import math
from collections.abc import Callable

import mpmath
import torch
from flint import ctx
from mpmath import cos, exp, mpf, sin

from mope_theory.reference import rounding
from tests.mope_impl.consistency.harness import Case, Kernel, bounds, gradient_excess, outputs, upstream_for
from tests.mope_impl.consistency.regimes import Regime, ordinary, small

Values = tuple[mpf, ...]


def turned(first: mpf, second: mpf, angle: mpf, stretch: mpf) -> Values:
    """(x₀ + i x₁) e^{iθ} times a stretch."""
    real, imag = first * cos(angle) - second * sin(angle), first * sin(angle) + second * cos(angle)
    return real * stretch, imag * stretch


def gate(e: mpf, mean: mpf, deviation: mpf, alpha: mpf, tau: mpf) -> Values:
    return (1 / (1 + exp(-alpha * ((e - mean) / max(deviation, mpf(10) ** -8) - tau))),)


CLOSED: dict[str, Callable[..., Values]] = {
    "alibi_bias": lambda d, slope: (-slope * abs(d),),
    "energy_gate": gate,
    "gaussian_bias": lambda d, s: (-d * d / (4 * s * s),),
    "morlet_rotary": lambda x, y, b, w, s: turned(x, y, w * b, exp(-b * b / (2 * s * s))),
    "relative_kernel": lambda d, w, s: (cos(w * d) * exp(-d * d / (4 * s * s)), sin(w * d) * exp(-d * d / (4 * s * s))),
    "rotary": lambda x, y, b, w: turned(x, y, w * b, mpf(1)),
    "sinusoidal_encoding": lambda b, w: (sin(w * b), cos(w * b)),
    "turn": lambda x, y, u, v: (x * u - y * v, x * v + y * u),
    "xpos_rotary": lambda x, y, b, w, rate: turned(x, y, w * b, exp(rate * b)),
}
"""What each kernel is, by the values of its symbols in their order; the Morlet encoding has checks of its own."""


def values(name: str, kernel: Kernel) -> None:
    g = torch.Generator().manual_seed(11)
    for case in (small(name), ordinary(name, torch.float64, Regime((5, 10), (10, 1e3), g))):
        found = outputs(case, kernel(*case.inputs.values(), **case.options))
        assert {out.shape for out in found} == {case.shape}
        columns = zip(*(out.ravel().tolist() for out in found), strict=True)
        for point, got in zip(case.points, columns, strict=True):
            with mpmath.workdps(60):
                true = CLOSED[name](*map(mpf, point.values()))
                allowed = bounds(name).forward(point)
                gaps = zip(got, true, allowed, strict=True)
                assert all(abs(mpf(value) - exact) <= bound * rounding.SECOND_ORDER for value, exact, bound in gaps)


def gradients(name: str, kernel: Kernel) -> None:
    before, ctx.prec = ctx.prec, 220
    try:
        case = small(name)
        assert max(gradient_excess(case, kernel, upstream_for(case, torch.Generator().manual_seed(0))).values()) <= 1
    finally:
        ctx.prec = before


def edges(name: str, kernel: Kernel) -> None:
    """At its edges a kernel has the values that its documentation names, and no derivative of first order is NaN."""
    for inputs, expected, slopes in EDGES.get(name, ()):
        leaves = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in inputs]
        found = outputs(Case(name, {}, torch.float64), kernel(*leaves))
        assert [out.item() for out in found] == list(expected)
        given = torch.autograd.grad(sum(found).sum(), leaves, create_graph=True)
        assert all(slope.isfinite().all() for slope in given)
        for place, slope in slopes.items():
            assert given[place].item() == slope


def invalid(name: str, kernel: Kernel) -> None:
    """NaN, and a width that is not positive, come out as NaN; so they do in the middle of ordinary values."""
    case = small(name)
    for key, value in case.inputs.items():
        for wrong in [math.nan, *((0.0, -1.0) if key == "sigma" else ())]:
            spoilt = case.with_inputs(**{key: torch.full_like(value, wrong)})
            for out in outputs(case, kernel(*spoilt.inputs.values(), **case.options)):
                assert out.isnan().all()


def halves_and_pairs(name: str, kernel: Kernel) -> None:
    """Both layouts, where there are two, hold the same channels."""
    case = small(name)
    if case.spec.layout_is_chosen:
        pairs = case.inputs["x"].unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)
        given = case.with_inputs(x=pairs).inputs.values()
        half, interleaved = kernel(*case.inputs.values(), layout="half"), kernel(*given, layout="interleaved")
        assert torch.equal(half.unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2), interleaved)


INFINITE, ABOVE_FLOOR = math.inf, math.nextafter(1e-8, 1)
EDGES: dict[str, tuple[tuple[tuple[object, ...], tuple[float, ...], dict[int, float]], ...]] = {
    "alibi_bias": ((([[0.0]], [3.0]), (0.0,), {0: 0.0, 1: 0.0}), (([[-2.0]], [3.0]), (-6.0,), {0: 3.0, 1: -2.0})),
    "gaussian_bias": (
        (([[0.0]], [1e-200]), (0.0,), {1: 0.0}),
        (([[3.0]], [INFINITE]), (0.0,), {0: 0.0, 1: 0.0}),
    ),
    "relative_kernel": (
        (([0.0], [0.5], [1e-300]), (1.0, 0.0), {2: 0.0}),
        (([1e15], [0.5], [1e-3]), (0.0, 0.0), {0: 0.0, 1: 0.0, 2: 0.0}),
        (([1.0], [0.5], [5e-324]), (0.0, 0.0), {0: 0.0, 1: 0.0, 2: 0.0}),
        (([1.0], [0.0], [INFINITE]), (1.0, 0.0), {2: 0.0}),
    ),
    "morlet_rotary": (
        (([[[1.0, 0.0]]], [1e15], [[0.5]], [[1e-3]]), (0.0, 0.0), {1: 0.0, 2: 0.0, 3: 0.0}),
        (([[[1.0, 0.0]]], [1.0], [[0.5]], [[5e-324]]), (0.0, 0.0), {1: 0.0, 2: 0.0, 3: 0.0}),
        (([[[1.0, 0.0]]], [1.0], [[0.0]], [[INFINITE]]), (1.0, 0.0), {3: 0.0}),
    ),
    "energy_gate": (
        (([[800.0]], [[0.0]], [[1.0]], [1.0], [0.0]), (1.0,), {2: 0.0}),
        (([[-800.0]], [[0.0]], [[1.0]], [1.0], [0.0]), (0.0,), {0: 0.0, 1: 0.0}),
        (([[1e-8]], [[0.0]], [[1e-8]], [0.0], [0.0]), (0.5,), {2: 0.0}),
        (([[-1.0]], [[0.0]], [[1e-8]], [1e-8], [0.0]), (1 / (1 + math.e),), {2: 0.0}),
        (([[0.0]], [[0.0]], [[0.0]], [1.0], [0.0]), (0.5,), {0: 0.25 / 1e-8, 2: 0.0}),
    ),
}
"""Inputs, values, and gradients of the sum of the channels by the inputs at these places."""

CHECKS = {check.__name__: check for check in (values, gradients, halves_and_pairs, edges, invalid)}
"""In the order in which they are tried."""
