"""On a GPU for real: the sizes of a training step, bit-equal repetition there, CUDA graphs, and torch.compile."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from mope_impl import functional as F

from .reference import UNIT, rotation

pytestmark = pytest.mark.requires("cuda")


def step(dtype: torch.dtype = torch.bfloat16, shape: tuple[int, ...] = (4, 32, 8192, 128)) -> tuple[list[Tensor], Tensor]:
    """x, positions, ω, σ and an incoming gradient."""
    torch.manual_seed(0)
    x, incoming = (torch.randn(shape, device="cuda").to(dtype) for _ in range(2))
    pairs = shape[-1] // 2
    omega = 10000.0 ** -(torch.arange(pairs, device="cuda") / pairs)
    sigma = torch.logspace(1.0, 4.0, pairs, device="cuda")
    return [x, torch.arange(shape[2], device="cuda"), omega, sigma], incoming


def test_a_training_step_in_bfloat16():
    """Value and ∂x at rows of every part of the tensor; ∂ω and ∂σ of the whole, added up by float64 tensors."""
    from mope_impl.generated.triton.morlet_rotary import morlet_rotary

    given, incoming = step()
    x, positions, omega, sigma = given
    leaves = [x.requires_grad_(), omega.requires_grad_(), sigma.requires_grad_()]
    out = morlet_rotary(x, positions, omega, sigma)
    d_x, d_omega, d_sigma = torch.autograd.grad(out, leaves, incoming)
    rows = torch.tensor([0, 1, 15, 16, 4095, 8191], device="cuda")
    for batch, head in ((0, 0), (3, 31), (1, 17)):
        some, given_rows = (value[batch, head, rows][None, None] for value in (x.detach(), incoming))
        true = rotation("morlet_rotary", some, given_rows, [rows[None], omega[None], sigma[None]], "half")
        true["out"].check(out[batch, head, rows][None, None])
        true["x"].check(d_x[batch, head, rows][None, None])
    b = positions.double()[:, None]
    theta, z = b * omega.double(), b / sigma.double()
    e = torch.exp(-z * z / 2)
    turned = kept = size = 0.0
    for one, other in zip(x.detach().flatten(0, 1), incoming.flatten(0, 1), strict=True):
        (x_0, x_1), (p, q) = (value.double().chunk(2, -1) for value in (one, other))
        r_0, r_1 = x_0 * theta.cos() - x_1 * theta.sin(), x_0 * theta.sin() + x_1 * theta.cos()
        turned, kept = turned + q * r_0 - p * r_1, kept + p * r_0 + q * r_1
        size = size + (x_0.abs() + x_1.abs()) * (p.abs() + q.abs())
    for found, factor, sums in ((d_omega, b, turned), (d_sigma, z * z / sigma.double(), kept)):
        true, terms = (factor * e * sums).sum(0), (factor.abs() * e * size).sum(0)
        allowed = 7 * UNIT[torch.float32] * 1.001 * terms + UNIT[torch.float32] * true.abs()
        assert ((found.double() - true).abs() <= allowed).all()
    again = torch.autograd.grad(morlet_rotary(x, positions, omega, sigma), leaves, incoming)
    assert all(torch.equal(p, q) for p, q in zip(again, (d_x, d_omega, d_sigma), strict=True))


@pytest.mark.parametrize("backward", [False, True])
def test_a_cuda_graph_replays_the_same_bits(backward):
    given, incoming = step(shape=(2, 4, 256, 64))
    leaves = [given[0].requires_grad_(), *(value.requires_grad_() for value in given[2:])]

    def run() -> tuple[Tensor, ...]:
        (out, _) = F.morlet_rotary(leaves[0], leaves[0], given[1], *leaves[1:])
        return (out, *torch.autograd.grad(out, leaves, incoming)) if backward else (out.detach(),)

    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):  # compiles, and fills the allocator
        run()
    torch.cuda.current_stream().wait_stream(stream)
    expected = [value.clone() for value in run()]
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = run()
    for value in captured:
        value.detach().zero_()
    graph.replay()
    assert all(torch.equal(p, q) for p, q in zip(captured, expected, strict=True))


@pytest.mark.requires("g++")
def test_compiled_without_a_break():
    given, incoming = step(shape=(2, 4, 256, 64))
    leaves = [given[0].requires_grad_(), *(value.requires_grad_() for value in given[2:])]

    def run(x: Tensor, omega: Tensor, sigma: Tensor) -> Tensor:
        return F.morlet_rotary(x, x, given[1], omega, sigma)[0]

    expected = torch.autograd.grad(run(*leaves), leaves, incoming)
    found = torch.autograd.grad(torch.compile(run, fullgraph=True)(*leaves), leaves, incoming)
    assert torch.equal(found[0], expected[0])
    for p, q in zip(found[1:], expected[1:], strict=True):  # a compiler may add up the parts in another order, in float64
        torch.testing.assert_close(p, q, rtol=2.0**-22, atol=2.0**-22)


def test_every_device_of_the_machine():
    """Triton launches on the current device, whichever the arguments are on."""
    given, _ = step(shape=(1, 2, 32, 16))
    expected = F.morlet_rotary(given[0], given[0], *given[1:])[0].cpu()
    for number in range(torch.cuda.device_count()):
        moved = [value.to(f"cuda:{number}") for value in given]
        assert torch.equal(F.morlet_rotary(moved[0], moved[0], *moved[1:])[0].cpu(), expected)


def test_planted_faults_are_caught_in_the_interpreter():
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-k", "planted", str(Path(__file__).parent)],
        env={**os.environ, "CUDA_VISIBLE_DEVICES": ""}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]


def test_every_function_takes_the_kernels_for_triton_by_itself():
    from mope_impl.functional import backend

    x = torch.randn(3, device="cuda")
    assert backend.uses_triton(x)
    table = F.morlet_encoding(torch.arange(5, device="cuda"), x, x.abs() + 1)
    with F.use_backend("torch"):
        other = F.morlet_encoding(torch.arange(5, device="cuda"), x, x.abs() + 1)
    torch.testing.assert_close(table, other, rtol=0, atol=2.0**-24)
    (doubled,) = torch.func.vmap(lambda w: F.sinusoidal_encoding(torch.arange(5, device="cuda"), w))(x[None])
    assert np.isfinite(doubled.cpu().numpy()).all()
