"""One call of the encoding, its exact values and gradients, and the worst error in units of the derived bound.

Every reference value is the definition of ψ in ball arithmetic at the exact binary inputs; gradients come from Taylor
arithmetic on balls.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from flint import arb
from torch import Tensor

from mope_theory import symbols as s
from mope_theory.reference import derivative_arb, rounding, to_acb
from mope_theory.reference.formats import FORMATS, Array, Format

DTYPES = {name: getattr(torch, name) for name in FORMATS}
WRT = {"positions": s.b, "omega": s.omega, "sigma": s.sigma, "center": s.center}
"""The arguments in the order of the call."""
PACKET = s.psi(s.b, s.omega, s.sigma, s.center)
Kernel = Callable[..., Tensor]


@dataclass(frozen=True)
class Case:
    """One call: positions (T,), parameters (n,), the dtype of the result."""

    positions: Tensor
    omega: Tensor
    sigma: Tensor
    center: Tensor
    dtype: torch.dtype

    @property
    def inputs(self) -> dict[str, Tensor]:
        return {k: getattr(self, k) for k in WRT}

    def exact(self) -> tuple[Array, Array, Array, Array]:
        """ω, σ, b, b₀ as float64 arrays that broadcast to (T, n); every input is exact in float64."""
        b = self.positions.to(torch.float64).numpy()[:, None]
        w, width, c = (x.to(torch.float64).numpy()[None, :] for x in (self.omega, self.sigma, self.center))
        return np.broadcast_arrays(w, width, b, c)

    def points(self) -> list[dict[object, float]]:
        keys = (s.omega, s.sigma, s.b, s.center)
        columns = (a.ravel().tolist() for a in self.exact())
        return [dict(zip(keys, point, strict=True)) for point in zip(*columns, strict=True)]


def format_of(dtype: torch.dtype) -> Format:
    return FORMATS[str(dtype).removeprefix("torch.")]


def as_floats(values: list[arb]) -> Array:
    return np.array([float(v.mid()) for v in values])


def excess(computed: Tensor, exact: list[arb], error: Array, dtype: torch.dtype) -> float:
    """Worst error in units of its bound: at most 1, or the bound is broken. A NaN is infinitely wrong."""
    bound = rounding.rounded(error.ravel(), as_floats(exact), format_of(dtype))
    worst = 0.0
    for got, true, allowed in zip(computed.to(torch.float64).ravel().tolist(), exact, bound, strict=True):
        if math.isinf(allowed):
            assert abs(got) > 0.99 * format_of(dtype).largest, "the bound is infinite only where the result overflows"
            continue
        if not math.isfinite(got):
            return math.inf
        worst = max(worst, float(abs(arb(got) - true).upper()) / allowed)
    return worst


def forward_excess(case: Case, kernel: Kernel) -> float:
    out = kernel(case.positions, case.omega, case.sigma, case.center, dtype=case.dtype)
    assert out.dtype == case.dtype
    assert out.shape == (len(case.positions), 2 * len(case.omega))
    values = [to_acb(PACKET, p) for p in case.points()]
    real, imag = rounding.forward_error(*case.exact())
    return max(
        excess(out[:, 0::2], [v.real for v in values], real, case.dtype),
        excess(out[:, 1::2], [v.imag for v in values], imag, case.dtype),
    )


def gradient_excess(case: Case, kernel: Kernel, upstream: Tensor) -> dict[str, float]:
    """Worst ratio of error to bound of each gradient, for an upstream gradient (T, 2n) of the result's dtype."""
    inputs = {k: v.clone().requires_grad_(v.dtype.is_floating_point) for k, v in case.inputs.items()}
    out = kernel(*inputs.values(), dtype=case.dtype)
    out.backward(upstream)
    shape = (len(case.positions), len(case.omega))
    p, q = (upstream.to(torch.float64)[:, i::2].numpy() for i in (0, 1))
    terms = rounding.gradient_terms(*case.exact(), p, q)
    points, worst = case.points(), {}
    for name, symbol in WRT.items():
        got = inputs[name].grad
        if got is None:
            assert not inputs[name].requires_grad
            continue
        assert got.dtype == inputs[name].dtype
        slopes = [derivative_arb(PACKET, point, symbol) for point in points]
        summands = [
            arb(x) * slope.real + arb(y) * slope.imag
            for slope, x, y in zip(slopes, p.ravel().tolist(), q.ravel().tolist(), strict=True)
        ]
        grid = np.array(summands, dtype=object).reshape(shape)
        axis = 1 if name == "positions" else 0
        worst[name] = excess(got, list(grid.sum(axis=axis)), rounding.sum_error(terms[name], axis), got.dtype)
    return worst
