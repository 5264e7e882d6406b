r"""The Morlet rotary encoding: each pair of channels is multiplied by ψ(b), turned by ωb and damped by e^{−b²/2σ²}.

A score of two of them follows the product kernel: it sees the distance in its phase and both positions in its size. σ = ∞ is
the rotary encoding exactly.

First-order accuracy, beyond that of a rotation (:mod:`.rotation`): z = b/σ is off by u|z|, z²/2 by 3u of itself, the envelope
by 3u sup(y e^{−y}) + u = (3/e + 1)u; the product by u. Together below (|x₀| + |x₁|)(|θ| + 7)u, and 2⁻¹⁰⁷⁴(|x₀| + |x₁|) where the
envelope is subnormal.

The guard lies beyond |z| = 38.7, where the envelope underflows by itself: as |x| ≤ 2¹⁰²⁴, |b| ≤ 2⁵³ and |ω| ≤ 2¹³, only from
|z| = 56 on is every summand of a gradient below 2⁻¹⁰⁷⁴.
"""
from __future__ import annotations

import sympy as sp

from ..spec import POSITIVE_OR_INFINITE, Guard, Input, KernelSpec, NumericalForm
from ..symbols import b, omega, psi, sigma
from .rotation import FREQUENCIES, OUTPUT, PAIRS, POSITIONS, theta, times, turned

z = sp.Symbol("z", real=True)

SPEC = KernelSpec(
    name="morlet_rotary",
    title="Morlet rotary encoding, each pair of channels turned and damped by a wave packet",
    claim="limit.rope-score",
    inputs=(
        PAIRS,
        POSITIONS,
        FREQUENCIES,
        Input("sigma", sigma, "h n", POSITIVE_OR_INFINITE, "widths of the envelope in tokens, in (0, inf], (n,) for all heads",
              kind="parameter"),
    ),
    channels=times(psi(b, omega, sigma)),
    output=OUTPUT,
    numerical=NumericalForm(
        bindings={theta: omega * b, z: b / sigma},
        channels=turned(sp.exp(-(z**2) / 2)),
        guard=Guard(z, 56),
    ),
    accuracy="(|x_0| + |x_1|) * (|omega*b| + 7) * 2**-53, without |omega*b| if the product is exact (float32 omega, |positions| "
    "<= 2**24)",
)  # fmt: skip
