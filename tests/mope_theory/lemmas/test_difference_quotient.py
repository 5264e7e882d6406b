"""How e^y − 1 compares with y: the lemmas hold, and what is stronger does not."""
from __future__ import annotations

from dataclasses import replace

import sympy as sp

from mope_theory.derivation import directly
from mope_theory.lemmas import SQUARED_EXCESS
from mope_theory.lemmas.difference_quotient import EXCESS_NEVER_ZERO, SQUARED_EXCESS_BELOW, exponent
from mope_theory.logic import Contradiction, proves
from mope_theory.rules import Bound, Part
from mope_theory.statement import Equal, LessEqual, Not


def test_they_hold() -> None:
    assert proves(SQUARED_EXCESS_BELOW)
    assert proves(EXCESS_NEVER_ZERO)


def test_too_few_derivatives_do_not_prove_it() -> None:
    assert not replace(SQUARED_EXCESS, order=3).proved()
    half = replace(SQUARED_EXCESS, expr=SQUARED_EXCESS.expr - SQUARED_EXCESS.x**2 / 4)
    assert not half.proved()


def test_the_case_of_a_negative_value_is_not_that_of_a_positive_one() -> None:
    """(e^y − 1)² ≤ (y²/2)(1 + e^{2y}) in one step, for a y of any sign."""
    statement = SQUARED_EXCESS_BELOW.statement
    assert isinstance(statement, LessEqual)
    assert not proves(directly(statement, Bound(Part(sp.S.One, SQUARED_EXCESS, exponent))))


def test_it_is_zero_at_zero() -> None:
    node = EXCESS_NEVER_ZERO
    assert isinstance(node, Contradiction)
    at_any = Not(Equal(sp.exp(exponent) - 1, sp.S.Zero))
    assert not proves(replace(node, statement=at_any))
