"""Pairs as stored and as used."""
from __future__ import annotations

import math

import torch
from torch import nn

from mope_impl.nn import MorletEncoding, MorletRotary, SinusoidalEncoding
from mope_impl.training.measure.shape import rounded, shape


def test_stored_and_effective_pairs_of_the_reference():
    encoding = MorletEncoding(4)
    with torch.no_grad():
        encoding.log_omega.copy_(torch.tensor([math.log(0.5), math.log(2.0)]))
        encoding.log_sigma.copy_(torch.tensor([math.log(4.0), math.log(3.0)]))
    found = shape(nn.Sequential(encoding))
    assert found is not None
    assert found.omega == (0.5, 2)
    assert found.sigma == (4, 3)
    assert found.omega_effective == (1.25, 2)  # 0.5 · 4 < 5 is raised to 5/4
    assert found.sigma_effective == (4, 3)
    assert list(found.to_dict()) == ["omega", "sigma", "omega_effective", "sigma_effective"]


def test_bounded_pairs_have_no_other_than_the_effective_ones():
    found = shape(MorletEncoding(6, constraint="bounded"))
    assert found is not None
    assert found.omega == found.omega_effective
    assert all(abs(w * s - 5.25) < 1e-5 for w, s in zip(found.omega, found.sigma, strict=True))


def test_a_rotation_has_the_ladder_and_its_widths():
    found = shape(nn.ModuleList([MorletRotary(8, base=10000.0, sigma_init=30.0), MorletRotary(8, sigma_init=7.0)]))
    assert found is not None
    assert found.omega == (1, 0.1, 0.01, 0.001) * 2
    assert found.sigma == (*[30] * 4, *[7] * 4)


def test_a_model_without_widths_has_none():
    assert shape(nn.Sequential(SinusoidalEncoding(8), nn.Linear(2, 2))) is None


def test_seven_digits():
    assert rounded(1 / 3) == 0.3333333
    assert rounded(12345678.9) == 12345680.0
    assert rounded(float(torch.tensor(0.1))) == 0.1
