"""Slopes by ω and σ against differences of the loss; multiplier and balance where they are known."""
from __future__ import annotations

import math

import pytest
import torch

from mope_impl.nn import MorletEncoding, SinusoidalEncoding
from mope_impl.training.measure import gradients as measured
from mope_impl.training.measure.gradients import balances, gradients, multipliers, slopes
from tests.mope_impl.training.measure.models import Placed

PAIRS = 4
STEP = 1e-3


def model(constraint: str = "free", seed: int = 0) -> Placed:
    torch.manual_seed(seed)
    return Placed(MorletEncoding(2 * PAIRS, constraint=constraint, dtype=torch.float64))


@pytest.fixture(scope="module")
def windows():
    tokens = torch.randint(0, 6, (10, 13), generator=torch.Generator().manual_seed(3))
    return tokens[:, :-1], tokens[:, 1:]


def differences(placed: Placed, name: str, pair: int, windows) -> tuple[float, float]:
    """Derivative of the loss by the logarithm of a parameter: Richardson's value, and a bound of its error.

    Central differences with steps h and h/2 have errors near 4c and c, so that their difference is 3c; what is left of c after
    extrapolation is a part h² of it. Rounding adds at most some 10² roundings of a loss below 4 over h.
    """
    parameter = getattr(placed.encoding, name)
    placed.eval()
    values = []
    for step in (STEP, STEP / 2):
        losses = []
        for sign in (1, -1):
            with torch.no_grad():
                parameter[pair] += sign * step
                losses.append(float(placed(*windows)))
                parameter[pair] -= sign * step
        values.append((losses[0] - losses[1]) / (2 * step))
    placed.train()
    wide, narrow = values
    return narrow + (narrow - wide) / 3, abs(narrow - wide) + 100 * 2**-50 / STEP


def test_slopes_are_those_of_differences(windows):
    placed = model()
    by_omega, by_sigma, loss = slopes(placed, *windows)
    omega, sigma = (value.detach() for value in placed.encoding.frequencies_and_widths())
    for pair in range(PAIRS):
        for name, slope, value in (("log_omega", by_omega, omega), ("log_sigma", by_sigma, sigma)):
            expected, error = differences(placed, name, pair, windows)
            assert error < 1e-2 * abs(expected)  # so that a wrong factor would show
            assert abs(float(slope[pair] * value[pair]) - expected) <= error
    placed.eval()
    assert math.isclose(loss, float(placed(*windows).detach()), rel_tol=1e-13)


def test_slopes_are_those_of_what_the_forward_pass_uses(windows):
    """Where the clamp acts, log ω has gradient 0; the loss by the ω that is used has not."""
    clamped, plain = model("reference"), model()
    with torch.no_grad():
        clamped.encoding.log_omega.sub_(0.5)
        omega, sigma = clamped.encoding.frequencies_and_widths()
        plain.encoding.log_omega.copy_(omega.log())
        plain.encoding.log_sigma.copy_(sigma.log())
    assert torch.all(clamped.encoding.log_omega.exp() < omega)
    for found, expected in zip(slopes(clamped, *windows)[:2], slopes(plain, *windows)[:2], strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-12, atol=1e-15)
        assert torch.all(found != 0)


def test_the_batch_changes_rounding_only(windows):
    placed = model()
    whole, parts = slopes(placed, *windows), slopes(placed, *windows, batch=3)
    for one, other in zip(whole[:2], parts[:2], strict=True):
        torch.testing.assert_close(one, other, rtol=1e-11, atol=1e-15)


def test_the_model_is_left_as_it_was(windows):
    placed = model("reference")
    placed.dropout.eval()
    before = {name: value.clone() for name, value in placed.state_dict().items()}
    first, second = gradients(placed, *windows), gradients(placed, *windows)
    assert first == second  # no dropout
    assert all(torch.equal(before[name], value) for name, value in placed.state_dict().items())
    assert all(parameter.grad is None for parameter in placed.parameters())
    assert placed.training
    assert not placed.dropout.training
    assert "frequencies_and_widths" not in placed.encoding.__dict__


def test_a_fault_that_is_planted_shows(windows, monkeypatch):
    """Slopes by the parameters in place of those by what they become."""
    placed = model("reference")
    monkeypatch.setattr(measured, "_given", lambda *_: pytest.MonkeyPatch.context())
    with pytest.raises(RuntimeError, match="not have been used"):
        slopes(placed, *windows)


def test_multiplier_and_balance_of_a_loss_that_is_written_down():
    """L = (log ω − 1)² + (log σ − 0.2)² has its minimum under ωσ ≥ 5 where log ω = 1 + s, log σ = 0.2 + s, 1.2 + 2s = log 5."""
    shift = (math.log(5) - 1.2) / 2
    omega, sigma = (torch.tensor([math.exp(start + shift)], dtype=torch.float64) for start in (1.0, 0.2))
    by_omega, by_sigma = 2 * shift / omega, 2 * shift / sigma
    assert math.isclose(float(multipliers(by_omega, sigma)), 2 * shift / 5, rel_tol=1e-12)
    assert abs(float(balances(by_omega, by_sigma, omega, sigma))) < 1e-15
    assert math.isclose(float(balances(by_omega, 0 * by_sigma, omega, sigma)), 2 * shift, rel_tol=1e-12)


def test_a_model_without_a_morlet_encoding_is_refused(windows):
    placed = model()
    placed.encoding = SinusoidalEncoding(8)
    with pytest.raises(ValueError, match="its encoding is SinusoidalEncoding, expected a MorletEncoding"):
        slopes(placed, *windows)


def test_no_windows_are_refused():
    with pytest.raises(ValueError, match="inputs: got shape"):
        slopes(model(), torch.zeros(0, 4, dtype=torch.int64), torch.zeros(0, 4, dtype=torch.int64))
