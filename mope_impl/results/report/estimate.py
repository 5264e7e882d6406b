"""A number with what it is from: the mean over seeds, its 95 % interval where there are two of them, and the seeds."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import fsum
from typing import ParamSpec

from ..samples import Lacking
from ..statistics import FEWEST, mean_interval

P = ParamSpec("P")


@dataclass(frozen=True)
class Estimate:
    """The mean of one number from each seed; the ends of its interval are None where one seed says nothing of the scatter."""

    mean: float
    lower: float | None
    upper: float | None
    seeds: tuple[int, ...]

    @property
    def sign(self) -> int | None:
        """1 or −1 where the interval excludes 0; 0 where it does not; None without an interval."""
        if self.lower is None or self.upper is None:
            return None
        return 1 if self.lower > 0 else -1 if self.upper < 0 else 0


def estimate(sample: Mapping[int, float]) -> Estimate | None:
    """Seed → number, as an estimate; None for no seeds."""
    if not sample:
        return None
    seeds, values = tuple(sorted(sample)), [float(sample[seed]) for seed in sorted(sample)]
    if len(values) < FEWEST:
        return Estimate(values[0], None, None, seeds)
    interval = mean_interval(values)
    return Estimate(interval.mean, interval.lower, interval.upper, seeds)


def some(sample: Mapping[int, float]) -> Estimate:
    """The estimate of a sample that has a seed. Raises ValueError for one that has none."""
    found = estimate(sample)
    if found is None:
        raise ValueError("an estimate needs a seed")
    return found


@dataclass(frozen=True)
class Measured:
    """A sample over seeds, or why there is none."""

    sample: Mapping[int, float]
    lacking: str = ""

    @property
    def estimate(self) -> Estimate | None:
        return estimate(self.sample)


def measured(sample: Callable[P, Mapping[int, float]], *arguments: P.args, **named: P.kwargs) -> Measured:
    """A sample of :mod:`mope_impl.results.samples`, or what it lacks."""
    try:
        return Measured(sample(*arguments, **named))
    except Lacking as lacking:
        return Measured({}, str(lacking))


def average(values: list[float]) -> float:
    """Mean of some numbers, rounded once."""
    return fsum(values) / len(values)
