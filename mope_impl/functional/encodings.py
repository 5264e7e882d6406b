"""Encodings: positions to vectors."""
from __future__ import annotations

import torch
from torch import Tensor

from .backend import kernel
from .validation import check_dtype, check_parameters, check_positions, check_positive


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
    check_positions("positions", positions)
    parameters = {"omega": omega, "sigma": sigma}
    if center is not None:
        parameters["center"] = center
    check_parameters(parameters, positions)
    if dtype is not None:
        check_dtype("dtype", dtype)
    check_positive("sigma", sigma, "widths in (0, ∞]")
    return kernel("morlet_encoding", positions)(positions, omega, sigma, center, dtype=dtype)


def sinusoidal_encoding(positions: Tensor, omega: Tensor, *, dtype: torch.dtype | None = None) -> Tensor:
    r"""Sines and cosines of the positions in alternating channels.

    .. math:: y_{2i} = \sin(\omega_i b), \qquad y_{2i+1} = \cos(\omega_i b)

    It is the Morlet encoding at σ = ∞ with the two channels of each pair exchanged, bit for bit.

    Args:
        positions: b in tokens, any shape, integers or floats, \|b\| ≤ 2^53; a jagged nested tensor gives one.
        omega: frequencies in radians per token, (n,), float64, float32, bfloat16 or float16, \|ω\| ≤ 8192.
        dtype: dtype of the result, one of the four; by default that of omega.

    Returns:
        ``(*positions.shape, 2n)``, formed in float64 whatever the input dtypes and the autocast state, and rounded once.

    Raises:
        ValueError: for a wrong type, dtype, layout, shape or device.

    Source: the sinusoidal encoding of the Transformer; claim ``limit.sinusoidal``.
    """
    check_positions("positions", positions)
    check_parameters({"omega": omega}, positions)
    if dtype is not None:
        check_dtype("dtype", dtype)
    return kernel("sinusoidal_encoding", positions)(positions, omega, dtype=dtype)
