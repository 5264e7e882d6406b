"""Functions of the distance between a query and a key: the relative kernel, and biases that are added to scores."""
from __future__ import annotations

import torch
from torch import Tensor

from .backend import kernel
from .validation import check_dtype, check_float, check_parameters, check_plain, check_positions, check_positive

WIDTHS = "widths in (0, ∞]"


def relative_kernel(
    distance: Tensor, omega: Tensor, sigma: Tensor, *, dtype: torch.dtype | None = None
) -> tuple[Tensor, Tensor]:
    r"""Real and imaginary part of the relative Morlet kernel.

    .. math:: K(d) = e^{i\omega d}\, e^{-d^2 / 4\sigma^2}

    It is the cross-correlation of a Morlet wave packet with itself, over its value at 0.

    Args:
        distance: d in tokens, any shape, integers or floats, \|d\| ≤ 2^53.
        omega: carrier frequencies in radians per token, (n,), float64, float32, bfloat16 or float16, \|ω\| ≤ 8192.
        sigma: widths in tokens, (n,), in (0, ∞]; ∞ gives the exact limit e^{iωd}.
        dtype: dtype of the results, one of the four; by default the promoted dtype of omega and sigma.

    Returns:
        Two tensors ``(*distance.shape, n)``. Both are formed in float64 and rounded once.

    Raises:
        ValueError: as ``morlet_encoding`` does.

    Source: claim ``kernel.cross-correlation``.
    """
    check_positions("distance", distance)
    check_parameters({"omega": omega, "sigma": sigma}, distance, "distance is")
    if dtype is not None:
        check_dtype("dtype", dtype)
    check_positive("sigma", sigma, WIDTHS)
    return kernel("relative_kernel", distance)(distance, omega, sigma, dtype=dtype)


def alibi_bias(distance: Tensor, slope: Tensor, *, dtype: torch.dtype | None = None) -> Tensor:
    r"""The linear bias of ALiBi, −slope · \|distance\|, to be added to the scores of attention.

    Args:
        distance: d in tokens, any shape, (T, T) or (B, T, T) as a rule, integers or floats, \|d\| ≤ 2^53.
        slope: slopes per token, of either sign: (H,), one for each head, or a single one, ().
        dtype: dtype of the result, float64, float32, bfloat16 or float16; by default that of slope.

    Returns:
        For one slope ``distance.shape``; for H of them ``(*batch, H, T, T)``, the heads before the last two axes of the
        distances. Rounded once from float64. The gradient by the distance is 0 where the distance is 0.

    Raises:
        ValueError: for a wrong type, dtype, layout, shape or device.

    Source: the paper of ALiBi; claim ``limit.alibi``.
    """
    return _per_head("alibi_bias", distance, "slope", slope, dtype)


def gaussian_bias(distance: Tensor, sigma: Tensor, *, dtype: torch.dtype | None = None) -> Tensor:
    r"""The Gaussian bias −distance² / 4σ², to be added to the scores of attention.

    It is the logarithm of the envelope of the relative kernel. Added to the scores it multiplies the weights, before they are
    normalised, by K(d) at ω = 0; the Morlet kernel multiplies the scores instead.

    Args:
        distance: d in tokens, any shape, (T, T) or (B, T, T) as a rule, integers or floats, \|d\| ≤ 2^53.
        sigma: widths in tokens, in [2^−256, ∞]: (H,), one for each head, or a single one, (); ∞ gives the bias 0.
        dtype: dtype of the result, float64, float32, bfloat16 or float16; by default that of sigma.

    Returns:
        For one width ``distance.shape``; for H of them ``(*batch, H, T, T)``, the heads before the last two axes of the
        distances. Rounded once from float64; −∞ where that is beyond the range of the dtype, as in a mask.

    Raises:
        ValueError: for a wrong type, dtype, layout, shape or device; for σ ≤ 0 or NaN where values may be read, as in
            ``morlet_encoding``. Elsewhere such a σ gives NaN for its head.

    Source: claim ``limit.alibi``, where ω tends to 0.
    """
    return _per_head("gaussian_bias", distance, "sigma", sigma, dtype, positive=True)


def _per_head(
    bias: str,
    distance: Tensor,
    name: str,
    parameter: Tensor,
    dtype: torch.dtype | None,
    positive: bool = False,
) -> Tensor:
    """A kernel of distances "*b q k" and a parameter "h", for distances of any shape and for a single parameter too."""
    check_positions("distance", distance)
    check_plain("distance", distance)
    check_float(name, parameter, distance, "distance is")
    check_plain(name, parameter)
    if parameter.dim() > 1:
        raise ValueError(f"{name}: got shape {tuple(parameter.shape)}, expected () or (H,)")
    if dtype is not None:
        check_dtype("dtype", dtype)
    if positive:
        check_positive(name, parameter, WIDTHS)
    lead = (1,) * max(0, 2 - distance.dim())
    result = kernel(bias, distance)(distance.reshape((*lead, *distance.shape)), parameter.reshape(-1), dtype=dtype)
    return result.reshape((*distance.shape[:-2], *parameter.shape, *distance.shape[-2:]))
