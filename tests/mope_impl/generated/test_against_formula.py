"""The comparison of a kernel with its formula sees a kernel that computes another one, in every layout."""
from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
import torch

from mope_theory.spec import Input, KernelSpec
from mope_theory.symbols import b, omega
from tests.mope_impl.generated.against_formula import worst

SPEC = KernelSpec(
    name="wave",
    title="A wave",
    claim="kernel.product",
    inputs=(Input("positions", b, "*t", kind="number"), Input("omega", omega, "n")),
    channels=(sp.cos(omega * b), 2 * sp.sin(omega * b)),
    output="*t (n c)",
)
SAMPLES = {"positions": [-2, 0, 3], "omega": [1.5, 0.25]}


def channels(positions, omega):
    phase = positions.double().unsqueeze(-1) * omega.double()
    return torch.cos(phase).float(), (2 * torch.sin(phase)).float()


LAYOUTS = {
    "*t (n c)": lambda *inputs: torch.stack(channels(*inputs), -1).flatten(-2),
    "*t (c n)": lambda *inputs: torch.cat(channels(*inputs), -1),
    "*t n c": lambda *inputs: torch.stack(channels(*inputs), -1),
    "*t n": channels,
}


@pytest.mark.parametrize("output", LAYOUTS)
def test_a_right_kernel_is_within_its_bound_and_a_wrong_one_is_not(output):
    spec, kernel = replace(SPEC, output=output), LAYOUTS[output]
    assert worst(spec, kernel, SAMPLES) <= 1
    assert worst(replace(spec, channels=spec.channels[::-1]), kernel, SAMPLES) > 1
    assert worst(spec, lambda positions, omega: kernel(positions + 1, omega), SAMPLES) > 1
    slightly = replace(spec, channels=(spec.channels[0] * (1 + sp.Rational(1, 10**6)), spec.channels[1]))
    assert worst(slightly, kernel, SAMPLES) > 1


def test_a_kernel_of_one_channel_by_itself():
    spec = replace(SPEC, channels=SPEC.channels[:1], output="*t n")
    assert worst(spec, lambda *inputs: channels(*inputs)[0], SAMPLES) <= 1
    assert worst(spec, lambda *inputs: channels(*inputs)[1], SAMPLES) > 1
