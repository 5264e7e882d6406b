r"""A pair of channels times a factor that is given: what is left of a rotary encoding once all factors are formed.

The factors come from the rotary kernels (:mod:`.rotation`), in float64 and rounded once; there are T·n of them, and B·H·T·n
pairs. So the arithmetic is that of the inputs, float32 at least: nothing here grows with the position.

First-order accuracy, with u the unit of that arithmetic: two products are off by u each of themselves, their sum by u of itself.
Together at most 2u(|x₀| + |x₁|) max(|u₀|, |u₁|), with u₀ and u₁ the two parts of the factor; then one rounding to the dtype of
the result.
"""
from __future__ import annotations

import sympy as sp

from ..spec import Input, KernelSpec
from .rotation import FINITE, first, second, times

real, imaginary = sp.symbols("u_0 u_1", real=True)

SPEC = KernelSpec(
    name="turn",
    title="Pairs of channels times complex factors",
    claim="phase.rope-angle",
    inputs=(
        Input("x", (first, second), "*b [n c]", FINITE, "pairs of channels, to be turned"),
        Input("real", real, "*b n", FINITE, "real parts of the factors", kind="parameter"),
        Input("imaginary", imaginary, "*b n", FINITE, "imaginary parts of the factors", kind="parameter"),
    ),
    channels=times(real + sp.I * imaginary),
    output="*b [n c]",
    accuracy="2 * (|x_0| + |x_1|) * max(|u_0|, |u_1|) * 2**-24, and 2**-53 in the place of 2**-24 where an input is float64",
    arithmetic="inputs",
)
