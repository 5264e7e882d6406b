"""Axioms on integrals over the real line and over parts of it."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, I, Integral, Interval, S, Sum, conjugate, exp, oo, pi

from ..statement import And, Equal, Exists, ForAll, Implies, Less, LessEqual
from ..symbols import N, j, k, xi
from ..vocabulary.functions import MATRICES, SEQUENCES, Functions, Partial, Unknown
from ..vocabulary.sequences import distinct
from .algebra import amplitude
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

center = sp.Symbol("c", real=True)
periodic = Unknown("G", Functions(S.Reals, Interval(0, oo), "C^{1}"))
_turn_around = (xi, center - pi, center + pi)
_folded = Sum(weight(xi + 2 * pi * k), (k, -oo, oo))

FOLDED = Axiom(
    "an integral against a periodic function is one over a turn",
    Implies(
        And(
            ForAll(xi, S.Reals, Equal(periodic(xi + 2 * pi), periodic(xi))),
            Less(Integral(periodic(xi) * weight(xi), _line), oo),
        ),
        And(
            Less(Integral(periodic(xi) * _folded, _turn_around), oo),
            Equal(Integral(periodic(xi) * weight(xi), _line), Integral(periodic(xi) * _folded, _turn_around)),
        ),
    ),
    "W. Rudin, Real and Complex Analysis (3rd edition, 1987), Theorem 1.27, over the turns that make up the line",
)

whole = Unknown("z", Functions(SEQUENCES, S.Integers))
_wave_of_a_turn = Sum(amplitude(j) * exp(I * xi * whole(j)), (j, 0, N - 1))
_energy = Integral(_wave_of_a_turn * conjugate(_wave_of_a_turn), _turn_around)

PARSEVAL = Axiom(
    "Parseval's equation",
    Implies(
        distinct(whole),
        And(Less(_energy, oo), Equal(_energy, 2 * pi * Sum(Abs(amplitude(j)) ** 2, (j, 0, N - 1)))),
    ),
    "W. Rudin, Principles of Mathematical Analysis (3rd edition, 1976), 8.9 to 8.11, over any turn",
)

primitive, low, high = (Unknown(name, Functions(S.Reals, S.Reals, "C^{1}")) for name in ("F", "f", "g"))
start, end = sp.symbols("a b", real=True)
_between = (xi, start, end)

FUNDAMENTAL = Axiom(
    "the fundamental theorem of calculus",
    Equal(Integral(Partial(primitive, S.One, xi), _between), primitive(end) - primitive(start)),
    "W. Rudin, Principles of Mathematical Analysis (3rd edition, 1976), Theorem 6.21",
)

COMPARISON = Axiom(
    "integrals keep an order",
    Implies(
        And(LessEqual(start, end), ForAll(xi, S.Reals, LessEqual(low(xi), high(xi)))),
        LessEqual(Integral(low(xi), _between), Integral(high(xi), _between)),
    ),
    "W. Rudin, Principles of Mathematical Analysis (3rd edition, 1976), Theorem 6.12 (b)",
)

radius = sp.Symbol("r", positive=True)
_around = (xi, center - radius, center + radius)

SYMMETRIC = Axiom(
    "the mean of a symmetric weight is its centre",
    Implies(
        ForAll(xi, S.Reals, Equal(low(2 * center - xi), low(xi))),
        Equal(Integral(xi * low(xi), _around), center * Integral(low(xi), _around)),
    ),
    "W. Rudin, Principles of Mathematical Analysis (3rd edition, 1976), Theorem 6.19, with 2c − ξ for ξ",
)

mass = Unknown("h", Functions(S.Reals, Interval(0, oo)))
level = Unknown("w", Functions(S.Reals, S.Reals))
floor = sp.Symbol("u", real=True)

MEAN = Axiom(
    "a mean exceeds what every value exceeds",
    Implies(
        And(
            Less(Integral(mass(xi), _between), oo),
            Less(Integral(mass(xi) * level(xi), _between), oo),
            Less(S.Zero, Integral(mass(xi), _between)),
            ForAll(xi, Interval.open(start, end), Less(floor, level(xi))),
        ),
        Less(floor * Integral(mass(xi), _between), Integral(mass(xi) * level(xi), _between)),
    ),
    "W. Rudin, Real and Complex Analysis (3rd edition, 1987), Theorem 1.39 (a), for h (w − u)",
)
