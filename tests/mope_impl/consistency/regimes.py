"""Calls of any kernel in a given regime: how far out on its envelope, and how often its phase turns."""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

import mope_theory as mt
from mope_theory.spec import Input
from tests.mope_impl.consistency.cases import shape_of
from tests.mope_impl.consistency.harness import Case

Range = tuple[float, float]
REGIMES = [(z, phase) for z in ((1e-3, 0.1), (0.5, 2), (5, 10)) for phase in ((1e-2, 1), (10, 1e3), (1e5, 1e7))]
LARGEST = 6e4
"""Below the largest number of every format."""


class Regime:
    """Draws inputs so that z and the phase of about the middle position lie in the given ranges."""

    def __init__(self, z: Range, phase: Range, generator: torch.Generator, middle: float | None = None) -> None:
        self.z, self.phase, self.generator = z, phase, generator
        self.middle = float(2.0 ** self.uniform((), 7.0, 14.0)) if middle is None else middle

    def uniform(self, shape: tuple[int, ...], low: float, high: float) -> Tensor:
        return low + (high - low) * torch.rand(shape, generator=self.generator, dtype=torch.float64)

    def normal(self, shape: tuple[int, ...]) -> Tensor:
        return torch.randn(shape, generator=self.generator, dtype=torch.float64)

    def numbers(self, shape: tuple[int, ...]) -> Tensor:
        return self.middle * self.uniform(shape, 0.5, 2.0) * self.normal(shape).sign()

    def frequencies(self, shape: tuple[int, ...]) -> Tensor:
        return torch.exp2(self.uniform(shape, *map(math.log2, self.phase))) / self.middle

    def draw(self, x: Input, shape: tuple[int, ...]) -> Tensor:
        if x.kind == "number":
            return self.numbers(shape)
        values = VALUES.get(x.name, lambda r, shape: r.uniform(shape, 0.25, 0.75))
        return values(self, shape).clamp(-LARGEST, LARGEST)


VALUES: Mapping[str, Callable[[Regime, tuple[int, ...]], Tensor]] = {
    "omega": Regime.frequencies,
    "sigma": lambda r, shape: r.middle / r.uniform(shape, *r.z),
    "center": lambda r, shape: torch.zeros(shape, dtype=torch.float64),
    "rate": lambda r, shape: r.uniform(shape, *r.z) / r.middle / 2,
    "x": Regime.normal,
    "slope": lambda r, shape: r.uniform(shape, 0.1, 1.0),
    "energy": lambda r, shape: r.normal(shape).sign() * r.uniform(shape, *r.z),
    "mean": lambda r, shape: r.uniform(shape, -0.1, 0.1) * r.z[0],
    "deviation": lambda r, shape: r.uniform(shape, 0.7, 1.4),
    "sharpness": lambda r, shape: r.uniform(shape, 0.5, 2.0),
    "threshold": lambda r, shape: r.uniform(shape, -0.3, 0.3),
}
"""Values of an input by its name; any other takes values about ½, which most domains admit."""


def small(name: str, dtype: torch.dtype = torch.float64, seed: int = 0) -> Case:
    """Positions of about three tokens, phases of about one turn: difference quotients and eyes can follow."""
    return ordinary(name, dtype, Regime((0.5, 2), (0.5, 3), torch.Generator().manual_seed(seed), middle=3.0))


def ordinary(name: str, dtype: torch.dtype, regime: Regime) -> Case:
    """Six positions and three pairs, or as few elements in more axes: the bound of a long sum is far from its error."""
    spec = mt.spec(name)
    alone = spec.axes[0] == "*t"
    sizes = {"t": 4, "k": 4, "h": 2, "q": 1, "n": 3 if alone else 2}
    lead = (6,) if alone else ()
    inputs = {x.name: regime.draw(x, shape_of(x, sizes, lead)).to(dtype) for x in spec.inputs}
    return Case(name, inputs, dtype)
