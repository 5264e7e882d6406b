r"""Floating-point formats, and how far rounding to nearest can move a value of a bounded size.

A format has p significand bits; its smallest positive value is η and its unit roundoff u = 2⁻ᵖ. A real value x is moved by at
most half a unit in the last place: 2^{e−p−1} for 2^{e−1} ≤ |x| < 2^e, η/2 where that is subnormal, and by at most u|x|/(1 + u).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]

UP = 1 + 2.0**-50
"""Outweighs the rounding of the few operations that a bound is computed with."""


@dataclass(frozen=True)
class Format:
    """A binary format with round to nearest, subnormal numbers and infinities."""

    name: str
    precision: int
    """Bits of the significand, p, the hidden one included."""
    least: int
    """The exponent of the smallest positive value, η = 2^least."""
    largest: float
    """The largest finite value."""

    @property
    def u(self) -> float:
        return 2.0**-self.precision

    @property
    def eta(self) -> float:
        return 2.0**self.least

    @property
    def normal(self) -> float:
        """The smallest positive value with all bits of the significand."""
        return 2.0 ** (self.least + self.precision - 1)


FORMATS = {
    form.name: form
    for form in (
        Format("float64", 53, -1074, float(np.finfo(np.float64).max)),
        Format("float32", 24, -149, float(np.finfo(np.float32).max)),
        Format("bfloat16", 8, -133, (2 - 2.0**-7) * 2.0**127),
        Format("float16", 11, -24, 65504.0),
        Format("real", 4096, -8192, float("inf")),  # which rounds nothing: u and η are 0 in float64
    )
}


def nearest(value: Array, form: Format) -> Array:
    """The value rounded to nearest, ties to even."""
    exponent = np.maximum(np.frexp(value)[1], form.least + form.precision)
    found = np.ldexp(np.rint(np.ldexp(value, form.precision - exponent)), exponent - form.precision)
    return np.where(np.isinf(value), value, np.where(np.abs(found) > form.largest, np.copysign(np.inf, value), found))


def half_ulp(size: Array, form: Format) -> Array:
    r"""The largest distance |fl(x) − x| for |x| ≤ size.

    A size that exceeds a power of two 2^k by no more than u·2^k adds little to the half unit below 2^k: what lies beyond is
    rounded back to 2^k, by at most size − 2^k. Infinite where fl(x) may overflow.
    """
    fraction, exponent = np.frexp(size)
    exponent = exponent - (fraction == 0.5)
    step = np.ldexp(1.0, np.maximum(exponent - form.precision - 1, form.least - 1))
    below = np.ldexp(1.0, exponent - 1)
    back = np.maximum(step / 2, (size - below) * UP)
    barely = (size <= below * (1 + form.u)) & (exponent - form.precision > form.least)
    return np.where(size < form.largest * (1 + form.u / 2), np.where(barely, back, step), np.inf)
