"""Score modifications for FlexAttention: against the dense forms, within bounds, with gradients; each check is seen failing."""
from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

from mope_impl import functional as F
from mope_impl.functional import score_mods
from tests.mope_impl.nn import running_error
from tests.mope_impl.nn.running_error import Bounded, exact, rounded

HEADS, TOKENS, CHANNELS = 4, 37, 16
DISTANCE = torch.arange(TOKENS)[:, None] - torch.arange(TOKENS)
SIGMA = torch.tensor([0.75, 3.0, 40.0, math.inf], dtype=torch.float64)
SLOPE = torch.tensor([0.5, 0.25, -0.125, 0.0], dtype=torch.float64)
OMEGA = torch.tensor([2.0, 0.3, 1.0, 0.0], dtype=torch.float64)

Mod = Callable[..., Tensor]


def parameters(kind: str, dtype: torch.dtype = torch.float64) -> tuple[Tensor, ...]:
    given = {"gaussian": (SIGMA,), "alibi": (SLOPE,), "morlet": (OMEGA, SIGMA)}[kind]
    return tuple(value.to(dtype) for value in given)


def made(kind: str, *given: Tensor, length: int = TOKENS) -> Mod:
    return getattr(F, f"{kind}_score_mod")(*given, length)


def dense(kind: str, scores: Tensor, *given: Tensor, distance: Tensor = DISTANCE) -> Tensor:
    """The same of all scores (…, H, T, T) at once, by the functions of the distance."""
    wide = torch.float64 if given[0].dtype == torch.float64 else torch.float32
    if kind == "morlet":
        real, _ = F.relative_kernel(distance, *given, dtype=wide)
        return scores * real.movedim(-1, -3).to(scores.dtype)
    bias = F.gaussian_bias if kind == "gaussian" else F.alibi_bias
    return scores + bias(distance, *given, dtype=wide).to(scores.dtype)


def all_scores(mod: Mod, scores: Tensor) -> Tensor:
    """A modification of all scores (…, H, Q, K), position by position."""
    head, query, key = (torch.arange(size) for size in scores.shape[-3:])
    return mod(scores, torch.tensor(0), head[:, None, None], query[:, None], key)


def random(*shape: int, dtype: torch.dtype = torch.float64, seed: int = 3) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


KINDS = ("gaussian", "alibi", "morlet")


def check_values(kind: str, mod: Mod, dtype: torch.dtype) -> None:
    scores = random(2, HEADS, TOKENS, TOKENS, dtype=torch.promote_types(dtype, torch.float32))
    assert torch.equal(all_scores(mod, scores), dense(kind, scores, *parameters(kind, dtype)))


