"""The axiom on the tail of a normal distribution."""
from __future__ import annotations

import sympy as sp
from sympy import Integral, erfc, oo, sqrt

from ..statement import Equal
from ..symbols import sigma, t
from ..vocabulary.spectra import normal_density
from .axiom import Axiom

mean, start = sp.symbols("m a", real=True)

NORMAL_TAIL = Axiom(
    "the tail of a normal distribution",
    Equal(
        Integral(normal_density(t, mean, sigma**2), (t, start, oo)), erfc((start - mean) / (sqrt(2) * sigma)) / 2
    ),
    "NIST Digital Library of Mathematical Functions, 7.2.2, with the variable (t − m)/(√2 σ)",
)
