"""Rules over infinite sums: they hold where the sums plainly converge, and nowhere else."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import S, Sum, exp, oo

from mope_theory.derivation import chain
from mope_theory.judgement import Derivation
from mope_theory.logic import proves
from mope_theory.rules import Bound, Given, Part, Reindexed, Rule, Strict, Termwise
from mope_theory.statement import Equal, Less, LessEqual

a = sp.Symbol("a", positive=True)
k = sp.Symbol("k", integer=True)
i = sp.Symbol("i", integer=True, nonnegative=True)
N = sp.Symbol("N", integer=True, positive=True)
Relations = type[Equal] | type[LessEqual] | type[Less]


def series(term: sp.Expr, first: sp.Expr = S.One, last: sp.Expr = oo, index: sp.Symbol = k) -> sp.Expr:
    return Sum(term, (index, first, last))


def step(left: sp.Expr, rule: Rule, right: sp.Expr, relation: Relations = LessEqual) -> Derivation:
    return chain(left, (rule, right), relation=relation)


bell = exp(-a * k**2)
larger = step(bell, Bound(Part(S.One, None, bell)), 2 * bell)
strictly = step(bell, Strict(Part(S.One, None, bell)), 2 * bell, Less)
onwards = step(k * bell, Bound(Given(k * bell, k - 1)), k**2 * bell)
above_one = step(S.One, Bound(Part(S.One, None, S.One)), S(2))
growing = step(exp(a * k), Bound(Part(S.One, None, exp(a * k))), 2 * exp(a * k))

HOLD: dict[str, Derivation] = {
    "term by term over ℕ": step(series(bell), Termwise(larger, k, S.One, oo), series(2 * bell)),
    "term by term over ℤ": step(series(bell, -oo), Termwise(larger, k, -oo, oo), series(2 * bell, -oo)),
    "from the next term on": step(series(bell), Reindexed(S.One), series(bell.subs(k, k + 1), S.Zero), Equal),
    "a finite sum from the next term on": step(
        series(bell, last=N), Reindexed(S.One), series(bell.subs(k, k + 1), S.Zero, N - 1), Equal),
    "backwards": step(series(bell), Reindexed(S(-2)), series(bell.subs(k, k - 2), S(3)), Equal),
}  # fmt: skip

FALSE: dict[str, Derivation] = {
    "term by term, growing": step(series(exp(a * k)), Termwise(growing, k, S.One, oo), series(2 * exp(a * k))),
    "term by term, constant": step(series(S.One), Termwise(above_one, k, S.One, oo), series(S(2))),
    "term by term over another range": step(series(bell), Termwise(larger, k, S.One, oo), series(2 * bell, S.Zero)),
    "term by term, a finite range for an infinite one": step(
        series(bell), Termwise(larger, k, S.One, N), series(2 * bell, last=N)),
    "term by term, with a factor of unknown sign": step(
        series(k * bell, -oo), Termwise(onwards, k, -oo, oo), series(k**2 * bell, -oo)),
    "term by term, strictly": step(
        series(bell), Termwise(strictly, k, S.One, oo), series(2 * bell), Less),
    "term by term, an index that is never negative, over ℤ": step(
        series(exp(-a * i**2), -oo, index=i),
        Termwise(step(exp(-a * i**2), Bound(Part(S.One, None, i * exp(-a * i**2))), (1 + i) * exp(-a * i**2)), i, -oo, oo),
        series((1 + i) * exp(-a * i**2), -oo, index=i)),
    "another index, with the first left out": step(series(bell), Reindexed(S.One), series(bell.subs(k, k + 1)), Equal),
    "another index, the summand left": step(series(bell), Reindexed(S.One), series(bell, S.Zero), Equal),
    "another index by a half": step(series(bell), Reindexed(S.Half), series(bell.subs(k, k + S.Half), S.Half), Equal),
    "another index of a sum that need not converge": step(
        series(exp(a * k)), Reindexed(S.One), series(exp(a * (k + 1)), S.Zero), Equal),
    "another index below what it admits": step(
        series(exp(-a * i), index=i), Reindexed(S(2)), series(exp(-a * (i + 2)), S(-1), index=i), Equal),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLD)
def test_it_holds(name: str) -> None:
    outcome = proves(HOLD[name])
    assert outcome, outcome.reason


@pytest.mark.parametrize("name", FALSE)
def test_it_does_not_hold(name: str) -> None:
    assert not proves(FALSE[name])
