"""The leak: nothing for a causal model, the known gain for one that sees the whole window."""
from __future__ import annotations

import math

import pytest
import torch

from mope_impl.training.measure.leak import leak, sampled_positions
from tests.mope_impl.training.measure.models import Peeking

V = 5


@pytest.fixture(scope="module")
def windows():
    """Windows that each favour a token, so that the mean of the whole window tells something."""
    generator = torch.Generator().manual_seed(1)
    favoured = torch.randint(0, V, (60, 1), generator=generator)
    other = torch.randint(0, V, (60, 33), generator=generator)
    tokens = torch.where(torch.rand((60, 33), generator=generator) < 0.7, favoured, other)
    return tokens[:, :-1], tokens[:, 1:]


def test_a_causal_model_has_none(windows):
    found = leak(Peeking(V, causal=True), *windows)
    assert found.gain == 0
    assert found.gains == (0,) * len(found.places)
    assert found.standard_error == 0


def test_a_model_that_sees_the_window_gains_what_a_loop_finds(windows):
    inputs, targets = windows
    model = Peeking(V, causal=False)
    found = leak(model, inputs, targets, (0, 3, 20))
    differences, by_place = [], []
    for window, goal in zip(inputs.tolist(), targets.tolist(), strict=True):
        row = []
        for place in (0, 3, 20):
            losses = []
            for seen in (window, window[: place + 1]):
                share = [seen.count(token) / len(seen) + 0.01 for token in range(V)]
                losses.append(-math.log(share[goal[place]] / sum(share)))
            row.append(losses[1] - losses[0])
        differences.append(sum(row) / 3)
        by_place.append(row)
    mean = sum(differences) / 60
    error = math.sqrt(sum((one - mean) ** 2 for one in differences) / 59 / 60)
    assert found.positions == 180
    assert found.places == (0, 3, 20)
    for gain, column in zip(found.gains, zip(*by_place, strict=True), strict=True):
        assert math.isclose(gain, sum(column) / 60, rel_tol=1e-6, abs_tol=1e-12)
    assert math.isclose(found.gain, mean, abs_tol=2e-6)  # two numbers of seven digits, below 10
    assert math.isclose(found.standard_error, error, rel_tol=1e-6)
    assert found.gain > 5 * found.standard_error


def test_positions_stand_for_equal_parts():
    assert sampled_positions(32, 4) == (4, 12, 20, 28)
    assert sampled_positions(3, 16) == (0, 1, 2)


@pytest.mark.parametrize("positions", [(), (-1,), (32,)])
def test_positions_outside_are_refused(windows, positions):
    with pytest.raises(ValueError, match="positions: got"):
        leak(Peeking(V, causal=True), *windows, positions)


def test_no_windows_are_refused():
    with pytest.raises(ValueError, match="inputs: got shape"):
        leak(Peeking(V, causal=True), torch.zeros(0, 8, dtype=torch.int64), torch.zeros(0, 8, dtype=torch.int64))
