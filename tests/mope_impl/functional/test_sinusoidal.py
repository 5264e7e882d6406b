"""The sinusoidal encoding as a function: the limit of the Morlet encoding bit by bit, and what is refused."""
from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from mope_impl import functional as F

OMEGA = torch.tensor([0.5, 1.0, 2.25])
EDGES = torch.tensor([0, 1, -1, 4095, -65537, 131071, 1048575, 2**24, 2**24 + 1, 2**40 + 1, -(2**53)])


def swapped(waves: Tensor) -> Tensor:
    """The two channels of each pair exchanged."""
    return waves.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("pairs", [1, 3, 32, 128])
def test_the_morlet_encoding_of_infinite_width_bit_by_bit(pairs: int, dtype: torch.dtype) -> None:
    """One product, one cosine and one rounding: the envelope is 1 and leaves them alone."""
    g = torch.Generator().manual_seed(pairs)
    omega = torch.exp2(-13 + 26 * torch.rand(pairs, generator=g)).to(dtype)
    positions = torch.cat((EDGES, torch.randint(-(2**24), 2**24, (50,), generator=g)))
    waves = F.morlet_encoding(positions, omega, torch.full_like(omega, math.inf))
    found = F.sinusoidal_encoding(positions, omega)
    assert found.dtype == dtype
    assert torch.equal(found, swapped(waves))
    assert not torch.equal(found, waves)


def test_a_width_that_is_large_and_not_infinite_can_be_told_apart() -> None:
    """At b = 2²⁴ and σ = 2³⁶ the envelope is 1 − 2⁻²⁵: half a unit of float32, seen in float64."""
    omega = torch.tensor([1.0], dtype=torch.float64)
    waves = F.morlet_encoding(torch.tensor([2**24]), omega, torch.tensor([2.0**36], dtype=torch.float64))
    assert not torch.equal(F.sinusoidal_encoding(torch.tensor([2**24]), omega), swapped(waves))


def test_gradients_are_those_of_the_limit() -> None:
    omega = OMEGA.double().requires_grad_()
    positions = torch.arange(-5, 6)
    upstream = torch.randn(11, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    (found,) = torch.autograd.grad(F.sinusoidal_encoding(positions, omega), omega, upstream)
    waves = F.morlet_encoding(positions, omega, torch.full_like(omega, math.inf))
    (expected,) = torch.autograd.grad(swapped(waves), omega, upstream)
    # 22 products of at most 5·4, each with a few roundings, in two orders of summation
    assert torch.allclose(found, expected, rtol=0, atol=2 * (22 + 8) * 22 * 20 * 2.0**-53)


@pytest.mark.parametrize("shape", [(), (6,), (2, 3), (0,)])
def test_positions_of_any_shape(shape: tuple[int, ...]) -> None:
    positions = torch.arange(math.prod(shape)).reshape(shape)
    assert F.sinusoidal_encoding(positions, OMEGA).shape == (*shape, 6)


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_jagged_positions_give_the_rows_of_each_length() -> None:
    pieces = [torch.arange(3), torch.arange(5) * 7]
    out = F.sinusoidal_encoding(torch.nested.nested_tensor(pieces, layout=torch.jagged), OMEGA)
    rows = [F.sinusoidal_encoding(piece, OMEGA) for piece in pieces]
    assert all(torch.equal(x, y) for x, y in zip(out.unbind(), rows, strict=True))


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"positions": [1, 2]}, "positions: got list, expected a torch.Tensor"),
        ({"omega": OMEGA[None]}, r"omega: got shape \(1, 3\), expected one dimension, \(n,\)"),
        ({"omega": torch.arange(3)}, "omega: got torch.int64, expected float64"),
        ({"omega": OMEGA.to("meta")}, "omega: got device meta, expected cpu as positions are on"),
        ({"dtype": "float32"}, "dtype: got 'float32', expected a torch.dtype"),
    ],
)
def test_a_wrong_argument_is_one_clear_error(changed: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        F.sinusoidal_encoding(**({"positions": torch.arange(3), "omega": OMEGA} | changed))
