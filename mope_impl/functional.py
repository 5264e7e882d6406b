"""The kernels as functions: arguments are validated here, the arithmetic is in :mod:`mope_impl.generated`.

Each error is one ``ValueError`` that names the argument, what was given and what was expected.
"""
from __future__ import annotations

import torch
from torch import Tensor
from torch.utils._python_dispatch import _get_current_dispatch_mode

from mope_impl.generated.torch import morlet_encoding as _morlet_encoding

DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)
"""Dtypes of parameters and results. Narrower ones lack a sign, a zero or the operations that it takes."""

INTEGERS = (torch.uint8, torch.uint16, torch.uint32, torch.uint64, torch.int8, torch.int16, torch.int32, torch.int64)
"""Dtypes of positions besides."""

WITHOUT_FLOAT64 = frozenset({"mps"})
"""Device types that have no float64, in which every kernel forms its phase."""


def morlet_encoding(
    positions: Tensor, omega: Tensor, sigma: Tensor, center: Tensor | None = None, *, dtype: torch.dtype | None = None
) -> Tensor:
    r"""Morlet wave packets of the positions, real and imaginary parts in alternating channels.

    .. math:: \psi(b) = e^{i\omega b}\, e^{-(b - b_0)^2 / 2\sigma^2}

    Args:
        positions: b in tokens, any shape, (T,) or (B, T) as a rule; integers or floats, \|b\| ≤ 2^53 (every integer up to
            there is exact). A jagged nested tensor gives one.
        omega: carrier frequencies in radians per token, (n,), float64, float32, bfloat16 or float16, \|ω\| ≤ 8192.
        sigma: widths of the envelope in tokens, (n,), in (0, ∞]; ∞ gives the exact limit e^{iωb}.
        center: centres b₀ of the envelope in tokens, (n,), \|b₀\| ≤ 2^53; None stands for 0. The carrier does not move
            with them.
        dtype: dtype of the result, one of the four; by default the promoted dtype of omega, sigma and center.

    Returns:
        ``(*positions.shape, 2n)``; channel 2i holds the real part of pair i, channel 2i + 1 the imaginary part.
        Phase and envelope are formed in float64 whatever the input dtypes and the autocast state, and rounded once.
        Beyond the ranges above nothing is promised: values are not checked against them, and b − b₀ may overflow.

    Raises:
        ValueError: for a wrong type, dtype, layout, shape or device; for σ ≤ 0 or NaN if sigma is a plain CPU tensor outside
            functorch, compilation and export. Elsewhere such a σ gives NaN in its channels.

    Source: definition of the mother wavelet (claim ``kernel.product``).
    """
    _check_positions("positions", positions)
    parameters = {"omega": omega, "sigma": sigma}
    if center is not None:
        parameters["center"] = center
    _check_parameters(parameters, positions)
    if dtype is not None:
        check_dtype("dtype", dtype)
    if _is_readable(sigma) and not bool((sigma > 0).all()):
        raise ValueError("sigma: got a value that is zero, negative or NaN, expected widths in (0, ∞]")
    return _morlet_encoding.morlet_encoding(positions, omega, sigma, center, dtype=dtype)


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


def _check_positions(name: str, value: Tensor) -> None:
    """A real tensor of any shape, integer or floating point."""
    check_tensor(name, value)
    if value.dtype not in DTYPES and value.dtype not in INTEGERS:
        raise ValueError(
            f"{name}: got dtype {value.dtype}, expected integers of 8 to 64 bits, float64, float32, bfloat16 or float16"
        )
    if value.device.type in WITHOUT_FLOAT64:
        raise ValueError(f"{name}: got device {value.device}, which has no float64; expected a device with float64")


def _check_parameters(parameters: dict[str, Tensor], positions: Tensor) -> None:
    """Floating-point tensors of one shape (n,), on the device of the positions."""
    first, length = next(iter(parameters)), None
    for name, value in parameters.items():
        check_tensor(name, value)
        check_dtype(name, value.dtype)
        if value.dim() != 1:
            raise ValueError(f"{name}: got shape {tuple(value.shape)}, expected one dimension, (n,)")
        length = value.shape[0] if length is None else length
        if value.shape[0] != length:
            raise ValueError(f"{name}: got shape {tuple(value.shape)}, expected ({length},) as {first} has")
        if value.device != positions.device:
            raise ValueError(f"{name}: got device {value.device}, expected {positions.device} as positions are on")


def _is_readable(value: Tensor) -> bool:
    """Whether looking at the values of a tensor is free of host syncs, graph breaks and data-dependent guards."""
    return (
        not torch.compiler.is_compiling()
        and type(value) in (Tensor, torch.nn.Parameter)
        and value.device.type == "cpu"
        and not torch._C._functorch.is_functorch_wrapped_tensor(value)
        and torch._C._functorch.maybe_current_level() is None
        and _get_current_dispatch_mode() is None
    )
