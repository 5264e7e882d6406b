"""Intervals of float64, many at once, rounded outwards; the ends of transcendental functions come from Arb.

IEEE 754 has NumPy's +, −, × and ÷ correctly rounded, so that the next float64 outwards bounds what is exact. 0·∞ is 0: an
infinite end says that nothing bounds a value, not that it is infinite. Only a divisor may be ∞ itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb

from .formats import Array

TAU = 6.283185307179586
"""2π, rounded down."""


@dataclass(frozen=True, eq=False)
class Interval:
    """Lower and upper ends, arrays of one shape."""

    low: Array
    high: Array

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def at(self, places: Any) -> Interval:
        """Some of them."""
        return Interval(self.low[places], self.high[places])

    def beside(self, other: Interval) -> Interval:
        """These, and then the others."""
        return Interval(np.concatenate([self.low, other.low]), np.concatenate([self.high, other.high]))

    def __add__(self, other: Interval) -> Interval:
        return Interval(_sum(self.low, other.low, -np.inf), _sum(self.high, other.high, np.inf))

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        # 0·∞ is NaN and left out: 0 is among the products then
        one, two = self.low * other.low, self.low * other.high
        three, four = self.high * other.low, self.high * other.high
        low, high = np.fmin(np.fmin(one, two), np.fmin(three, four)), np.fmax(np.fmax(one, two), np.fmax(three, four))
        found, exact = outward(low, high), self._is_unit | other._is_unit
        return Interval(np.where(exact, low, found.low), np.where(exact, high, found.high)) if exact.any() else found

    @property
    def _is_unit(self) -> Any:
        """Whether the ends are 0 or ±1, by which products are exact."""
        return ((self.low == 0) | (np.abs(self.low) == 1)) & ((self.high == 0) | (np.abs(self.high) == 1))

    def __truediv__(self, other: Interval) -> Interval:
        ends = [_quotient(x, y) for x in (self.low, self.high) for y in (other.low, other.high)]
        found = outward(np.minimum.reduce(ends), np.maximum.reduce(ends))
        across = (other.low <= 0) & (other.high >= 0)
        return Interval(np.where(across, -np.inf, found.low), np.where(across, np.inf, found.high))

    @property
    def size(self) -> Array:
        """The largest modulus."""
        return np.maximum(-self.low, self.high)

    @property
    def least(self) -> Array:
        """The smallest modulus."""
        return np.maximum(0.0, np.maximum(self.low, -self.high))

    def through(self, increasing: Callable[[Array], Array]) -> Interval:
        """Its image by an increasing function that is computed exactly."""
        return Interval(increasing(self.low), increasing(self.high))

    def abs(self) -> Interval:
        return Interval(self.least, self.size)

    def square(self) -> Interval:
        own = self.abs()
        found = outward(_product(own.low, own.low), _product(own.high, own.high))
        return Interval(np.maximum(found.low, 0.0), found.high)

    def sqrt(self) -> Interval:
        """Of what is not negative; of an interval that reaches below 0, everything from 0 on."""
        found = outward(np.sqrt(np.maximum(self.low, 0.0)), np.sqrt(np.maximum(self.high, 0.0)))
        return Interval(np.maximum(found.low, 0.0), np.where(self.low < 0, np.inf, found.high))

    def wider(self, by: Array) -> Interval:
        """All that lies within a distance."""
        return outward(self.low - by, self.high + by)

    def meet(self, other: Interval) -> Interval:
        """What both hold; where they are disjoint, the other."""
        low, high = np.maximum(self.low, other.low), np.minimum(self.high, other.high)
        apart = low > high
        return Interval(np.where(apart, other.low, low), np.where(apart, other.high, high))

    def hull(self, other: Interval) -> Interval:
        return Interval(np.minimum(self.low, other.low), np.maximum(self.high, other.high))


def outward(low: Array, high: Array) -> Interval:
    """The next float64 below, and above; everything where nothing is known."""
    low, high = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)
    unknown = np.isnan(low) | np.isnan(high)
    if unknown.any():
        low, high = np.where(unknown, -np.inf, low), np.where(unknown, np.inf, high)
    return Interval(low, high)


def _sum(x: Array, y: Array, towards: float) -> Array:
    """x + y, and the next float64 towards an infinity where that is not exact, by the error of a sum that Knuth gives."""
    total = x + y
    other = total - x
    error = (x - (total - other)) + (y - other)
    return np.where(np.isnan(total), towards, np.where(error == 0, total, np.nextafter(total, towards)))


def point(value: float | Array) -> Interval:
    at = np.asarray(value, dtype=np.float64)
    return Interval(at, at)


def _product(x: Array, y: Array) -> Array:
    """x·y; no end is NaN, so that only 0·∞ is."""
    found = x * y
    return np.where(np.isnan(found), 0.0, found)


def _quotient(x: Array, y: Array) -> Array:
    return np.where((x == 0) | np.isinf(y), np.where(np.isinf(x) & np.isinf(y), np.nan, 0.0), x / y)


_known: dict[tuple[str, complex], tuple[float, float]] = {}


def _each(name: str, compute: Callable[[complex], Any], given: Any) -> Interval:
    """An enclosure from Arb for every different number given, each computed once; a pair of ends is given as a complex number."""
    different, places = np.unique(given, return_inverse=True)
    found = np.empty((2, len(different)))
    for k, one in enumerate(different.tolist()):
        key = name, one
        if key not in _known:
            ball = compute(one)
            low, high = float(ball.lower()), float(ball.upper())
            _known[key] = low if low == low else -np.inf, high if high == high else np.inf
        found[:, k] = _known[key]
    low, high = found[:, places.ravel()].reshape(2, *np.shape(given))
    return outward(low, high)


def _ball(ends: complex) -> Any:
    return arb(ends.real).union(arb(ends.imag))


def increasing(name: str, x: Interval, least: float, most: float) -> Interval:
    """An increasing function of Arb at both ends, within its limits."""

    def at(end: Any) -> Any:
        if np.isinf(end):
            return arb(least) if end < 0 else arb(most)
        return FUNCTIONS[name](arb(end))

    low, high = _each(name, at, x.low).low, _each(name, at, x.high).high
    return Interval(np.maximum(low, least), np.minimum(high, most))


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "exp": lambda x: x.exp(),
    "exp2": lambda x: arb(2) ** x,
    "sigmoid": lambda x: 1 / (1 + (-x).exp()),
}


def wave(name: str, x: Interval) -> Interval:
    """Cosine or sine of what is less than a turn wide; everything from −1 to 1 beyond that."""
    narrow = (x.high - x.low < TAU) & np.isfinite(x.low) & np.isfinite(x.high)
    low, high = np.where(narrow, x.low, 0.0), np.where(narrow, x.high, 0.0)
    found = _each(name, lambda ends: getattr(_ball(ends), name)(), low + 1j * high)
    within = Interval(np.maximum(found.low, -1.0), np.minimum(found.high, 1.0))
    return Interval(np.where(narrow, within.low, -1.0), np.where(narrow, within.high, 1.0))


def turned(name: str, turns: Interval) -> Interval:
    """Cosine or sine of 2π times a fraction of a turn within [0, 1]: both ends, and ±1 where an extremum lies between."""
    pi = "cos_pi" if name == "cos" else "sin_pi"

    def at(end: Any) -> Any:
        return getattr(2 * arb(end), pi)()

    ends = _each(pi, at, turns.low).hull(_each(pi, at, turns.high))
    first = 0.0 if name == "cos" else 0.25
    tops, bottoms = ((first + k for k in (0, 1)), (first + k for k in (-0.5, 0.5)))
    top = np.logical_or.reduce([(turns.low <= one) & (one <= turns.high) for one in tops])
    bottom = np.logical_or.reduce([(turns.low <= one) & (one <= turns.high) for one in bottoms])
    low, high = np.maximum(ends.low, -1.0), np.minimum(ends.high, 1.0)
    return Interval(np.where(bottom, -1.0, low), np.where(top, 1.0, high))
