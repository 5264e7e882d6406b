"""Points of a box: values of each leaf in its dtype, drawn at random, at the edges, along a line, or over a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from ..rounding.formats import FORMATS
from .replay import DTYPES

Floats = np.ndarray[Any, np.dtype[np.float64]]
Points = dict[str, torch.Tensor]
"""For each leaf one value a point."""

FAR = 2.0**24
"""Where a range has no end, draws end here; ∞ itself is an edge."""
TABLE_LENGTH, TABLE_WIDTH, TABLE_BASE = 1024, 32, 10_000.0
"""Positions and frequencies base^(−i/width) of a table of which every entry is tried."""


@dataclass(frozen=True)
class Leaf:
    """The values that an input may take: those of its dtype between two ends."""

    name: str
    dtype: str
    low: float
    high: float
    is_counted: bool = False
    """Whether whole numbers are among its values that the dtype may not hold, as positions are that are integers."""

    def of(self, values: Floats) -> torch.Tensor:
        """Numbers rounded to values of the leaf; what would leave the range becomes the last one within it.

        What is counted is held in float64, where every conversion of it begins; its whole numbers stay as they are.
        """
        low, high = self._ends()
        rounded = torch.clamp(torch.from_numpy(np.clip(values, self.low, self.high)).to(DTYPES[self.dtype]), low, high)
        if not self.is_counted:
            return rounded
        inside = (values == np.rint(values)) & (values >= self.low) & (values <= self.high)
        return torch.from_numpy(np.where(inside, values, rounded.to(torch.float64).numpy()))

    def _ends(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The smallest and the largest value of the dtype within the range."""
        found = []
        for end, inward in ((self.low, float("inf")), (self.high, -float("inf"))):
            value = torch.tensor(end, dtype=torch.float64).to(DTYPES[self.dtype])
            outside = float(value) < self.low if inward > 0 else float(value) > self.high
            found.append(torch.nextafter(value, torch.full_like(value, inward)) if outside else value)
        return found[0], found[1]

    def draw(self, generator: np.random.Generator, count: int) -> Floats:
        """Half of the numbers even over the range, half even over its orders of magnitude."""
        high = min(self.high, max(FAR, self.low))
        even = generator.uniform(self.low, high, count)
        top = max(abs(self.low), abs(high))
        least = self.low if self.low > 0 else -high if high < 0 else top * 2.0**-30
        sizes = least * (top / least) ** generator.random(count) if top > 0 else np.zeros(count)
        signs = np.where((self.low + (high - self.low) * generator.random(count)) < 0, -1.0, 1.0)
        own = np.where(generator.random(count) < 0.5, even, signs * sizes)
        return np.where(generator.random(count) < 0.5, np.rint(own), own) if self.is_counted else own

    def edges(self) -> Floats:
        """The ends, 0 and ±1, and powers of two with their neighbours."""
        low, high = (float(end) for end in self._ends())
        powers = 2.0 ** np.arange(-12, 13, 3)
        own = np.concatenate(([low, high, 0.0, 1.0], powers, powers * (1 - 2.0**-9), powers * (1 + 2.0**-8)))
        own = np.concatenate((own, -own))
        return np.unique(own[(own >= low) & (own <= high)])

    def every(self) -> torch.Tensor:
        """Every value of a dtype of 16 bits within the range."""
        numbers = torch.arange(-(2**15), 2**15, dtype=torch.int32).to(torch.int16).view(DTYPES[self.dtype])
        wide = numbers.to(torch.float64)
        return numbers[(wide >= self.low) & (wide <= self.high)]  # of a NaN neither holds

    @property
    def is_countable(self) -> bool:
        return self.dtype in ("bfloat16", "float16")


def drawn(leaves: Sequence[Leaf], generator: np.random.Generator, count: int) -> Points:
    """Random points. In most of them one leaf lies about another, at a distance in proportion to a third, as a position
    lies about a centre with a width: drawn by themselves they would never meet, and all that is left is 0."""
    own = {leaf.name: leaf.draw(generator, count) for leaf in leaves}
    for _ in range(2):
        for leaf in leaves:
            about, scale = (leaves[k].name for k in generator.integers(len(leaves), size=2))
            offset = own[scale] * generator.standard_normal(count) * generator.choice((0.5, 2.0, 8.0))
            moved = np.where(generator.random(count) < 0.5, own[about], 0.0) + offset
            own[leaf.name] = np.where(generator.random(count) < 0.5 / len(leaves), moved, own[leaf.name])
    return {leaf.name: leaf.of(own[leaf.name]) for leaf in leaves}


def at_edges(leaves: Sequence[Leaf], generator: np.random.Generator, count: int) -> Points:
    """Points whose leaves take edge values, each combined at random with those of the others."""
    return {leaf.name: leaf.of(generator.choice(leaf.edges(), count)) for leaf in leaves}


def table(leaves: Sequence[Leaf], generator: np.random.Generator) -> Points:
    """Every entry of a table of positions and frequencies; the other leaves are drawn. Empty without both."""
    places = next((leaf.name for leaf in leaves if leaf.name in ("positions", "distance")), None)
    if places is None or all(leaf.name != "omega" for leaf in leaves):
        return {}
    count = TABLE_LENGTH * TABLE_WIDTH
    own = {leaf.name: leaf.draw(generator, count) for leaf in leaves}
    own[places] = np.repeat(np.arange(TABLE_LENGTH, dtype=np.float64), TABLE_WIDTH)
    own["omega"] = np.tile(TABLE_BASE ** (-np.arange(TABLE_WIDTH) / TABLE_WIDTH), TABLE_LENGTH)
    return {leaf.name: leaf.of(own[leaf.name]) for leaf in leaves}


def lines(leaves: Sequence[Leaf], point: Points) -> Iterator[Points]:
    """Through a point, every value of one leaf of 16 bits after the other."""
    for leaf in leaves:
        if leaf.is_countable:
            every = leaf.every()
            yield {name: every if name == leaf.name else own.expand(len(every)).clone() for name, own in point.items()}


def neighbours(leaf: Leaf, points: Points, generator: np.random.Generator) -> Points:
    """Each point moved along one leaf: by a part of its range or of itself, by a few units in the last place, to an end."""
    own = points[leaf.name].to(torch.float64).numpy()
    part = generator.standard_normal(len(own)) * 2.0 ** -generator.uniform(0, 24, len(own))
    steps = generator.integers(-3, 4, size=len(own))
    with np.errstate(invalid="ignore"):
        unit = np.spacing(np.abs(own)) * 2.0 ** (53 - FORMATS[leaf.dtype].precision)
        unit = np.maximum(unit, 1.0 if leaf.is_counted else 0.0)
        ends = np.where(steps > 0, min(leaf.high, FAR), leaf.low)
        ways = (own + part * (min(leaf.high, FAR) - leaf.low), own * (1 + part), own + steps * unit, ends)
        moved = np.where(np.isfinite(own), np.choose(generator.integers(4, size=len(own)), ways), FAR)
    return {**points, leaf.name: leaf.of(moved)}


def picked(points: Points, places: torch.Tensor) -> Points:
    return {name: own[places] for name, own in points.items()}


def joined(parts: Sequence[Points]) -> Points:
    return {name: torch.cat([part[name] for part in parts]) for name in parts[0]}


def numbers(points: Points, place: int) -> Mapping[str, float]:
    """One point, its values as they are: a float64 holds each of them exactly."""
    return {name: float(own[place]) for name, own in points.items()}
