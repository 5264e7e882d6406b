"""What the kernels keep for their gradients, in both backends: no pairs of channels where only these have a gradient."""
from __future__ import annotations

import importlib
from functools import partial

import pytest
import torch
from torch import Tensor

from tests.mope_impl.saved import address, saved_by

SHAPE = (2, 3, 5, 8)
TABLES = {
    "turn": [(5, 4), (5, 4)],
    "rotary": [(5,), (4,)],
    "morlet_rotary": [(5,), (4,), (4,)],
    "xpos_rotary": [(5,), (4,), (4,)],
}


def tensors(name: str) -> tuple[Tensor, list[Tensor]]:
    torch.manual_seed(0)
    return torch.randn(SHAPE), [torch.rand(shape) + 0.5 for shape in TABLES[name]]


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("backend", ["torch", "triton"])
def test_pairs_are_kept_for_the_gradients_of_tables_alone(backend, name, layout):
    kernel = getattr(importlib.import_module(f"mope_impl.generated.{backend}.{name}"), name)
    x, tables = tensors(name)
    wanted = torch.randn(SHAPE)
    gradients = []
    for one in range(len(tables) + 1):
        leaves = [value.clone().requires_grad_(k in (0, one)) for k, value in enumerate([x, *tables])]
        out, kept = saved_by(partial(kernel, *leaves, layout=layout))
        assert kept
        assert (address(leaves[0]) in kept) == (one > 0)
        gradients.append(torch.autograd.grad(out, leaves[0], wanted)[0])
    assert all(torch.equal(gradients[0], other) for other in gradients)
