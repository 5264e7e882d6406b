"""Known traps, with the right values: extreme widths, narrow formats, long positions, tiny envelopes, shifted positions."""
from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import torch
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from mope_impl import functional as F
from mope_theory import symbols as s
from mope_theory.reference import rounding, to_acb, to_mpmath
from mope_theory.reference.formats import FORMATS
from tests.mope_impl.consistency.cases import morlet
from tests.mope_impl.consistency.harness import Case, forward_excess
from tests.mope_impl.consistency.planted import planted


def single(positions: list[float], omega: float, sigma: float, dtype: torch.dtype, center: float = 0.0) -> Case:
    return morlet(torch.tensor(positions), *(torch.tensor([x], dtype=dtype) for x in (omega, sigma, center)), dtype)


@pytest.mark.parametrize("sigma, b, value", [(1e-23, 0.0, 1), (1e-20, 1.0, 0), (1e-10, 1e5, 0), (1e-3, 1e18, 0)])
def test_extreme_widths_in_float32(sigma: float, b: float, value: int) -> None:
    case = single([b], 1.0, sigma, torch.float32)
    parameters = [case.inputs[name].requires_grad_() for name in ("omega", "sigma", "center")]
    out = F.morlet_encoding(case.inputs["positions"], *parameters)
    out.sum().backward()
    assert out[0].tolist() == [value, 0]
    assert parameters[1].grad.item() == 0
    assert all(x.grad.isfinite().all() for x in parameters)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("b, value", [(255, 0.8834), (256, 0.8825)])
def test_narrow_inputs_do_not_overflow(dtype: torch.dtype, b: int, value: float) -> None:
    case = single([b], 0.0, 512.0, dtype)
    assert forward_excess(case, F.morlet_encoding) <= 1
    wide = replace(case, dtype=torch.float32)
    assert forward_excess(wide, F.morlet_encoding) <= 1
    out = F.morlet_encoding(*wide.inputs.values(), dtype=torch.float32)[0, 0]
    assert round(out.item(), 4) == value


@pytest.mark.parametrize("dtype", [torch.int64, torch.float32])
def test_autocast_leaves_large_positions_apart(dtype: torch.dtype) -> None:
    positions = torch.arange(65536, 65540).to(dtype)
    omega, sigma = torch.tensor([1.0]), torch.tensor([math.inf])
    plain = F.morlet_encoding(positions, omega, sigma)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        cast = F.morlet_encoding(positions, omega, sigma)
    assert cast.dtype == torch.float32
    assert torch.equal(cast, plain)
    assert len({tuple(row) for row in cast.tolist()}) == 4
    turn = math.cos(1.0) * plain[:-1, 0] - math.sin(1.0) * plain[:-1, 1]
    assert torch.allclose(plain[1:, 0], turn, rtol=0, atol=4 * 2.0**-24)


PHASE = 4 * 2.0**-24
"""The error promised for the carrier in float32, whatever |ωb| up to 8192·2²⁴."""


def carrier_error(positions: Tensor, omega: Tensor) -> float:
    """Worst error of the carrier in float32 against mpmath."""
    out = F.morlet_encoding(positions, omega, torch.full_like(omega, math.inf), dtype=torch.float32)
    worst = 0.0
    with mpmath.workdps(40):
        for b, row in zip(positions.tolist(), out.tolist(), strict=True):
            for i, w in enumerate(omega.to(torch.float64).tolist()):
                exact = to_mpmath(s.psi(s.b, s.omega, s.sigma), {s.b: b, s.omega: w, s.sigma: math.inf}, 25)
                gaps = (mpmath.mpf(row[2 * i]) - exact.real, mpmath.mpf(row[2 * i + 1]) - exact.imag)
                worst = max(worst, *(float(abs(x)) for x in gaps))
    return worst


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, torch.float64])
def test_phase_error_up_to_two_to_the_twenty_four(dtype: torch.dtype) -> None:
    g = torch.Generator().manual_seed(2)
    edges = torch.tensor([0, 1, -1, 4095, 131071, 1048575, 2**24, -(2**24), 2**24 - 1])
    positions = torch.cat((edges, torch.randint(-(2**24), 2**24, (25,), generator=g)))
    spread = torch.exp2(math.log2(1e-4) + (13 - math.log2(1e-4)) * torch.rand(6, generator=g, dtype=torch.float64))
    omega = torch.cat((torch.tensor([1e-4, 1.0, 8192.0], dtype=torch.float64), spread)).to(dtype)
    assert 0 < carrier_error(positions, omega) <= PHASE


