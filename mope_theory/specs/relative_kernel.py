r"""The relative Morlet kernel of a distance: real and imaginary part of K(d) = e^{iωd} e^{−d²/4σ²}, each by itself.

First-order accuracy, with u = 2⁻⁵³ and every primitive within one unit in the last place (at most u, as no value exceeds 1):
θ = ωd is off by u|θ| (0 if the product is exact), so a carrier is off by u|θ| + u; z = d/σ by u|z|, z²/4 by 3u of itself, the
envelope by 3u sup(y e^{−y}) + u = (3/e + 1)u; the product by u/2. Together below (|θ| + 4)u; then one rounding to the dtype
of the result.
"""
from __future__ import annotations

import sympy as sp
from sympy import cos, exp, im, re, sin

from ..spec import POSITIVE_OR_INFINITE, Guard, Input, KernelSpec, NumericalForm
from ..symbols import K, d, omega, sigma
from .ranges import REACH, TURN

kernel = K(d, omega, sigma)
theta, z = sp.symbols("theta z", real=True)

SPEC = KernelSpec(
    name="relative_kernel",
    title="Relative Morlet kernel, real and imaginary parts",
    claim="kernel.cross-correlation",
    inputs=(
        Input("distance", d, "*t", REACH, "distances in tokens, integer or float, |d| <= 2**53", kind="number"),
        Input("omega", omega, "n", TURN, "carrier frequencies in radians per token, |omega| <= 8192"),
        Input("sigma", sigma, "n", POSITIVE_OR_INFINITE, "widths of the envelope in tokens, in (0, inf]"),
    ),
    channels=(re(kernel), im(kernel)),
    output="*t n",
    numerical=NumericalForm(
        bindings={theta: omega * d, z: d / sigma},
        channels=(cos(theta) * exp(-(z**2) / 4), sin(theta) * exp(-(z**2) / 4)),
        guard=Guard(z, 64),
    ),
    accuracy="(|omega*d| + 4) * 2**-53, without |omega*d| if the product is exact (float32 omega, |distance| <= 2**24)",
)
