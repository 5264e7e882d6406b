"""Branch and bound: the box in cells, always the worst of them split, until they are about as good as their midpoints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .formats import Array
from .intervals import Interval

Cells = dict[str, Interval]
Evaluate = Callable[[Cells, bool], Array]
"""Bounds on cells; of probes where the second argument is true."""

BATCH = 128
"""Cells that are split at once."""
CLOSE = 1.02
"""No more is split once the worst bound is within this factor of that at a midpoint."""
WIDE = 4.0
"""The ends of an interval of positive numbers further apart than this factor are split at their geometric mean."""


@dataclass
class Partition:
    """Cells that cover the box, and the largest bound on them."""

    cells: Cells
    bounds: Array

    @property
    def worst(self) -> float:
        return float(self.bounds.max())


def partition(box: dict[str, tuple[float, float]], evaluate: Evaluate, budget: int) -> Partition:
    """A partition of the box; about so many cells and probes are evaluated."""
    cells = {name: Interval(np.array([low]), np.array([high])) for name, (low, high) in box.items()}
    bounds, spent, floor = evaluate(cells, False), 1, 0.0
    while spent < budget:
        order = np.argsort(bounds)[::-1]
        picked = order[:BATCH][bounds[order[:BATCH]] > floor * CLOSE]
        if not len(picked):
            break
        chosen = {name: Interval(own.low[picked], own.high[picked]) for name, own in cells.items()}
        middles = {name: middle(own) for name, own in chosen.items()}
        probes = {
            name: Interval(*(np.concatenate([np.where(k == j, middles[name], end) for j in range(len(cells))])
                             for end in (own.low, own.high)))
            for k, (name, own) in enumerate(chosen.items())
        }  # fmt: skip
        tried = evaluate(probes, True).reshape(len(cells), len(picked))
        points = evaluate({name: Interval(at, at) for name, at in middles.items()}, True)
        floor = max(floor, float(points.max()))
        open_ones = np.array([own.high > own.low for own in chosen.values()])
        width = np.array([np.minimum(own.high - own.low, 1e300) / (1e-300 + np.abs(middles[n])) for n, own in chosen.items()])
        best = np.lexsort((-width, np.where(open_ones, tried, np.inf), ~open_ones), axis=0)[0]
        movable = open_ones.any(axis=0)
        if not movable.any():
            break
        picked, best = picked[movable], best[movable]
        children: Cells = {}
        for k, (name, own) in enumerate(chosen.items()):
            low, high, at = own.low[movable], own.high[movable], middles[name][movable]
            here = best == k
            children[name] = Interval(
                np.concatenate([low, np.where(here, at, low)]), np.concatenate([np.where(here, at, high), high])
            )
        found = evaluate(children, False)
        spent += len(found) + len(picked) * (len(cells) + 1)
        kept = np.ones(len(bounds), dtype=bool)
        kept[picked] = False
        bounds = np.concatenate([bounds[kept], found])
        cells = {name: _joined(Interval(own.low[kept], own.high[kept]), children[name]) for name, own in cells.items()}
    return Partition(cells, bounds)


def _joined(one: Interval, two: Interval) -> Interval:
    return Interval(np.concatenate([one.low, two.low]), np.concatenate([one.high, two.high]))


def middle(own: Interval) -> Array:
    """Where an interval is split: at 0; between ends far apart at their geometric mean, else at the arithmetic one."""
    low, high = own.low, own.high
    least, most = np.minimum(np.abs(low), np.abs(high)), np.maximum(np.abs(low), np.abs(high))
    sign = np.where(high > 0, 1.0, -1.0)
    with np.errstate(over="ignore", invalid="ignore"):
        far = np.sqrt(np.maximum(least, 2.0**-20)) * np.sqrt(np.minimum(most, 2.0**1000))
        found = np.where(most > WIDE * least, np.where(most > WIDE, sign * far, (low + high) / 2), (low + high) / 2)
    found = np.where((low < 0) & (high > 0), 0.0, found)
    return np.clip(np.where(np.isnan(found), 0.0, found), low, high)
