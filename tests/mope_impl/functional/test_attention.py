"""Attention as functions: values of the formulas in NumPy, derivatives, causality, bad input."""
from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from mope_impl import functional as F
from tests.mope_impl.functional import attention_reference as reference
from tests.mope_impl.nn.running_error import Bounded, exact


def draws(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


def qkv(heads: int = 2, length: int = 5, size: int = 4, own: int | None = None) -> tuple[Tensor, Tensor, Tensor]:
    own = heads if own is None else own
    return draws(2, heads, length, size), draws(2, own, length, size, seed=1), draws(2, own, length, 3, seed=2)


OMEGA = torch.tensor([1.0, 0.125], dtype=torch.float64)
SIGMA = torch.tensor([[1.5, 4.0], [0.75, math.inf]], dtype=torch.float64)


def array(x: Tensor | None) -> np.ndarray | None:
    return None if x is None else x.detach().numpy()


def is_within(found: Tensor, expected: Bounded) -> bool:
    return bool((np.abs(array(found) - expected.value) <= 2 * expected.error).all())


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("omega, sigma", [(OMEGA, SIGMA[0]), (OMEGA, SIGMA), (OMEGA * torch.tensor([[1.0], [0.5]]), SIGMA)])
def test_scores_follow_the_kernel(omega: Tensor, sigma: Tensor, layout: str) -> None:
    """Against the definition by the distance, within a bound of all roundings on either side."""
    q, k, _ = qkv(own=2 if sigma.dim() == 2 else 1)
    given = (*map(array, (q, k, omega, sigma)), layout, 0.5)
    found = F.morlet_scores(q, k, omega, sigma, layout=layout)
    expected, error = reference.morlet_scores(*given)
    assert (np.abs(found.numpy() - expected.value) <= expected.error + error).all()
    other = F.morlet_scores(q, k, omega, sigma * (1 + 2.0**-40), layout=layout)
    assert (np.abs(other.numpy() - expected.value) > expected.error + error).any()


def test_scores_see_the_distance_alone_and_a_wide_envelope_is_the_rotary_encoding() -> None:
    q, k = draws(1, 1, 1, 4).expand(1, 2, 6, 4), draws(1, 1, 1, 4, seed=1).expand(1, 2, 6, 4)
    found = F.morlet_scores(q, k, OMEGA, SIGMA)
    _, error = reference.morlet_scores(*map(array, (q, k, OMEGA, SIGMA)), "half", 0.5)
    for shift in range(6):
        line, off = found.diagonal(-shift, -2, -1), torch.from_numpy(error).diagonal(-shift, -2, -1)
        assert ((line - line[..., :1]).abs() <= off + off[..., :1]).all()
    turned, endless = F.rotary(q, k, torch.arange(6), OMEGA), torch.full((2,), math.inf, dtype=torch.float64)
    wide = F.morlet_scores(q, k, OMEGA, endless)
    _, error = reference.morlet_scores(*map(array, (q, k, OMEGA, endless)), "half", 0.5)
    assert ((wide - turned[0] @ turned[1].mT / 2).abs() <= 2 * torch.from_numpy(error)).all()
    assert F.morlet_scores(q.bfloat16(), k.bfloat16(), OMEGA, SIGMA).dtype == torch.bfloat16


@pytest.mark.parametrize("causal", [True, False])
def test_morlet_attention_is_the_softmax_of_its_scores(causal: bool) -> None:
    q, k, v = qkv(heads=4, own=2)
    expected, error = reference.morlet_scores(*map(array, (q, k, OMEGA, SIGMA)), "half", 0.25)
    seen = np.tril(np.ones((5, 5), dtype=bool)) if causal else np.ones((5, 5), dtype=bool)
    shares = Bounded(expected.value, (expected.error + error) / 2).softmax(seen)
    out = shares @ exact(array(v).repeat(2, 1))
    assert is_within(F.morlet_attention(q, k, v, OMEGA, SIGMA, causal=causal, scale=0.25), out)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_derivatives_of_morlet_attention(layout: str) -> None:
    """By queries, keys, values, frequencies and widths; the gradient of σ = ∞ is 0."""
    q, k, v = (x.requires_grad_() for x in qkv(length=4))
    omega, sigma = OMEGA.clone().requires_grad_(), SIGMA.clamp_max(9.0).requires_grad_()
    assert torch.autograd.gradcheck(lambda *a: F.morlet_attention(*a, layout=layout), (q, k, v, omega, sigma))
    endless = SIGMA.clone().requires_grad_()
    F.morlet_attention(q, k, v, OMEGA, endless).square().sum().backward()
    assert endless.grad[1, 1] == 0
    assert (endless.grad.flatten()[:3] != 0).all()


def plain(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """As one would write it, with weights that the framework keeps."""
    hidden = torch.ones(q.shape[-2], q.shape[-2], dtype=torch.bool).triu(1)
    return (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(hidden, -math.inf).softmax(-1) @ v


GATED = {
    "plain": (None, None),
    "gates of keys": (draws(2, 2, 1, 5).sigmoid(), None),
    "gates of queries and keys": (draws(2, 2, 5, 5).sigmoid(), None),
    "bias": (None, draws(2, 5, 5, seed=3)),
    "both": (draws(2, 2, 5, 5).sigmoid(), draws(2, 5, 5, seed=3)),
    "closed gates": (draws(2, 2, 5, 5).sigmoid() * torch.tensor([1.0, 1e-12]).double()[:, None, None], None),
}


@pytest.mark.parametrize("name", GATED)
def test_causal_attention_and_its_derivatives(name: str) -> None:
    """Against the definition written in NumPy, within a bound of all roundings on either side."""
    gates, bias = (None if x is None else x.clone().requires_grad_() for x in GATED[name])
    given = [x.requires_grad_() for x in qkv()]
    leaves = [*given, *(x for x in (gates, bias) if x is not None)]
    found = F.causal_attention(*given, gates=gates, bias=bias)
    upstream = draws(*found.shape, seed=9)
    expected, slopes = reference.causal_attention(*map(array, (*given, gates, bias, upstream)))
    assert is_within(found, expected)
    for one, other in zip(torch.autograd.grad(found, leaves, upstream), slopes, strict=True):
        assert is_within(one, other)
        assert not is_within(one * (1 + 2.0**-40), other)  # the bound is not idle
    if name != "closed gates":  # there a difference quotient cannot resolve slopes of 10⁸

        def call(*leaf: Tensor) -> Tensor:
            rest = iter(leaf[3:])
            return F.causal_attention(
                *leaf[:3], gates=None if gates is None else next(rest), bias=None if bias is None else next(rest)
            )

        assert torch.autograd.gradcheck(call, leaves)
        assert torch.autograd.gradgradcheck(call, leaves)


def test_causal_attention_saves_nothing_of_the_square_of_the_length() -> None:
    given = [x.requires_grad_() for x in qkv(length=64)]
    sizes = []

    def pack(x: Tensor) -> Tensor:
        sizes.append(x.numel())
        return x

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
        F.causal_attention(*given)
        plain_sizes, sizes = sizes, []
        plain(*given)
    assert max(plain_sizes) < 2 * 2 * 64 * 64 <= max(sizes)


def test_causal_attention_is_causal_bit_for_bit() -> None:
    for dtype in (torch.float64, torch.float32, torch.bfloat16):
        q, k, v = (draws(2, 2, 9, 4, seed=s, dtype=dtype) for s in range(3))
        gates = draws(2, 2, 9, 9).sigmoid().float()
        whole = F.causal_attention(q, k, v, gates=gates)
        assert whole.dtype == dtype
        for changed in range(1, 9):
            others = [x.clone() for x in (q, k, v)]
            for x in others:
                x[:, :, changed] += 1
            assert torch.equal(F.causal_attention(*others, gates=gates)[:, :, :changed], whole[:, :, :changed])
            assert not torch.equal(F.causal_attention(*others, gates=gates)[:, :, changed:], whole[:, :, changed:])


def test_under_autocast_products_keep_the_dtype_of_the_queries() -> None:
    q, k, v = (draws(2, 2, 9, 4, seed=s, dtype=torch.float32) for s in range(3))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(F.causal_attention(q, k, v), F.causal_attention(q, k, v))
        inside = F.causal_attention(q, k, v)
    assert torch.equal(inside, F.causal_attention(q, k, v))


def test_vmap_is_the_loop() -> None:
    q, k, v = (draws(3, 2, 2, 5, 4, seed=s) for s in range(3))
    for found, *one in zip(torch.vmap(F.causal_attention)(q, k, v), q, k, v, strict=True):
        expected, _ = reference.causal_attention(*map(array, one), None, None, array(torch.zeros_like(found)))
        assert is_within(found, expected)
        assert is_within(F.causal_attention(*one), expected)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_turning_by_a_table(layout: str, dtype: torch.dtype) -> None:
    """Against the function that forms each factor where it is used: a table rounded to float32 or wider, and three roundings."""
    q, k = draws(2, 2, 7, 6).to(dtype), draws(2, 1, 7, 6, seed=1).to(dtype)
    positions = torch.arange(7) * 1000
    wide = torch.promote_types(dtype, torch.float32)
    unit, coarse = torch.finfo(wide).eps, torch.finfo(dtype).eps
    for sigma in (None, torch.tensor([3000.0, math.inf])):
        expected = F.morlet_rotary(q, k, positions, OMEGA.float(), sigma, layout=layout)
        table = F.rotary_table(positions, OMEGA.float(), sigma, dtype=wide)
        for x, y in zip((q, k), expected, strict=True):
            found = F.rotate(x, table, layout=layout)
            assert found.dtype == dtype
            largest = x.abs().max().item()
            phase = 7000 * 2.0**-53  # of the product ωb, where it is not exact
            assert (found - y).abs().max().item() <= 2 * largest * (4 * unit + 4 * phase) + 2 * largest * coarse
            assert torch.equal(found[..., 4:], x[..., 4:])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda q, k, v: F.morlet_scores(q, k, OMEGA[:1], SIGMA[:, :1]), "omega: got 1 pairs, expected 2 for 4 channels"),
        (lambda q, k, v: F.morlet_scores(q, k, OMEGA, SIGMA[:, :1]), "sigma: got 1 pairs, expected 2 as omega has"),
        (lambda q, k, v: F.morlet_scores(q, k, OMEGA, -SIGMA), "sigma: got a value that is zero, negative or NaN"),
        (lambda q, k, v: F.morlet_scores(q, k, OMEGA, SIGMA, layout="x"), "layout: got 'x', expected 'half' or 'interleaved'"),
        (lambda q, k, v: F.morlet_attention(q, k[:, :, :3], v, OMEGA, SIGMA), "k: got 3 tokens, expected 5 as q has"),
        (lambda q, k, v: F.morlet_attention(q, k, v[:1], OMEGA, SIGMA), r"v: got shape \(1, 2, 5, 3\) on cpu, expected \(2, 2, "),
        (lambda q, k, v: F.morlet_attention(q, k, [v], OMEGA, SIGMA), "v: got list, expected a torch.Tensor"),
        (lambda q, k, v: F.causal_attention(q, k[:, :1], v), "k: got 1 heads, expected 2 as q has"),
        (lambda q, k, v: F.causal_attention(q, k, v.float()), "v: got torch.float32 on cpu, expected torch.float64 on cpu as q"),
        (lambda q, k, v: F.causal_attention(q, k, v[0]), r"v: got shape \(2, 5, 3\), expected \(2, 2, 5, 'channels'\) for q"),
        (lambda q, k, v: F.causal_attention(q, k, v, gates=v), r"gates: got shape \(2, 2, 5, 3\), expected one that broadcasts"),
        (lambda q, k, v: F.causal_attention(q, k, v, bias=1.0), "bias: got float, expected a torch.Tensor"),
        (lambda q, k, v: F.rotate(q, OMEGA.repeat(3)), "table: got 6 channels, expected an even number up to 4 as x has"),
        (lambda q, k, v: F.rotate(q, OMEGA, layout="x"), "layout: got 'x', expected 'half' or 'interleaved'"),
        (lambda q, k, v: F.rotary_table(OMEGA, OMEGA, dtype=torch.bfloat16), "dtype: got torch.bfloat16, expected torch.float32"),
    ],
)
def test_a_wrong_argument_is_one_clear_error(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(*qkv())
