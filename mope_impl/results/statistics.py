"""Statistics over a few paired seeds: intervals by Student's t, tests of a mean difference, and their correction for number.

A value belongs to a seed, and two models are compared on the seeds that both have. Numbers are taken as the decimals that they
are written with, so that equal sums are equal.
"""
from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, sqrt

from mope_theory.vocabulary.measured import LEVEL

FEWEST = 2
"""Values that an interval needs: one says nothing of how they scatter."""
SIGN_FLIP_FEWEST, SIGN_FLIP_MOST = 8, 30
"""Below the one the smallest value that a sign-flip test can take is above 1/100; above the other there are too many sums."""


@dataclass(frozen=True)
class Interval:
    """A mean of n values and the ends of an interval around it."""

    mean: float
    lower: float
    upper: float
    n: int


def mean_interval(values: Iterable[float], level: float = float(LEVEL)) -> Interval:
    """x̄ ± t_{n−1} s/√n: covers the mean of independent normal values with probability ``level``.

    Raises ValueError for fewer than two values, or a level outside (0, 1).
    """
    return _interval(values, level, lambda n: 1 / n)


def next_run_interval(values: Iterable[float], level: float = float(LEVEL)) -> Interval:
    """x̄ ± t_{n−1} s √(1 + 1/n): covers one more value with probability ``level``. Raises ValueError as ``mean_interval``."""
    return _interval(values, level, lambda n: 1 + 1 / n)


def _interval(values: Iterable[float], level: float, share: Callable[[int], float]) -> Interval:
    mean, deviation, n = _moments(values)
    half = quantile(n - 1, level) * deviation * sqrt(share(n))
    return Interval(mean, mean - half, mean + half, n)


def quantile(freedom: int, level: float) -> float:
    """The t for which Student's distribution with so many degrees of freedom has mass ``level`` in [−t, t]."""
    if not 0 < level < 1:
        raise ValueError(f"a level lies between 0 and 1, got {level}")
    # Here, since SciPy starts threads as it is loaded, and a process with threads cannot be copied: the ledger copies its own.
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2))


def t_test(differences: Iterable[float]) -> float:
    """Two-sided p value of the paired t test: P(|T_{n−1}| ≥ |x̄|√n/s), for a mean difference of 0.

    Differences without any scatter have p 0, or 1 if they are 0. Raises ValueError for fewer than two.
    """
    from scipy.special import stdtr

    mean, deviation, n = _moments(differences)
    if mean == 0:
        return 1.0
    ratio = abs(mean) * sqrt(n) / deviation if deviation else inf
    return float(2 * stdtr(n - 1, -ratio))


def sign_flip(differences: Iterable[float]) -> float | None:
    """Exact p value of the sign-flip test: the share of the 2ⁿ patterns of signs whose |Σ ±d| is no less than |Σ d|.

    It asks only that a difference be as likely as its negative. None below 8 differences. Raises ValueError above 30.
    """
    exact = [_written(one) for one in differences]
    if len(exact) < SIGN_FLIP_FEWEST:
        return None
    if len(exact) > SIGN_FLIP_MOST:
        raise ValueError(f"a sign-flip test takes at most {SIGN_FLIP_MOST} differences, got {len(exact)}")
    total = abs(sum(exact, Fraction(0)))
    if total == 0:
        return 1.0
    half = len(exact) // 2
    left, right = sorted(_sums(exact[:half])), _sums(exact[half:])
    # Σ and −Σ are equally often reached, and total > 0 keeps them apart.
    reached = sum(len(left) - bisect_left(left, total - one) for one in right)
    return float(Fraction(2 * reached, 2 ** len(exact)))


def _sums(values: Sequence[Fraction]) -> list[Fraction]:
    """Σ ±v over every pattern of signs."""
    sums = [Fraction(0)]
    for value in values:
        sums = [one + sign for one in sums for sign in (value, -value)]
    return sums


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Holm's step-down correction: p_(i) of m in rising order becomes max over j ≤ i of min(1, (m − j + 1) p_(j))."""
    order = sorted(p_values, key=lambda name: p_values[name])
    adjusted, largest = {}, 0.0
    for place, name in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - place) * p_values[name]))
        adjusted[name] = largest
    return {name: adjusted[name] for name in p_values}


def paired(first: Mapping[int, float], second: Mapping[int, float]) -> dict[int, float]:
    """Seed → first minus second, over the seeds that both have, rounded once."""
    return {seed: difference(first[seed], second[seed]) for seed in sorted(first.keys() & second.keys())}


def difference(first: float, second: float) -> float:
    """The float nearest to the difference of two decimals as they are written."""
    return float(_written(first) - _written(second))


def _written(value: float) -> Fraction:
    """The decimal that a float is written as."""
    return Fraction(repr(float(value)))


def _moments(values: Iterable[float]) -> tuple[float, float, int]:
    """Mean, standard deviation of the sample, number; exact up to the last rounding, so that equal values have no scatter."""
    exact = [_written(one) for one in values]
    if len(exact) < FEWEST:
        raise ValueError(f"an interval needs at least {FEWEST} values, got {len(exact)}")
    mean = sum(exact, Fraction(0)) / len(exact)
    variance = sum(((one - mean) ** 2 for one in exact), Fraction(0)) / (len(exact) - 1)
    return float(mean), sqrt(variance), len(exact)
