"""Axioms on complex numbers."""
from __future__ import annotations

import sympy as sp
from sympy import I, S, exp

from ..statement import Equal, Exists
from ..symbols import omega, zeta
from .axiom import Axiom

number = sp.Symbol("z", complex=True, zero=False)

POLAR = Axiom(
    "polar form",
    Exists(zeta, sp.Interval.open(0, sp.oo), Exists(omega, S.Reals, Equal(number, zeta * exp(I * omega)))),
    "W. Rudin, Principles of Mathematical Analysis (3rd edition, 1976), Theorem 8.7 (d), for z/|z|",
)
