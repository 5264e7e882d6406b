"""Rules on integrals by what holds almost everywhere: each holds where it should, and each way of misusing it does not."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import Abs, Integral, S, Sum, Tuple, exp, oo

from mope_theory.derivation import chain
from mope_theory.judgement import Derivation
from mope_theory.logic import Assume, Suppose, check, instance, proves
from mope_theory.rules import AlmostEqual, Bound, Decide, Dominated, Given, Modulus, Part, PositiveIntegral, Rule, Strict
from mope_theory.statement import Equal, Implies, Less, LessEqual, Not
from mope_theory.vocabulary.functions import Functions, Unknown

x, y = sp.symbols("x y", real=True)
u = sp.Symbol("x'", real=True, zero=False)
p, s = sp.symbols("p sigma", positive=True)
k = sp.Symbol("k", integer=True)
unknown = Unknown("f", Functions(S.Reals, S.Reals))
bell = exp(-(x**2) / s)
LINE, ABOVE, BACK = Tuple(x, -oo, oo), Tuple(x, p, oo), Tuple(x, 1, -1)


def over(f: sp.Expr, limits: Tuple = LINE) -> Integral:
    return Integral(f, limits)


def step(left: sp.Expr, rule: Rule, right: sp.Expr, relation: type = Less) -> Derivation:
    return chain(left, (rule, right), relation=relation)


def away(general: Derivation) -> Derivation:
    """At an x ≠ 0, what holds for a nonzero symbol."""
    return instance(general, {u: x}, Assume(Not(Equal(x, S.Zero))))


def bounds(f: sp.Expr, g: sp.Expr, *parts: Part | Given) -> tuple[Derivation, Derivation]:
    return chain(S.Zero, (Bound(Part(S.One, None, f)), f), relation=LessEqual), chain(f, (Bound(*parts), g), relation=LessEqual)


def placed(f: sp.Expr, g: sp.Expr) -> tuple[Derivation, Derivation]:
    """0 ≤ f ≤ g, taken for granted: what is looked at is what the rule makes of it."""
    return Assume(LessEqual(S.Zero, f)), Assume(LessEqual(f, g))


floor, ceiling = bounds(bell / 2, bell, Part(S.Half, None, bell))
pole = Abs(u) * exp(-(u**2) / s) / u**2  # e^{−u²/σ}/|u|
near = chain(pole, (Decide(), exp(-(u**2) / s) / Abs(u)))
odd_form = pole.xreplace({u: x})
squared = u**2 * exp(-(u**2) / s) / Abs(u)
lower, upper = bounds(squared, (1 + u**2) * exp(-(u**2) / s) / 2, Part(exp(-(u**2) / s) / 2, None, (1 - Abs(u)) ** 2))
vanishing = x**2 * bell / Abs(x)
tail = bell / x
from_p = chain(tail, (Bound(Given(bell / (p * x), x - p)), bell / p), relation=LessEqual)
growing = exp(x**2)
grown = bounds(growing / 2, growing, Part(S.Half, None, growing))
constant = bounds(S.Half, S.One, Part(S.One, None, S.Half))
integrable = step(over(vanishing), Dominated(away(lower), away(upper), LINE), oo)
positive = away(chain(S.Zero, (Strict(Part(S.One, None, squared)), squared), relation=Less))
negative = chain(Abs(x), (Modulus(Bound(Given(S.One, -x))), -x))
infinite = over(1 / Abs(x))

HOLD: dict[str, Derivation] = {
    "equal but for a point": step(over(odd_form), AlmostEqual(away(near), LINE), over(bell / Abs(x)), Equal),
    "below a bell": step(over(bell / 2), Dominated(floor, ceiling, LINE), oo),
    "below a bell, over a part": step(over(bell / 2, ABOVE), Dominated(floor, ceiling, ABOVE), oo),
    "below a bell, but for a point": integrable,
    "positive but for a point": step(S.Zero, PositiveIntegral(integrable, positive, LINE), over(vanishing)),
}

FALSE: dict[str, Derivation] = {
    "equal on one side": step(over(Abs(x)), AlmostEqual(negative, LINE), over(-x), Equal),
    "equal over a range taken backwards": Suppose(
        Implies(Less(x, -1), Equal(over(Abs(x), BACK), over(-x, BACK))),
        step(over(Abs(x), BACK), AlmostEqual(negative, BACK), over(-x, BACK), Equal)),
    "equal, over another range": step(over(odd_form, ABOVE), AlmostEqual(away(near), LINE), over(bell / Abs(x)), Equal),
    "equal, by an inequality": step(over(bell / 2), AlmostEqual(ceiling, LINE), over(bell), Equal),
    "below a growing function": step(over(growing / 2), Dominated(*grown, LINE), oo),
    "below a constant": step(over(S.Half), Dominated(*constant, LINE), oo),
    "of both signs": step(over(bell / 2), Dominated(Assume(LessEqual(-bell, bell / 2)), ceiling, LINE), oo),
    "below another function": step(over(2 * bell), Dominated(floor, ceiling, LINE), oo),
    "a number above the integral": step(over(bell / 2), Dominated(floor, ceiling, LINE), S.One),
    "a range taken backwards": step(
        over(1 / Abs(x), BACK), Dominated(*placed(1 / Abs(x), bell), BACK), oo),
    "more assumed of the variable": step(
        over(tail, LINE), Dominated(Assume(LessEqual(S.Zero, tail)), from_p, LINE), oo),
    "an unknown function": Suppose(
        Implies(LessEqual(S.Zero, unknown(y)), Less(over(unknown(x)), oo)),
        step(over(unknown(x)), Dominated(*placed(unknown(x), bell), LINE), oo)),
    "a pole away from 0": step(
        over(1 / Abs(x - 1)), Dominated(*placed(1 / Abs(x - 1), bell), LINE), oo),
    "a sum": step(over(Sum(exp(-k * x**2), (k, 1, 3))), Dominated(
        *bounds(Sum(exp(-k * x**2), (k, 1, 3)), exp(-x**2), Part(S.One, None, S.Zero)), LINE), oo),
    "an integer variable": step(
        Integral(exp(-k**2) / 2, (k, -oo, oo)),
        Dominated(*bounds(exp(-k**2) / 2, exp(-k**2), Part(S.Half, None, exp(-k**2))), Tuple(k, -oo, oo)), oo),
    "positive, and not integrable": step(
        S.Zero, PositiveIntegral(Assume(Less(infinite, oo)), Assume(Less(S.Zero, 1 / Abs(x))), LINE), infinite),
    "nonnegative only": step(S.Zero, PositiveIntegral(integrable, away(lower), LINE), over(vanishing)),
    "positive over a point": step(
        S.Zero,
        PositiveIntegral(Assume(Less(over(bell, Tuple(x, 1, 1)), oo)), Assume(Less(S.Zero, bell)), Tuple(x, 1, 1)),
        over(bell, Tuple(x, 1, 1))),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLD)
def test_it_holds(name: str) -> None:
    outcome = proves(HOLD[name])
    assert outcome, outcome.reason


@pytest.mark.parametrize("name", FALSE)
def test_it_does_not_hold(name: str) -> None:
    """The rule itself says no, whatever is assumed."""
    assert not check(FALSE[name])


def test_what_is_granted_of_the_range() -> None:
    """x > p > 0, and so x > 0; nothing of the kind on the whole line, nor from an end of unknown sign on."""
    inside = {Less(p, x), LessEqual(p, x), Less(S.Zero, x), LessEqual(S.Zero, x), Not(Equal(x, S.Zero))}
    for statement in inside:
        assert AlmostEqual(Assume(statement), ABOVE).assumptions == frozenset()
    for within in (LINE, Tuple(x, y, oo), Tuple(x, -p, oo)):
        assert AlmostEqual(Assume(Less(S.Zero, x)), within).assumptions
    assert AlmostEqual(Assume(LessEqual(S.Zero, x - p)), ABOVE).assumptions  # in another form it is to be derived
    assert AlmostEqual(Assume(Less(x, p)), ABOVE).assumptions
