r"""What the rotary kernels share: pairs of channels (x₀, x₁), read as x₀ + i·x₁ and multiplied by a factor of the position.

First-order accuracy of a plain rotation, with u = 2⁻⁵³ and every primitive within one unit in the last place (at most u, as no
value of a carrier exceeds 1): θ = ωb is off by u|θ| (0 if the product is exact, as it is for ω and b of 24 bits), so a carrier
is off by u|θ| + u; x₀cos θ and x₁sin θ are rounded by u each of themselves, and so is their sum or difference. Together at
most (|x₀| + |x₁|)(|θ| + 3)u; then one rounding to the dtype of the result.
"""
from __future__ import annotations

import sympy as sp
from sympy import cos, im, re, sin

from ..spec import Input
from ..symbols import b, omega
from .ranges import REACH, TURN

first, second = sp.symbols("x_0 x_1", real=True)
theta = sp.Symbol("theta", real=True)

FINITE = sp.Interval(-(2**1024), 2**1024)
"""Every finite float64."""

PAIRS = Input("x", (first, second), "*b h t [n c]", FINITE, "pairs of channels, to be turned")
POSITIONS = Input("positions", b, "*b t", REACH, "positions in tokens, integer or float, |b| <= 2**53", kind="number")
FREQUENCIES = Input("omega", omega, "h n", TURN, "frequencies in radians per token, |omega| <= 8192, (n,) for all heads",
                    kind="parameter")  # fmt: skip
OUTPUT = "*b h t [n c]"


def times(factor: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Real and imaginary part of a pair times a complex factor."""
    product = (first + sp.I * second) * factor
    return re(product), im(product)


def turned(stretch: sp.Expr = sp.S.One) -> tuple[sp.Expr, sp.Expr]:
    """A pair turned by θ and stretched, as it is computed."""
    return (
        (first * cos(theta) - second * sin(theta)) * stretch,
        (first * sin(theta) + second * cos(theta)) * stretch,
    )
