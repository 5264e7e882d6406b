r"""The Gaussian bias −d²/4σ², one width σ for each head, which is added to the scores of attention.

It is the logarithm of the envelope of the relative kernel: the weights before they are normalised are multiplied by K(d) at
ω = 0, while the Morlet kernel multiplies the scores. σ = ∞ gives 0. From σ = 2⁻²⁵⁶ up nothing overflows in float64; where the
value is beyond the range of the dtype of the result it is −∞ there, which a softmax takes for a mask.

Accuracy, with u = 2⁻⁵³: z = d/σ is off by u|z|, z²/4 by 3u of itself; then one rounding to the dtype of the result.
"""
from __future__ import annotations

import sympy as sp

from ..spec import Input, KernelSpec, NumericalForm
from ..symbols import d, sigma
from .ranges import REACH

z = sp.Symbol("z", real=True)
WIDTHS = sp.Union(sp.Interval(sp.Rational(1, 2**256), sp.oo), sp.FiniteSet(sp.oo))
"""[2⁻²⁵⁶, ∞]: (2⁵³/σ)²/σ, the largest quantity of the gradient, stays below 2⁸⁷⁴."""

SPEC = KernelSpec(
    name="gaussian_bias",
    title="Gaussian bias, the logarithm of the envelope of the relative kernel, one width for each head",
    claim="limit.alibi",
    inputs=(
        Input("distance", d, "*b q k", REACH, "distances in tokens, integer or float, |d| <= 2**53", kind="number"),
        Input("sigma", sigma, "h", WIDTHS, "widths in tokens, in [2**-256, inf]"),
    ),
    channels=(-(d**2) / (4 * sigma**2),),
    output="*b h q k",
    numerical=NumericalForm(bindings={z: d / sigma}, channels=(-(z**2) / 4,)),
    accuracy="3 * d**2/(4*sigma**2) * 2**-53",
)
