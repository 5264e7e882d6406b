"""Rules that go by premises and over sums: each holds where it should, and each way of misusing it does not."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import Abs, I, Integral, Lambda, S, Sum, exp, log, oo

from mope_theory.derivation import chain
from mope_theory.judgement import Derivation
from mope_theory.logic import Assume, Suppose, Using, proves
from mope_theory.rules import (
    Bound,
    Branch,
    Combine,
    Decide,
    Extremum,
    Given,
    Known,
    Monotone,
    OneTerm,
    Part,
    Rewrite,
    Rule,
    Strict,
    Termwise,
    Triangle,
    Unfold,
    WithinExtrema,
)
from mope_theory.statement import Equal, Implies, Less, LessEqual
from mope_theory.vocabulary.functions import Functions, Unknown
from mope_theory.vocabulary.recipe import Perplexity
from mope_theory.vocabulary.spectra import Deviation

x, y, v = sp.symbols("x y v", real=True)
p, q, r = sp.symbols("p q r", positive=True)
k = sp.Symbol("k", integer=True)
i = sp.Symbol("i", integer=True, nonnegative=True)
count = sp.Symbol("N", integer=True, positive=True)
last = count - 1
Relations = type[Equal] | type[LessEqual] | type[Less]

x_below = chain(x, (Bound(Part(S.One, None, y**2)), x + y**2), relation=LessEqual)
p_below = chain(p, (Strict(Part(S.One, None, q)), p + q), relation=Less)
next_above = chain(k, (Bound(Part(S.One, None, S.One)), k + 1), relation=LessEqual)
within = chain(-k, (Bound(Given(S(2), k)), k), relation=LessEqual)
squares = chain(S.Zero, (Bound(Part(S.One, None, k**2)), k**2), relation=LessEqual)
equation = chain((x + 1) ** 2, (Decide(), x**2 + 2 * x + 1))

given = Assume(Equal(x, y))
weight = Unknown("w", Functions(S.Reals, sp.Interval(0, oo)))
spread, mass = Deviation(Lambda(x, weight(x)), S.Reals), Integral(weight(x), (x, -oo, oo))
inverse_mean = Deviation(Lambda(x, 1 / x), sp.Interval(1, 2))


def step(left: sp.Expr, rule: Rule, right: sp.Expr, relation: Relations = LessEqual) -> Derivation:
    return chain(left, (rule, right), relation=relation)


def total(term: sp.Expr, first: sp.Expr = S.Zero, end: sp.Expr = last, index: sp.Symbol = k) -> sp.Expr:
    return Sum(term, (index, first, end))


def placed(derivation: Derivation, place: sp.Expr) -> Derivation:
    """The two facts that put a place into the range 0 … N − 1 are assumed."""
    low, high = LessEqual(S.Zero, place), LessEqual(place, last)
    return Suppose(Implies(low, Implies(high, derivation.statement)), Suppose(Implies(high, derivation.statement), derivation))


wave = x * exp(I * k * x)
cases = sp.Piecewise((x, x < y), (y**2, True))

HOLD: dict[str, Derivation] = {
    "exp grows": step(exp(x), Monotone(x_below, v, exp(v)), exp(x + y**2)),
    "log grows": step(log(p), Monotone(p_below, r, log(r)), log(p + q), Less),
    "1/r falls": step(1 / (p + q), Monotone(p_below, r, 1 / r), 1 / p, Less),
    "a premise as a step": step(x, Known(x_below), x + y**2),
    "an equation as a step, backwards": step(x**2 + 2 * x + 1, Known(equation), (x + 1) ** 2, Equal),
    "a rewrite": step((x + 1) ** 2 / p, Rewrite(equation), (x**2 + 2 * x + 1) / p, Equal),
    "term by term": step(total(k), Termwise(next_above, k, S.Zero, last), total(k + 1)),
    "term by term, given the range": step(total(-k), Termwise(within, k, S.Zero, last), total(k)),
    "the triangle inequality": step(Abs(total(wave)), Triangle(total(wave)), total(Abs(wave))),
    "integrands over a range but for its ends": step(
        Integral((p**2 + p) / p, (p, 0, S.Infinity)), Decide(), Integral(p + 1, (p, 0, S.Infinity)), Equal),
    "one term": placed(step(i**2, OneTerm(squares, k, S.Zero, last, i), total(k**2)), i),
    "the larger of two": step(sp.Max(x, x + y**2, evaluate=False), Extremum(x_below), x + y**2, Equal),
    "the smaller of two": step(sp.Min(x, x + y**2, evaluate=False), Extremum(x_below), x, Equal),
    "no less than the smallest": step(sp.Min(x, y), WithinExtrema(), x),
    "a combination of equations": Suppose(
        Implies(Equal(x, y), Equal(x**2 / p, y**2 / p)), step(x**2 / p, Combine(((x + y) / p, given)), y**2 / p, Equal)),
    "no more than the largest": step(x, WithinExtrema(), sp.Max(x, y)),
    "a case": Suppose(
        Implies(Less(x, y), Equal(cases, x)), step(cases, Branch(Assume(Less(x, y))), x, Equal)),
    "the case that is left": Suppose(
        Implies(LessEqual(y, x), Equal(cases, y**2)), step(cases, Branch(Assume(LessEqual(y, x))), y**2, Equal)),
    "a named function": step(Perplexity(x), Unfold(), exp(x), Equal),
    "a definition with a denominator that is positive": Suppose(
        Implies(Less(S.Zero, mass), Equal(spread, spread.definition())),
        step(spread, Unfold(Assume(Less(S.Zero, mass))), spread.definition(), Equal)),
    "an integral over a variable of another name": step(mass, Decide(), Integral(weight(y), (y, -oo, oo)), Equal),
}  # fmt: skip

FALSE: dict[str, Derivation] = {
    "a function that grows on a part": step(x**2, Monotone(x_below, v, v**2), (x + y**2) ** 2),
    "monotone from an equation it does not have": step(exp(x), Monotone(x_below, v, exp(v)), exp(x + 2 * y**2)),
    "monotone beyond its range": step(1 / (x + y**2), Monotone(x_below, r, 1 / r), 1 / x),
    "falling taken for growing": step(1 / p, Monotone(p_below, r, 1 / r), 1 / (p + q), Less),
    "monotone with the variable elsewhere": step(x * exp(x), Monotone(x_below, x, x * exp(x)), (x + y**2) * exp(x + y**2)),
    "monotone across a pole": step(1 / x, Monotone(x_below, v, -1 / v), -1 / (x + y**2)),
    "known of something else": step(x, Known(x_below), x + 2 * y**2),
    "an inequality backwards": step(x + y**2, Known(x_below), x),
    "a rewrite by an inequality": step(x, Rewrite(x_below), x + y**2, Equal),
    "a rewrite of a bound variable": step(
        total(k + 0 * x), Rewrite(Assume(Equal(k, S.Zero))), total(S.Zero), Equal),
    "a rewrite into a pole": Suppose(
        Implies(Equal(y, x), Equal(y / x, S.One)), step(y / x, Rewrite(Assume(Equal(y, x))), S.One, Equal)),
    "term by term over other ranges": step(total(k), Termwise(next_above, k, S.Zero, last), total(k + 1, end=count)),
    "term by term beyond the range": step(
        total(-k, first=S(-5)), Termwise(within, k, S.Zero, last), total(k, first=S(-5))),
    "term by term with more assumed": step(
        total(-k, first=S(-5)), Termwise(within, k, S(-5), last), total(k, first=S(-5))),
    "an infinite sum term by term": step(total(k, end=S.Infinity), Termwise(next_above, k, S.Zero, S.Infinity),
                                         total(k + 1, end=S.Infinity)),
    "an index below what it admits": step(
        total(-i, first=S(-5), index=i), Termwise(chain(-i, (Bound(Part(S(2), None, i)), i), relation=LessEqual),
                                                  i, S(-5), last), total(i, first=S(-5), index=i)),
    "strictly, term by term": step(
        total(k), Termwise(chain(k, (Strict(Part(S.One, None, S.One)), k + 1), relation=Less), k, S.Zero, last),
        total(k + 1), Less),
    "the triangle inequality backwards": step(total(Abs(wave)), Triangle(total(wave)), Abs(total(wave))),
    "the triangle inequality with a term less": step(Abs(total(wave)), Triangle(total(wave)), total(Abs(wave), first=S.One)),
    "integrands beyond a range": step(
        Integral(Abs(p, evaluate=False), (p, -1, 1)), Decide(), Integral(p, (p, -1, 1)), Equal),
    "one term of a sum of any sign": placed(step(i, OneTerm(next_above, k, S.Zero, last, i), total(k)), i),
    "one term outside": step(i**2, OneTerm(squares, k, S.Zero, last, i), total(k**2)),
    "one term at no index": placed(step(p**2, OneTerm(squares, k, S.Zero, last, p), total(k**2)), p),
    "one term of another sum": placed(step(i**2, OneTerm(squares, k, S.Zero, last, i), total(k**2, first=S.One)), i),
    "the smaller taken for the larger": step(sp.Max(x, x + y**2, evaluate=False), Extremum(x_below), x, Equal),
    "the larger by an equation": step(sp.Max(x, y), Extremum(Assume(Equal(x, y))), y, Equal),
    "the larger of others": step(sp.Max(x, y), Extremum(x_below), y, Equal),
    "a combination of equations with a factor less": Suppose(
        Implies(Equal(x, y), Equal(x**2 / p, y**2 / p)), step(x**2 / p, Combine((x + y, given)), y**2 / p, Equal)),
    "a combination of inequalities": step(x, Combine((S.One, x_below)), x + y**2, Equal),
    "a combination of nothing": step(x, Combine(), x + y**2, Equal),
    "a combination divided by what may be zero": Suppose(
        Implies(Equal(x * y, x), Equal(y, S.One)), step(y, Combine((1 / x, Assume(Equal(x * y, x)))), S.One, Equal)),
    "above the largest": step(sp.Max(x, y), WithinExtrema(), x),
    "below the smallest": step(x, WithinExtrema(), sp.Min(x, y)),
    "the other case": Suppose(
        Implies(Less(x, y), Equal(cases, y**2)), step(cases, Branch(Assume(Less(x, y))), y**2, Equal)),
    "a case by half a fact": Suppose(
        Implies(LessEqual(x, y), Equal(cases, x)), step(cases, Branch(Assume(LessEqual(x, y))), x, Equal)),
    "the case that is left, by nothing": step(cases, Branch(), y**2, Equal),
    "another definition": step(Perplexity(x), Unfold(), exp(2 * x), Equal),
    "a definition with a denominator": step(spread, Unfold(), spread.definition(), Equal),
    "a definition with a denominator of which something else is known": Suppose(
        Implies(Less(mass, oo), Equal(spread, spread.definition())),
        step(spread, Unfold(Assume(Less(mass, oo))), spread.definition(), Equal)),
    "a definition with a denominator that is not it": Suppose(
        Implies(Less(S.Zero, weight(x)), Equal(spread, spread.definition())),
        step(spread, Unfold(Assume(Less(S.Zero, weight(x)))), spread.definition(), Equal)),
    "a definition with a denominator that is bound": Suppose(
        Implies(Less(S.Zero, x), Equal(inverse_mean, inverse_mean.definition())),
        step(inverse_mean, Unfold(Assume(Less(S.Zero, x))), inverse_mean.definition(), Equal)),
    "an integral over another range": step(mass, Decide(), Integral(weight(x), (x, 0, oo)), Equal),
    "a fact of another place": Using(step(i**2, OneTerm(squares, k, S.Zero, last, i), total(k**2)), squares),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLD)
def test_it_holds(name: str) -> None:
    outcome = proves(HOLD[name])
    assert outcome, outcome.reason


@pytest.mark.parametrize("name", FALSE)
def test_it_does_not_hold(name: str) -> None:
    assert not proves(FALSE[name])
