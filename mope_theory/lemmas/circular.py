"""Axioms on the cosine and its inverse, and on the size of whole numbers."""
from __future__ import annotations

import sympy as sp
from sympy import S, acos, cos, pi

from ..statement import Equal, Exists, Implies, LessEqual, Or
from ..symbols import k
from .axiom import Axiom

angle, other = sp.symbols("x y", real=True)

SAME_COSINE = Axiom(
    "angles of one cosine",
    Implies(
        Equal(cos(angle), cos(other)),
        Exists(k, S.Integers, Or(Equal(angle, other + 2 * pi * k), Equal(angle, -other + 2 * pi * k))),
    ),
    "NIST Digital Library of Mathematical Functions, 4.21.8 and 4.14.2: cos x − cos y = −2 sin ((x + y)/2) sin ((x − y)/2)",
)

PRINCIPAL_ANGLE = Axiom(
    "the arc cosine is at most π",
    LessEqual(acos(cos(angle)), pi),
    "NIST Digital Library of Mathematical Functions, 4.23.19 and 4.23(ii): principal values",
)

ARCHIMEDES = Axiom(
    "whole numbers have no bound",
    Exists(k, S.Naturals, LessEqual(angle, k)),
    "W. Rudin, Principles of Mathematical Analysis (3rd edition, 1976), Theorem 1.20 (a)",
)
