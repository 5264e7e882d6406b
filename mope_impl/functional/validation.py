"""What arguments may be: each check is silent, or raises one ``ValueError`` that names the argument, what was given and
what was expected.
"""
from __future__ import annotations

from contextlib import nullcontext

import torch
from torch import Tensor
from torch.utils._python_dispatch import _get_current_dispatch_mode

DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)
"""Dtypes of parameters and results. Narrower ones lack a sign, a zero or the operations that it takes."""

INTEGERS = (torch.uint8, torch.uint16, torch.uint32, torch.uint64, torch.int8, torch.int16, torch.int32, torch.int64)
"""Dtypes of positions besides."""

WITHOUT_FLOAT64 = frozenset({"mps"})
"""Device types that have no float64, in which every kernel forms its phase."""


def without_autocast(device: torch.device) -> torch.autocast | nullcontext[None]:
    """A context in which operations keep their dtypes; devices such as meta have no autocast to switch off."""
    if torch.amp.is_autocast_available(device.type) and torch.is_autocast_enabled(device.type):
        return torch.autocast(device.type, enabled=False)
    return nullcontext()


def check_dtype(name: str, dtype: object) -> None:
    """ValueError for a dtype that parameters and results do not have, and for what is no dtype, such as its name."""
    if dtype not in DTYPES:
        kind = "" if isinstance(dtype, torch.dtype) else "a torch.dtype: "
        raise ValueError(f"{name}: got {dtype!r}, expected {kind}float64, float32, bfloat16 or float16")


def check_tensor(name: str, value: object) -> None:
    """ValueError for what is no tensor, and for sparse and other layouts that the kernels cannot read."""
    if not isinstance(value, Tensor):
        raise ValueError(f"{name}: got {type(value).__name__}, expected a torch.Tensor")
    if value.layout != (torch.jagged if value.is_nested else torch.strided):
        kind = "nested tensor" if value.is_nested else "tensor"
        raise ValueError(f"{name}: got a {kind} of layout {value.layout}, expected torch.strided, or torch.jagged if nested")


def check_positions(name: str, value: Tensor) -> None:
    """A real tensor of any shape, integer or floating point."""
    check_tensor(name, value)
    if value.dtype not in DTYPES and value.dtype not in INTEGERS:
        raise ValueError(
            f"{name}: got dtype {value.dtype}, expected integers of 8 to 64 bits, float64, float32, bfloat16 or float16"
        )
    _check_device(name, value)


def _check_device(name: str, value: Tensor) -> None:
    if value.device.type in WITHOUT_FLOAT64:
        raise ValueError(f"{name}: got device {value.device}, which has no float64; expected a device with float64")


def check_plain(name: str, value: Tensor) -> None:
    """ValueError for a nested tensor."""
    if value.is_nested:
        raise ValueError(f"{name}: got a nested tensor, expected a plain one")


def check_float(name: str, value: Tensor, other: Tensor, others: str = "positions are") -> None:
    """A floating-point tensor of one of the four dtypes, on the device that another is on."""
    check_tensor(name, value)
    check_dtype(name, value.dtype)
    _check_device(name, value)
    if value.device != other.device:
        raise ValueError(f"{name}: got device {value.device}, expected {other.device} as {others} on")


def check_parameters(parameters: dict[str, Tensor], positions: Tensor, others: str = "positions are") -> None:
    """Floating-point tensors of one shape (n,), on the device of the positions."""
    first, length = next(iter(parameters)), None
    for name, value in parameters.items():
        check_float(name, value, positions, others)
        if value.dim() != 1:
            raise ValueError(f"{name}: got shape {tuple(value.shape)}, expected one dimension, (n,)")
        length = value.shape[0] if length is None else length
        if value.shape[0] != length:
            raise ValueError(f"{name}: got shape {tuple(value.shape)}, expected ({length},) as {first} has")


def check_positive(name: str, value: Tensor, expected: str) -> None:
    """ValueError for values that are zero, negative or NaN, where values may be read."""
    if is_readable(value) and not bool((value > 0).all()):
        raise ValueError(f"{name}: got a value that is zero, negative or NaN, expected {expected}")


def is_readable(value: Tensor) -> bool:
    """Whether looking at the values of a tensor is free of host syncs, graph breaks and data-dependent guards."""
    return (
        not torch.compiler.is_compiling()
        and type(value) in (Tensor, torch.nn.Parameter)
        and value.device.type == "cpu"
        and not torch._C._functorch.is_functorch_wrapped_tensor(value)
        and not torch._C._functorch.is_legacy_batchedtensor(value)  # as gradients of many directions at once are
        and torch._C._functorch.maybe_current_level() is None
        and _get_current_dispatch_mode() is None
    )
