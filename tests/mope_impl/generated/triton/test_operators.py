"""The operators around the Triton kernels: registration, autograd, transforms, aliasing, and a file by itself."""
from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import warnings
from types import ModuleType

import pytest
import torch
from torch import Tensor

from mope_theory.specs import specs

from .harness import DEVICE, loaded, source
from .test_rotations import arguments

NAMES = [one.name for one in specs()]
U = 2.0**-24


def module(name: str) -> ModuleType:
    return importlib.import_module(f"mope_impl.generated.triton.{name}")


def small(name: str) -> list[Tensor]:
    """Arguments of an operator, small: every axis of every input in full, float32."""
    torch.manual_seed(0)
    spec = next(one for one in specs() if one.name == name)
    sizes = {"b": 2, "h": 2, "t": 5, "n": 3, "q": 4, "k": 5}
    given = []
    for x in spec.inputs:
        shape = [sizes[axis.removeprefix("*")] for axis in x.own]
        if x.has_channels:
            shape[-1] *= 2
        given.append((torch.rand(shape) + 0.5).to(DEVICE))
    return given


def options(name: str) -> tuple[str, ...]:
    return ("half",) if next(one for one in specs() if one.name == name).layout_is_chosen else ()


@pytest.mark.parametrize("name", NAMES)
def test_opcheck_of_both_operators(name):
    """Schema, fake tensors, autograd, and tracing with sizes that vary."""
    kernels, given = module(name), small(name)
    leaves = [value.requires_grad_() for value in given]
    torch.library.opcheck(kernels._forward, (*leaves, *options(name), torch.float32))
    out = kernels._forward(*leaves, *options(name), torch.float32)
    incoming = [torch.randn_like(one) for one in (out if isinstance(out, tuple) else (out,))]
    plain = [value.detach() for value in leaves]
    needs = [k != 1 for k in range(len(given))]
    for needed in ([True] * len(given), needs):
        torch.library.opcheck(kernels._backward, (*incoming, *plain, *options(name), needed))


@pytest.mark.parametrize("name", NAMES)
def test_the_gradient_is_that_of_the_torch_kernel(name):
    """A Triton kernel that is called without an autograd wrapper cuts gradients silently: here grad_fn is set, by the function
    and by the operator alone."""
    reference = getattr(importlib.import_module(f"mope_impl.generated.torch.{name}"), name)
    f = getattr(module(name), name)
    one, two = ([value.double().requires_grad_() for value in small(name)] for _ in range(2))
    outs, expected = (result if isinstance(result, tuple) else (result,) for result in (f(*one), reference(*two)))
    assert all(out.grad_fn is not None for out in outs)
    incoming = [torch.randn_like(out) for out in outs]
    found, true = torch.autograd.grad(outs, one, incoming), torch.autograd.grad(expected, two, incoming)
    for p, q in zip(found, true, strict=True):
        torch.testing.assert_close(p, q, rtol=2.0**-40, atol=2.0**-40)  # at most 40 terms of some 20 roundings each
    raw = module(name)._forward(*one, *options(name), torch.float64)
    assert all(out.requires_grad for out in (raw if isinstance(raw, tuple) else (raw,)))


@pytest.mark.parametrize("name", ["morlet_rotary", "gaussian_bias"])
def test_a_second_derivative_is_refused_in_one_line(name):
    leaves = [value.requires_grad_() for value in small(name)]
    (gradient,) = torch.autograd.grad(getattr(module(name), name)(*leaves).square().sum(), leaves[-1], create_graph=True)
    with pytest.raises(RuntimeError, match="no second derivative; that of the torch backend has"):
        torch.autograd.grad(gradient.sum(), leaves[0])


def test_forward_mode_is_refused():
    """torch.library's own rule for it is a tangent of zeros, silently."""
    *given, sigma = small("morlet_rotary")
    f = module("morlet_rotary").morlet_rotary
    with pytest.raises(NotImplementedError, match="jvp"):
        torch.func.jvp(lambda one: f(*given, one), (sigma,), (torch.ones_like(sigma),))
    out = f(*given, sigma)
    pulled = torch.func.vjp(lambda one: f(*given, one), sigma)[1]
    with pytest.raises(NotImplementedError, match="jvp"):
        torch.func.jvp(pulled, (out,), (torch.ones_like(out),))


def test_vmap_and_reverse_mode_transforms_equal_the_loop():
    x, positions, omega, sigma = (value.to(DEVICE) for value in arguments("morlet_rotary", (1, 1, 2, 4)))
    f = module("morlet_rotary").morlet_rotary
    stack = torch.stack((x, 2 * x, -x))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch says that its fallback is slow
        mapped = torch.vmap(f, in_dims=(0, None, None, None))(stack, positions, omega, sigma)
        assert torch.equal(mapped, torch.stack([f(one, positions, omega, sigma) for one in stack]))
        slope = torch.func.grad(lambda *given: f(*given).square().sum(), argnums=(2, 3))
        mapped = torch.vmap(slope, in_dims=(0, None, None, None))(stack, positions, omega, sigma)
        loop = [slope(one, positions, omega, sigma) for one in stack]
        for k in (0, 1):
            assert torch.equal(mapped[k], torch.stack([one[k] for one in loop]))
        jacobian = torch.func.jacrev(f, argnums=2)(x, positions, omega, sigma)
    direction = torch.randn_like(jacobian[..., 0, 0])
    leaf = omega.clone().requires_grad_()
    (pulled,) = torch.autograd.grad(f(x, positions, leaf, sigma), leaf, direction)
    expected = torch.einsum("bhtdij,bhtd->ij", jacobian.double(), direction.double())
    terms = 7 * U * torch.einsum("bhtdij,bhtd->ij", jacobian.abs().double(), direction.abs().double())
    assert ((pulled - expected).abs() <= 2 * terms + 60 * U).all()  # two ways to form each of at most 8 summands


