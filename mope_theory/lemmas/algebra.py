"""Axioms of algebra."""
from __future__ import annotations

import sympy as sp
from sympy import I, S, Sum, exp

from ..statement import And, Equal, Exists, ForAll, Implies, Less, Not
from ..symbols import N, channel, dimension, j, k, omega, xi, zeta
from ..vocabulary.functions import MATRICES, SEQUENCES, Functions, Indices, Unknown
from ..vocabulary.sequences import distinct, nonzero
from .axiom import Axiom

number = sp.Symbol("z", complex=True, zero=False)

POLAR = Axiom(
    "polar form",
    Exists(zeta, sp.Interval.open(0, sp.oo), Exists(omega, S.Reals, Equal(number, zeta * exp(I * omega)))),
    "W. Rudin, Principles of Mathematical Analysis (3rd edition, 1976), Theorem 8.7 (d), for z/|z|",
)

amplitude = Unknown("a", Functions(SEQUENCES, S.Complexes))
frequency = Unknown("x", Functions(SEQUENCES, S.Reals))

INDEPENDENT = Axiom(
    "different characters are linearly independent",
    Implies(
        And(distinct(frequency), nonzero(amplitude)),
        Exists(xi, S.Reals, Not(Equal(Sum(amplitude(j) * exp(I * xi * frequency(j)), (j, 0, N - 1)), S.Zero))),
    ),
    "S. Lang, Algebra (3rd edition, 2002), VI, Theorem 4.1 (Artin), for the characters ξ ↦ e^{iξx} of the real numbers",
)

matrix = Unknown("M", Functions(MATRICES, S.Complexes))

UNDERDETERMINED = Axiom(
    "fewer equations than unknowns have a solution that is not zero",
    Implies(
        Less(dimension, N),
        Exists(
            amplitude,
            amplitude.space,
            And(
                nonzero(amplitude),
                ForAll(channel, Indices(dimension), Equal(Sum(matrix(k, channel) * amplitude(k), (k, 0, N - 1)), S.Zero)),
            ),
        ),
    ),
    "S. Axler, Linear Algebra Done Right (3rd edition, 2015), 3.24",
)
