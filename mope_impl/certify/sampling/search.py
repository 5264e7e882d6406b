"""The search for the largest error of a result: random points, edges, a table, lines of 16-bit values, and climbs from the best.

The file is not run: its recovered operations are carried out by torch (:mod:`.replay`) and compared with the formula
(:mod:`.wide`). The search looks in 80-bit arithmetic where float64 takes part, in float64 otherwise, and what it finds is
measured again by Arb. With one seed it takes the same points each time on one machine; another vector unit may round another
way, and find another one.
"""

from __future__ import annotations

from math import inf
from zlib import crc32

import numpy as np
import sympy as sp
import torch

from ..exact import error_at
from ..rounding import Bound
from ..scalars import Scalar, names
from ..table import TERMS, Observed
from .extent import extent, how_far_moved
from .points import Leaf, Points, at_edges, drawn, joined, lines, neighbours, numbers, picked, table
from .replay import below, replay
from .wide import Wide, wide

SEED = 0
DRAWN, EDGES, CLIMBERS, CONFIRMED, SUMMED = 1 << 14, 1 << 12, 512, 24, 32
STEPS = {"float64": 400, "float32": 50, "bfloat16": 30, "float16": 30}
"""Of a climb. In few bits the error is that of the last rounding, which is soon at its largest; in float64 it is made up of many,
which seldom add up."""
SLACK = 1 + 2.0**-20
"""What a search that is not in ball arithmetic may take for an excess is measured again beyond this."""


def search(scalar: Scalar, bound: Bound, seed: int = SEED) -> Observed:
    """The largest error found over the box of a bound; what is not computed with stays where it is.

    Raises ValueError where no point of it has an error that can be told.
    """
    numbered = {x.name for x in scalar.spec.inputs if x.kind == "number" and x.symbols[0] != scalar.symbol}
    inputs = {str(node.value) for node in below(scalar.node) if node.op == "leaf"}
    own = {name: Leaf(name, scalar.dtype, *bound.box[name], name in numbered) for name in names(scalar.spec)}
    leaves = [own[name] for name in sorted(inputs)]
    idle = {name: own[name].of(np.ones(1)) for name in sorted(set(own) - inputs)}
    generator = np.random.default_rng([seed, crc32(f"{scalar.spec.name} {scalar.name} {scalar.dtype}".encode())])
    reach = extent(scalar, leaves, idle, bound.largest, generator)
    found = _Search(scalar, bound, idle)
    found.take(drawn(leaves, generator, DRAWN))
    found.take(at_edges(leaves, generator, EDGES))
    found.take({leaf.name: leaf.of(reach.points[leaf.name].numpy()) for leaf in leaves})
    if entries := table(leaves, generator):
        found.take(entries)
    for turn in range(STEPS[scalar.dtype]):
        found.climb(neighbours(leaves[turn % len(leaves)], found.points, generator))
    for line in lines(leaves, picked(found.points, found.errors.argmax().reshape(1))):
        found.take(line)
    error, point, computed = found.confirmed()
    far = max(reach.moved, how_far_moved(scalar, {**idle, **found.points}))
    return Observed(error, point, computed, found.samples, seed, reach.size, far, found.summed(), found.excess)


