r"""The rotary kernels and their gradients in extended precision (64 bits), with bounds for what a kernel may be off by.

Setting. A pair (x₀, x₁) becomes (r₀, r₁)·e with r = (x₀ + i·x₁)e^{iθ}, θ = ωb, and e = 1, e^{−z²/2} with z = b/σ, or e^{κb}.
With an incoming gradient (p, q), S = e(q r₀ − p r₁) and R = e(p r₀ + q r₁):

    ∂x₀ = e(p cos θ + q sin θ)   ∂x₁ = e(q cos θ − p sin θ)   ∂ω = Σ bS   ∂σ = Σ (z²/σ)R   ∂κ = Σ bR
    ∂b = Σ ωS − (z/σ)R, or Σ ωS + κR

Bounds, u the unit of the format in which data are multiplied (2⁻²⁴, or 2⁻⁵³ for float64 data), v = 2⁻⁵³, A = |x₀| + |x₁|,
P = |p| + |q|:

1. Coefficients are formed in float64: cos θ is off by |θ|v + 2v, e by (1.5z² + |κb| + 3)v of itself. As 1.5z²e^{−z²/2} < 2, and
   what is multiplied by more is bounded by itself, this is below (|θ| + 1.5z² + |κb| + 8)v of the magnitudes below.
2. A value: u from the rounding of a cosine, u each from the product and the sum, u from the rounding of e and from the product
   with it, or from the rounding to the format at the end: **5uAe**. ∂x likewise, **5uPe**.
3. S and R: 3u for r, u for the product with p or q, u for the sum, u for the rounding of e, u for the product: **7uAPe**, times
   |b|, |ω|, … in float64, which adds 6v; a sum of N terms adds Nv.
4. What underflows in float32 is off by 2⁻¹⁴⁹ at each of at most eight places, times what it is multiplied by.
5. The last rounding, to the dtype of the result: half a unit in the last place; one whole unit for bfloat16 in Triton's
   interpreter, which cuts off, and makes 0 of what is below 2⁻¹²⁶.
Products of two of these are below 2⁻²⁰ of them.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .harness import DEVICE

WIDE = np.longdouble
V = 2.0**-53
SECOND_ORDER = 1 + 2.0**-20
UNIT = {torch.float64: 2.0**-53, torch.float32: 2.0**-24, torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8}
SMALLEST = {torch.float64: 2.0**-1074, torch.float32: 2.0**-149, torch.float16: 2.0**-24, torch.bfloat16: 2.0**-133}


def exact(x: Tensor) -> np.ndarray:
    """The values of a tensor, exactly."""
    values = x.detach().cpu()
    return values.numpy().astype(WIDE) if not values.is_floating_point() else values.double().numpy().astype(WIDE)


def work_unit(*dtypes: torch.dtype) -> float:
    """The unit of the format in which data of these dtypes are multiplied."""
    return UNIT[torch.float64 if torch.float64 in dtypes else torch.float32]


@dataclass
class Result:
    """True values, and how far those computed may be from them before the last rounding."""

    true: np.ndarray
    error: np.ndarray

    def summed(self, magnitudes: np.ndarray, axes: tuple[int, ...]) -> Result:
        """The sum over some axes, in float64."""
        count = int(np.prod([self.true.shape[axis] for axis in axes]))
        error = self.error.sum(axes) + count * V * magnitudes.sum(axes)
        return Result(self.true.sum(axes), error)

    def check(self, found: Tensor) -> None:
        """Every element within its bound, the last rounding included."""
        dtype = found.dtype
        cuts = dtype == torch.bfloat16 and DEVICE == "cpu"
        assert tuple(found.shape) == self.true.shape
        allowed = self.error * SECOND_ORDER
        smallest = 2.0**-126 if cuts else SMALLEST[dtype] / 2
        allowed = allowed + (1 + cuts) * UNIT[dtype] * (abs(self.true) + allowed) + smallest
        assert not np.isnan(exact(found)).any()
        excess = abs(exact(found) - self.true) - allowed
        assert (excess <= 0).all(), f"{excess.max()} beyond the bound"


def pairs(x: Tensor, layout: str) -> tuple[np.ndarray, np.ndarray]:
    """Both channels of all pairs."""
    values = exact(x)
    half = values.shape[-1] // 2
    return (values[..., :half], values[..., half:]) if layout == "half" else (values[..., 0::2], values[..., 1::2])


def joined(first: np.ndarray, second: np.ndarray, layout: str) -> np.ndarray:
    """Channels as they lie in a tensor."""
    if layout == "half":
        return np.concatenate((first, second), -1)
    return np.stack((first, second), -1).reshape(*first.shape[:-1], -1)


def rotation(name: str, x: Tensor, incoming: Tensor, parameters: list[Tensor], layout: str) -> dict[str, Result]:
    """Value and gradients of a rotary kernel for x (B, H, T, 2n), positions (B, T), parameters (H, n) each."""
    x_0, x_1 = pairs(x, layout)
    p, q = pairs(incoming, layout)
    b = exact(parameters[0])[:, None, :, None]
    omega, *rest = (exact(value)[None, :, None, :] for value in parameters[1:])
    b, omega = np.broadcast_arrays(b, omega)
    theta = omega * b
    z = rate = np.zeros_like(theta)
    if name == "morlet_rotary":
        beyond = abs(b / rest[0]) > 56
        inner = np.where(beyond, WIDE(1), rest[0])
        z = np.where(beyond, WIDE(0), b / inner)
        e = np.where(beyond, WIDE(0), np.exp(-z * z / 2))
        stretch, along = z * z / inner, -z / inner
    else:
        rate = rest[0] * b if rest else rate
        e = np.exp(rate)
        stretch, along = b, (rest[0] + np.zeros_like(b)) if rest else rate
    c, s = np.cos(theta), np.sin(theta)
    r_0, r_1 = x_0 * c - x_1 * s, x_0 * s + x_1 * c
    turned, kept = e * (q * r_0 - p * r_1), e * (p * r_0 + q * r_1)
    data, given = abs(x_0) + abs(x_1), abs(p) + abs(q)
    u, tiny = work_unit(x.dtype, incoming.dtype), 8 * 2.0**-149
    inside = (abs(theta) + 1.5 * z * z + abs(rate) + 8) * V

    def result(true: np.ndarray, size: np.ndarray, count: int, factor: np.ndarray | float = 1.0) -> Result:
        return Result(true, abs(factor) * (size * (count * u + inside + 6 * V) + tiny * (1 + data) * (1 + given)))

    def gradient(true: np.ndarray, factors: np.ndarray, axes: tuple[int, ...]) -> Result:
        size = data * given * e
        one = result(true, size, 7, factors)
        return one.summed(abs(factors) * size, axes)

    value = [result(e * r, data * e, 5) for r in (r_0, r_1)]
    d_x = [result(e * (p * c + q * s), given * e, 5), result(e * (q * c - p * s), given * e, 5)]
    found = {
        name: Result(joined(one.true, two.true, layout), joined(one.error, two.error, layout))
        for name, (one, two) in {"out": value, "x": d_x}.items()
    }
    found["positions"] = gradient(omega * turned + along * kept, abs(omega) + abs(along), (1, 3))
    found["omega"] = gradient(b * turned, b + np.zeros_like(turned), (0, 2))
    if rest:
        found["parameter"] = gradient(stretch * kept, stretch + np.zeros_like(kept), (0, 2))
    return found
