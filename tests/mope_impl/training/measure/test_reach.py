"""Reach: known on models that are written down, and told apart on models that are trained."""
from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from scipy.stats import halfnorm

from mope_impl.training.measure.reach import SHARE, influence, mean_square_distance, reach, reach_of
from tests.mope_impl.training.measure.models import Copier, half_gaussian

VOCABULARY = 8


def windows(number: int = 40, length: int = 64, seed: int = 0) -> torch.Tensor:
    return torch.randint(0, VOCABULARY, (number, length), generator=torch.Generator().manual_seed(seed))


def test_share_is_that_of_a_half_gaussian_within_its_width():
    assert math.isclose(SHARE, halfnorm.cdf(1), rel_tol=1e-15)


def test_the_influence_on_a_copier_is_its_weights():
    weights = half_gaussian(5, 30)
    found = influence(Copier(weights, VOCABULARY, 0.8), windows(), vocabulary=VOCABULARY)
    expected = np.zeros(48)
    expected[:30] = 0.8 * np.array(weights)
    # Each of the eight probabilities takes a logarithm, an exponential and a division, some 2⁻⁵⁰ each.
    np.testing.assert_allclose(found.numpy(), expected, rtol=0, atol=8 * 2**-50)


@pytest.mark.parametrize("width", [4, 8, 16])
def test_the_reach_of_a_half_gaussian_is_about_its_width(width):
    """It lies where a half Gaussian that is cut at ½ has SHARE of itself: the sum is a midpoint rule for the integral."""
    found = reach_of(half_gaussian(width, 20 * width))
    low = halfnorm.cdf(0.5 / width)
    assert abs(found - width * halfnorm.ppf(low + SHARE * (1 - low))) < 0.02  # (midpoint, and a straight line within a token)
    assert width < found < width + 0.5


@pytest.mark.parametrize(
    "values, expected",
    [([1.0], 0.5 + SHARE), ([1.0, 1.0], 0.5 + 2 * SHARE), ([0.0, 0.0, 1.0], 2.5 + SHARE), ([1.0] * 96, 0.5 + 96 * SHARE)],
)
def test_reach_of_a_written_influence(values, expected):
    assert math.isclose(reach_of(values), expected, rel_tol=1e-12)


def test_no_influence_has_no_reach():
    assert math.isnan(reach_of([0.0, 0.0]))


@pytest.mark.parametrize("values", [[], [-1.0, 2.0], [math.nan], [[1.0]]])
def test_an_influence_that_is_none_is_refused(values):
    with pytest.raises(ValueError, match="influence: got"):
        reach_of(values)


@pytest.mark.parametrize("shape, vocabulary", [((3,), 8), ((0, 8), 8), ((3, 1), 8), ((3, 8), 1)])
def test_windows_that_are_none_are_refused(shape, vocabulary):
    with pytest.raises(ValueError, match="got"):
        influence(Copier([1.0], 8, 0.5), torch.zeros(shape, dtype=torch.int64), vocabulary=vocabulary)


def test_reach_is_plain_and_does_not_depend_on_the_batch():
    model, inputs = Copier(half_gaussian(4, 40), VOCABULARY, 0.9), windows()
    found = reach(model, inputs, vocabulary=VOCABULARY)
    assert found.reach == reach(model, inputs, vocabulary=VOCABULARY, batch=7).reach
    assert isinstance(found.reach, float)
    assert len(found.influence) == 48


def test_a_floor_of_weights_moves_the_mean_square_and_not_the_reach():
    """Why reach is no mean square: 3 % of the weight, spread over far tokens, takes a width of 4 to 12."""
    near = np.array(half_gaussian(4, 96))
    spread = 0.97 * near + 0.03 / 96
    distance = np.arange(1, 97)
    assert math.sqrt(spread @ distance**2) > 2 * math.sqrt(near @ distance**2)
    assert abs(reach_of(spread) - reach_of(near)) < 0.35


def test_the_mean_square_of_written_weights():
    weights = torch.zeros(1, 2, 8, 8)
    weights[:, 0] = torch.eye(8)  # each query looks at itself: one token before the one predicted
    weights[:, 1, :, 0] = 1  # at the first token: 5, 6, 7 and 8 tokens from the queries of the second half
    assert mean_square_distance(weights).tolist() == [1, (25 + 36 + 49 + 64) / 4]
