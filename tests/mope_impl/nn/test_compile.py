"""The modules under export and under compilation without graph breaks: the same values, forward and backward."""
from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor, nn

from mope_impl.nn import LearnedEncoding, MorletEncoding, SinusoidalEncoding


class AllOfThem(nn.Module):
    """Every kind of module side by side, so that one compilation serves them all."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = nn.ModuleList(
            [
                MorletEncoding(8, center="learned"),
                MorletEncoding(8, constraint="bounded"),
                MorletEncoding(8, constraint="free"),
                SinusoidalEncoding(8),
                LearnedEncoding(64, 8),
            ]
        )

    def forward(self, positions: Tensor) -> Tensor:
        return torch.cat([part(positions) for part in self.parts], -1)


POSITIONS = torch.arange(12) * 5
UPSTREAM = torch.linspace(-1, 2, 40).expand(12, 40)
TURN = 0.99 * math.pi * 55
"""Largest |ωb|."""
ROUNDINGS = 2 * (TURN + 24) * 2.0**-53
"""Relative difference of two float64 computations of one term: |ωb| + at most 24 roundings each (reference.rounding)."""
LARGEST = 2 * 2 * TURN
"""No summand is larger: two channels, upstream gradients up to 2, and |ωb|, z² e^{−z²/2} or less for the rest."""


def step(module: nn.Module) -> tuple[Tensor, dict[str, Tensor]]:
    """Output, and the gradients of the parameters for an upstream gradient that does not depend on it."""
    module.zero_grad()
    out = module(POSITIONS)
    out.backward(UPSTREAM)
    return out.detach(), {name.removeprefix("_orig_mod."): p.grad.clone() for name, p in module.named_parameters()}


@pytest.mark.requires("g++")
def test_compiled_without_graph_breaks() -> None:
    """Each side is float64 arithmetic rounded once to float32: they differ by one unit, 2⁻²³, and the float64 noise."""
    torch.manual_seed(0)
    module = AllOfThem()
    eager, eager_grads = step(module)
    compiled, compiled_grads = step(torch.compile(module, fullgraph=True))
    assert torch.allclose(compiled, eager, rtol=2.0**-23, atol=ROUNDINGS)
    assert compiled_grads.keys() == eager_grads.keys()
    for name, grad in eager_grads.items():
        assert torch.allclose(compiled_grads[name], grad, rtol=2.0**-23, atol=len(POSITIONS) * LARGEST * ROUNDINGS), name


def test_exported_with_a_free_length() -> None:
    module = AllOfThem()
    length = torch.export.Dim("length", min=2, max=64)
    program = torch.export.export(module, (torch.arange(12),), dynamic_shapes=({0: length},))
    for positions in (torch.arange(12), torch.arange(40).flip(0)):
        assert torch.equal(program.module()(positions), module(positions))
