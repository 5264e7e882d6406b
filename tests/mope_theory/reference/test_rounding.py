"""The rounding bounds themselves: formats, exact products, hand-worked values, and a kernel in numpy under them."""
from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import acb, arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from mope_theory.reference import derivative_arb, to_acb
from mope_theory.reference.formats import BFLOAT16, FLOAT16, FLOAT32, FLOAT64, FORMATS, product_is_exact, significant_bits
from mope_theory.reference.rounding import (
    ETA,
    SECOND_ORDER,
    Terms,
    U,
    forward_error,
    gradient_terms,
    phase_error,
    rounded,
    sum_error,
)  # fmt: skip
from mope_theory.symbols import b, center, omega, psi, sigma

PACKET = psi(b, omega, sigma, center)


@pytest.mark.parametrize("name, kind", [("float64", np.float64), ("float32", np.float32), ("float16", np.float16)])
def test_formats_agree_with_numpy(name: str, kind: type) -> None:
    info, ours = np.finfo(kind), FORMATS[name]
    assert ours.unit == info.eps / 2
    assert ours.smallest == info.smallest_subnormal
    assert ours.largest == info.max
    assert ours.smallest * 2.0 ** (ours.precision - 1) == info.smallest_normal


def test_bfloat16_is_the_upper_half_of_float32() -> None:
    largest, smallest = (np.array([bits << 16], dtype=np.uint32).view(np.float32)[0] for bits in (0x7F7F, 0x0001))
    assert (BFLOAT16.largest, BFLOAT16.smallest, BFLOAT16.unit) == (largest, smallest, 2.0**-8)


floats = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e100, max_value=1e100).filter(
    lambda x: x == 0 or abs(x) > 1e-100
)


@given(floats)
def test_significant_bits_count_the_odd_part(x: float) -> None:
    odd = abs(Fraction(x).numerator)
    while odd and odd % 2 == 0:
        odd //= 2
    assert significant_bits(x) == odd.bit_length()


@given(st.integers(-(2**30), 2**30), st.floats(-(2.0**13), 2.0**13, width=32).filter(lambda x: x == 0 or abs(x) > 1e-30))
def test_a_product_called_exact_is_exact(position: int, frequency: float) -> None:
    exact = Fraction(position) * Fraction(frequency)
    if product_is_exact(frequency, float(position)):
        assert Fraction(frequency * position) == exact
        assert phase_error(frequency, float(position)) == 0
    else:
        assert abs(Fraction(frequency * position) - exact) <= Fraction(float(phase_error(frequency, float(position))))
    if abs(position) <= 2**24:
        assert product_is_exact(frequency, float(position)), "24 and 24 bits fit 53"


def test_values_worked_by_hand() -> None:
    """At b = 0 the real channel is 1: 5u and four η. At b = 1, σ = ½: z = 2, z² = 4, 15u of e^{−2}|cos|, exact phase."""
    real, imag = forward_error(0.75, math.inf, 0.0)
    assert real == pytest.approx((5 * U + 4 * ETA) * SECOND_ORDER, rel=2 * U, abs=0)
    assert imag == pytest.approx((2 * U * 5 * U + 4 * ETA) * SECOND_ORDER, rel=8 * U, abs=0)
    real, imag = forward_error(0.75, 0.5, 1.0)
    for bound, wave in ((real, math.cos(0.75)), (imag, math.sin(0.75))):
        assert bound == pytest.approx(math.exp(-2) * (wave + 2 * U) * 15 * U * SECOND_ORDER, rel=16 * U, abs=0)
    turned = forward_error(1 / 3, math.inf, 2.0**30 + 1)[0]
    assert turned == pytest.approx((2.0**30 + 1) / 3 * U, rel=2.0**-19, abs=0)
    terms = gradient_terms(0.75, 0.5, 1.0, 0.0, 1.0, -2.0)
    g = math.exp(-2)
    sizes = {"omega": 3 * g, "sigma": 3 * 8 * g, "center": 3 * 4 * g, "positions": 3 * (0.75 + 4) * g}
    roundings = {"omega": 14 + 5, "sigma": 14 + 4 + 7, "center": 14 + 2 + 6}
    for name, size in sizes.items():
        assert terms[name].size == pytest.approx(size, rel=2.0**-19, abs=0)
        if name in roundings:
            assert terms[name].error == pytest.approx(size * roundings[name] * U, rel=2.0**-18, abs=0)