@pytest.mark.parametrize("dtype", F.DTYPES, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_those_of_the_dense_forms_bit_for_bit(kind, dtype):
    mod = made(kind, *parameters(kind, dtype))
    check_values(kind, mod, dtype)
    scores = random(HEADS, 1, TOKENS, dtype=torch.promote_types(dtype, torch.float32))
    shifted = all_scores(lambda s, b, h, m, n: mod(s, b, h, m + TOKENS - 1, n), scores)  # the last query, as in a cache
    assert torch.equal(shifted, dense(kind, scores, *parameters(kind, dtype), distance=DISTANCE[-1:]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "fault",
    [
        lambda mod: lambda s, b, h, m, n: mod(s, b, h, m, n + 1) if int(n.max()) < 2 * TOKENS else None,
        lambda mod: lambda s, b, h, m, n: mod(s, b, h - 1, m, n),
        lambda mod: lambda s, b, h, m, n: mod(s, b, torch.zeros_like(h), m, n),
        lambda mod: lambda s, b, h, m, n: mod(mod(s, b, h, m, n), b, h, m, n),
        lambda mod: lambda s, b, h, m, n: s + s * mod(torch.zeros_like(s), b, h, m, n),
    ],
    ids=["one off", "another head", "one head for all", "twice", "the other use"],
)
def test_a_planted_fault_is_seen(kind, fault):
    with pytest.raises(AssertionError):
        check_values(kind, fault(made(kind, *parameters(kind), length=TOKENS + 1)), torch.float64)


def test_the_phase_is_right_where_that_of_float32_is_not():
    """At a distance of 2²⁰ the phase of float32 is off by 2⁻⁵·|ω|; the table is off by one rounding."""
    omega, sigma = torch.tensor([3.0]), torch.tensor([math.inf])
    mod = made("morlet", omega, sigma, length=2**20 + 1)
    found = mod(torch.ones(()), torch.tensor(0), torch.tensor(0), torch.tensor(2**20), torch.tensor(0))
    assert abs(float(found) - math.cos(3.0 * 2**20)) <= 2.0**-24
    assert made("alibi", torch.tensor([1.0]), length=5)(*map(torch.tensor, (0.0, 0, 0, 4, 0))) == -4.0


# ── attention ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def attend(q: Tensor, k: Tensor, v: Tensor, mod: Mod, attention: Any = flex_attention) -> Tensor:
    """Causal attention by FlexAttention."""
    mask = create_block_mask(lambda b, h, m, n: m >= n, None, None, q.shape[2], k.shape[2], device=q.device)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the eager form is slow
        return attention(q, k, v, score_mod=mod, block_mask=mask, enable_gqa=q.shape[1] != k.shape[1])


def expected(kind: str, q: Tensor, k: Tensor, v: Tensor) -> Bounded:
    """Dense causal attention in float64, and a bound for how far a computation in the arithmetic of U may be from it.

    The table is rounded once, and once more where it is added or multiplied, which the operations below count.
    """
    a, b, c = (exact(x.double().numpy()) for x in (q, k.repeat_interleave(HEADS // k.shape[1], 1),
                                                   v.repeat_interleave(HEADS // v.shape[1], 1)))  # fmt: skip
    scores = (a @ b.swap()) * rounded(np.array(CHANNELS**-0.5), running_error.U)
    zero = torch.zeros(HEADS, TOKENS, TOKENS, dtype=torch.float64)
    values = dense(kind, zero + 1, *parameters(kind)) if kind == "morlet" else dense(kind, zero, *parameters(kind))
    table = rounded(values.numpy(), 2 * running_error.U * np.abs(values.numpy()))
    return ((scores * table) if kind == "morlet" else (scores + table)).softmax(DISTANCE.numpy() >= 0) @ c


def inputs(dtype: torch.dtype, kv_heads: int = HEADS) -> tuple[Tensor, Tensor, Tensor]:
    shapes = ((2, HEADS, TOKENS, CHANNELS), (2, kv_heads, TOKENS, CHANNELS), (2, kv_heads, TOKENS, CHANNELS))
    q, k, v = (random(*shape, dtype=dtype, seed=seed) for seed, shape in enumerate(shapes))
    return q, k, v


@pytest.mark.parametrize("kv_heads", [HEADS, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_attention_is_that_of_the_dense_form(kind, kv_heads):
    """In float64 both are within a bound of the exact value: twice the bound apart at most."""
    q, k, v = inputs(torch.float64, kv_heads)
    found = attend(q, k, v, made(kind, *parameters(kind))).numpy()
    wanted = expected(kind, q, k, v)
    assert (np.abs(found - wanted.value) <= 2 * wanted.error).all()
    plain = attend(q, k, v, lambda s, b, h, m, n: s).numpy()
    assert (np.abs(plain - wanted.value) > 2 * wanted.error).any()
    assert wanted.error.max() < 1e-11  # the bound says something


@pytest.mark.requires("g++")
def test_compiled_attention_is_that_of_the_dense_form(monkeypatch):
    """The bound is that of float32."""
    monkeypatch.setattr(running_error, "U", 2.0**-24)
    q, k, v = inputs(torch.float32)
    mod = made("morlet", *parameters("morlet", torch.float32))
    found = attend(q, k, v, mod, torch.compile(flex_attention, fullgraph=True)).double().numpy()
    wanted = expected("morlet", q, k, v)
    assert (np.abs(found - wanted.value) <= 2 * wanted.error).all()
    assert wanted.error.max() < 1e-3


@pytest.mark.parametrize("kind", KINDS)
def test_a_mask_keeps_it_causal(kind):
    """Later keys and values change no bit of the rows before them."""
    q, k, v = inputs(torch.float32)
    mod = made(kind, *parameters(kind, torch.float32))
    before, changed = attend(q, k, v, mod), [x.clone() for x in (k, v)]
    for x in changed:
        x[:, :, 20:] += 1
    after = attend(q, *changed, mod)
    assert torch.equal(before[:, :, :20], after[:, :, :20])
    assert not torch.equal(before[:, :, 20:], after[:, :, 20:])


def test_wide_heads_are_plain_attention():
    q, k, v = inputs(torch.float32)
    mod = made("gaussian", torch.full((HEADS,), math.inf))
    assert torch.equal(attend(q, k, v, mod), attend(q, k, v, lambda s, b, h, m, n: s))


# ── gradients ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def with_backward(monkeypatch: pytest.MonkeyPatch) -> None:
    """The score modification as a device with a backward pass gets it."""
    monkeypatch.setattr(score_mods, "FORWARD_ONLY", frozenset())


def check_gradients(kind: str, mod: Mod, leaves: tuple[Tensor, ...]) -> None:
    """Against the sum over all pairs, in extended precision: each term a product of six factors at most, and one unit a sum."""
    scores, weights = random(HEADS, TOKENS, TOKENS), random(HEADS, TOKENS, TOKENS, seed=8)
    (all_scores(mod, scores) * weights).sum().backward()
    d = DISTANCE.numpy().astype(np.longdouble)
    s, g = (x.numpy().astype(np.longdouble) for x in (scores, weights))
    width, turn = (x.numpy().astype(np.longdouble)[:, None, None] for x in (SIGMA, OMEGA))
    kernel = np.exp(-((d / width) ** 2) / 4)
    terms = {
        "gaussian": (g * d**2 / (2 * width**3),),
        "alibi": (-g * np.abs(d),),
        "morlet": (-g * s * d * np.sin(turn * d) * kernel, g * s * np.cos(turn * d) * kernel * d**2 / (2 * width**3)),
    }[kind]
    for leaf, term in zip(leaves, terms, strict=True):
        phase = 1 + np.abs(turn * d)  # of the cosine and the sine
        bound = (TOKENS**2 + 20) * 2.0**-53 * (np.abs(term) * phase + (np.abs(g * s * d) * kernel * 2.0**-40)).sum((1, 2))
        assert (np.abs(leaf.grad.numpy() - term.sum((1, 2))) <= bound).all()
        assert (leaf.grad != 0).any()


def learned(kind: str) -> tuple[Tensor, ...]:
    return tuple(value.clone().requires_grad_() for value in parameters(kind))


@pytest.mark.usefixtures("with_backward")
@pytest.mark.parametrize("kind", KINDS)
def test_gradients_are_those_of_the_dense_form(kind):
    leaves = learned(kind)
    check_gradients(kind, made(kind, *leaves), leaves)


@pytest.mark.usefixtures("with_backward")
def test_a_planted_fault_of_a_gradient_is_seen():
    leaves = learned("gaussian")
    mod = made("gaussian", *leaves)
    with pytest.raises(AssertionError):
        check_gradients("gaussian", lambda s, b, h, m, n: mod(s, b, h, m, torch.minimum(n, m)), leaves)


@pytest.mark.parametrize("kind", KINDS)
def test_a_gradient_on_a_cpu_is_refused_beforehand(kind):
    with pytest.raises(ValueError, match="requires a gradient, and FlexAttention has no backward pass on cpu; detach it"):
        made(kind, *learned(kind))
    with torch.no_grad():
        check_values(kind, made(kind, *learned(kind)), torch.float64)
    check_values(kind, made(kind, *(value.detach() for value in learned(kind))), torch.float64)


def test_the_framework_has_no_backward_pass_on_a_cpu():
    """Once it has, the refusal above is to go."""
    q, k, v = (x.requires_grad_() for x in inputs(torch.float32))
    with pytest.raises(NotImplementedError, match="does not support backward on CPU"):
        attend(q, k, v, made("alibi", SLOPE))


@pytest.mark.requires("cuda")
@pytest.mark.parametrize("kind", KINDS)
def test_parameters_are_learned_on_a_gpu(kind):
    """Gradients of q and of the parameters, compiled, against dense attention in float64: both within 2⁻¹⁰ of its largest.

    Products of the compiled form may be of 11 bits (TF32), hence the bound.
    """
    results = []
    for compiled in (False, True):
        dtype = torch.float32 if compiled else torch.float64
        q, k, v = (x.to("cuda", dtype).requires_grad_() for x in inputs(torch.float32))
        leaves = tuple(value.to("cuda", dtype).requires_grad_() for value in parameters(kind))
        if compiled:
            out = attend(q, k, v, made(kind, *leaves), torch.compile(flex_attention, fullgraph=True))
        else:
            distance = DISTANCE.to("cuda")
            scores = dense(kind, q @ k.transpose(-1, -2) * CHANNELS**-0.5, *leaves, distance=distance)
            out = scores.masked_fill(distance < 0, -math.inf).softmax(-1) @ v
        out.square().sum().backward()
        results.append([x.grad.double() for x in (q, k, v, *leaves)])
    for wanted, found in zip(*results, strict=True):
        assert (found - wanted).abs().max() <= 2.0**-10 * wanted.abs().max() * TOKENS


# ── what is refused ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda: F.gaussian_score_mod(SIGMA, 0), "length: got 0, expected a positive integer"),
        (lambda: F.gaussian_score_mod(SIGMA, True), "length: got True, expected a positive integer"),
        (lambda: F.alibi_score_mod(SLOPE, 2.5), r"length: got 2.5, expected a positive integer"),
        (lambda: F.gaussian_score_mod(torch.tensor(2.0), 4), r"sigma: got shape \(\), expected \(H,\), one for each head"),
        (lambda: F.morlet_score_mod(OMEGA[:, None], SIGMA, 4), r"omega: got shape \(4, 1\), expected \(H,\)"),
        (lambda: F.morlet_score_mod(OMEGA[:3], SIGMA, 4), r"sigma: got shape \(4,\), expected \(3,\) as omega has"),
        (lambda: F.gaussian_score_mod(-SIGMA, 4), "sigma: got a value that is zero, negative or NaN"),
        (lambda: F.gaussian_score_mod(torch.tensor([1, 2]), 4), "sigma: got torch.int64, expected"),
        (lambda: F.alibi_score_mod([0.5], 4), "slope: got list, expected a torch.Tensor"),
    ],
)
def test_bad_arguments_are_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()
