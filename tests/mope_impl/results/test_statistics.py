"""Statistics against mpmath at 30 digits, which shares no code with them; and the properties that define them."""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from statistics import NormalDist

import mpmath as mp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mope_impl.results import statistics
from mope_impl.results.statistics import (
    difference,
    holm,
    mean_interval,
    next_run_interval,
    paired,
    quantile,
    sign_flip,
    t_test,
)

DIGITS = 30
SAMPLES = (
    (1.4742, 1.4699),
    (1.503, 1.497, 1.511),
    (-0.0121, -0.0098, -0.0143, -0.0117, -0.0109),
    (1.0, 1.0, 1.0, 2.0),
    tuple(1.5 + 0.01 * ((7 * k) % 11) for k in range(12)),
)
EPSILON = mp.mpf(2) ** -52


def tail(freedom: int, t: mp.mpf) -> mp.mpf:
    """P(|T| ≥ t) by the incomplete beta function."""
    return mp.betainc(mp.mpf(freedom) / 2, mp.mpf("0.5"), 0, freedom / (freedom + t * t), regularized=True)


def exact_quantile(freedom: int, level: str) -> mp.mpf:
    """The t with P(|T| ≥ t) = 1 − level, by bisection."""
    low, high = mp.mpf(0), mp.mpf(10) ** 6
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(freedom, middle) > 1 - mp.mpf(level) else (low, middle)
    return (low + high) / 2


def moments(values: Sequence[float]) -> tuple[mp.mpf, mp.mpf, int]:
    exact = [mp.mpf(one) for one in values]
    mean = mp.fsum(exact) / len(exact)
    return mean, mp.sqrt(mp.fsum((one - mean) ** 2 for one in exact) / (len(exact) - 1)), len(exact)


def bound(values: Sequence[float], half: mp.mpf) -> mp.mpf:
    """Rounding of an end: some ten operations on numbers no larger than these, and 2⁻⁴⁴ of the quantile, as its tests allow."""
    size = max(map(abs, values))
    return 16 * EPSILON * (size + half) + mp.mpf(2) ** -44 * half


@pytest.mark.parametrize("values", SAMPLES, ids=len)
def test_intervals_are_those_of_mpmath(values: tuple[float, ...]):
    with mp.workdps(DIGITS):
        mean, deviation, n = moments(values)
        for found, share in ((mean_interval(values), mp.mpf(1) / n), (next_run_interval(values), 1 + mp.mpf(1) / n)):
            half = exact_quantile(n - 1, "0.95") * deviation * mp.sqrt(share)
            assert abs(found.mean - mean) <= 2 * EPSILON * max(map(abs, values))
            assert abs(found.lower - (mean - half)) <= bound(values, half)
            assert abs(found.upper - (mean + half)) <= bound(values, half)
            assert found.n == n


def test_a_normal_quantile_is_caught(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(statistics, "quantile", lambda freedom, level: NormalDist().inv_cdf((1 + level) / 2))
    with pytest.raises(AssertionError):
        test_intervals_are_those_of_mpmath(SAMPLES[1])


def test_a_deviation_of_the_population_is_caught(monkeypatch: pytest.MonkeyPatch):
    moments_of_sample = statistics._moments

    def wrong(values):
        mean, deviation, n = moments_of_sample(values)
        return mean, deviation * ((n - 1) / n) ** 0.5, n

    monkeypatch.setattr(statistics, "_moments", wrong)
    with pytest.raises(AssertionError):
        test_intervals_are_those_of_mpmath(SAMPLES[1])


@pytest.mark.parametrize("level", ["0.5", "0.9", "0.95", "0.99"])
@pytest.mark.parametrize("freedom", [1, 2, 4, 9, 30])
def test_the_quantile_is_that_of_mpmath(freedom: int, level: str):
    with mp.workdps(DIGITS):
        exact = exact_quantile(freedom, level)
        assert abs(quantile(freedom, float(level)) - exact) <= mp.mpf(2) ** -44 * exact


def test_known_quantiles():
    """Printed tables have 12.706 for one degree of freedom and 2.776 for four."""
    assert [round(quantile(freedom, 0.95), 3) for freedom in (1, 2, 4)] == [12.706, 4.303, 2.776]


@pytest.mark.parametrize("values", [(0.1, 0.2, 0.15), (-0.0121, -0.0098, -0.0143), (0.01, -0.02, 0.015, 0.001), (3.0, 1.0)])
def test_the_t_test_is_that_of_mpmath(values: tuple[float, ...]):
    with mp.workdps(DIGITS):
        mean, deviation, n = moments(values)
        exact = tail(n - 1, abs(mean) * mp.sqrt(n) / deviation)
        assert abs(t_test(values) - exact) <= mp.mpf(2) ** -40 * exact


@pytest.mark.parametrize("values", SAMPLES[1:], ids=len)
def test_a_difference_counts_at_5_per_cent_exactly_where_its_interval_excludes_0(values: tuple[float, ...]):
    mean = sum(values) / len(values)
    for share in (-0.5, 0.0, 0.2, 0.5, 0.9, 0.97, 0.99, 1.0):
        shifted = [one - share * mean for one in values]
        found = mean_interval(shifted)
        assert (t_test(shifted) < 0.05) == (not found.lower <= 0 <= found.upper)


def test_without_scatter_a_difference_is_certain():
    assert t_test([0.1, 0.1, 0.1]) == 0.0
    assert t_test([0.0, 0.0]) == 1.0
    assert t_test([0.1, -0.1]) == 1.0


@pytest.mark.parametrize("function", [mean_interval, next_run_interval, t_test])
@pytest.mark.parametrize("values", [(), (1.0,)])
def test_one_value_has_no_interval(function, values):
    with pytest.raises(ValueError, match="at least 2"):
        function(values)


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0, float("nan")])
def test_a_level_is_a_probability(level: float):
    with pytest.raises(ValueError, match="between 0 and 1"):
        mean_interval((1.0, 2.0), level)


