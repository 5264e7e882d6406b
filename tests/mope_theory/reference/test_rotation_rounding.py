"""The rounding bounds of the rotary encodings: values worked by hand, ends of the range, and a kernel in numpy under them."""
from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx

from mope_theory.reference import to_acb
from mope_theory.reference.rotation_rounding import (
    GUARD,
    OPERATIONS,
    VALUE,
    exponential,
    gaussian,
    gradient_terms,
    no_growth,
    value_error,
)
from mope_theory.reference.rounding import ETA, SECOND_ORDER, U
from mope_theory.specs import spec
from mope_theory.specs.rotation import first, second
from mope_theory.symbols import b, omega, sigma


def test_values_worked_by_hand() -> None:
    """A rotation of (3, −4) by an exact phase: 7·5u. At z = 2, six units of z² and two of exp more; at κb = 3, three and two."""
    exact = {"omega": 0.75, "position": 1.0, "first": 3.0, "second": -4.0}
    assert value_error(no_growth(), **exact) == pytest.approx(7 * 5 * U, rel=2.0**-19, abs=0)
    damped = 7 * math.exp(-2) * (5 + 6 + 2) * U
    assert value_error(gaussian(0.5, 1.0), **exact) == pytest.approx(damped, rel=2.0**-19, abs=0)
    grown = 7 * math.exp(3) * (5 + 3 + 2) * U
    assert value_error(exponential(3.0, 1.0), **exact) == pytest.approx(grown, rel=2.0**-19, abs=0)
    grown = 7 * math.exp(3) * (5 + 9 + 2) * U
    assert value_error(exponential(3.0, 1.0, computed_rate=True), **exact) == pytest.approx(grown, rel=2.0**-19, abs=0)
    inexact = value_error(no_growth(), 1 / 3, 2.0**30 + 1, 3.0, -4.0)
    assert inexact == pytest.approx(7 * ((2.0**30 + 1) / 3 + 5) * U, rel=2.0**-19, abs=0)


def test_gradients_worked_by_hand() -> None:
    terms = gradient_terms(gaussian(0.5, 1.0), 0.75, 1.0, (3.0, -4.0), (1.0, -1.0))
    whole = 2 * 7 * math.exp(-2)
    sizes = {"omega": whole, "parameter": whole * 8, "positions": whole * (0.75 + 4), "x": 2 * math.exp(-2)}
    roundings = OPERATIONS | {"x": VALUE}
    for name, size in sizes.items():
        assert terms[name].size == pytest.approx(size, rel=2.0**-19, abs=0)
        assert terms[name].error == pytest.approx(size * (roundings[name] + 2 + 6 + 2) * U, rel=2.0**-18, abs=0)


def test_ends_of_the_range() -> None:
    """σ = ∞ is the rotation with one exp; far out only what underflows is left; where e^w overflows nothing is promised."""
    assert value_error(gaussian(math.inf, 5.0), 0.5, 5.0, 1.0, 0.0) == pytest.approx(7 * U, rel=2.0**-19, abs=0)
    far = gaussian(1e-3, 1e6)
    assert (far.size, far.by_parameter, far.by_position) == (0.0, GUARD**2 / 1e-3, GUARD / 1e-3)
    assert value_error(far, 0.5, 1e6, 1.0, 0.0) == 8 * ETA
    assert value_error(exponential(1.0, 1e4), 0.5, 1e4, 1.0, 0.0) == math.inf
    assert value_error(exponential(-1.0, 1e4), 0.5, 1e4, 1.0, 0.0) == 8 * ETA


@pytest.mark.parametrize("fault", ["", "float32 phase", "no half", "factor 1 + 10⁻¹²", "the pair swapped"])
def test_a_numpy_kernel_is_under_the_bound_and_its_faults_are_not(fault: str) -> None:
    ctx.prec = 200
    g = np.random.default_rng(4)
    w, x, s = g.uniform(0.1, 3, 300), g.uniform(-300, 300, 300), g.uniform(20, 500, 300)
    one, two = g.normal(size=300), g.normal(size=300)
    phase = (w.astype(np.float32) * x.astype(np.float32)).astype(np.float64) if fault == "float32 phase" else w * x
    z = x / s
    envelope = np.exp(-z * z if fault == "no half" else -0.5 * z * z) * (1 + 1e-12 * (fault == "factor 1 + 10⁻¹²"))
    pair = (two, one) if fault == "the pair swapped" else (one, two)
    found = (pair[0] * np.cos(phase) - pair[1] * np.sin(phase)) * envelope
    bound = value_error(gaussian(s, x), w, x, one, two)
    formula, worst = spec("morlet_rotary").channels[0], 0.0
    for k in range(300):
        exact = to_acb(formula, {first: one[k], second: two[k], b: x[k], omega: w[k], sigma: s[k]}).real
        worst = max(worst, float(abs(arb(found[k]) - exact).upper()) / bound[k])
    assert (worst > 1) == bool(fault)
    assert worst > 0.02


def test_the_first_order_terms_leave_room_for_the_second() -> None:
    """The largest relative error within the range: at the guard, or where κb nears 745."""
    relative = (Fraction(max(1.5 * GUARD**2, 3 * 745.0)) + 20) * Fraction(U)
    assert relative < Fraction(1, 2**40)
    assert (1 + relative) ** 8 - 1 - 8 * relative < 8 * relative * (Fraction(SECOND_ORDER) - 1)