def test_sums_and_the_last_rounding() -> None:
    terms = Terms(np.array([[1.0, 2.0], [3.0, 4.0]]), np.full((2, 2), 2.0**-50))
    assert sum_error(terms, 0) == pytest.approx([2.0**-49 + 4 * U, 2.0**-49 + 6 * U], rel=2.0**-19, abs=0)
    assert sum_error(terms, None) == pytest.approx(4 * 2.0**-50 + 3 * 10 * U, rel=2.0**-19, abs=0)
    assert sum_error(terms, (0, 1)) == sum_error(terms, None)
    assert rounded(1e-17, 0.5, FLOAT64) == 1e-17
    assert rounded(0.0, 0.5, FLOAT32) == pytest.approx(2.0**-25, rel=2.0**-19, abs=0)
    assert rounded(0.0, 0.5, FLOAT16) == pytest.approx(2.0**-12 + 2.0**-25 * 2, rel=2.0**-11, abs=0)
    assert rounded(0.0, 1e-40, FLOAT32) < 2.0**-149
    assert rounded(0.0, 65505.0, FLOAT16) == math.inf
    assert rounded(0.0, 65000.0, FLOAT16) < 65000 * 2.0**-10


@pytest.mark.parametrize("z", [39.9, 40.0, 40.1, 1e3, 1e200, math.inf])
def test_beyond_the_guard_zero_is_within_the_bound(z: float) -> None:
    """The kernel writes 0 there; the exact summand, also with a tiny σ that blows z²/σ up, is below the bound."""
    ctx.prec = 200
    width = 1e-300
    position = z * width if math.isfinite(z) else 1e20
    values = {b: position, omega: 0.5, sigma: width, center: 0}
    terms = gradient_terms(0.5, width, position)
    packet = to_acb(PACKET, values)
    assert all(bound >= float(abs(part).mid()) for bound, part in zip(
        forward_error(0.5, width, position), (packet.real, packet.imag), strict=True
    ))  # fmt: skip
    for name, symbol in {"omega": omega, "sigma": sigma, "center": center, "positions": b}.items():
        slope = derivative_arb(PACKET, values, symbol)
        assert terms[name].error >= float(abs(slope.real + slope.imag).upper())


def numpy_kernel(w: np.ndarray, s: np.ndarray, x: np.ndarray, c: np.ndarray, fault: str = "") -> np.ndarray:
    z = (x - c) / s
    phase = (w.astype(np.float32) * x.astype(np.float32)).astype(np.float64) if fault == "float32 phase" else w * x
    half = z * z if fault == "no half" else 0.5 * (z * z)
    g = np.exp(-half)
    if fault == "factor 1 + 10⁻¹²":
        g = g * (1 + 1e-12)
    return g * np.cos(phase) + 1j * g * np.sin(phase)


@pytest.mark.parametrize("fault", ["", "float32 phase", "no half", "factor 1 + 10⁻¹²"])
def test_a_numpy_kernel_is_under_the_bound_and_its_faults_are_not(fault: str) -> None:
    ctx.prec = 200
    g = np.random.default_rng(4)
    w, x = g.uniform(0.1, 3, 400), g.uniform(-300, 300, 400)
    s, c = g.uniform(20, 500, 400), g.uniform(-50, 50, 400)
    got = numpy_kernel(w, s, x, c, fault)
    worst = 0.0
    for k, bounds in enumerate(zip(*forward_error(w, s, x, c), strict=True)):
        exact = to_acb(PACKET, {b: x[k], omega: w[k], sigma: s[k], center: c[k]})
        gap = acb(got[k].real, got[k].imag) - exact
        worst = max(worst, *(float(abs(e).upper()) / f for e, f in zip((gap.real, gap.imag), bounds, strict=True)))
    assert (worst > 1) == bool(fault)
    assert worst > 0.02


def test_the_first_order_terms_leave_room_for_the_second() -> None:
    """Largest relative error of a factor, over the whole box, against the square that SECOND_ORDER must cover."""
    relative = (Fraction(5, 2) * 40**2 + 20) * Fraction(U)
    assert relative < Fraction(1, 2**40)
    assert (1 + relative) ** 8 - 1 - 8 * relative < 8 * relative * (Fraction(SECOND_ORDER) - 1)
    assert arb(SECOND_ORDER) > 1
