"""How large a result becomes over a box, and how far its inputs move it: from the formula alone, whatever the dtype."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import sympy as sp
import torch

from ..scalars import Scalar, names
from .points import Leaf, Points, drawn, neighbours, picked
from .wide import Wide, moved, wide

DRAWN, CLIMBERS, STEPS, MOVED = 1 << 13, 256, 200, 1 << 11


@dataclass(frozen=True)
class Extent:
    """The largest values that were met, in float64, and where."""

    points: Points
    size: float
    """The largest |true|."""
    moved: float
    """The largest Σ |x ∂true/∂x| over the inputs x."""


def extent(scalar: Scalar, leaves: Sequence[Leaf], idle: Points, largest: float, generator: np.random.Generator) -> Extent:
    """Climb towards large values; those beyond the largest are left out."""
    own = [replace(leaf, dtype="float64") for leaf in leaves]

    def sizes(points: Points) -> torch.Tensor:
        with np.errstate(all="ignore"):
            found = np.abs(np.broadcast_to(wide(scalar, _values(scalar, {**idle, **points})), (len(points[own[0].name]),)))
        return torch.from_numpy(np.where(found <= largest, found, -1.0))

    points = drawn(own, generator, DRAWN)
    far = how_far_moved(scalar, {**idle, **{name: value[:MOVED] for name, value in points.items()}})
    reached = sizes(points)
    best = reached.topk(CLIMBERS).indices
    points, reached = picked(points, best), reached[best]
    for turn in range(STEPS):
        tried = neighbours(own[turn % len(own)], points, generator)
        larger = sizes(tried)
        up = larger > reached
        points = {name: torch.where(up, tried[name], value) for name, value in points.items()}
        reached = torch.where(up, larger, reached)
    return Extent(points, float(reached.max()), max(far, how_far_moved(scalar, {**idle, **points})))


def how_far_moved(scalar: Scalar, points: Points) -> float:
    """The largest Σ |x ∂true/∂x| at points."""
    with np.errstate(all="ignore"):
        change = moved(scalar, _values(scalar, points))
    return float(np.max(np.where(np.isfinite(change), change, 0.0)))


def _values(scalar: Scalar, points: Points) -> dict[sp.Symbol, Wide]:
    symbols = names(scalar.spec)
    return {symbols[name]: value.to(torch.float64).numpy() for name, value in points.items()}
