"""Which generated kernels run: those for Triton where tensors are on a GPU and triton is installed, those for torch otherwise.

The choice is the same for all functions of this package. ``use_backend("torch")`` or ``use_backend("triton")`` fixes it for a
block of code, the environment variable ``MOPE_BACKEND`` for a process. Both backends come from the same specifications. They
differ in what they can do: the kernels for torch have a second derivative and take nested tensors, and ``torch.vmap`` and the
other transforms of functorch are fast with them; so they serve those unless the choice is fixed. On a machine without a GPU
Triton's kernels run in its interpreter if ``TRITON_INTERPRET=1`` is set before the first import: slow, and for tests.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from typing import Any

import torch
from torch import Tensor

from . import of_torch

BACKENDS = ("auto", "torch", "triton")
VARIABLE = "MOPE_BACKEND"

_chosen = os.environ.get(VARIABLE) or "auto"
_installed = find_spec("triton") is not None


@contextmanager
def use_backend(name: str) -> Iterator[None]:
    """Within the block, kernels of this backend: ``"torch"``, ``"triton"``, or ``"auto"`` for a choice by the tensors' device.

    The choice is the process's, all threads included. With ``"triton"``, tensors that no Triton kernel can read are refused.

    Raises:
        ValueError: for another name.
    """
    global _chosen
    before, _chosen = _chosen, _checked(name, "backend")
    try:
        yield
    finally:
        _chosen = before


def kernel(name: str, tensor: Tensor) -> Callable[..., Any]:
    """The kernel of that name for arguments of which this is one.

    Raises:
        ValueError: if Triton is asked for and not installed, or cannot read the tensor's device.
    """
    if not uses_triton(tensor):
        return getattr(of_torch, name)
    from . import of_triton  # loads triton

    if tensor.is_nested:
        raise ValueError("backend 'triton': got a nested tensor, expected a plain one")
    if tensor.device.type == "cpu" and not of_triton.INTERPRETED:
        raise ValueError(f"backend 'triton': got a tensor on {tensor.device}, expected one on a GPU, or TRITON_INTERPRET=1")
    chosen = getattr(of_triton, name)
    return chosen if torch.compiler.is_compiling() else partial(on_device_of, tensor, chosen)


def on_device_of(tensor: Tensor, run: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """A call for which the device of a tensor is the current one: Triton launches on that, wherever the arguments are.

    A compiler sees to it by itself, and so does the backward pass.
    """
    with torch.cuda.device_of(tensor):
        return run(*arguments, **options)


def uses_triton(tensor: Tensor) -> bool:
    """Whether the kernels for Triton serve a tensor."""
    choice = _checked(_chosen, VARIABLE)
    if choice == "triton" and not _installed:
        raise ValueError("backend 'triton': triton is not installed; pip: mope[triton]")
    if choice != "auto":
        return choice == "triton"
    transformed = not torch.compiler.is_compiling() and torch._C._functorch.maybe_current_level() is not None
    return _installed and tensor.is_cuda and not tensor.is_nested and not transformed


def _checked(name: str, source: str) -> str:
    if name not in BACKENDS:
        raise ValueError(f"{source}: got {name!r}, expected 'auto', 'torch' or 'triton'")
    return name