def test_aliased_arguments_and_a_second_use():
    """q = k = x, and x read again: inputs never change, and the result shares no memory with them."""
    x, positions, omega, sigma = (value.to(DEVICE) for value in arguments("morlet_rotary", (1, 2, 5, 8)))
    f = module("morlet_rotary").morlet_rotary
    before = x.clone()
    first, second = f(x, positions, omega, sigma), f(x, positions, omega, sigma)
    assert torch.equal(first, second)
    first.mul_(3.0)
    assert torch.equal(x, before)
    square = f(x, positions, omega, omega)  # one tensor as two arguments
    assert torch.equal(square, f(x, positions, omega, omega.clone()))


def test_a_result_may_be_written_in_place():
    leaves = [value.requires_grad_() for value in small("morlet_rotary")]
    f = module("morlet_rotary").morlet_rotary
    f(*leaves).mul_(2.0).sum().backward()
    expected = torch.autograd.grad(2 * f(*leaves).sum(), leaves)
    assert all(torch.equal(leaf.grad, gradient) for leaf, gradient in zip(leaves, expected, strict=True))


def test_checkpoint_and_a_graph_used_twice():
    from torch.utils.checkpoint import checkpoint

    leaves = [value.requires_grad_() for value in small("morlet_rotary")]
    f = module("morlet_rotary").morlet_rotary
    out = f(*leaves)
    once = torch.autograd.grad(out.sum(), leaves, retain_graph=True)
    twice = torch.autograd.grad(out.sum(), leaves)
    again = torch.autograd.grad(checkpoint(f, *leaves, use_reentrant=False).sum(), leaves)
    for p, q, r in zip(once, twice, again, strict=True):
        assert torch.equal(p, q)
        assert torch.equal(p, r)


def test_versions_and_copies_of_a_kernel_live_side_by_side(tmp_path):
    """Operators that took a name in use would destroy those of the module before, whose next call reads freed memory."""
    given = [value.requires_grad_() for value in small("gaussian_bias")]
    first, text = module("gaussian_bias"), source("gaussian_bias")
    edited = text.replace("-0.25 * (z * z)", "-0.5 * (z * z)")  # by hand: the hash stays
    modules = [first, *(loaded(one, tmp_path) for one in (text, edited, text))]
    names = [repr(operator) for one in modules for operator in (one._forward, one._backward)]
    assert len(set(names)) == len(names)
    true = first.gaussian_bias(*given)
    slopes = torch.autograd.grad(true.sum(), given)
    for one, factor in zip(modules, (1, 1, 2, 1), strict=True):
        out = one.gaussian_bias(*given)
        assert torch.equal(out, factor * true)
        if factor == 1:
            assert all(map(torch.equal, torch.autograd.grad(out.sum(), given), slopes))


def test_operators_have_the_hash_of_their_file_in_their_names():
    names = {re.search(r"mope::(\w+)_[0-9a-f]{12}", source(name)).group(0) for name in NAMES}
    assert len(names) == len(NAMES)


def test_a_file_alone_in_an_empty_folder_works(tmp_path):
    (tmp_path / "morlet_rotary.py").write_text(source("morlet_rotary"), encoding="utf-8")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import math, torch\n"
        "from morlet_rotary import morlet_rotary\n"
        "assert not any(name.startswith(('mope', 'sympy')) for name in sys.modules)\n"
        f"x = torch.tensor([[[[1.0, 0.0]]]], device={DEVICE!r})\n"
        "w = torch.tensor([0.5], device=x.device, requires_grad=True)\n"
        "out = morlet_rotary(x, torch.tensor([3], device=x.device), w, torch.tensor([2.0], device=x.device))\n"
        "g = math.exp(-9 / 8)\n"
        "assert abs(out[0, 0, 0, 0].item() - g * math.cos(1.5)) < 5 * 2**-24\n"
        "out[0, 0, 0, 1].backward()\n"
        "assert abs(w.grad.item() - 3 * g * math.cos(1.5)) < 3 * 7 * 2**-24\n"
        "print('right')\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "right\n", done.stderr


@pytest.mark.parametrize("name", ["rotary", "gaussian_bias"])
def test_wrong_dtypes_and_layouts_are_one_value_error(name):
    given = small(name)
    f = getattr(module(name), name)
    label = {"rotary": "omega", "gaussian_bias": "sigma"}[name]
    with pytest.raises(ValueError, match=rf"{label}: got torch\.int64, expected a floating-point dtype"):
        f(*given[:-1], given[-1].long())
    with pytest.raises(ValueError, match=r"dtype: got torch\.int64, expected a floating-point"):
        f(*given, dtype=torch.int64)
    if name == "rotary":
        with pytest.raises(ValueError, match="layout: got 'quarter'"):
            f(*given, layout="quarter")
