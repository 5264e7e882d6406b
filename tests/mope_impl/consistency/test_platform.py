"""Hypotheses on the platform that the bounds rest on, sampled against Arb."""
from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from flint import arb

from mope_theory.reference import rounding
from mope_theory.reference.formats import FORMATS
from tests.mope_impl.consistency.harness import DTYPES


def worst_ulps(name: str, low: float, high: float, exact: Callable[[arb], arb]) -> float:
    """Largest error over the range, in units in the last place: long vectors take the vector code, single numbers the scalar."""
    function, worst = getattr(torch, name), 0.0
    x = low + (high - low) * torch.rand(3000, generator=torch.Generator().manual_seed(5), dtype=torch.float64)
    for points, values in ((x, function(x)), (x[:300], torch.stack([function(v) for v in x[:300]]))):
        for point, value in zip(points.tolist(), values.tolist(), strict=True):
            true = exact(arb(point))
            worst = max(worst, float(abs(arb(value) - true).upper()) / max(math.ulp(float(true.mid())), 2.0**-1074))
    return worst


@pytest.mark.parametrize(
    "name, low, high, ulps",
    [
        ("exp", -745.0, 0.0, rounding.EXP_ULPS),
        ("exp", -1e-3, 0.0, rounding.EXP_ULPS),
        ("cos", -(2.0**37), 2.0**37, rounding.TRIG_ULPS),
        ("sin", -(2.0**37), 2.0**37, rounding.TRIG_ULPS),
        ("cos", -20.0, 20.0, rounding.TRIG_ULPS),
        ("sin", -1e-2, 1e-2, rounding.TRIG_ULPS),
    ],
)
def test_primitives_err_by_one_unit_in_the_last_place(name: str, low: float, high: float, ulps: float) -> None:
    assert 0.1 < worst_ulps(name, low, high, lambda x: getattr(x, name)()) <= ulps


@pytest.mark.parametrize("low, high", [(-700.0, 700.0), (-5.0, 5.0), (-1e-3, 1e-3), (20.0, 40.0)])
def test_a_sigmoid_is_an_exponential_a_sum_and_a_quotient(low: float, high: float) -> None:
    """4u of its value, which is two to four units in the last place."""
    assert 0.1 < worst_ulps("sigmoid", low, high, lambda x: 1 / (1 + (-x).exp())) <= 4


@pytest.mark.parametrize("x", [-720.0, -745.0, -1e4, -1e300])
def test_a_sigmoid_is_0_where_its_exponential_overflows(x: float) -> None:
    assert torch.sigmoid(torch.tensor(x, dtype=torch.float64)).item() <= 2.0**-1022


def test_sixteen_bit_results_are_rounded_through_float32() -> None:
    """1 + u′ + 2⁻⁴⁰ lies above the tie of each format; through float32 it is the tie, and goes to even."""
    for name, unit in (("bfloat16", 2.0**-8), ("float16", 2.0**-11)):
        value = torch.tensor([1 + unit + 2.0**-40], dtype=torch.float64)
        error = abs(float(value.to(DTYPES[name])) - float(value))
        assert error <= rounding.rounded(0.0, float(value), FORMATS[name])
