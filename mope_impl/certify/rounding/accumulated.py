"""Errors carried forward, step by step: a plain bound beside the sharp one, for what is known of a step while it is computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .formats import UP, Array
from .intervals import Interval
from .program import Step


@dataclass(frozen=True)
class Accumulated:
    """|v − exact| ≤ off, and ≤ ratio·|exact| + floor, for the computed value v and each one along the path to it."""

    off: Array
    ratio: Array
    floor: Array

    def within(self, size: Array) -> Accumulated:
        """Where the exact value is no larger than that."""
        return Accumulated(np.fmin(self.off, (_times(self.ratio, size) + self.floor) * UP), self.ratio, self.floor)

    def rounded(self, most: Array, delta: Any, rest: float) -> Accumulated:
        """After an operation that moves its value by at most ``most``, and by at most delta of itself and ``rest``."""
        floor = (self.floor * (1 + delta) + rest) * UP
        return Accumulated((self.off + most) * UP, _both(self.ratio, np.broadcast_to(delta, np.shape(most))), floor)


Given = Sequence[tuple[Interval, Accumulated]]


def carried(step: Step, given: Given, own: Interval) -> Accumulated:
    """That of f(a) from those of the operands a, the operation itself taken as exact; ``own`` holds the values of f(a)."""
    if not given:
        zero = np.zeros_like(own.low)
        return Accumulated(zero, zero, zero)
    (x, a), (y, b) = given[0], given[-1]
    none = np.zeros_like(a.off)
    match step.op:
        case "cast" | "neg" | "abs":
            return a
        case "sign":
            return Accumulated(none, none, none)
        case "add" | "sub":
            return _sum(x, a, y if step.op == "add" else -y, b)
        case "mul" | "square":
            off = _times(a.off, y.size) + _times(b.off, x.size)
            floor = _times(a.floor, y.size) + _times(b.floor, x.size + a.floor)
            found = Accumulated(off * UP, _both(a.ratio, b.ratio), floor * UP)
        case "div":
            off = _over((a.off + _times(b.off, own.size)) * UP, y.least)
            below = np.where((b.ratio < 1) & (b.floor == 0), b.ratio / np.maximum(1 - b.ratio, 2.0**-53), np.inf)
            found = Accumulated(off * UP, _both(a.ratio, below * UP), _over(a.floor, y.least) * UP)
        case "sqrt":
            off, floor = (_over(one, own.least) * UP for one in (a.off, a.floor))
            found = Accumulated(off, a.ratio, floor)
        case "exp" | "exp2" | "sigmoid":
            # e^x − 1 ≤ x(1 + x) for 0 ≤ x ≤ 1; the relative slopes of the others are smaller
            ratio = np.where(a.off < 0.5, a.off * (1 + a.off), np.inf) * UP
            slope = own.size if step.op != "sigmoid" else none + 0.25
            found = Accumulated(_times(a.off, slope) * UP, ratio, none)
        case "cos" | "sin":
            found = Accumulated(np.minimum(a.off, 2.0), np.where(a.off == 0, 0.0, np.inf), none)
        case _:
            raise AssertionError(step.op)
    return found.within(own.size)


def _sum(x: Interval, a: Accumulated, y: Interval, b: Accumulated) -> Accumulated:
    """Of x + y: relative errors do not grow where both have one sign."""
    alike = ((x.low >= 0) & (y.low >= 0)) | ((x.high <= 0) & (y.high <= 0))
    exact = (a.off == 0) & (b.off == 0)
    ratio = np.where(exact, 0.0, np.where(alike, np.maximum(a.ratio, b.ratio), np.inf))
    return Accumulated((a.off + b.off) * UP, ratio, np.where(exact, 0.0, a.floor + b.floor) * UP)


def _times(x: Array, y: Array) -> Array:
    """A product with an error x; that of what is exact is 0, whatever y is."""
    found = x * y
    return np.where(np.isnan(found), np.where(x == 0, 0.0, np.inf), found)


def _over(x: Array, y: Array) -> Array:
    found = x / y
    return np.where(np.isnan(found), np.where(x == 0, 0.0, np.inf), found)


def _both(one: Array, two: Array) -> Array:
    """(1 + a)(1 + b) − 1."""
    return (one + two + _times(one, two)) * UP
