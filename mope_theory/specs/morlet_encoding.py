r"""The Morlet positional encoding: channels 2i and 2i + 1 are Re ψ(b) and Im ψ(b) with the parameters of pair i.

First-order accuracy, with u = 2⁻⁵³ and every primitive within one unit in the last place (at most u, as no value exceeds 1):
θ = ωb is off by u|θ| (0 if the product is exact, as it is for ω and b of 24 bits), so a carrier is off by u|θ| + u;
z = (b − b₀)/σ by 2u|z|, z²/2 by 5u of itself, the envelope by 5u sup(y e^{−y}) + u = (5/e + 1)u; the product by u/2. Together
below (|θ| + 5)u; then one rounding to the dtype of the result.
"""
from __future__ import annotations

import sympy as sp
from sympy import cos, exp, im, re, sin

from ..spec import POSITIVE_OR_INFINITE, Guard, Input, KernelSpec, NumericalForm
from ..symbols import b, center, omega, psi, sigma
from .ranges import REACH, TURN

packet = psi(b, omega, sigma, center)
theta, z = sp.symbols("theta z", real=True)

SPEC = KernelSpec(
    name="morlet_encoding",
    title="Morlet positional encoding, real and imaginary parts of a wave packet in alternating channels",
    claim="kernel.product",
    also=("learning.gradients", "alias.nyquist"),  # its gradients are proved; ω and ω + 2π each lie within the bound
    inputs=(
        Input("positions", b, "*t", REACH, "positions in tokens, integer or float, |b| <= 2**53", kind="number"),
        Input("omega", omega, "n", TURN, "carrier frequencies in radians per token, |omega| <= 8192"),
        Input("sigma", sigma, "n", POSITIVE_OR_INFINITE, "widths of the envelope in tokens, in (0, inf]"),
        Input("center", center, "n", REACH, "centres of the envelope in tokens, |b_0| <= 2**53", default=0),
    ),
    channels=(re(packet), im(packet)),
    output="*t (n c)",
    numerical=NumericalForm(
        bindings={theta: omega * b, z: (b - center) / sigma},
        channels=(cos(theta) * exp(-(z**2) / 2), sin(theta) * exp(-(z**2) / 2)),
        guard=Guard(z, 40),
    ),
    accuracy="(|omega*b| + 5) * 2**-53, without |omega*b| if the product is exact (float32 omega, |positions| <= 2**24)",
)
