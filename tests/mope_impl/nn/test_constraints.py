"""The constraints on ω and σ: values, ties, caps, and the gradients at each of them."""
from __future__ import annotations

import math

import pytest
import sympy as sp
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from mope_impl.nn import MorletEncoding, constraints
from mope_theory.reference import to_mpmath
from mope_theory.vocabulary import recipe

F64 = torch.float64
CLOSE = 64 * 2.0**-53
"""Relative distance of two float64 computations of one value with fewer than 32 roundings each, none amplified."""
STORED = 2.0**-22
"""Relative error of ω or σ from the rounding of its logarithm, |log| < 2, to float32, and of their product."""


def slopes(rule, first: float, second: float, d_omega: float = 1.0, d_sigma: float = 0.0) -> tuple[float, ...]:
    """(ω, σ, ∂/∂first, ∂/∂second) for the upstream gradients of ω and σ."""
    a, b = (torch.tensor([x], dtype=F64, requires_grad=True) for x in (first, second))
    omega, sigma = rule(a, b)
    (d_omega * omega + d_sigma * sigma).sum().backward()
    return tuple(0.0 if x is None else x.item() for x in (omega, sigma, a.grad, b.grad))


logs = st.floats(-8, 8)


@given(logs, logs)
def test_free_is_the_exponential(lo: float, ls: float) -> None:
    *three, last = slopes(constraints.free, lo, ls)
    assert three == pytest.approx([math.exp(lo), math.exp(ls), math.exp(lo)], rel=CLOSE, abs=0)
    assert last == 0


@given(logs, logs)
def test_reference_follows_its_definition(lo: float, ls: float) -> None:
    """Written again with plain numbers, in the order: cap, floor, then ωσ ≥ 5 by moving ω."""
    omega = min(math.exp(lo), 0.95 * math.pi)
    sigma = max(math.exp(ls), 1e-3)
    omega = 5 / sigma if omega * sigma < 5 else omega
    got = slopes(constraints.reference, lo, ls)
    assert got[:2] == pytest.approx((omega, sigma), rel=CLOSE, abs=0)


@given(st.floats(-3, 1), st.floats(-3, 1))
def test_where_the_clamp_holds_the_width_gains_the_gradient(lo: float, ls: float) -> None:
    """5/σ > ω: log ω gets 0 and log σ gains −(5/σ) ∂L/∂ω; σ itself keeps its own gradient σ ∂L/∂σ."""
    if math.exp(lo) * math.exp(ls) > 4.999:
        return
    sigma = math.exp(ls)
    _, _, d_log_omega, d_log_sigma = slopes(constraints.reference, lo, ls, d_omega=0.7, d_sigma=-0.3)
    assert d_log_omega == 0
    assert d_log_sigma == pytest.approx(-(5 / sigma) * 0.7 - 0.3 * sigma, rel=CLOSE, abs=0)


@given(st.floats(0.0, 1.08), st.floats(2.0, 6.0))
def test_where_nothing_holds_both_gradients_pass(lo: float, ls: float) -> None:
    _, _, d_log_omega, d_log_sigma = slopes(constraints.reference, lo, ls, d_omega=0.7, d_sigma=-0.3)
    assert d_log_omega == pytest.approx(0.7 * math.exp(lo), rel=CLOSE, abs=0)
    assert d_log_sigma == pytest.approx(-0.3 * math.exp(ls), rel=CLOSE, abs=0)


def test_above_the_cap_and_below_the_floor_the_gradient_is_zero() -> None:
    omega, sigma, d_log_omega, _ = slopes(constraints.reference, 2.0, 3.0)
    assert (omega, d_log_omega) == (0.95 * math.pi, 0)
    omega, sigma, _, d_log_sigma = slopes(constraints.reference, 0.0, -9.0, d_omega=0.7, d_sigma=1.0)
    assert (omega, sigma, d_log_sigma) == (5 / 1e-3, 1e-3, 0)


def test_the_last_step_may_exceed_the_cap_again() -> None:
    omega, sigma, *_ = slopes(constraints.reference, 2.0, 0.0)
    assert (omega, sigma) == (5.0, 1.0)


def exp(x: float) -> float:
    return torch.tensor([x], dtype=F64).exp().item()


