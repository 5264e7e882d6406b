"""Intervals hold every value, know which ends are not taken, and say so where nothing is established."""
from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from flint import arb, fmpq

from mope_theory.enclosure.interval import INFINITY, Interval, exactly, largest, smallest, spanning
from mope_theory.reference import Unresolved

ENDS = (Fraction(-3), Fraction(-1, 3), Fraction(0), Fraction(2, 7), Fraction(5))
PAIRS = [(low, high) for low, high in product(ENDS, ENDS) if low <= high]


def ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def interval(low: Fraction, high: Fraction, above: bool = False, below: bool = False) -> Interval:
    return spanning(ball(low), ball(high), above, below)


def samples(low: Fraction, high: Fraction) -> list[Fraction]:
    return [low + (high - low) * Fraction(k, 6) for k in range(7)]


def holds(x: Interval, value: arb) -> bool:
    """Is it not excluded that the interval holds the value?"""
    return not value < x.low and not value > x.high


@pytest.mark.parametrize("first", PAIRS)
@pytest.mark.parametrize("second", PAIRS)
def test_sums_differences_and_products_hold_every_value(first, second) -> None:
    x, y = interval(*first), interval(*second)
    for a, b in product(samples(*first), samples(*second)):
        assert holds(x + y, ball(a + b))
        assert holds(x - y, ball(a - b))
        assert holds(x * y, ball(a * b))


@pytest.mark.parametrize("ends", PAIRS)
def test_functions_of_one_interval_hold_every_value(ends) -> None:
    x = interval(*ends)
    for a in samples(*ends):
        assert all(holds(x.power(k), ball(a**k)) for k in range(5))
        assert holds(x.exp(), ball(a).exp())
        assert holds(x.modulus(), ball(abs(a)))
        if ends[0] > 0:
            assert holds(x.inverse(), ball(1 / a))
            assert holds(x.log(), ball(a).log())
            assert holds(x.power(-3), ball(a**-3))
        if ends[0] >= 0:
            assert holds(x.root(3), ball(a).root(3))
        if ends[1] < 0:
            assert holds(x.inverse(), ball(1 / a))


@pytest.mark.parametrize("pairs", [(PAIRS[1], PAIRS[7]), (PAIRS[3], PAIRS[9]), (PAIRS[0], PAIRS[14])])
def test_maxima_and_minima_hold_every_value(pairs) -> None:
    x, y = (interval(*ends) for ends in pairs)
    for a, b in product(samples(*pairs[0]), samples(*pairs[1])):
        assert holds(largest(x, y), ball(max(a, b)))
        assert holds(smallest(x, y), ball(min(a, b)))


def test_an_end_is_not_taken_only_where_that_is_so() -> None:
    """Every operation on intervals that are open or closed at an end: a flag on the result is never wrong."""
    cases = [
        (low, high, above, below)
        for low, high in ((Fraction(0), Fraction(2)), (Fraction(1), Fraction(2)), (Fraction(-2), Fraction(0)), PAIRS[4])
        for above, below in product((False, True), repeat=2)
    ]
    for first, second in product(cases, cases):
        x, y = interval(*first), interval(*second)
        taken = [[e for e, open_ in ((c[0], c[2]), (c[1], c[3])) if not open_] for c in (first, second)]
        for result, operation in ((x + y, lambda a, b: a + b), (x * y, lambda a, b: a * b), (largest(x, y), max)):
            for a, b in product(*taken):
                value = ball(operation(a, b))
                assert not (result.above and value == result.low), (first, second)
                assert not (result.below and value == result.high), (first, second)


def test_unbounded_intervals() -> None:
    line = Interval(-INFINITY, INFINITY, True, True)
    bell = (-line.power(2)).exp()
    assert bell.is_positive
    assert (bell.low, bell.high, bell.below) == (0, 1, False)  # e^{−x²} is 1 at 0
    right = Interval(arb(2), INFINITY, False, True)
    assert right.inverse().above
    assert right.inverse().high == arb("0.5")
    assert (exactly(arb(0)) * right).point == 0
    assert (line.power(3).low, line.power(3).high) == (-INFINITY, INFINITY)
    assert interval(Fraction(0), Fraction(1), above=True).inverse().low == 1
    assert interval(Fraction(0), Fraction(1), above=True).log().low == -INFINITY


@pytest.mark.parametrize(
    "impossible",
    [
        lambda x: x.inverse(), lambda x: x.log(), lambda x: x.root(2), lambda x: (x - x + exactly(arb(-1))).root(2),
        lambda x: Interval(-INFINITY, INFINITY, True, True).ball(), lambda x: spanning(arb.nan(), arb(1)),
        lambda x: spanning(arb(1), arb(0)),
    ],
    ids=["pole inside", "logarithm", "root", "root below", "unbounded ball", "not a number", "ends exchanged"],
)  # fmt: skip
def test_what_is_not_established_is_said(impossible) -> None:
    with pytest.raises(Unresolved):
        impossible(interval(Fraction(-1), Fraction(1)))


def test_a_closed_end_at_0_is_no_positive_interval() -> None:
    closed = interval(Fraction(0), Fraction(1))
    assert not closed.is_positive
    with pytest.raises(Unresolved):
        closed.inverse()
