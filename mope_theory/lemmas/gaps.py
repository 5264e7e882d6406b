"""Inequalities by their gaps: 0 ≤ b − a for a ≤ b, and certificates whose parts are such facts."""
from __future__ import annotations

import sympy as sp
from sympy import S

from ..derivation import Derivation, chain
from ..logic import Assume, Cases, Contradiction, NotBelow, Order, Rearrange, Replace, Using
from ..logic.equality import replaced
from ..rules import Bound, Given, Strict
from ..statement import Equal, Less, LessEqual, Not, Or


def gap(order: Derivation) -> Rearrange:
    """0 ≤ b − a, from a ≤ b; 0 < b − a, from a < b."""
    known = _order(order)
    return Rearrange(type(known)(S.Zero, known.rhs - known.lhs), order)


def given(fact: Derivation, factor: sp.Expr = S.One) -> Given:
    """The part factor · e of a certificate, from 0 ≤ e or 0 < e."""
    known = _order(fact)
    return Given(factor, known.rhs, strict=type(known) is Less)


def below(left: sp.Expr, right: sp.Expr, *facts: tuple[sp.Expr, Derivation], strict: bool = False) -> Using:
    """left ≤ right, or left < right: the gap is a sum of factors times what the facts say is no less than 0."""
    parts = tuple(given(fact, factor) for factor, fact in facts)
    rule, relation = (Strict(*parts), Less) if strict else (Bound(*parts), LessEqual)
    return Using(chain(left, (rule, right), relation=relation), *(fact for _, fact in facts))


def with_equals(fact: Derivation, *equations: Derivation) -> Derivation:
    """A fact with equals put for equals."""
    for equation in equations:
        assert isinstance(equation.statement, Equal)
        fact = Replace(replaced(fact.statement, equation.statement), equation, fact)
    return fact


def both_ways(at_most: Derivation, at_least: Derivation) -> Cases:
    """a = b, from a ≤ b and b ≤ a."""
    known = _order(at_most)
    a, b = known.lhs, known.rhs
    same, less, more = Equal(a, b), Less(a, b), Less(b, a)

    def absurd(fact: Derivation, strict: Less) -> Contradiction:
        return Contradiction(same, fact, NotBelow(Not(fact.statement), Assume(strict)))

    return Cases(same, Order(Or(less, same, more)), (absurd(at_least, less), Assume(same), absurd(at_most, more)))


def _order(derivation: Derivation) -> Less | LessEqual:
    known = derivation.statement
    assert isinstance(known, (Less, LessEqual))
    return known
