"""Which kernels the functions run: the choice, its refusals, and that both backends agree."""
from __future__ import annotations

import os
import subprocess
import sys

import pytest
import torch
from torch import Tensor

from mope_impl import functional as F
from mope_impl.functional import backend, of_torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
U = 2.0**-24


def rotated(heads: int = 2) -> tuple[Tensor, ...]:
    """q of four heads, k of two, positions, ω and σ for the heads of k, six of eight channels."""
    torch.manual_seed(0)
    q, k = torch.randn(2, 4, 5, 8, device=DEVICE), torch.randn(2, heads, 5, 8, device=DEVICE)
    positions = torch.arange(5, device=DEVICE) * 3
    return q, k, positions, torch.rand(heads, 3, device=DEVICE) * 2, torch.rand(heads, 3, device=DEVICE) * 9 + 1


CALLS = {
    "rotary": lambda: F.rotary(*rotated()[:4]),
    "morlet_rotary": lambda: F.morlet_rotary(*rotated(), layout="interleaved"),
    "xpos_rotary": lambda: F.xpos_rotary(*rotated()[:4], rotated()[4] / 10),
    "morlet_encoding": lambda: F.morlet_encoding(rotated()[2], rotated()[3][0], rotated()[4][0]),
    "sinusoidal_encoding": lambda: F.sinusoidal_encoding(rotated()[2], rotated()[3][0]),
    "relative_kernel": lambda: F.relative_kernel(rotated()[2], rotated()[3][0], rotated()[4][0]),
    "alibi_bias": lambda: F.alibi_bias(rotated()[2][:, None] - rotated()[2], rotated()[3][0]),
    "gaussian_bias": lambda: F.gaussian_bias(rotated()[2][:, None] - rotated()[2], rotated()[4][0]),
    "energy_gate": lambda: F.energy_gate(rotated()[0][0, 0, :, :3][None], *(rotated()[4][:1, :1].expand(1, 5, 1),) * 2,
                                         *(rotated()[0][0, 0, :, 0],) * 2),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_both_backends_agree(name, monkeypatch):
    """Within the bounds of both: 4 and 5 units of 2⁻²⁴ of |x₀| + |x₁| < 8, of a growth below 8 in xPos; one unit elsewhere."""
    from mope_impl.functional import of_triton

    with F.use_backend("torch"):
        expected = CALLS[name]()
    calls = []
    real = getattr(of_triton, name)
    monkeypatch.setattr(of_triton, name, lambda *a, **k: calls.append(name) or real(*a, **k))
    with F.use_backend("triton"):
        found = CALLS[name]()
    assert calls
    assert set(calls) == {name}
    pairs = zip(*(one if isinstance(one, tuple) else (one,) for one in (found, expected)), strict=True)
    scale = 9 * 8 * (8 if name == "xpos_rotary" else 1) if "rotary" in name else 1
    for p, q in pairs:
        assert (p.shape, p.dtype) == (q.shape, q.dtype)
        assert ((p - q).abs() <= U * scale * torch.clamp(q.abs(), min=1.0)).all()


def test_gradients_of_shared_parameters_are_added_up_over_queries_and_keys():
    """Grouped queries: a row of parameters serves two heads of q and one of k."""
    found = {}
    for name in ("torch", "triton"):
        q, k, positions, omega, sigma = (value.double().requires_grad_() for value in rotated())
        with F.use_backend(name):
            out = F.morlet_rotary(q, k, positions, omega, sigma)
            loss = sum((one * one.detach().cos()).sum() for one in out)
            found[name] = torch.autograd.grad(loss, (q, k, positions, omega, sigma))
    for p, q in zip(found["torch"], found["triton"], strict=True):
        torch.testing.assert_close(p, q, rtol=2.0**-40, atol=2.0**-40)  # below 2¹² terms of some 20 roundings each


def test_a_module_learns_by_the_same_gradients():
    from mope_impl.nn import MorletRotary

    gradients = []
    for name in ("torch", "triton"):
        torch.manual_seed(0)
        module = MorletRotary(8).to(DEVICE)
        q = torch.randn(1, 2, 4, 8, device=DEVICE)
        with F.use_backend(name):
            out = module(q, q, torch.arange(4, device=DEVICE))
            gradients.append(torch.autograd.grad(out[0].square().sum() + out[1].sum(), list(module.parameters())))
    for p, q in zip(*gradients, strict=True):
        torch.testing.assert_close(p, q, rtol=2.0**-14, atol=2.0**-14)  # 64 terms of 10 units each, of sizes below 2⁶


def test_on_a_cpu_the_kernels_for_torch_run():
    cpu = torch.empty(0)
    assert not backend.uses_triton(cpu)
    assert backend.kernel("rotary", cpu) is of_torch.rotary


def test_triton_launches_on_the_device_of_the_tensor(monkeypatch):
    """It would launch on the current device, and read memory of another one."""
    entered = []
    real = torch.cuda.device_of
    monkeypatch.setattr(torch.cuda, "device_of", lambda x: entered.append(x) or real(x))
    x = torch.ones(2, device=DEVICE)
    with F.use_backend("triton"):
        F.sinusoidal_encoding(x, x)
    assert [id(one) for one in entered] == [id(x)]


def test_the_choice_ends_with_its_block_and_with_an_error():
    before = backend._chosen
    with pytest.raises(RuntimeError), F.use_backend("triton"):
        assert backend.uses_triton(torch.empty(0))
        raise RuntimeError
    assert backend._chosen == before


@pytest.mark.parametrize("name", ["cuda", "", None])
def test_an_unknown_backend_is_one_value_error(name):
    with pytest.raises(ValueError, match="expected 'auto', 'torch' or 'triton'"), F.use_backend(name):
        pass


def test_what_triton_cannot_read_is_refused(monkeypatch):
    nested = torch.nested.nested_tensor([torch.rand(2), torch.rand(3)], layout=torch.jagged)
    with F.use_backend("triton"), pytest.raises(ValueError, match="nested tensor"):
        F.sinusoidal_encoding(nested, torch.rand(2))
    monkeypatch.setattr(backend, "_installed", False)
    with F.use_backend("triton"), pytest.raises(ValueError, match=r"triton is not installed; pip: mope\[triton\]"):
        F.sinusoidal_encoding(torch.rand(2), torch.rand(2))


def process(code: str, **variables: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in ("TRITON_INTERPRET", "MOPE_BACKEND")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment | variables, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr.strip().rpartition("\n")[2]


def test_functions_load_no_triton_until_they_need_it():
    use = "import sys, torch, mope_impl.functional as F; F.alibi_bias(torch.ones(2), torch.ones(2))"
    code = f"{use}; print('triton' in sys.modules)"
    assert process(code).startswith("False")


def test_the_variable_chooses_and_a_cpu_without_the_interpreter_is_refused():
    code = "import torch, mope_impl.functional as F; print(F.sinusoidal_encoding(torch.ones(1), torch.ones(1)).shape)"
    assert process(code, MOPE_BACKEND="triton", TRITON_INTERPRET="1").startswith("torch.Size([1, 2])")
    assert "ValueError: backend 'triton': got a tensor on cpu, expected one on a GPU" in process(code, MOPE_BACKEND="triton")
    assert "ValueError: MOPE_BACKEND: got 'numpy', expected" in process(code, MOPE_BACKEND="numpy")
