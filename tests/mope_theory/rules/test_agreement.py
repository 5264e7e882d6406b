"""Values that agree, put for each other below sums: only where the arguments are shown to lie in the ranges."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import Abs, S, Sum

from mope_theory.derivation import chain
from mope_theory.logic import Assume, Suppose, proves
from mope_theory.rules import Agreement, BySign, Rule
from mope_theory.statement import Equal, ForAll, Implies, Less, LessEqual, Statement
from mope_theory.vocabulary.functions import MATRICES, SEQUENCES, Functions, Indices, Unknown

x = sp.Symbol("x", real=True)
i, k = sp.symbols("i k", integer=True, nonnegative=True)
free = sp.Symbol("m", integer=True)
j = sp.Symbol("j", integer=True, nonnegative=True)
f, g = (Unknown(name, Functions(MATRICES, S.Reals)) for name in "fg")
h = Unknown("h", Functions(SEQUENCES, S.Reals))
width = sp.Symbol("D", integer=True, positive=True)

UP_TO_J = ForAll(k, Indices(j + 1), ForAll(i, Indices(width), Equal(f(k, i), g(k, i))))


def follows(left: sp.Expr, right: sp.Expr, rule: Rule, given: Statement) -> bool:
    step = chain(left, (rule, right))
    return bool(proves(Suppose(Implies(given, step.statement), step)))


def agrees(term: sp.Expr, given: Statement = UP_TO_J) -> bool:
    return follows(term, term.xreplace({f: g}), Agreement(Assume(given)), given)


def over(term: sp.Expr, last: sp.Expr) -> sp.Expr:
    return Sum(term, (i, 0, width - 1), (k, 0, last))


@pytest.mark.parametrize(
    "term",
    [over(f(k, i) ** 2, j), Sum(f(j, i), (i, 0, width - 1)), over(f(k, i) * Sum(f(free, i), (free, 0, k)), j), f(0, 0)],
    ids=["all of them", "the last", "a prefix of a prefix", "the first"],
)
def test_it_holds(term: sp.Expr) -> None:
    assert agrees(term)


@pytest.mark.parametrize(
    "term",
    [
        over(f(k, i), j + 1), f(j + 1, 0), f(free, 0), over(f(k, i + 1), j), over(f(k - 1, i), j), f(0, width),
        Sum(f(k, 0), (k, 0, sp.oo)), sp.Integral(x * f(0, 0), (x, 0, 1)), f(x, 0),
        Sum(Sum(f(k, 0), (k, 0, j + 1)), (k, 0, j)), f(0, i),
    ],
    ids=["one too many", "the next", "any", "a column off", "a row before", "the column after", "without end", "an integral",
         "no index", "a name bound twice", "any column"],
)  # fmt: skip
def test_it_does_not_hold(term: sp.Expr) -> None:
    assert not agrees(term)


def test_what_is_no_agreement() -> None:
    for given in (
        ForAll(k, S.Naturals0, Equal(f(k, 0), g(k, 0))),
        ForAll(k, Indices(j + 1), ForAll(i, Indices(width), Equal(f(k, i), g(i, k)))),
        ForAll(k, Indices(j + 1), ForAll(i, Indices(k), Equal(f(k, i), g(k, i)))),
        ForAll(k, Indices(j + 1), ForAll(i, Indices(width), LessEqual(f(k, i), g(k, i)))),
        ForAll(k, Indices(j + 1), Equal(f(k, 0), h(k))),
    ):
        assert not agrees(over(f(k, i), j), given)
    assert not follows(f(0, 0), 2 * g(0, 0), Agreement(Assume(UP_TO_J)), UP_TO_J)


def test_by_the_sign() -> None:
    below, above = Less(x, S.Zero), Less(S.Zero, x)
    assert follows(Abs(x), x, BySign(Assume(above)), above)
    assert follows(Abs(x), -x, BySign(Assume(below)), below)
    assert follows(sp.sign(x), S.NegativeOne, BySign(Assume(below)), below)
    assert not follows(Abs(x), x, BySign(Assume(below)), below)
    assert not follows(sp.sign(x), S.One, BySign(Assume(LessEqual(S.Zero, x))), LessEqual(S.Zero, x))
    assert not follows(Abs(x), x, BySign(Assume(Less(S.One, x))), Less(S.One, x))
