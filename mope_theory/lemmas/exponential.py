"""Lemmas on the real exponential function."""
from __future__ import annotations

import sympy as sp
from sympy import S, exp

from ..derivation import Derivation, directly
from ..logic import Assume, Cases, Contradiction, Order, Weaken
from ..rules import Monotone
from ..statement import Equal, Less, Not, Or

exponent = sp.Symbol("x", real=True)
_x = sp.Symbol("x'", real=True)


def _one_only_at_zero() -> Cases:
    below, same, above = Less(exponent, S.Zero), Equal(exponent, S.Zero), Less(S.Zero, exponent)
    is_one = Assume(Equal(exp(exponent), S.One))

    def excluded(side: Less) -> Derivation:
        """On either side of 0, e^x differs from e^0 = 1."""
        monotone = directly(Less(exp(side.lhs), exp(side.rhs)), Monotone(Assume(side), _x, exp(_x)))
        return Contradiction(same, is_one, Weaken(Not(is_one.statement), monotone))

    return Cases(same, Order(Or(below, same, above)), (excluded(below), Assume(same), excluded(above)))


EXP_IS_ONE = _one_only_at_zero()
"""e^x = 1 ⊢ x = 0 for real x."""
