"""The binary floating-point formats of outputs and gradients, and exactness of products in float64."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Format:
    """A binary format with gradual underflow.

    ``precision`` is the number of significant bits p, ``smallest`` the spacing of the subnormal numbers, ``largest``
    the largest finite number. ``flushes``: results below the smallest normal number may become 0 (a GPU may do so).
    """

    name: str
    precision: int
    smallest: float
    largest: float
    flushes: bool = False

    @property
    def unit(self) -> float:
        """Unit roundoff u = 2^−p: |fl(x) − x| ≤ u |x| where x is normal."""
        return 2.0**-self.precision

    @property
    def underflow(self) -> float:
        """Largest absolute error of rounding a number below the smallest normal one."""
        smallest_normal = self.smallest * 2.0 ** (self.precision - 1)
        return smallest_normal if self.flushes else self.smallest / 2


FLOAT64 = Format("float64", 53, 2.0**-1074, (2 - 2.0**-52) * 2.0**1023)
FLOAT32 = Format("float32", 24, 2.0**-149, (2 - 2.0**-23) * 2.0**127)
BFLOAT16 = Format("bfloat16", 8, 2.0**-133, (2 - 2.0**-7) * 2.0**127)
FLOAT16 = Format("float16", 11, 2.0**-24, (2 - 2.0**-10) * 2.0**15)
FORMATS = {f.name: f for f in (FLOAT64, FLOAT32, BFLOAT16, FLOAT16)}


def significant_bits(x: ArrayLike) -> NDArray[np.int64]:
    """Number of bits from the first to the last nonzero bit of the significand of a finite float64; 0 for 0."""
    fraction, _ = np.frexp(np.asarray(x, dtype=np.float64))
    whole = np.abs(np.ldexp(fraction, 53)).astype(np.int64)
    lowest = whole & -whole
    return np.where(whole == 0, 0, 54 - np.frexp(lowest.astype(np.float64))[1]).astype(np.int64)


def product_is_exact(x: ArrayLike, y: ArrayLike) -> NDArray[np.bool_]:
    """Sufficient condition for fl(xy) = xy in float64 (no overflow or underflow): the two significands fit 53 bits.

    A float32 frequency (24 bits) times an integer position up to 2^24 (24 bits) needs 48.
    """
    return np.asarray(significant_bits(x) + significant_bits(y) <= FLOAT64.precision)
