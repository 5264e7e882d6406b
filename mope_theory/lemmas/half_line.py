"""Axioms on integrals near 0 and over the half line: a mixture of Gaussians that is a Laplacian, and ∫ dx/x = ∞."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, Integral, exp, oo, pi, sqrt

from ..statement import Equal, ForAll, Implies, Less, LessEqual, Not
from ..symbols import v, xi
from ..vocabulary.functions import Functions, Unknown
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

integrand = Unknown("F", Functions(sp.S.Reals, sp.S.Complexes))
least = sp.Symbol("c", positive=True)
_near_zero = sp.Symbol("x", positive=True)

HARMONIC = Axiom(
    "what lies above c/x between 0 and 1 is not integrable",
    Implies(
        ForAll(_near_zero, sp.Interval.open(0, 1), LessEqual(least / _near_zero, integrand(_near_zero))),
        Not(Less(Integral(integrand(xi), (xi, -oo, oo)), oo)),
    ),
    "W. Rudin, Real and Complex Analysis (3rd edition, 1987), Theorem 1.26; ∫ dx/x over [ε, 1] is ln(1/ε)",
)
