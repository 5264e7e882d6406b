"""How far the envelope reaches: two values, and a bound for every distance from 17 on and every width up to 4.505."""
from __future__ import annotations

import sympy as sp
from sympy import S, exp

from ...derivation import Chain, chain
from ...logic import Assume, Conjunction, Rearrange, Suppose, Using, conjunction, instance
from ...rules import Bound, Decide, Given, Known, Monotone, Numbers
from ...statement import LessEqual
from ...symbols import sigma
from ...vocabulary.numerals import Distance
from .shorthand import Form

_a = sp.Symbol("a", nonnegative=True)
"""|b|."""
_x = sp.Symbol("x", real=True)


def reach(statement: Form) -> Conjunction:
    """The members of the claim."""
    near, far, beyond = statement.body
    return conjunction(_figure(near), _figure(far), _beyond(beyond))


def _figure(statement: LessEqual) -> Chain:
    """The modulus is the Gaussian alone, a number."""
    shown: sp.Expr = statement.lhs
    value, numeral = shown.args
    (packet,) = value.args
    position, _, width = packet.args
    gaussian = Distance(exp(-(position**2) / (2 * width**2)), numeral)
    return chain(shown, (Decide(), gaussian), (Numbers(), statement.rhs), relation=LessEqual)


def _beyond(statement: Form) -> Suppose:
    """b²/σ² ≥ 17²/4.505², as b²c² − 17²σ² = (|b| − 17)(|b| + 17)c² + 17²(c − σ)(c + σ)."""
    far, narrow = statement.hypothesis.body
    start, widest = far.lhs, narrow.rhs
    steepest = -(start**2) / (2 * widest**2)
    exponent = chain(
        -(_a**2) / (2 * sigma**2),
        (
            Bound(
                Given((_a + start) / (2 * sigma**2), _a - start),
                Given(start**2 * (widest + sigma) / (2 * sigma**2 * widest**2), widest - sigma),
            ),
            steepest,
        ),
        relation=LessEqual,
    )
    gaussian = chain(exp(-(_a**2) / (2 * sigma**2)), (Monotone(exponent, _x, exp(_x)), exp(steepest)), relation=LessEqual)
    below = Using(
        instance(gaussian, {_a: far.rhs}),
        Rearrange(LessEqual(S.Zero, far.rhs - start), Assume(far)),
        Rearrange(LessEqual(S.Zero, widest - sigma), Assume(narrow)),
    )
    ends: Form = below.statement
    modulus, threshold = statement.conclusion.lhs, statement.conclusion.rhs
    return Suppose(
        statement,
        chain(
            modulus,
            (Decide(), ends.lhs),
            (Known(below), ends.rhs),
            (Numbers(), threshold),
            relation=type(statement.conclusion),
        ),
    )


