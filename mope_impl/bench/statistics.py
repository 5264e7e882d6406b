"""What is said of measured times: medians, and intervals that hold them."""
from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Middle:
    """A median and an interval that holds it with a confidence of 95 % at least, whatever the law of the values."""

    median: float
    low: float | None
    high: float | None


def middle(values: Sequence[float]) -> Middle:
    """The median of n independent values; the interval is [x_(k), x_(n+1−k)], k the largest with 2 P(Bin(n, ½) < k) ≤ 5 %.

    There is no such interval for fewer than six values. Raises ValueError for no value.
    """
    if not values:
        raise ValueError("got no values, expected one at least")
    ordered, n = sorted(values), len(values)
    outside, k = 0.0, 0
    while (outside := outside + 2 * math.comb(n, k) / 2**n) <= 0.05:
        k += 1
    low, high = (ordered[k - 1], ordered[n - k]) if k else (None, None)
    return Middle(statistics.median(ordered), low, high)


def ratios(own: Sequence[float], other: Sequence[float]) -> Middle:
    """own over other within each round: what the machine does besides in a round falls on both."""
    return middle([one / two for one, two in zip(own, other, strict=True)])
