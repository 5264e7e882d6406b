"""Bounds of quotients and multiples: from the order of products, and from no other."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import S

from mope_theory.judgement import Derivation
from mope_theory.lemmas.quotients import at_least, at_most, times
from mope_theory.logic import Assume, proves
from mope_theory.statement import Less, LessEqual

n, q, x, y = sp.symbols("n q x y", real=True)
d = sp.Symbol("d", positive=True)
free = sp.Symbol("w", real=True)

HOLD: dict[str, tuple[Derivation, LessEqual]] = {
    "at most": (at_most(n, d, q, Assume(LessEqual(n, q * d))), LessEqual(n / d, q)),
    "at least": (at_least(n, d, q, Assume(LessEqual(q * d, n))), LessEqual(q, n / d)),
    "times": (times(S(3), Assume(LessEqual(x, y))), LessEqual(3 * x, 3 * y)),
    "a denominator that a fact makes positive": (
        at_most(n, free, q, Assume(LessEqual(n, q * free)), Assume(Less(S.Zero, free))), LessEqual(n / free, q)
    ),
}  # fmt: skip
FALSE: dict[str, Derivation] = {
    "the other order": at_most(n, d, q, Assume(LessEqual(q * d, n))),
    "a denominator of any sign": at_most(n, free, q, Assume(LessEqual(n, q * free))),
    "times something negative": times(S(-3), Assume(LessEqual(x, y))),
}


@pytest.mark.parametrize("name", HOLD)
def test_it_holds(name: str) -> None:
    derivation, statement = HOLD[name]
    assert derivation.statement == statement
    assert proves(derivation, derivation.assumptions)


@pytest.mark.parametrize("name", FALSE)
def test_it_does_not_hold(name: str) -> None:
    assert not proves(FALSE[name], FALSE[name].assumptions)