def test_at_a_tie_with_the_product_the_frequency_passes_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constraints, "PRODUCT", exp(1.5))
    assert slopes(constraints.reference, 0.0, 1.5) == (1.0, exp(1.5), 1.0, 0.0)


def test_at_a_tie_with_the_cap_the_frequency_passes_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constraints, "CAP", exp(0.75))
    assert slopes(constraints.reference, 0.75, 4.0) == (exp(0.75), exp(4.0), exp(0.75), 0.0)


def test_at_a_tie_with_the_floor_the_width_passes_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constraints, "FLOOR", exp(-0.5))
    monkeypatch.setattr(constraints, "PRODUCT", 0.1)
    assert slopes(constraints.reference, 0.0, -0.5, d_omega=0.0, d_sigma=1.0) == (1.0, exp(-0.5), 0.0, exp(-0.5))


@pytest.mark.parametrize("name", ["clamp", "maximum"])
def test_the_functions_of_the_framework_would_fail_at_a_tie(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """``maximum`` splits the gradient at a tie; ``clamp`` has changed its mind between versions: only the rule counts."""
    product = exp(1.5)
    monkeypatch.setattr(constraints, "PRODUCT", product)

    def other(log_omega: Tensor, log_sigma: Tensor) -> tuple[Tensor, Tensor]:
        omega, sigma = log_omega.exp(), log_sigma.exp()
        bound = product / sigma
        return (torch.maximum(omega, bound) if name == "maximum" else omega.clamp(min=bound)), sigma

    ours = slopes(constraints.reference, 0.0, 1.5)
    assert ours[2:] == (1.0, 0.0)
    theirs = slopes(other, 0.0, 1.5)
    assert theirs[:2] == ours[:2]
    assert theirs[2] in (0.0, 0.5, 1.0)
    if name == "maximum":
        assert theirs[2:] != ours[2:]


@given(st.floats(-30, 30), st.floats(-30, 30))
def test_bounded_stays_strictly_inside(a: float, c: float) -> None:
    omega, sigma, d_logit, d_raw = slopes(constraints.bounded, a, c, d_omega=1.0, d_sigma=1.0)
    assert 0 < omega < 0.95 * math.pi
    assert omega * sigma > 5
    assert math.isfinite(d_logit)
    assert math.isfinite(d_raw)


@given(st.floats(0.01, 2.9), st.floats(5.01, 60.0))
def test_bounded_reaches_every_interior_pair(omega: float, product: float) -> None:
    share = omega / constraints.CAP
    logit, raw = math.log(share / (1 - share)), math.log(math.expm1(product - 5))
    got = slopes(constraints.bounded, logit, raw)
    assert got[:2] == pytest.approx((omega, product / omega), rel=CLOSE, abs=0)


def test_the_bounded_start_is_inside_and_near_the_reference() -> None:
    (omega, sigma), (wanted, width) = (
        MorletEncoding(256, constraint=c).frequencies_and_widths() for c in ("bounded", "reference")
    )
    assert omega[0].item() == pytest.approx(1.0, rel=STORED)
    assert omega[-1].item() == pytest.approx(0.94 * math.pi, rel=STORED)
    assert (omega * sigma).detach().numpy() == pytest.approx(5.25, rel=STORED)
    assert (omega / wanted - 1).abs().max() < 0.06
    assert (sigma / width - 1).abs().max() < 0.12


def test_a_step_away_from_the_start_of_the_reference() -> None:
    """All pairs start at ωσ = 5 to rounding; a wider σ frees them, a narrower one takes ω along."""
    module = MorletEncoding(64)
    with torch.no_grad():
        module.log_sigma.add_(math.log(2.0))
    omega, sigma = module.frequencies_and_widths()
    assert (omega * sigma).max().item() == pytest.approx(10, rel=STORED)
    with torch.no_grad():
        module.log_sigma.sub_(math.log(4.0))
    omega, sigma = module.frequencies_and_widths()
    assert (omega * sigma).detach().numpy() == pytest.approx(5, rel=CLOSE)


def test_a_single_pair_starts_at_one() -> None:
    for constraint in constraints.CONSTRAINTS:
        omega, _ = MorletEncoding(2, constraint=constraint).frequencies_and_widths()
        assert omega.item() == pytest.approx(1.0, rel=STORED)


# ── what the docstrings and the theory say of the same numbers ───────────────────────────────────────────────────────


def exact(value: sp.Expr) -> float:
    return float(to_mpmath(value, {}, dps=30).real)


def test_the_numbers_are_those_of_the_theory() -> None:
    """The recipe of the claims and the constraints are written twice, for nn takes nothing from the theory."""
    assert exact(recipe.CAP) == pytest.approx(constraints.CAP, rel=2.0**-52, abs=0)
    assert exact(recipe.FLOOR) == constraints.FLOOR
    assert exact(recipe.BOUNDARY) == constraints.PRODUCT
    assert (exact(recipe.InitialFrequency(0)), recipe.WIDTH) == (constraints.FIRST, 2 * recipe.PAIRS)
    assert exact(recipe.InitialFrequency(recipe.PAIRS - 1)) == pytest.approx(constraints.LAST, rel=2.0**-52, abs=0)


def test_the_start_is_that_of_the_theory() -> None:
    """log ω and log σ of all 128 pairs; the spacing takes a few roundings of numbers below 2."""
    start = constraints.log_spaced(recipe.PAIRS, constraints.LAST)
    initial = constraints.CONSTRAINTS["reference"].initial(start, constraints.PRODUCT)
    for head, found in zip((recipe.InitialFrequency, recipe.InitialWidth), initial, strict=True):
        true = [math.log(exact(head(i))) for i in range(recipe.PAIRS)]
        assert found.tolist() == pytest.approx(true, rel=0, abs=CLOSE)


@given(logs, logs)
def test_the_reference_is_the_effective_pair_of_the_theory(lo: float, ls: float) -> None:
    omega, sigma = sp.Float(math.exp(lo), 30), sp.Float(math.exp(ls), 30)
    expected = [float(head.evalf(30)) for head in (recipe.EffectiveFrequency(omega, sigma), recipe.EffectiveWidth(sigma))]
    assert slopes(constraints.reference, lo, ls)[:2] == pytest.approx(expected, rel=CLOSE, abs=0)


@pytest.mark.parametrize("size", [2, 64, 256, 1024])
def test_the_default_sees_a_few_tokens_far(size: int) -> None:
    """Widths from 1.6 to 5 tokens: e^{−27²/50} is 5·10⁻⁷, e^{−26²/50} is 1.4·10⁻⁶."""
    encoding = MorletEncoding(size)
    _, sigma = encoding.frequencies_and_widths()
    assert sigma.min() > 1.6
    assert sigma.max() < 5 * (1 + STORED)
    table = encoding(torch.arange(-600, 601))
    far = table[(torch.arange(-600, 601)).abs() >= 27]
    assert far.abs().max() < 1e-6
    assert table[600 + 26].view(-1, 2).norm(dim=-1).max() > 1e-6


def test_the_default_starts_on_the_tie_of_its_constraint_and_the_others_do_not() -> None:
    blocked = {}
    for name, constraint in constraints.CONSTRAINTS.items():
        encoding = MorletEncoding(256, constraint=name)
        encoding(torch.arange(1, 9)).sum().backward()
        first, second = (getattr(encoding, parameter).grad for parameter in constraint.names)
        blocked[name] = (first == 0).sum().item()
        assert (second != 0).all()
        if name == "reference":
            stored = encoding.log_omega.double().exp() * encoding.log_sigma.double().exp()
            capped = encoding.log_omega.double().exp() > constraints.CAP
            assert torch.equal(first == 0, (stored < 5) | capped)
    assert 128 / 4 < blocked["reference"] < 3 * 128 / 4
    assert blocked["free"] == blocked["bounded"] == 0


def test_widths_are_set_through_the_data_of_a_free_encoding() -> None:
    encoding = MorletEncoding(64, constraint="free")
    encoding.log_sigma.data.fill_(math.log(300))
    _, sigma = encoding.frequencies_and_widths()
    assert sigma.detach().numpy() == pytest.approx(300, rel=STORED * 8)  # |log σ| < 8 is stored to 2⁻²⁴ of itself
