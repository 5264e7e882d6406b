"""Axioms on square-integrable functions on the line: inner products, moments, the Fourier transform, the weak derivative."""
from __future__ import annotations

import sympy as sp
from sympy import Abs, I, Integral, S, conjugate, exp, oo, pi, re

from ..statement import And, Equal, Exists, ForAll, Implies, Less, LessEqual
from ..symbols import T, b, center, nu, xi
from ..vocabulary.functions import Functions, Partial, Unknown
from ..vocabulary.spectra import Fourier, finite_energy, squared
from .axiom import Axiom

SQUARE_INTEGRABLE = Functions(S.Reals, S.Complexes, "L^{2}")
SMOOTH = Functions(S.Reals, S.Reals, "C^{1}")

wave, slope = Unknown("phi", SQUARE_INTEGRABLE), Unknown("chi", SQUARE_INTEGRABLE)
"""A wave function, and its derivative."""
first, second = Unknown("f", SQUARE_INTEGRABLE), Unknown("g", SQUARE_INTEGRABLE)
multiple = sp.Symbol("lambda", real=True)

ENERGY = Axiom(
    "what it is to be square-integrable",
    Less(finite_energy(squared(wave(b)), b), oo),
    "W. Rudin, Real and Complex Analysis (3rd edition, 1987), Definition 3.6",
)

_together = finite_energy(squared(second(b) + multiple * first(b)), b)

INNER_PRODUCT = Axiom(
    "the square of a sum in L²",
    And(
        Less(_together, oo),
        LessEqual(S.Zero, _together),
        Equal(
            _together,
            finite_energy(squared(second(b)), b)
            + 2 * multiple * re(Integral(conjugate(first(b)) * second(b), (b, -oo, oo)))
            + multiple**2 * finite_energy(squared(first(b)), b),
        ),
    ),
    "W. Rudin, Real and Complex Analysis (3rd edition, 1987), 4.1 and Example 4.5 (b)",
)

weight = Unknown("w", Functions(S.Reals, sp.Interval(0, oo)))
_mass = finite_energy(weight(b), b)
_about = finite_energy((b - center) ** 2 * weight(b), b)

MOMENTS = Axiom(
    "moments of a weight whose second one is finite",
    Implies(
        And(Less(_mass, oo), Less(finite_energy(b**2 * weight(b), b), oo)),
        And(
            Exists(center, S.Reals, Equal(finite_energy(b * weight(b), b), center * _mass)),
            ForAll(center, S.Reals, And(Less(_about, oo), LessEqual(S.Zero, _about))),
        ),
    ),
    "W. Rudin, Real and Complex Analysis (3rd edition, 1987), Theorem 1.32, as 2|b| ≤ 1 + b² and (b − c)² ≤ 2b² + 2c²",
)

_confined = Less(finite_energy(b**2 * squared(wave(b)), b), oo)
_spectrum = squared(Fourier(wave, xi))

PLANCHEREL = Axiom(
    "Plancherel's theorem",
    Implies(
        _confined,
        And(
            Less(finite_energy(_spectrum, xi), oo),
            Equal(finite_energy(_spectrum, xi), 2 * pi * finite_energy(squared(wave(b)), b)),
        ),
    ),
    "W. Rudin, Real and Complex Analysis (3rd edition, 1987), Theorem 9.13; φ is integrable, as 2|φ| ≤ (1 + b²)|φ|² + 1/(1 + b²)",
)

test = Unknown("u", SMOOTH)
_vanishes_outside = Exists(
    T, sp.Interval.open(0, oo), ForAll(b, S.Reals, Implies(LessEqual(T, Abs(b)), Equal(test(b), S.Zero)))
)
WEAK_DERIVATIVE = ForAll(
    test,
    SMOOTH,
    Implies(
        _vanishes_outside,
        Equal(Integral(test(b) * slope(b), (b, -oo, oo)), -Integral(Partial(test, S.One, b) * wave(b), (b, -oo, oo))),
    ),
)
"""χ is the weak derivative of φ: ∫uχ = −∫u′φ for every u of class C¹ that vanishes outside a bounded range."""

carried = slope(b) - I * nu * wave(b)
"""χ − iνφ: e^{iνb} times the derivative of e^{−iνb}φ."""

SOBOLEV = Axiom(
    "the derivative, and the transform of the derivative",
    Implies(
        And(_confined, Less(finite_energy(xi**2 * _spectrum, xi), oo)),
        Exists(
            slope,
            SQUARE_INTEGRABLE,
            And(
                WEAK_DERIVATIVE,
                ForAll(
                    nu,
                    S.Reals,
                    And(
                        Less(finite_energy(squared(carried), b), oo),
                        Equal(2 * pi * finite_energy(squared(carried), b), finite_energy((xi - nu) ** 2 * _spectrum, xi)),
                    ),
                ),
            ),
        ),
    ),
    "E. H. Lieb and M. Loss, Analysis (2nd edition, 2001), Theorem 7.9: the derivative has the transform iξφ̂",
)

BY_PARTS = Axiom(
    "integration by parts over the line",
    Implies(
        And(WEAK_DERIVATIVE, _confined),
        Equal(
            re(Integral(conjugate((b - center) * wave(b)) * carried, (b, -oo, oo))), -finite_energy(squared(wave(b)), b) / 2
        ),
    ),
    "H. Brezis, Functional Analysis, Sobolev Spaces and Partial Differential Equations (2011), Corollaries 8.9 and 8.10: "
    "(b − c)|φ|² and its derivative |φ|² + 2(b − c) Re φ̄χ are integrable",
)

growth, angle = Unknown("G", SMOOTH), Unknown("H", SMOOTH)
constant = sp.Symbol("kappa", complex=True)
_residual = finite_energy(squared(slope(b) - (Partial(growth, S.One, b) + I * Partial(angle, S.One, b)) * wave(b)), b)

FIRST_ORDER = Axiom(
    "linear differential equations of first order",
    Implies(
        And(WEAK_DERIVATIVE, Less(_residual, oo), Equal(_residual, S.Zero)),
        Exists(
            constant,
            S.Complexes,
            Equal(finite_energy(squared(wave(b) - constant * exp(growth(b) + I * angle(b))), b), S.Zero),
        ),
    ),
    "H. Brezis, Functional Analysis, Sobolev Spaces and Partial Differential Equations (2011), Lemma 8.1, for φe^{−G−iH}",
)
