r"""The linear bias −m|d| of ALiBi, one slope m for each head, which is added to the scores of attention.

It multiplies the weights before they are normalised by e^{−m|d|}. At d = 0 the modulus has no derivative; the gradient there is
defined as 0, the middle of −m … m.

Accuracy: |d| is exact, the product is rounded once, by at most u|md| with u = 2⁻⁵³ (0 if it is exact); then one rounding to the
dtype of the result.
"""
from __future__ import annotations

import sympy as sp
from sympy import Abs

from ..spec import Input, KernelSpec
from ..symbols import d
from .ranges import REACH

slope = sp.Symbol("m_h", real=True)
"""Slope per token of a head; the formula asks for no sign."""

SPEC = KernelSpec(
    name="alibi_bias",
    title="Linear bias of ALiBi, one slope for each head",
    claim="limit.alibi",
    inputs=(
        Input("distance", d, "*b q k", REACH, "distances in tokens, integer or float, |d| <= 2**53", kind="number"),
        Input("slope", slope, "h", sp.Interval(-(2**128), 2**128), "slopes per token, |slope| <= 2**128"),
    ),
    channels=(-slope * Abs(d),),
    output="*b h q k",
    accuracy="|slope*d| * 2**-53, 0 if the product is exact (float32 slope, |distance| <= 2**24)",
)
