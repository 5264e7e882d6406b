"""The kernels as functions: arguments are validated here, the arithmetic is in :mod:`mope_impl.generated`.

Each error is one ``ValueError`` that names the argument, what was given and what was expected.
"""
from __future__ import annotations

import torch
from torch import Tensor
from torch.utils._python_dispatch import _get_current_dispatch_mode

from mope_impl.generated.torch import morlet_encoding as _morlet_encoding

WITHOUT_FLOAT64 = frozenset({"mps"})
"""Device types that have no float64, in which every kernel forms its phase."""


def morlet_encoding(
    positions: Tensor, omega: Tensor, sigma: Tensor, center: Tensor | None = None, *, dtype: torch.dtype | None = None
) -> Tensor:
    r"""Morlet wave packets of the positions, real and imaginary parts in alternating channels.

    .. math:: \psi(b) = e^{i\omega b}\, e^{-(b - b_0)^2 / 2\sigma^2}

    Args:
        positions: b in tokens, any shape, (T,) or (B, T) as a rule; integers (exact up to 2^53) or floats.
        omega: carrier frequencies in radians per token, (n,), floating point.
        sigma: widths of the envelope in tokens, (n,), in (0, ∞]; ∞ gives the exact limit e^{iωb}.
        center: centres b₀ of the envelope in tokens, (n,); None stands for 0. The carrier does not move with them.
        dtype: dtype of the result; by default the promoted dtype of omega, sigma and center.

    Returns:
        ``(*positions.shape, 2n)``; channel 2i holds the real part of pair i, channel 2i + 1 the imaginary part.
        Phase and envelope are formed in float64 whatever the input dtypes and the autocast state, and rounded once.

    Raises:
        ValueError: for a wrong type, dtype, shape or device; for σ ≤ 0 or NaN if sigma is a plain CPU tensor outside
            functorch, compilation and export. Elsewhere such a σ gives NaN in its channels.

    Source: definition of the mother wavelet (claim ``kernel.product``).
    """
    _check_positions("positions", positions)
    parameters = {"omega": omega, "sigma": sigma}
    if center is not None:
        parameters["center"] = center
    _check_parameters(parameters, positions)
    if dtype is not None and not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ValueError(f"dtype: got {dtype}, expected a floating-point dtype")
    if _is_readable(sigma) and not bool((sigma > 0).all()):
        raise ValueError("sigma: got a value that is zero, negative or NaN, expected widths in (0, ∞]")
    return _morlet_encoding.morlet_encoding(positions, omega, sigma, center, dtype=dtype)


def _check_positions(name: str, value: object) -> None:
    """A real tensor of any shape, integer or floating point."""
    if not isinstance(value, Tensor):
        raise ValueError(f"{name}: got {type(value).__name__}, expected a torch.Tensor")
    if value.dtype == torch.bool or value.dtype.is_complex:
        raise ValueError(f"{name}: got dtype {value.dtype}, expected integers or real floating-point numbers")
    if value.device.type in WITHOUT_FLOAT64:
        raise ValueError(f"{name}: got device {value.device}, which has no float64; expected a device with float64")


def _check_parameters(parameters: dict[str, Tensor], positions: Tensor) -> None:
    """Floating-point tensors of one shape (n,), on the device of the positions."""
    first, length = next(iter(parameters)), None
    for name, value in parameters.items():
        if not isinstance(value, Tensor):
            raise ValueError(f"{name}: got {type(value).__name__}, expected a torch.Tensor")
        if not value.dtype.is_floating_point:
            raise ValueError(f"{name}: got dtype {value.dtype}, expected a floating-point dtype")
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
