"""The search for the largest error of a result: random points, edges, a table, lines of 16-bit values, and climbs from the best.

The file is not run: its recovered operations are carried out by torch (:mod:`.replay`) and compared with the formula
(:mod:`.wide`). The search looks in 80-bit arithmetic where float64 takes part, in float64 otherwise, and what it finds is
measured again by Arb. With one seed it takes the same points each time on one machine; another vector unit may round another
way, and find another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from zlib import crc32

import numpy as np
import torch

from ..exact import error_at
from ..scalars import Observed, Scalar, names
from .points import Leaf, Points, at_edges, drawn, joined, lines, neighbours, numbers, picked, table
from .replay import below, replay
from .wide import wide

SEED = 0
DRAWN, EDGES, CLIMBERS, CONFIRMED = 1 << 15, 1 << 12, 256, 24
ROUNDS = {"float64": 200, "float32": 60, "bfloat16": 40, "float16": 40}
"""Steps of a climb. In few bits the error is that of the last rounding, which is soon at its largest; in float64 it is made up of
many, which seldom point one way."""


def search(scalar: Scalar, box: Mapping[str, tuple[float, float]], seed: int = SEED) -> Observed:
    """The largest error found over a box, which has a range for each leaf; what is not computed with stays where it is.

    Raises ValueError where no point of it has an error that can be told.
    """
    inputs = {str(node.value): node.dtype for node in below(scalar.node) if node.op == "leaf"}
    leaves = [Leaf(name, inputs[name], *box[name]) for name in sorted(inputs)]
    idle = {name: Leaf(name, scalar.dtype, *box[name]).of(np.ones(1)) for name in sorted(set(names(scalar.spec)) - set(inputs))}
    generator = np.random.default_rng([seed, crc32(f"{scalar.spec.name} {scalar.name} {scalar.dtype}".encode())])
    own = _Search(scalar, leaves, idle)
    own.take(drawn(leaves, generator, DRAWN))
    own.take(at_edges(leaves, generator, EDGES))
    if entries := table(leaves, generator):
        own.take(entries)
    for _ in range(ROUNDS[scalar.dtype]):
        own.climb(neighbours(leaves, own.points, generator))
    for line in lines(leaves, picked(own.points, own.errors.argmax().reshape(1))):
        own.take(line)
    return own.confirmed(seed)


class _Search:
    """The best points so far."""

    def __init__(self, scalar: Scalar, leaves: list[Leaf], idle: Points) -> None:
        self.scalar, self.symbols, self.idle = scalar, names(scalar.spec), idle
        dtypes = {leaf.dtype for leaf in leaves} | {scalar.node.dtype}
        self.kind: type[np.floating] = np.longdouble if "float64" in dtypes else np.float64
        self.points: Points = {}
        self.errors = torch.empty(0, dtype=torch.float64)
        self.samples = 0

    def measured(self, points: Points) -> torch.Tensor:
        """|computed − true| at each point; −1 where the reference overflows, ∞ where the result alone is not finite."""
        count = len(next(iter(points.values())))
        self.samples += count
        scalar = self.scalar
        got = replay(scalar.node, points).to(torch.float64).numpy()
        every = {**self.idle, **points}
        values = {self.symbols[name]: own.to(torch.float64).numpy().astype(self.kind) for name, own in every.items()}
        with np.errstate(all="ignore"):
            true = np.broadcast_to(wide(scalar, values), (count,))
            error = np.abs(got.astype(self.kind) - true).astype(np.float64)
        error = np.where(np.isfinite(got), error, inf)
        return torch.from_numpy(np.where(np.isfinite(true.astype(np.float64)), error, -1.0))

    def take(self, points: Points) -> None:
        """Measure points, and keep the best of all."""
        errors = self.measured(points)
        if self.points:
            points, errors = joined([self.points, points]), torch.cat([self.errors, errors])
        best = errors.topk(min(CLIMBERS, len(errors))).indices
        self.points, self.errors = picked(points, best), errors[best]

    def climb(self, points: Points) -> None:
        """Measure a neighbour of each point, and move where the error is larger."""
        errors = self.measured(points)
        up = errors > self.errors
        self.points = {name: torch.where(up, points[name], own) for name, own in self.points.items()}
        self.errors = torch.where(up, errors, self.errors)

    def confirmed(self, seed: int) -> Observed:
        """The largest of the best errors, enclosed by Arb."""
        best: Observed | None = None
        results = replay(self.scalar.node, self.points).to(torch.float64)
        for place in self.errors.topk(min(CONFIRMED, len(self.errors))).indices.tolist():
            point = {**numbers(self.idle, 0), **numbers(self.points, place)}
            computed = float(results[place])
            error = error_at(self.scalar, point, computed)
            if error is not None and (best is None or error > best.error):
                best = Observed(error, point, computed, self.samples, seed)
        if best is None:
            raise ValueError(f"{self.scalar.spec.name}: no error of {self.scalar.name} can be told")
        return best