def test_an_interval_covers_as_often_as_it_says():
    """The share of intervals that hold what they should has a standard error of 0.0049; four of them are allowed."""
    import numpy as np

    draws = np.random.default_rng(1).normal(2.0, 3.0, (2000, 5))
    means = [mean_interval(row[:4]) for row in draws]
    runs = [next_run_interval(row[:4]) for row in draws]
    assert abs(np.mean([one.lower <= 2.0 <= one.upper for one in means]) - 0.95) < 0.02
    assert abs(np.mean([one.lower <= row[4] <= one.upper for one, row in zip(runs, draws, strict=True)]) - 0.95) < 0.02


# --- sign flips ----------------------------------------------------------------------------------------------------------


def by_listing(values: Sequence[float]) -> Fraction:
    """Every pattern of signs, one after the other."""
    exact = [Fraction(str(one)) for one in values]
    patterns = [abs(sum(signed)) for signed in product(*((one, -one) for one in exact))]
    return Fraction(sum(one >= abs(sum(exact)) for one in patterns), len(patterns))


@pytest.mark.parametrize(
    "values",
    [
        (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8),  # as floats, sums that are equal come out unequal
        (0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, 0.8, 0.9),
        (0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, -0.7),
        (0.0,) * 8,
        (0.1,) * 4 + (-0.1,) * 4,
    ],
)
def test_sign_flips_are_counted_exactly(values: tuple[float, ...]):
    assert sign_flip(values) == float(by_listing(values))


@given(st.lists(st.integers(-20, 20), min_size=8, max_size=10))
def test_sign_flips_are_counted_exactly_whatever_the_differences_are(tenths: list[int]):
    values = [one / 10 for one in tenths]
    assert sign_flip(values) == float(by_listing(values))
    assert sign_flip([-one for one in values]) == sign_flip(values)


def test_differences_of_one_sign_have_the_smallest_value():
    assert sign_flip([0.1 * k for k in range(1, 9)]) == 2 / 2**8


def test_few_differences_have_no_sign_flip_test():
    assert sign_flip([0.1] * 7) is None
    with pytest.raises(ValueError, match="at most 30"):
        sign_flip([0.1] * 31)


# --- Holm, pairs ---------------------------------------------------------------------------------------------------------


def test_holm_by_hand():
    """4 × 0.005, 3 × 0.01, 2 × 0.03 and 1 × 0.04, none below the one before."""
    found = holm({"c": 0.03, "a": 0.005, "d": 0.04, "b": 0.01})
    assert {name: round(p, 12) for name, p in found.items()} == {"c": 0.06, "a": 0.02, "d": 0.06, "b": 0.03}
    assert list(found) == ["c", "a", "d", "b"]
    assert holm({}) == {}
    assert holm({"a": 0.7, "b": 0.8}) == {"a": 1.0, "b": 1.0}


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(0.001, 0.999))
def test_holm_rejects_what_the_step_down_procedure_rejects(p_values: list[float], level: float):
    named = {str(place): p for place, p in enumerate(p_values)}
    found = holm(named)
    order = sorted(named, key=named.__getitem__)
    rejecting = True
    for place, name in enumerate(order):
        rejecting = rejecting and (len(order) - place) * named[name] <= level
        assert (found[name] <= level) == rejecting
        assert found[name] >= named[name]


def test_only_seeds_that_both_have_are_paired():
    assert paired({1: 1.5, 2: 1.6, 4: 1.7}, {2: 1.5, 1: 1.4, 3: 9.0}) == {1: 0.1, 2: 0.1}


def test_a_difference_is_that_of_the_decimals():
    assert 1.6 - 1.5 != 0.1
    assert difference(1.6, 1.5) == 0.1
