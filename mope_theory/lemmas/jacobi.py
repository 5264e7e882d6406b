"""Axioms on theta functions, on limits of sequences and on the cosine: what the minimum of a theta function rests on."""
from __future__ import annotations

import sympy as sp
from sympy import Product, S, Sum, cos, exp, oo, pi

from ..statement import And, ForAll, Implies, Less, LessEqual, TendsTo
from ..symbols import ell, j, k
from ..vocabulary.functions import Functions, Unknown
from .axiom import Axiom

nome = sp.Symbol("a", positive=True)
phase = sp.Symbol("x", real=True)
"""q = e^{−a} and the angle x."""


_odd = exp(-(2 * ell - 1) * nome)
_factor = (1 - exp(-2 * ell * nome)) * (1 + 2 * _odd * cos(phase) + _odd**2)


def factor(index: sp.Expr) -> sp.Expr:
    """(1 − q^{2l})(1 + 2q^{2l−1} cos x + q^{4l−2})."""
    return _factor.xreplace({ell: index})


def partial_product(upto: sp.Expr) -> Product:
    """The first factors of Jacobi's product."""
    return Product(_factor, (ell, 1, upto))


theta = Sum(exp(-nome * j**2) * cos(j * phase), (j, -oo, oo))
"""Σ_{j∈ℤ} q^{j²} cos jx."""

JACOBI = Axiom(
    "Jacobi's triple product",
    TendsTo(partial_product(k), k, theta, oo),
    "E. T. Whittaker and G. N. Watson, A Course of Modern Analysis (4th edition, 1927), 21.3 and 21.42",
)

lower, upper = (Unknown(name, Functions(S.Integers, S.Reals)) for name in ("s", "t"))
low, high, left, right = sp.symbols("y z l r", real=True)
"""Two sequences, factors of theirs, and their limits."""

ORDER_OF_LIMITS = Axiom(
    "limits keep an order",
    Implies(
        And(
            TendsTo(lower(k), k, left, oo),
            TendsTo(upper(k), k, right, oo),
            ForAll(k, S.Naturals, LessEqual(low * lower(k), high * upper(k))),
        ),
        LessEqual(low * left, high * right),
    ),
    "W. Rudin, Principles of Mathematical Analysis (3rd edition, 1976), Theorems 3.3 and 3.19",
)

COSINE = Axiom(
    "the cosine is positive up to a quarter turn",
    Implies(And(Less(-pi / 2, phase), Less(phase, pi / 2)), Less(S.Zero, cos(phase))),
    "W. Rudin, Principles of Mathematical Analysis (3rd edition, 1976), 8.7: π/2 is the first zero of the cosine",
)
