"""Errors carried forward, step by step: a plain bound beside the sharp one, for what is known of a step while it is computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

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


class Error(Protocol):
    """The error of one operation: |e| ≤ delta·|exact| + rest."""

    @property
    def delta(self) -> float: ...

    @property
    def rest(self) -> float: ...


def _times(x: Array, y: Array) -> Array:
    """A product of what is not negative, 0·∞ = 0 with an error of 0, otherwise ∞."""
    with np.errstate(invalid="ignore", over="ignore"):
        return np.where(x == 0, 0.0, np.nan_to_num(x * y, nan=np.inf, posinf=np.inf))


def _over(x: Array, y: Array) -> Array:
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        return np.where(x == 0, 0.0, np.nan_to_num(x / y, nan=np.inf, posinf=np.inf))


def _both(one: Array, two: Array | float) -> Array:
    """(1 + a)(1 + b) − 1."""
    return (one + two + _times(np.broadcast_to(two, np.shape(one)), one)) * UP


def accumulated(
    step: Step, given: Sequence[tuple[Interval, Accumulated]], own: Interval, most: Array, local: Error
) -> Accumulated:
    """That of a step from those of its operands, where the operation itself moves ``own`` by at most ``most``."""
    zero = np.zeros_like(most)
    infinite = zero + np.inf
    off, ratio, floor = _carried(step, given, own, zero, infinite)
    if step.op == "const":
        ratio = _over(most, own.least)
        return Accumulated(most, ratio, zero)
    ratio = _both(ratio, local.delta)
    off = (off + most) * UP
    floor = (floor * (1 + local.delta) + local.rest) * UP
    off = np.fmin(off, (_times(ratio, own.size) + floor) * UP)
    return Accumulated(off, ratio, floor)


Triple = tuple[Array, Array, Array]


def _carried(step: Step, given: Sequence[tuple[Interval, Accumulated]], own: Interval, zero: Array, infinite: Array) -> Triple:
    if not given:
        return zero, zero, zero
    x, a = given[0]
    y, b = given[-1]
    match step.op:
        case "cast" | "neg" | "abs":
            return a.off, a.ratio, a.floor
        case "sign":
            return zero, zero, zero
        case "add" | "sub":
            other = y if step.op == "add" else -y
            alike = ((x.low >= 0) & (other.low >= 0)) | ((x.high <= 0) & (other.high <= 0))
            exact = (a.off == 0) & (b.off == 0)
            ratio = np.where(exact, 0.0, np.where(alike, np.maximum(a.ratio, b.ratio), np.inf))
            return (a.off + b.off) * UP, ratio, np.where(exact, 0.0, a.floor + b.floor) * UP
        case "mul" | "square":
            off = _times(a.off, y.size) + _times(b.off, x.size)
            floor = _times(a.floor, y.size) + _times(b.floor, x.size + a.floor)
            return off * UP, _both(a.ratio, b.ratio), floor * UP
        case "div":
            off = _over((a.off + _times(b.off, own.size)) * UP, y.least)
            below = np.where((b.ratio < 1) & (b.floor == 0), b.ratio / np.maximum(1 - b.ratio, 2.0**-53), np.inf)
            return off * UP, _both(a.ratio, below * UP), _over(a.floor, y.least) * UP
        case "sqrt":
            return _over(a.off, own.least * 2) * UP, a.ratio, _over(a.floor, own.least * 2) * UP
        case "exp" | "exp2" | "sigmoid":
            slope = own.size if step.op != "sigmoid" else zero + 0.25
            ratio = np.where(a.off < 0.5, a.off * (1 + a.off), np.inf) * UP
            return _times(a.off, slope) * UP, ratio, zero
        case "cos" | "sin":
            return np.minimum(a.off, 2.0), np.where(a.off == 0, 0.0, np.inf), zero
    raise AssertionError(step.op)
