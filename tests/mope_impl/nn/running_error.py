"""Arrays of float64 that carry a bound for how far another evaluation of the same formula in float64 may be from them.

Each operation bounds what the errors of its operands do, and adds the roundings of any order of its sums: first a value, then
a bound for its distance from the exact one. Two evaluations are at most the sum of two bounds apart; that of the other one is
the same but for the order, so that twice the bound is what is allowed. Elementary functions are taken to be within 4 units.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import erf, expit

Array = np.ndarray[Any, Any]
U = 2.0**-53


@dataclass(frozen=True)
class Bounded:
    """Values, and a bound for the error of each."""

    value: Array
    error: Array

    def __add__(self, other: Bounded) -> Bounded:
        value = self.value + other.value
        return Bounded(value, self.error + other.error + U * np.abs(value))

    def __sub__(self, other: Bounded) -> Bounded:
        return self + other * exact(-1.0)

    def __mul__(self, other: Bounded) -> Bounded:
        value = self.value * other.value
        cross = np.abs(self.value) * other.error + np.abs(other.value) * self.error + self.error * other.error
        return Bounded(value, cross + U * np.abs(value))

    def __truediv__(self, other: Bounded) -> Bounded:
        value = self.value / other.value
        least = np.abs(other.value) - other.error
        assert (least > 0).all(), "a divisor may be 0"
        return Bounded(value, (self.error + np.abs(value) * other.error) / least + U * np.abs(value))

    def __matmul__(self, other: Bounded) -> Bounded:
        terms = self.value.shape[-1]
        a, b = np.abs(self.value), np.abs(other.value)
        error = a @ other.error + self.error @ b + self.error @ other.error + 1.01 * terms * U * (a @ b)
        return Bounded(self.value @ other.value, error)

    def __getitem__(self, index: Any) -> Bounded:
        return Bounded(self.value[index], self.error[index])

    def swap(self) -> Bounded:
        """The last two axes exchanged."""
        return Bounded(self.value.swapaxes(-1, -2), self.error.swapaxes(-1, -2))

    def sum(self) -> Bounded:
        """Over the last axis, which stays, with length 1."""
        error = self.error.sum(-1, keepdims=True) + 1.01 * self.value.shape[-1] * U * np.abs(self.value).sum(-1, keepdims=True)
        return Bounded(self.value.sum(-1, keepdims=True), error)

    def mean(self) -> Bounded:
        return self.sum() / exact(float(self.value.shape[-1]))

    def sqrt(self) -> Bounded:
        value = np.sqrt(self.value)
        least = self.value - self.error
        assert (least > 0).all(), "a radicand may be 0"
        return Bounded(value, self.error / (2 * np.sqrt(least)) + 4 * U * value)

    def exp(self) -> Bounded:
        value = np.exp(self.value)
        return Bounded(value, value * (np.expm1(self.error) + 4 * U))

    def sigmoid(self) -> Bounded:
        """Its slope is at most ¼."""
        value = expit(self.value)
        return Bounded(value, self.error / 4 + 8 * U)

    def gelu(self) -> Bounded:
        """x Φ(x): its slope is at most 1.13; Φ is ½(1 + erf), and off by a few units of 1."""
        value = 0.5 * self.value * (1 + erf(self.value / np.sqrt(2)))
        return Bounded(value, 1.13 * self.error + 8 * U * np.abs(self.value))

    def softmax(self, seen: Array) -> Bounded:
        """Over the last axis where seen. A share follows the exponents of all: twice the largest of their errors.

        Exponents are shifted by their maximum, at most twice the largest of them; sum and quotient add T + 8 roundings.
        """
        largest = np.where(seen, np.abs(self.value), 0).max(-1, keepdims=True)
        error = np.where(seen, self.error, 0).max(-1, keepdims=True) + 4 * U * largest
        powers = np.where(seen, np.exp(np.where(seen, self.value, 0)), 0)
        value = powers / powers.sum(-1, keepdims=True)
        return Bounded(value, value * (np.expm1(2 * error) + (value.shape[-1] + 8) * U))

    def variance(self, mean: Bounded) -> Bounded:
        """Of the last axis. As mean of squares less square of the mean it may be off by 2(n + 4) units of the former."""
        offset = self - mean
        found = (offset * offset).mean()
        squares = (self.value**2).mean(-1, keepdims=True)
        return Bounded(found.value, found.error + 2 * (self.value.shape[-1] + 4) * U * squares)


def exact(value: Any) -> Bounded:
    """What both evaluations begin with."""
    value = np.asarray(value, dtype=np.float64)
    return Bounded(value, np.zeros_like(value))


def rounded(value: Array, error: Array | float) -> Bounded:
    """A value that is off by an error."""
    return Bounded(value, np.broadcast_to(np.asarray(error, dtype=np.float64), value.shape).copy())
