"""Certificates from facts, and equations from two inequalities: what does not follow is refused."""
from __future__ import annotations

import sympy as sp
from sympy import S

from mope_theory.derivation import Derivation
from mope_theory.lemmas.gaps import below, both_ways, gap, with_equals
from mope_theory.logic import Assume, check, proves
from mope_theory.statement import Equal, Less, LessEqual

x, y, z = sp.symbols("x y z", real=True)
ORDER = Assume(LessEqual(x, y))
STRICT = Assume(Less(y, z))


def holds_given(derivation: Derivation, *facts: Derivation) -> bool:
    return bool(proves(derivation, frozenset(fact.statement for fact in facts)))


def test_a_sum_of_facts() -> None:
    assert holds_given(below(x, z, (S.One, gap(ORDER)), (S.One, gap(STRICT)), strict=True), ORDER, STRICT)
    assert not check(below(x, z, (S.One, gap(ORDER)), strict=True))
    assert not check(below(x, y, (S.One, gap(ORDER)), strict=True))  # the fact is not strict
    assert not check(below(y, x, (S.NegativeOne, gap(ORDER))))


def test_two_inequalities_make_an_equation() -> None:
    back = Assume(LessEqual(y, x))
    assert holds_given(both_ways(ORDER, back), ORDER, back)
    assert both_ways(ORDER, back).statement == Equal(x, y)
    assert not check(both_ways(ORDER, ORDER))
    assert not check(both_ways(ORDER, Assume(LessEqual(z, x))))


def test_equals_for_equals() -> None:
    same = Assume(Equal(y, 2 * z))
    changed = with_equals(ORDER, same)
    assert changed.statement == LessEqual(x, 2 * z)
    assert holds_given(changed, ORDER, same)
    assert not holds_given(changed, ORDER)
