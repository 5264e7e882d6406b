"""Rules on sums of sums: each holds where it should, and each way of misusing it does not."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import Product, S, Sum

from mope_theory.derivation import chain
from mope_theory.judgement import Derivation
from mope_theory.logic import Assume, Suppose, proves
from mope_theory.rules import Combine, Decide, Exchanged, First, Last, Rule, Termwise
from mope_theory.statement import Equal, Implies, Less, LessEqual
from mope_theory.vocabulary.functions import MATRICES, SEQUENCES, Functions, Unknown

x = sp.Symbol("x", real=True)
i, j, k = sp.symbols("i j k", integer=True)
count, other = sp.symbols("N D", integer=True, positive=True)
u = Unknown("u", Functions(MATRICES, S.Complexes))
a = Unknown("a", Functions(SEQUENCES, S.Complexes))
last = count - 1


def step(left: sp.Expr, rule: Rule, right: sp.Expr, relation: type = Equal) -> Derivation:
    return chain(left, (rule, right), relation=relation)


def under(assumption: Derivation, derivation: Derivation) -> Derivation:
    return Suppose(Implies(assumption.statement, derivation.statement), derivation)


def double(term: sp.Expr, first: sp.Expr = last, second: sp.Expr = last) -> Sum:
    return Sum(term, (i, 0, first), (j, 0, second))


shifted = chain((i + j) ** 2, (Decide(), i**2 + 2 * i * j + j**2))
square = shifted.statement.rhs
rows = chain(Sum((i + j) ** 2, (i, 0, last)), (Termwise(shifted, i, S.Zero, last), Sum(square, (i, 0, last))))
none = Assume(Equal(x, S.Zero))
nothing = chain(a(k) * x, (Combine((a(k), none)), S.Zero))
not_above = Assume(LessEqual(x, S.Zero))
below = Assume(Less(x, S.Zero))


def placed(derivation: Derivation, end: sp.Expr = i) -> Derivation:
    """Where the range 1 … end is not empty."""
    return under(Assume(LessEqual(S.One, end)), derivation)


HOLD: dict[str, Derivation] = {
    "rows of rows, term by term": step(double((i + j) ** 2), Termwise(rows, j, S.Zero, last), double(square)),
    "a sum of zeros": under(none, step(Sum(a(k) * x, (k, 0, last)), Termwise(nothing, k, S.Zero, last), S.Zero)),
    "a sum of what is not above 0": under(
        not_above, step(Sum(x, (k, 0, last)), Termwise(not_above, k, S.Zero, last), S.Zero, LessEqual)),
    "the first term apart": placed(step(Sum(a(k), (k, 1, i)), First(Sum(a(k), (k, 1, i))), a(1) + Sum(a(k), (k, 2, i)))),
    "the last term apart": placed(step(Sum(a(k), (k, 1, i)), Last(Sum(a(k), (k, 1, i))), Sum(a(k), (k, 1, i - 1)) + a(i))),
    "the last factor apart, plainly there": step(
        Product(a(k), (k, 0, count)), Last(Product(a(k), (k, 0, count))), Product(a(k), (k, 0, last)) * a(count)),
    "the only factor": step(Product(a(k), (k, 1, 1)), Last(Product(a(k), (k, 1, 1))), a(1)),
    "the last row apart": step(
        Sum(u(i, j), (i, 0, last), (j, 0, count)), Last(Sum(u(i, j), (i, 0, last), (j, 0, count))),
        Sum(u(i, j), (i, 0, last), (j, 0, last)) + Sum(u(i, count), (i, 0, last))),
    "sums exchanged": step(double(u(i, j), last, other), Exchanged(), Sum(u(i, j), (j, 0, other), (i, 0, last))),
}

FALSE: dict[str, Derivation] = {
    "rows of rows over other columns": step(
        double((i + j) ** 2), Termwise(rows, j, S.Zero, last), double(square, second=count)),
    "rows of rows by their terms": step(double((i + j) ** 2), Termwise(shifted, j, S.Zero, last), double(square)),
    "a sum of zeros over another range": under(
        none, step(Sum(a(k) * x, (k, 0, count)), Termwise(nothing, k, S.Zero, last), S.Zero)),
    "a sum of zeros that are none": step(Sum(a(k), (k, 0, last)), Termwise(nothing, k, S.Zero, last), S.Zero),
    "an infinite sum of zeros, of nothing": step(S.Zero, Termwise(nothing, k, S.Zero, sp.oo), S.Zero),
    "a sum of what is below 0, which may be empty": under(
        below, step(Sum(x, (k, 1, last)), Termwise(below, k, S.One, last), S.Zero, Less)),
    "the last term of a sum that may be empty": step(
        Sum(a(k), (k, 1, i)), Last(Sum(a(k), (k, 1, i))), Sum(a(k), (k, 1, i - 1)) + a(i)),
    "the second one apart": placed(step(Sum(a(k), (k, 1, i)), First(Sum(a(k), (k, 1, i))), a(2) + Sum(a(k), (k, 2, i)))),
    "the first one twice": placed(step(Sum(a(k), (k, 1, i)), First(Sum(a(k), (k, 1, i))), a(1) + Sum(a(k), (k, 1, i)))),
    "the first one of nothing": step(Sum(a(k), (k, 1, i)), First(Sum(a(k), (k, 1, i))), a(1) + Sum(a(k), (k, 2, i))),
    "the last but one apart": placed(step(Sum(a(k), (k, 1, i)), Last(Sum(a(k), (k, 1, i))), Sum(a(k), (k, 1, i - 1)) + a(i - 1))),
    "the last term of an infinite sum": step(
        Sum(a(k), (k, 0, sp.oo)), Last(Sum(a(k), (k, 0, sp.oo))), Sum(a(k), (k, 0, sp.oo)) + a(0)),
    "the last term of a product": step(
        Product(a(k), (k, 0, count)), Last(Product(a(k), (k, 0, count))), Product(a(k), (k, 0, last)) + a(count)),
    "the last term of another sum": step(
        Sum(a(k), (k, 0, count)), Last(Sum(a(k), (k, 1, count))), Sum(a(k), (k, 1, last)) + a(count)),
    "the last of a range that ends between two": placed(
        step(Sum(a(k), (k, 1, x)), Last(Sum(a(k), (k, 1, x))), Sum(a(k), (k, 1, x - 1)) + a(x)), x),
    "sums over a triangle exchanged": step(
        Sum(u(i, j), (i, 0, j), (j, 0, last)), Exchanged(), Sum(u(i, j), (j, 0, last), (i, 0, j))),
    "sums over one index exchanged": step(
        Sum(i, (i, 0, last), (i, 0, other)), Exchanged(), Sum(i, (i, 0, other), (i, 0, last))),
    "infinite sums exchanged": step(
        Sum(u(i, j), (i, 0, sp.oo), (j, 0, sp.oo)), Exchanged(), Sum(u(i, j), (j, 0, sp.oo), (i, 0, sp.oo))),
    "sums exchanged with the ranges left": step(
        double(u(i, j), last, other), Exchanged(), Sum(u(i, j), (j, 0, last), (i, 0, other))),
    "a single sum exchanged": step(Sum(a(k), (k, 0, last)), Exchanged(), Sum(a(k), (k, 0, count))),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLD)
def test_it_holds(name: str) -> None:
    outcome = proves(HOLD[name])
    assert outcome, outcome.reason


@pytest.mark.parametrize("name", FALSE)
def test_it_does_not_hold(name: str) -> None:
    assert not proves(FALSE[name])
