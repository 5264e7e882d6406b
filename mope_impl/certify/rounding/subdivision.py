"""Branch and bound: the box in cells, always the worst of them split, until they are about as good as their midpoints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .formats import Array
from .intervals import Interval

Cells = dict[str, Interval]
Box = dict[str, tuple[float, float]]
Evaluate = Callable[[Cells, bool], Array]
"""Bounds on cells; of probes where the second argument is true."""

BATCH = 96
"""Cells that are split at once."""
CLOSE = 1.02
"""No more is split once the worst bound is within this factor of that at a midpoint."""


@dataclass
class Partition:
    """Cells that cover a box."""

    box: Box
    cells: Cells

    def over(self, box: Box) -> Cells:
        """The same cells over another box: stretched, the ends of the box to its ends, so that they cover it."""
        if box.keys() != self.box.keys():
            return whole(box)
        return {name: _stretched(own, self.box[name], box[name]) for name, own in self.cells.items()}


def whole(box: Box) -> Cells:
    """The box as one cell."""
    return {name: Interval(np.array([low]), np.array([high])) for name, (low, high) in box.items()}


def _stretched(own: Interval, old: tuple[float, float], new: tuple[float, float]) -> Interval:
    if old == new:
        return own
    factor = new[1] / old[1] if 0 < old[1] < np.inf and 0 < new[1] < np.inf else 1.0

    def moved(end: Array) -> Array:
        found = np.clip(end * factor, *new)
        return np.where(end <= old[0], new[0], np.where(end >= old[1], new[1], found))

    return Interval(moved(own.low), moved(own.high))


def partition(box: Box, evaluate: Evaluate, budget: int, start: Partition | None = None) -> Partition:
    """A partition of the box; about so many cells and probes are evaluated.

    A cell is split in the two coordinates in which it gains most by being pinned to its middle: that of the better halves
    would be no guide where a bound is the same on either side.
    """
    cells = whole(box) if start is None else start.over(box)
    names, bounds, floor, spent = list(cells), evaluate(cells, False), 0.0, 0
    while spent < budget:
        picked = np.argpartition(bounds, -BATCH)[-BATCH:] if len(bounds) > BATCH else np.arange(len(bounds))
        chosen = {name: own.at(picked) for name, own in cells.items()}
        middles = {name: middle(own) for name, own in chosen.items()}
        tried = evaluate(_probes(chosen, middles), True).reshape(len(names) + 1, len(picked))
        spent += tried.size
        floor = max(floor, float(tried[-1].max()))
        gain = np.where([own.high > own.low for own in chosen.values()], tried[:-1], np.inf)
        best = np.argsort(gain, axis=0, kind="stable")[:2]
        split = (bounds[picked] > floor * CLOSE) & np.isfinite(np.take_along_axis(gain, best[:1], axis=0)[0])
        if not split.any():
            break
        children = {name: own.at(split) for name, own in chosen.items()}
        for choice in best[:, split]:
            doubled = np.concatenate([choice, choice]) if len(choice) == len(children[names[0]].low) else np.tile(choice, 4)
            children = {
                name: _halves(own, middle(own), doubled[: len(own.low)] == k)
                for k, (name, own) in enumerate(children.items())
            }  # fmt: skip
        kept = np.ones(len(bounds), dtype=bool)
        kept[picked[split]] = False
        found = evaluate(children, False)
        spent += len(found)
        bounds = np.concatenate([bounds[kept], found])
        cells = {name: own.at(kept).beside(children[name]) for name, own in cells.items()}
    return Partition(dict(box), cells)


def _probes(cells: Cells, middles: dict[str, Array]) -> Cells:
    """The cells with one coordinate at its middle, for each coordinate in turn, and then with all of them."""
    rows = {}
    for k, (name, own) in enumerate(cells.items()):
        pinned = [j in (k, len(cells)) for j in range(len(cells) + 1)]
        low, high = (np.concatenate([middles[name] if at else end for at in pinned]) for end in (own.low, own.high))
        rows[name] = Interval(low, high)
    return rows


def _halves(own: Interval, at: Array, here: Array) -> Interval:
    """Both halves of the intervals that are chosen, and the others twice."""
    low, high = np.where(here, at, own.low), np.where(here, at, own.high)
    return Interval(np.concatenate([own.low, low]), np.concatenate([high, own.high]))


SMALL, LARGE = 2.0**-4, 2.0**20
"""An interval that reaches 0, or ∞, is split as if it ended here."""


def middle(own: Interval) -> Array:
    """Where an interval is split: at 0; between ends far apart at their geometric mean, else at the arithmetic one."""
    low, high = own.low, own.high
    least, most = np.minimum(np.abs(low), np.abs(high)), np.maximum(np.abs(low), np.abs(high))
    with np.errstate(all="ignore"):
        most = np.where(np.isinf(most), np.maximum(least, 1.0) * LARGE, most)
        far = most > 4 * np.maximum(least, SMALL * 4)
        size = np.where(far, np.sqrt(np.maximum(least, SMALL)) * np.sqrt(most), (least + most) / 2)
    found = np.where((low < 0) & (high > 0), 0.0, np.where(high > 0, size, -size))
    return np.clip(found, low, high)
