"""The axiom on an integral over the half line that mixes Gaussians into a Laplacian."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, Integral, exp, oo, pi, sqrt

from ..statement import Equal
from ..symbols import v
from .axiom import Axiom

rate = sp.Symbol("a", positive=True)
offset = sp.Symbol("b", real=True)
weight = sp.Symbol("c", real=True)

GAUSSIANS_MIXED = Axiom(
    "a mixture of Gaussians over their variances",
    Equal(
        Integral(weight * exp(-(rate**2) * v - offset**2 / v) / sqrt(v), (v, 0, oo)),
        weight * sqrt(pi) / rate * exp(-2 * rate * Abs(offset)),
    ),
    "G. Boros and V. Moll, Irresistible Integrals (2004), Example 8.4.1, with the square of the variable for v",
)
