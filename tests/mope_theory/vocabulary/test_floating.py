"""The formulas of rounding agree with the rounding of hardware formats."""
from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest

from mope_theory.symbols import b, precision
from mope_theory.vocabulary.floating import Rounded, Ulp
from tests.mope_theory.claims.numeric import Point

FORMATS = {11: np.float16, 24: np.float32, 53: np.float64}
NUMBERS = [Fraction(n, d) * Fraction(2) ** e for n in (1, 3, 7, -5, 11) for d in (3, 7, 10, 1) for e in (-9, 0, 6)]


def value(head: type, x: Fraction, bits: int) -> Fraction:
    with mp.workdps(60):
        found = Point({"b": x, "p": bits}).value(head(b, precision))
        return Fraction(int(found * 2**80), 2**80)


@pytest.mark.parametrize("bits", FORMATS)
def test_rounding_is_that_of_the_format(bits: int) -> None:
    for x in NUMBERS:
        nearest = FORMATS[bits](float(x))
        assert value(Rounded, x, bits) == Fraction(float(nearest)), x
        assert value(Ulp, x, bits) == Fraction(float(np.spacing(abs(nearest)))), x


@pytest.mark.parametrize("whole", range(8, 16))
def test_a_tie_goes_to_the_even_neighbour(whole: int) -> None:
    """With four bits the integers from 8 to 15 are the numbers, and whole + ½ is a tie."""
    even = whole if whole % 2 == 0 else whole + 1
    for sign in (1, -1):
        assert value(Rounded, sign * (whole + Fraction(1, 2)), 4) == sign * even
        assert value(Rounded, sign * (whole + Fraction(1, 2) + Fraction(1, 2**30)), 4) == sign * (whole + 1)
        assert value(Rounded, sign * (whole + Fraction(1, 2) - Fraction(1, 2**30)), 4) == sign * whole


def test_zero_rounds_to_zero() -> None:
    assert value(Rounded, Fraction(0), 24) == 0
    assert value(Ulp, Fraction(0), 24) == 0
