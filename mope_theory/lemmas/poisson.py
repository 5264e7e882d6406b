"""The axiom on sums over the integers: Poisson summation, of a Gaussian."""
from __future__ import annotations

import sympy as sp
from sympy import I, Sum, exp, oo, pi, sqrt

from ..statement import Equal
from ..symbols import j, k
from .axiom import Axiom

decay = sp.Symbol("a", positive=True)
shift, turn = sp.symbols("x y", real=True)
"""Of a Gaussian comb: how fast it decays, how far it is shifted, how much its phase turns from one term to the next."""

POISSON = Axiom(
    "Poisson summation of a Gaussian",
    Equal(
        Sum(exp(-decay * (j + shift) ** 2 + I * turn * (j + shift)), (j, -oo, oo)),
        sqrt(pi / decay) * Sum(exp(-((turn - 2 * pi * k) ** 2) / (4 * decay) + 2 * pi * I * k * shift), (k, -oo, oo)),
    ),
    "E. M. Stein and G. Weiss, Introduction to Fourier Analysis on Euclidean Spaces (1971), VII, Corollary 2.6",
)