class _Search:
    """The best points so far, and what exceeds a bound."""

    def __init__(self, scalar: Scalar, bound: Bound, idle: Points) -> None:
        self.scalar, self.bound, self.idle, self.symbols = scalar, bound, idle, names(scalar.spec)
        self.kind: type[np.floating] = np.longdouble if scalar.dtype == "float64" else np.float64
        self.reached = [x.name for x in scalar.spec.inputs if x.kind == "number"]
        self.points: Points = {}
        self.errors = torch.empty(0, dtype=torch.float64)
        self.samples, self.excess = 0, ""

    def measured(self, points: Points, against_all: bool = False) -> torch.Tensor:
        """|computed − true| at each point: ∞ where the result alone is not finite, −1 where the bound speaks of no such value, or
        the reference overflows."""
        count = len(next(iter(points.values())))
        self.samples += count
        got = replay(self.scalar.node, points).to(torch.float64).numpy()
        every, values = {**self.idle, **points}, self._values(points)
        with np.errstate(all="ignore"):
            true = np.broadcast_to(wide(self.scalar, values), (count,))
            error = np.abs(got.astype(self.kind) - true).astype(np.float64)
            size = np.abs(true.astype(np.float64))
        is_told = size <= self.bound.largest  # of a NaN it is not
        error = np.where(is_told, np.where(np.isfinite(got), error, inf), -1.0)
        if against_all:
            self._exceeds(every, error, size, got)
        return torch.from_numpy(error)

    def _values(self, points: Points) -> dict[sp.Symbol, Wide]:
        every = {**self.idle, **points}
        return {self.symbols[name]: own.to(torch.float64).numpy().astype(self.kind) for name, own in every.items()}

    def _exceeds(self, points: Points, error: np.ndarray, size: np.ndarray, got: np.ndarray) -> None:
        """Hold the samples against the other forms of the bound; the worst one is measured again."""
        reach = np.max([np.abs(points[name].to(torch.float64).numpy()) for name in self.reached], axis=0, initial=0.0)
        forms = [(f"positions to {far:g}", np.where(reach <= far, most, inf)) for far, most in self.bound.growth]
        if self.bound.relative < inf:
            forms.append(("the relative form", self.bound.relative * size + self.bound.floor))
        for name, most in forms:
            with np.errstate(all="ignore"):
                over = np.broadcast_to(np.where(error > most * SLACK, error / most, 0.0), error.shape)
            worst = int(over.argmax())
            if over[worst] > 0 and not self.excess:
                point = {key: float(own[worst if len(own) > 1 else 0]) for key, own in points.items()}
                exact = error_at(self.scalar, point, float(got[worst]))
                limit = float(np.broadcast_to(most, error.shape)[worst])
                if exact is not None and exact > limit:
                    self.excess = f"an error of {exact:.4g} was observed, above the bound {limit:.4g} for {name}"

    def take(self, points: Points) -> None:
        """Measure points, and keep the best of all."""
        errors = self.measured(points, against_all=True)
        if self.points:
            points, errors = joined([self.points, points]), torch.cat([self.errors, errors])
        best = errors.topk(CLIMBERS).indices
        self.points, self.errors = picked(points, best), errors[best]

    def climb(self, points: Points) -> None:
        """Measure a neighbour of each point, and move where the error is larger."""
        errors = self.measured(points)
        up = errors > self.errors
        self.points = {name: torch.where(up, points[name], own) for name, own in self.points.items()}
        self.errors = torch.where(up, errors, self.errors)

    def confirmed(self) -> tuple[float, dict[str, float], float]:
        """The largest of the best errors, enclosed by Arb, with its point and the value computed there. Raises ValueError."""
        self.take(self.points)
        best: tuple[float, dict[str, float], float] | None = None
        results = replay(self.scalar.node, self.points).to(torch.float64)
        for place in self.errors.topk(min(CONFIRMED, len(self.errors))).indices.tolist():
            point = {**numbers(self.idle, 0), **numbers(self.points, place)}
            computed = float(results[place])
            error = error_at(self.scalar, point, computed)
            if self.errors[place] >= 0 and error is not None and (best is None or error > best[0]):
                best = error, point, computed
        if best is None:
            raise ValueError(f"{self.scalar.spec.name}: no error of {self.scalar.name} can be told")
        return best

    def summed(self) -> float:
        """The largest error of a sum of equal summands, taken at the best points; 0 where nothing is summed."""
        sums = (step.value for step in below(self.scalar.node) if step.op == "sum")
        order = sorted({axis for axes in sums if isinstance(axes, tuple) for axis in axes})
        if not order:
            return 0.0
        points = picked(self.points, self.errors.topk(SUMMED).indices)
        spread = (TERMS, *(1 for _ in order[1:]), SUMMED)
        results = replay(self.scalar.node, {name: own.expand(spread) for name, own in points.items()}, order).reshape(-1)
        found = [0.0]
        for place, computed in enumerate(results.to(torch.float64).tolist()):
            if abs(computed) < inf:  # what the dtype does not hold is not bounded either
                found.append(error_at(self.scalar, {**numbers(self.idle, 0), **numbers(points, place)}, computed, TERMS) or 0.0)
        return max(found)
