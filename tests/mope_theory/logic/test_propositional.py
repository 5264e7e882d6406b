"""Natural deduction, connectives: each node holds where it should, and each way of misusing it does not."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import S

from mope_theory.derivation import chain
from mope_theory.judgement import Derivation
from mope_theory.logic import (
    Alternative,
    Assume,
    Cases,
    Contradiction,
    Detach,
    NotBelow,
    Order,
    Select,
    Suppose,
    Using,
    Weaken,
    conjunction,
    proves,
)
from mope_theory.rules import Bound, Given, Known, Part, Strict
from mope_theory.statement import And, Equal, Implies, Less, LessEqual, Not, Or

x, y = sp.symbols("x y", real=True)
p = sp.Symbol("p", positive=True)
w = sp.Symbol("w", complex=True)

A, B = LessEqual(S.Zero, x), LessEqual(S.Zero, y)
grows = chain(S.Zero, (Bound(Given(S.One, x)), x), relation=LessEqual)  # 0 ≤ x, given 0 ≤ x
sum_of_both = chain(S.Zero, (Bound(Given(S.One, x), Given(S.One, y)), x + y), relation=LessEqual)
zero_below_p = chain(S.Zero, (Strict(Part(S.One, None, p)), p), relation=Less)
below_square = chain(S.Zero, (Bound(Part(S.One, None, x**2)), x**2), relation=LessEqual)
either = Order(Or(LessEqual(S.Zero, x), Less(x, S.Zero)))

HOLD: dict[str, Derivation] = {
    "an assumption, discharged": Suppose(Implies(A, LessEqual(S.Zero, x)), Assume(A)),
    "both members of a conjunction": Suppose(Implies(And(A, B), LessEqual(S.Zero, x + y)), sum_of_both),
    "modus ponens": Detach(
        LessEqual(S.Zero, 2 * p),
        Suppose(
            Implies(Less(S.Zero, p), LessEqual(S.Zero, 2 * p)),
            chain(S.Zero, (Bound(Given(S(2), p, strict=True)), 2 * p), relation=LessEqual),
        ),
        zero_below_p,
    ),
    "a cut": Using(chain(S.Zero, (Bound(Given(S.One, x**2)), x**2 + 0), relation=LessEqual), below_square),
    "a member": Select(below_square.statement, conjunction(below_square, zero_below_p)),
    "a member of a member": Select(
        below_square.statement, conjunction(zero_below_p, conjunction(below_square, zero_below_p))
    ),
    "an alternative": Alternative(Or(A, below_square.statement), below_square),
    "every number is one or the other": either,
    "three ways": Order(Or(Less(x, y), Equal(x, y), Less(y, x))),
    "a statement or its negation": Order(Or(Equal(w, x), Not(Equal(w, x)))),
    "by cases": Cases(
        LessEqual(S.Zero, x**2),
        either,
        (
            chain(S.Zero, (Bound(Part(S.One, None, x**2)), x**2), relation=LessEqual),
            chain(S.Zero, (Bound(Part(S.One, None, x**2)), x**2), relation=LessEqual),
        ),
    ),
    "by contradiction": Contradiction(
        Not(LessEqual(p, S.Zero)),
        Assume(LessEqual(p, S.Zero)),
        NotBelow(Not(LessEqual(p, S.Zero)), zero_below_p),
    ),
    "weaker": Weaken(LessEqual(S.Zero, p), zero_below_p),
    "different": Weaken(Not(Equal(p, S.Zero)), zero_below_p),
    "as derived": chain(S.Zero, (Known(zero_below_p), p), (Bound(Part(S.One, None, p)), 2 * p), relation=Less),
}

FALSE: dict[str, Derivation] = {
    "an assumption left open": Assume(A),
    "another assumption discharged": Suppose(Implies(B, A), Assume(A)),
    "an alternative discharged": Suppose(Implies(Or(A, B), LessEqual(S.Zero, x + y)), sum_of_both),
    "modus ponens backwards": Detach(
        LessEqual(S.Zero, x),
        Suppose(Implies(LessEqual(S.Zero, x), LessEqual(S.Zero, x**2)), below_square),
        below_square,
    ),
    "a cut by something else": Using(Assume(A), below_square),
    "a cut by what is itself assumed": Using(grows, Assume(A)),
    "a member of an alternative": Select(A, Assume(Or(A, B))),
    "not a member": Select(A, conjunction(below_square, zero_below_p)),
    "one of others": Alternative(Or(A, B), below_square),
    "an order with a case left out": Order(Or(Less(x, y), Less(y, x))),
    "an order of complex numbers": Order(Or(LessEqual(w, S.Zero), Less(S.Zero, w))),
    "neither": Order(Or(A, Not(B))),
    "a case too few": Cases(A, either, (Assume(A),)),
    "a case that is not met": Cases(A, either, (Assume(A), Assume(A))),
    "cases of nothing": Cases(A, Assume(A), ()),
    "no contradiction": Contradiction(Not(A), Assume(A), Assume(Not(B))),
    "a contradiction between assumptions": Contradiction(Equal(S.Zero, S.One), Assume(A), Assume(Not(A))),
    "stronger": Weaken(Not(Equal(p, S.One)), zero_below_p),
    "an equation of complex numbers as an order": Weaken(LessEqual(w, w + 0 * x), Assume(Equal(w, w))),
    "known the other way round": chain(p, (Known(zero_below_p), S.Zero), relation=Less),
    "strict without a positive part": chain(S.Zero, (Strict(Part(S.One, None, x**2)), x**2), relation=Less),
    "strict by a hypothesis that is not": Suppose(
        Implies(A, Less(S.Zero, x)), chain(S.Zero, (Strict(Given(S.One, x)), x), relation=Less)
    ),
    "strict by a factor that may vanish": Suppose(
        Implies(Less(S.Zero, y), Less(S.Zero, x**2 * y)),
        chain(S.Zero, (Strict(Given(x**2, y, strict=True)), x**2 * y), relation=Less),
    ),
}


@pytest.mark.parametrize("name", HOLD)
def test_it_holds(name: str) -> None:
    outcome = proves(HOLD[name])
    assert outcome, outcome.reason


@pytest.mark.parametrize("name", FALSE)
def test_it_does_not_hold(name: str) -> None:
    assert not proves(FALSE[name])
