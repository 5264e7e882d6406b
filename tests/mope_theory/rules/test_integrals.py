"""Rules on integrals: each holds where it should, and each way of misusing it does not."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import Abs, Integral, S, cos, exp, oo, sin

from mope_theory.derivation import chain
from mope_theory.judgement import Derivation
from mope_theory.logic import Suppose, proves
from mope_theory.rules import Bound, Decide, Given, Integrable, Integrands, Modulus, Part, Rule
from mope_theory.statement import Equal, Implies, Less, LessEqual

x, y = sp.symbols("x y", real=True)
p, s = sp.symbols("p sigma", positive=True)
bell = exp(-(x**2) / s)
wave = bell * (cos(x) ** 2 + sin(x) ** 2)
modulus = chain(wave, (Decide(), bell))
assumed = chain(Abs(x), (Modulus(Bound(Given(S.One, x))), x))
below = chain(bell, (Bound(Part(S.One, None, bell)), 2 * bell), relation=LessEqual)


def over(f: sp.Expr, *limits: sp.Expr) -> Integral:
    return Integral(f, (x, *(limits or (-oo, oo))))


def step(left: sp.Expr, rule: Rule, right: sp.Expr, relation: type = Equal) -> Derivation:
    return chain(left, (rule, right), relation=relation)


HOLD: dict[str, Derivation] = {
    "equal integrands": step(over(wave), Integrands(modulus), over(bell)),
    "equal integrands, backwards": step(over(bell, S.Zero, S.One), Integrands(modulus), over(wave, S.Zero, S.One)),
    "a Gaussian is integrable": step(over(bell), Integrable(), oo, Less),
    "with a power in front": step(over(x**2 * bell), Integrable(), oo, Less),
}

FALSE: dict[str, Derivation] = {
    "equal under an assumption on the variable": Suppose(
        Implies(LessEqual(S.Zero, x), Equal(over(Abs(x), -1, 1), over(x, -1, 1))),
        step(over(Abs(x), -1, 1), Integrands(assumed), over(x, -1, 1))),
    "over other ranges": step(over(wave, 0, 1), Integrands(modulus), over(bell, 0, 2)),
    "of other integrands": step(over(wave), Integrands(modulus), over(2 * bell)),
    "by an inequality": step(over(bell), Integrands(below), over(2 * bell)),
    "beyond what the variable admits": step(
        Integral(Abs(p, evaluate=False), (p, -1, 1)),
        Integrands(chain(Abs(p, evaluate=False), (Decide(), p))), Integral(p, (p, -1, 1))),
    "a growing exponential": step(over(exp(x**2)), Integrable(), oo, Less),
    "an integrand of both signs": step(over(cos(x) * bell), Integrable(), oo, Less),
    "a constant": step(over(S.One), Integrable(), oo, Less),
    "a number above the integral": step(over(bell), Integrable(), S.One, Less),
    "no integral": step(bell, Integrable(), oo, Less),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLD)
def test_it_holds(name: str) -> None:
    outcome = proves(HOLD[name])
    assert outcome, outcome.reason


@pytest.mark.parametrize("name", FALSE)
def test_it_does_not_hold(name: str) -> None:
    assert not proves(FALSE[name])
