"""The relative kernel is positive definite: the members of the claim."""
from __future__ import annotations

import sympy as sp
from sympy import I, Rational, S, Sum, exp

from ...derivation import Chain, chain, directly
from ...lemmas.jacobi import nome
from ...lemmas.theta_minimum import LEAST_ABOVE
from ...logic import Conjunction, Suppose, conjunction, instance
from ...rules import Bound, Decide, Known, Numbers, Part
from ...statement import LessEqual
from ...symbols import N, j, omega, sigma
from ...vocabulary.functions import Unknown
from .eigenvalue_floor import Floor
from .quadratic_forms import MORLET, REAL_PART, QuadraticForm, squared_modulus
from .shorthand import Form

_MIXTURES = (MORLET, REAL_PART)


def positive_definite(statement: Form, vector: Unknown, positions: Unknown, tokens: Unknown) -> Conjunction:
    """Conjugate symmetry; strict at distinct positions; semidefinite with repeats, and at σ = ∞; the floor on the integers."""
    symmetric, strict, _, _, flat, flat_real, above_floor, floor, figure = statement.body
    anywhere = [QuadraticForm(mixture, vector, positions) for mixture in _MIXTURES]
    on_integers = [Floor(QuadraticForm(mixture, vector, tokens)) for mixture in _MIXTURES]
    wide = instance(LEAST_ABOVE, {nome: 1 / (4 * sigma**2)})
    return conjunction(
        directly(symmetric, Decide()),
        Suppose(strict, conjunction(*(each.positive for each in anywhere))),
        *(each.nonnegative for each in anywhere),
        _without_envelope(flat, vector, positions, omega),
        _without_envelope(flat_real, vector, positions, omega, -omega),
        Suppose(above_floor, conjunction(*(each.exceeded for each in on_integers))),
        chain(floor.lhs, (Known(wide), floor.rhs), relation=LessEqual),
        chain(figure.lhs, (Numbers(), figure.rhs), relation=LessEqual),
    )


def _without_envelope(statement: Form, vector: Unknown, positions: Unknown, *frequencies: sp.Expr) -> Chain:
    """The form of the carrier is |Σ a_j e^{iωx_j}|², that of the cosine the mean of two such."""
    waves = (Sum(vector(j) * exp(I * frequency * positions(j)), (j, 0, N - 1)) for frequency in frequencies)
    squares = [squared_modulus(wave) for wave in waves]
    share = Rational(1, len(squares))
    mean = share * sp.Add(*squares)
    return chain(
        S.Zero,
        (Bound(*(Part(share, None, square) for square in squares)), mean),
        (Decide(), statement.rhs),
        relation=LessEqual,
    )
