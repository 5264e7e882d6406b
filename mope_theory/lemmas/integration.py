"""Axioms on integrals over the real line."""
from __future__ import annotations

from sympy import Abs, I, Integral, Interval, S, Sum, exp, oo

from ..statement import And, Equal, Exists, ForAll, Implies, Less, LessEqual
from ..symbols import N, j, k, xi
from ..vocabulary.functions import MATRICES, Functions, Unknown
from .axiom import Axiom

coefficient = Unknown("c", Functions(MATRICES, S.Complexes))
turn = Unknown("d", Functions(MATRICES, S.Reals))
weight = Unknown("p", Functions(S.Reals, Interval(0, oo), "C^{1}"))
"""Coefficients and frequencies of a trigonometric sum, and a weight."""

_line = (xi, -oo, oo)
_indices = ((j, 0, N - 1), (k, 0, N - 1))
_wave = exp(I * xi * turn(j, k))
_sum = Sum(coefficient(j, k) * _wave, *_indices)

LINEAR = Axiom(
    "the integral is linear",
    Implies(
        Less(Integral(weight(xi), _line), oo),
        And(
            Less(Integral(Abs(_sum) * weight(xi), _line), oo),
            Equal(
                Sum(coefficient(j, k) * Integral(_wave * weight(xi), _line), *_indices),
                Integral(_sum * weight(xi), _line),
            ),
        ),
    ),
    "W. Rudin, Real and Complex Analysis (3rd edition, 1987), Theorem 1.32, for bounded multiples of an integrable weight",
)

integrand = Unknown("F", Functions(S.Reals, S.Reals, "C^{1}"))

POSITIVE = Axiom(
    "a continuous function that is nowhere negative and somewhere positive has a positive integral",
    Implies(
        And(ForAll(xi, S.Reals, LessEqual(S.Zero, integrand(xi))), Less(Integral(integrand(xi), _line), oo)),
        And(
            LessEqual(S.Zero, Integral(integrand(xi), _line)),
            Implies(
                Exists(xi, S.Reals, Less(S.Zero, integrand(xi))), Less(S.Zero, Integral(integrand(xi), _line))
            ),
        ),
    ),
    "W. Rudin, Real and Complex Analysis (3rd edition, 1987), Theorem 1.39 (a)",
)
