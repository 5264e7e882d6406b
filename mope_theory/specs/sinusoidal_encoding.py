r"""The sinusoidal encoding: channels 2i and 2i + 1 are sin(ωb) and cos(ωb) with the frequency of pair i.

First-order accuracy, with u = 2⁻⁵³ and sine and cosine within one unit in the last place (at most u, as no value exceeds 1):
θ = ωb is off by u|θ| (0 if the product is exact), so a channel is off by at most (|θ| + 1)u; then one rounding to the dtype
of the result.
"""
from __future__ import annotations

import sympy as sp
from sympy import cos, im, re, sin

from ..spec import Input, KernelSpec, NumericalForm
from ..symbols import b, carrier, omega
from .ranges import REACH, TURN

wave = carrier(b, omega)
theta = sp.Symbol("theta", real=True)

SPEC = KernelSpec(
    name="sinusoidal_encoding",
    title="Sinusoidal positional encoding, sines and cosines in alternating channels",
    claim="limit.sinusoidal",
    inputs=(
        Input("positions", b, "*t", REACH, "positions in tokens, integer or float, |b| <= 2**53", kind="number"),
        Input("omega", omega, "n", TURN, "frequencies in radians per token, |omega| <= 8192"),
    ),
    channels=(im(wave), re(wave)),
    output="*t (n c)",
    numerical=NumericalForm(bindings={theta: omega * b}, channels=(sin(theta), cos(theta))),
    accuracy="(|omega*b| + 1) * 2**-53, without |omega*b| if the product is exact (float32 omega, |positions| <= 2**24)",
)