def test_the_phase_bound_covers_the_whole_box() -> None:
    """For float32 ω (24 bits) the product is exact, so the bound is flat in |ωb|, and a third of what is promised."""
    omega = np.float32([1e-4, 0.1, 3.3, 8191.9995])[:, None].astype(np.float64)
    positions = np.array([1.0, 4095, 131071, 1048575, 2**24 - 1, 2**24])
    for error in rounding.forward_error(omega, np.inf, positions):
        assert (rounding.rounded(error, 1.0, FORMATS["float32"]) <= PHASE / 3).all()
    assert rounding.phase_error(1 / 3, 2.0**24 - 1) == 2.0**-53 * (2.0**24 - 1) / 3


@pytest.mark.parametrize("b", [4095, 131071, 1048575, 2**24 + 1])
def test_phase_where_float32_fails(b: int) -> None:
    """Positions beyond 2²⁴ are integers: exact in float64, not representable in float32, where the phase is wrong."""
    omega = torch.tensor([1.0, 0.3])
    assert carrier_error(torch.tensor([b]), omega) <= PHASE
    case = morlet(torch.tensor([b]), omega, torch.full((2,), math.inf), torch.zeros(2), torch.float32)
    assert forward_excess(case, planted("float32 phase")) > 1


@pytest.mark.parametrize("b", [2**40 + 1, -(2**45) + 3, 2**53])
def test_integers_beyond_float32_stay_exact(b: int) -> None:
    case = morlet(torch.tensor([b]), torch.tensor([1.0, 0.5]), torch.full((2,), math.inf), torch.zeros(2), torch.float64)
    assert forward_excess(case, F.morlet_encoding) <= 1


@pytest.mark.parametrize("exponent", [-87, -88, -103, -104, -200])
def test_subnormal_envelopes(exponent: int) -> None:
    """An absolute bound below 2⁻¹²⁶ where gradual underflow holds; one that accepts 0 where a device flushes."""
    b = math.sqrt(-2 * exponent)
    case = single([b], 0.25, 1.0, torch.float32)
    assert forward_excess(case, F.morlet_encoding) <= 1
    exact = float(to_acb(case.spec.channels[0], case.points[0]).real.mid())
    error = rounding.forward_error(0.25, 1.0, case.inputs["positions"].item())[0]
    bound = rounding.rounded(error, exact, FORMATS["float32"])
    flushed = rounding.rounded(error, exact, replace(FORMATS["float32"], flushes=True))
    assert bound < 2.0**-126
    assert flushed >= bound
    assert flushed >= abs(exact) or abs(exact) >= 2.0**-126


rationals = st.fractions(min_value=-200, max_value=200, max_denominator=16)


@given(rationals, rationals, rationals, st.fractions(min_value=1, max_value=100, max_denominator=8))
def test_the_product_kernel_is_not_shift_invariant(m: Fraction, n: Fraction, shift: Fraction, width: Fraction) -> None:
    """P(m+s, n+s) = P(m, n) e^{−(s(m+n)+s²)/σ²}; the relative kernel sees m − n alone."""
    values = {s.m: m, s.n: n, s.s: shift, s.omega: Fraction(3, 7), s.sigma: width}
    here, there = (to_acb(p, values) for p in (s.P(s.m, s.n), s.P(s.m + s.s, s.n + s.s)))
    power = -(shift * (m + n) + shift**2) / width**2
    factor = (arb(power.numerator) / power.denominator).exp()
    assert there.overlaps(here * factor)
    assert there.overlaps(here) == (power == 0)
    relative = (to_acb(s.K(x, s.omega, s.sigma), values) for x in (s.m - s.n, (s.m + s.s) - (s.n + s.s)))
    assert next(relative).overlaps(next(relative))


def test_the_score_at_shifted_positions() -> None:
    """σ = 50: 2.256 at (7, 3) becomes 0.0277 at (107, 103), a factor e^{−(100·10 + 100²)/50²} = e^{−4.4} for any q, k."""
    assert round(2.256 * math.exp(-4.4), 4) == 0.0277
    g = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 16, generator=g, dtype=torch.complex128)
    omega = torch.logspace(-3, 0, 16, dtype=torch.float64)
    sigma = torch.full((16,), 50.0, dtype=torch.float64)

    def waves(*positions: int) -> Tensor:
        return torch.view_as_complex(F.morlet_encoding(torch.tensor(positions), omega, sigma).unflatten(-1, (16, 2)))

    m, n, m_far, n_far = waves(7, 3, 107, 103)
    near = (q * k.conj() * m * n.conj()).real.sum()
    far = (q * k.conj() * m_far * n_far.conj()).real.sum()
    error = 0.0
    for position in (7, 3, 107, 103):  # each ψ errs by at most this much of |ψ| ≤ 1, and a product by their sum
        error += max(float(e.max()) for e in rounding.forward_error(omega.numpy(), 50.0, position))
    size = float((q.abs() * k.abs()).sum())
    slack = size * 2 * (error + 40 * 2.0**-53)
    assert abs(float(far) - float(near) * math.exp(-4.4)) <= slack
    assert abs(float(far) - float(near)) > 0.9 * abs(float(near))
