"""How large a result becomes over a box, and how far its inputs move it: from the formula alone, whatever the dtype."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
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
    own, symbols = [replace(leaf, dtype="float64") for leaf in leaves], names(scalar.spec)

    def values(points: Points) -> dict[object, Wide]:
        return {symbols[name]: value.to(torch.float64).numpy() for name, value in {**idle, **points}.items()}

    def sizes(points: Points) -> torch.Tensor:
        with np.errstate(all="ignore"):
            found = np.abs(np.broadcast_to(wide(scalar, values(points)), (len(points[own[0].name]),)))
        return torch.from_numpy(np.where(found <= largest, found, -1.0))

    points = drawn(own, generator, DRAWN)
    with np.errstate(all="ignore"):
        change = moved(scalar, values({name: value[:MOVED] for name, value in points.items()}))
    reached = sizes(points)
    best = reached.topk(CLIMBERS).indices
    points, reached = picked(points, best), reached[best]
    for turn in range(STEPS):
        tried = neighbours(own[turn % len(own)], points, generator)
        larger = sizes(tried)
        up = larger > reached
        points = {name: torch.where(up, tried[name], value) for name, value in points.items()}
        reached = torch.where(up, larger, reached)
    return Extent(points, float(reached.max()), float(np.max(np.where(np.isfinite(change), change, 0.0))))
