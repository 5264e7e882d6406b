r"""Rotations by a table of factors, which queries and keys, heads and layers share.

A rotation multiplies each pair of channels by a complex number of its position, e^{iωb}, or e^{iωb} e^{−b²/2σ²} under an
envelope. There are T·n of those, and B·H·T·n pairs in each layer. So the factors are formed once, by the rotary kernels, as what
they make of the pair 1 + 0i: phase and envelope in float64, rounded once to float32, or kept in float64. What is left for each
pair is a complex product.

**Rounding.** With u = 2⁻²⁴ (2⁻⁵³ where x or the table is float64) a factor w is off by e + u|w|, and by 2⁻¹⁵⁰ where it is
subnormal; e, which the header of the kernel states, is some 2⁻⁵³(|ωb| + 6)|w|, and there is no second rounding in float64. Two
products and their sum are off by 2u. So a channel of x w is off by at most

.. math:: (|x_0| + |x_1|)\,|w|\,(3u + 2^{-53}(|\omega b| + 8)),

below 4·2⁻²⁴(|x₀| + |x₁|)|w| in float32 for \|ωb\| ≤ 2²⁸, and is rounded once more to the dtype of x where that is narrower.

The kernels here are those for torch on every device: a compiler fuses them. Without one, on a GPU, the functions of
:mod:`.rotations` do it in one pass.
"""
from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from . import of_torch
from .heads import widened
from .products import product
from .validation import check_dtype, check_float, check_plain, check_positions, check_positive, check_tensor, without_autocast

LAYOUTS = ("half", "interleaved")


def check_layout(layout: object) -> None:
    """ValueError for what is no layout."""
    if layout not in LAYOUTS:
        raise ValueError(f"layout: got {layout!r}, expected 'half' or 'interleaved'")


def rotary_table(
    positions: Tensor, omega: Tensor, sigma: Tensor | None = None, *, dtype: torch.dtype = torch.float32
) -> Tensor:
    r"""The factors that a rotary encoding multiplies pairs of channels by, for :func:`rotate`.

    .. math:: w = e^{i\omega b}\, e^{-b^2/2\sigma^2}

    Made once, it serves every layer, and the queries and keys of a forward pass: positions rarely change. Where ω or σ are
    learned it belongs to one forward pass.

    Args:
        positions: b in tokens, any shape, (T,) or (B, T) as a rule: integers or floats, \|b\| ≤ 2⁵³.
        omega: frequencies in radians per token, (n,) or (heads, n), \|ω\| ≤ 8192.
        sigma: widths of the envelope in tokens, of either shape, in (0, ∞]; None for ∞, which is no envelope.
        dtype: of the result: float32 or float64, for the phase of a narrower one is off by whole positions.

    Returns:
        ``(*positions.shape, 2n)``, or with heads ``(…, heads, T, 2n)``: the real parts, then the imaginary ones, rounded once
        from float64.

    Raises:
        ValueError: for a wrong type, shape or device, for a dtype that is narrower than float32, and for σ ≤ 0 or NaN where
            values may be read, as in :func:`mope_impl.functional.morlet_rotary`.

    Source: definition of the mother wavelet; claims ``phase.rope-angle``, ``limit.rope-score``.
    """
    if dtype not in (torch.float32, torch.float64):
        raise ValueError(f"dtype: got {dtype!r}, expected torch.float32 or torch.float64")
    check_positions("positions", positions)
    check_plain("positions", positions)
    parameters = {"omega": omega} if sigma is None else {"omega": omega, "sigma": sigma}
    _check_rows(parameters, positions)
    if sigma is not None:
        check_positive("sigma", sigma, "widths in (0, ∞]")
    kernel = of_torch.rotary if sigma is None else of_torch.morlet_rotary
    heads = any(value.dim() == 2 for value in parameters.values())
    places = positions if heads else positions.reshape(-1)
    table = factors(kernel, places, tuple(parameters.values()), dtype)
    return table if heads else table.reshape(*positions.shape, table.shape[-1])


def _check_rows(parameters: dict[str, Tensor], positions: Tensor) -> None:
    """ValueError unless each is (n,), or (heads, n) for positions with an axis, on their device."""
    rows: dict[int, str] = {}
    pairs = None
    for name, value in parameters.items():
        check_float(name, value, positions)
        if value.dim() not in (1, 2) or (value.dim() == 2 and positions.dim() == 0):
            raise ValueError(f"{name}: got shape {tuple(value.shape)}, expected (n,), or (heads, n) for positions (…, T)")
        pairs = value.shape[-1] if pairs is None else pairs
        if value.shape[-1] != pairs:
            raise ValueError(f"{name}: got {value.shape[-1]} pairs, expected {pairs} as omega has")
        if value.dim() == 2:
            rows.setdefault(value.shape[0], name)
    if len(rows) > 1:
        (first, of), (second, name) = rows.items()
        raise ValueError(f"{name}: got {second} heads, expected {first} as {of} has")


def factors(kernel: Callable[..., Tensor], positions: Tensor, parameters: tuple[Tensor, ...], dtype: torch.dtype) -> Tensor:
    """What a rotary kernel makes of the pair 1 + 0i: (*b, heads or 1, T, 2n), the real parts first."""
    like = parameters[0]
    one = torch.ones(like.shape[-1], dtype=dtype, device=like.device)
    return kernel(torch.cat((one, torch.zeros_like(one))), positions, *map(widened, parameters), layout="half", dtype=dtype)


def rotate(x: Tensor, table: Tensor, *, layout: str = "half") -> Tensor:
    r"""Multiply the pairs of channels of x by the factors of a table.

    .. math:: (x_0 + i x_1) \mapsto (x_0 + i x_1)\, w

    Args:
        x: (…, D), float64, float32, bfloat16 or float16.
        table: factors w of :func:`rotary_table`, broadcast against x: (…, 2n), 2n ≤ D. The other channels pass through.
        layout: of x: ``"half"`` or ``"interleaved"``, see :mod:`mope_impl.functional.rotations`. On a CPU, without a compiler,
            the latter is several times faster, for its pairs lie in memory as complex numbers do.

    Returns:
        Of the shape and dtype of x; products are formed in float32 or wider and rounded once more to that dtype. The
        gradient of the table is added up in that arithmetic, in the dtype of the table.

    Raises:
        ValueError: for a wrong type, dtype, layout or number of channels.

    Source: claim ``phase.rope-angle``.
    """
    check_layout(layout)
    for name, value in (("x", x), ("table", table)):
        check_tensor(name, value)
        check_dtype(name, value.dtype)
    width = table.shape[-1]
    if width % 2 or width > x.shape[-1]:
        raise ValueError(f"table: got {width} channels, expected an even number up to {x.shape[-1]} as x has")
    real, imaginary = table.chunk(2, -1)
    with without_autocast(x.device):
        turned = product(x[..., :width], real, imaginary, layout)
        return turned if width == x.shape[-1] else torch.cat((turned, x[..., width:]), -1)
