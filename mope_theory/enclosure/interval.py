"""Intervals of real numbers, bounded or not, with ends rounded outwards: what an expression takes on a cell of a box.

An interval holds every value. Values are finite, so that an infinite end is never taken, and an end may be known not to be
taken otherwise: ``above`` says that every value is strictly above ``low``, ``below`` that every value is strictly below
``high``. That is how e^{−x²} of any real x is seen to be positive, and 1/x of a positive x to exist. The flags are never
wrongly set; they may be missing. Rounding an end outwards keeps them.

Where no finite or infinite ends are established (a root of what may be negative, a quotient by what may be 0, a NaN) the answer
is Unresolved.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, ctx

from ..reference import Unresolved

INFINITY = arb.pos_inf()


@dataclass(frozen=True, slots=True)
class Interval:
    """{x : low ≤ x ≤ high}, without an end that is flagged."""

    low: arb
    high: arb
    above: bool = False
    below: bool = False

    def __add__(self, other: Interval) -> Interval:
        return spanning(
            self.low + other.low, self.high + other.high, self.above or other.above, self.below or other.below
        )

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low, self.below, self.above)

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        if self.low >= 0 and other.low >= 0:
            return self._times(other)
        if self.low < 0 and self.high <= 0:
            return -(-self * other)
        if other.low < 0 and other.high <= 0:
            return -(self * -other)
        corners = [_product(x, y) for x in (self.low, self.high) for y in (other.low, other.high)]
        return spanning(_least(corners), _largest(corners))

    def _times(self, other: Interval) -> Interval:
        """The product of two intervals without a negative value."""
        low, high = _product(self.low, other.low), _product(self.high, other.high)
        above = self.is_positive and other.is_positive if low == 0 else self.above or other.above
        below = (self.below and other.high > 0) or (other.below and self.high > 0)
        return spanning(low, high, above, bool(below))

    def inverse(self) -> Interval:
        """1/x; Unresolved if x may be 0."""
        if (-self).is_positive:
            return -((-self).inverse())
        if not self.is_positive:
            raise Unresolved("a quotient by what may be 0")
        low = 1 / self.high
        high = 1 / self.low if self.low > 0 else INFINITY
        return spanning(low, high, self.below or self.high == INFINITY, self.above)

    def power(self, k: int) -> Interval:
        """xᵏ for a whole number k."""
        if k < 0:
            return self.inverse().power(-k)
        if k == 0:
            return exactly(arb(1))
        if k % 2 == 0 and self.low < 0:
            if self.high <= 0:
                return (-self).power(k)
            left, right = -self.low, self.high
            below = self.above if left > right else self.below if right > left else self.above and self.below
            return spanning(arb(0), _largest([left, right]) ** k, False, below)
        return self.map(lambda x: x**k if x.is_finite() else x)

    def map(self, increasing: Callable[[arb], arb]) -> Interval:
        """The image under a strictly increasing function."""
        return spanning(increasing(self.low), increasing(self.high), self.above, self.below)

    def exp(self) -> Interval:
        low, high = (arb(0) if x == -INFINITY else INFINITY if x == INFINITY else x.exp() for x in (self.low, self.high))
        return spanning(low, high, self.above or self.low == -INFINITY, self.below)

    def log(self) -> Interval:
        """log x; Unresolved if x may be 0 or negative."""
        if not self.is_positive:
            raise Unresolved("a logarithm of what may not be positive")
        low, high = (-INFINITY if x == 0 else INFINITY if x == INFINITY else x.log() for x in (self.low, self.high))
        return spanning(low, high, self.above, self.below)

    def root(self, q: int) -> Interval:
        """The q-th root; Unresolved if x may be negative."""
        if not self.low >= 0:
            raise Unresolved("a root of what may be negative")
        return self.map(lambda x: x if x in (0, INFINITY) else x.root(q))

    def modulus(self) -> Interval:
        if self.low >= 0:
            return self
        if self.high <= 0:
            return -self
        left, right = -self.low, self.high
        below = self.above if left > right else self.below if right > left else self.above and self.below
        return spanning(arb(0), _largest([left, right]), False, below)

    def ball(self) -> arb:
        """One ball around the interval; Unresolved if it is unbounded."""
        if not (self.low.is_finite() and self.high.is_finite()):
            raise Unresolved("no ball around an unbounded interval")
        return self.low.union(self.high)

    @property
    def is_positive(self) -> bool:
        """Is every value positive?"""
        return bool(self.low > 0) or (self.above and bool(self.low == 0))

    @property
    def is_narrow(self) -> bool:
        """Is it no wider than half the working precision?"""
        return bool(self.high - self.low <= arb(2) ** (-(ctx.prec // 2)) * (1 + abs(self.low)))

    @property
    def point(self) -> arb | None:
        """The only value, if there is only one."""
        return self.low if self.low == self.high else None


def spanning(low: arb, high: arb, above: bool = False, below: bool = False) -> Interval:
    """The interval between two enclosed ends, rounded outwards; Unresolved if one is not a number."""
    low, high = low.lower(), high.upper()
    if not low <= high:
        raise Unresolved("the ends of an interval are not numbers in order")
    return Interval(low, high, above or bool(low == -INFINITY), below or bool(high == INFINITY))


def exactly(x: arb) -> Interval:
    """The interval of one enclosed number."""
    return spanning(x, x)


def largest(*parts: Interval) -> Interval:
    """The values of the maximum of several quantities."""
    low, high = _largest([x.low for x in parts]), _largest([x.high for x in parts])
    above = any(x.above and bool(x.low == low) for x in parts)
    below = all(x.below or bool(x.high < high) for x in parts)
    return spanning(low, high, above, below)


def smallest(*parts: Interval) -> Interval:
    """The values of the minimum of several quantities."""
    return -largest(*(-x for x in parts))


def _product(x: arb, y: arb) -> arb:
    """The product of two ends; 0·∞ is 0, because the values are finite."""
    return arb(0) if x == 0 or y == 0 else x * y


def _least(ends: list[arb]) -> arb:
    found = ends[0]
    for x in ends[1:]:
        found = x if x.lower() < found.lower() else found
    return found


def _largest(ends: list[arb]) -> arb:
    return -_least([-x for x in ends])
