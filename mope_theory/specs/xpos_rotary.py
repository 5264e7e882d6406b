r"""The rotary encoding with an exponential scale, xPos: each pair of channels is turned by ωb and multiplied by e^{κb}.

Queries take κ = ln ζ and keys κ = −ln ζ, so that a score of two of them is multiplied by ζ^{m−n}: of all encodings of a token
by itself only these and RoPE give a kernel of the distance alone (claim ``kernel.rank-one``).

First-order accuracy, beyond that of a rotation (:mod:`.rotation`): κb is off by u|κb|, so that e^{κb} is off by (|κb| + 2)u of
itself; the product by u. Together below e^{κb}(|x₀| + |x₁|)(|θ| + |κb| + 6)u.

Nothing is cut off: where e^{κb} underflows, value and gradients are exact zeros, multiples of it by finite numbers. Where it
overflows, from κb = 709.7 on, the true value is no float64 either unless |x| is small: the result is not finite.
"""
from __future__ import annotations

import sympy as sp

from ..spec import Input, KernelSpec, NumericalForm
from ..symbols import b, carrier, omega
from .rotation import FREQUENCIES, OUTPUT, PAIRS, POSITIONS, theta, times, turned

rate = sp.Symbol("kappa", real=True)
"""Growth per token."""
growth = sp.Symbol("w", real=True)

SPEC = KernelSpec(
    name="xpos_rotary",
    title="xPos rotary encoding, each pair of channels turned and multiplied by an exponential of the position",
    claim="kernel.rank-one",
    inputs=(
        PAIRS,
        POSITIONS,
        FREQUENCIES,
        Input("rate", rate, "h n", sp.Interval(-(2**10), 2**10), "growth per token, ln zeta for queries and -ln zeta for keys",
              kind="parameter"),
    ),
    channels=times(carrier(b, omega) * sp.exp(rate * b)),
    output=OUTPUT,
    numerical=NumericalForm(bindings={theta: omega * b, growth: rate * b}, channels=turned(sp.exp(growth))),
    accuracy="exp(rate*b) * (|x_0| + |x_1|) * (|omega*b| + |rate*b| + 6) * 2**-53, without |omega*b| if that product is exact "
    "(float32 omega, |positions| <= 2**24)",
)  # fmt: skip
