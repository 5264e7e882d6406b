"""Limits by continuity, and that there is one limit only: each node holds where it should, and each misuse does not."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import Abs, Integral, S, Sum, cos, exp, log, oo, sqrt

from mope_theory.derivation import Derivation
from mope_theory.lemmas import GAUSSIAN, IntegralLemma
from mope_theory.logic import Assume, Generalise, LimitByContinuity, SameLimit, Suppose, proves
from mope_theory.statement import Equal, ForAll, Implies, TendsTo
from mope_theory.symbols import K, d, epsilon, k, omega, sigma
from mope_theory.vocabulary.functions import Functions, Unknown
from mope_theory.vocabulary.spectra import psi_hat, squared

x, y, z = sp.symbols("x y z", real=True)
u = sp.Symbol("u", nonnegative=True)
unknown = Unknown("f", Functions(S.Reals, S.Complexes))
BELL = exp(-(d**2) / (4 * sigma**2))


def limit(
    expr: sp.Expr, value: sp.Expr, var: sp.Symbol = x, point: sp.Expr = S.Zero, lemma: IntegralLemma | None = None
) -> Derivation:
    return LimitByContinuity(TendsTo(expr, var, value, point), lemma)


def same(first: TendsTo, second: TendsTo, conclusion: Equal) -> Derivation:
    """As an implication, so that nothing stays assumed."""
    node = SameLimit(conclusion, Assume(first), Assume(second))
    return Suppose(Implies(first, Implies(second, conclusion)), Suppose(Implies(second, conclusion), node))


spectrum = squared(psi_hat(epsilon, omega, sigma)) + squared(psi_hat(-epsilon, omega, sigma))
HOLD: dict[str, Derivation] = {
    "the kernel without a frequency": limit(K(d, omega, sigma), BELL, omega),
    "a polynomial": limit(x**2 + x * y + y, y),
    "an exponential of one": limit(exp(x * y) * cos(x), S.One),
    "a root": limit(sqrt(epsilon) + y, y, epsilon),
    "a spectrum": limit(spectrum, 2 * squared(psi_hat(S.Zero, omega, sigma)), epsilon, lemma=GAUSSIAN),
    "two limits": same(TendsTo(x * y, x, y, S.Zero), TendsTo(x * y, x, S.Zero, S.Zero), Equal(y, S.Zero)),
}
FALSE: dict[str, Derivation] = {
    "another value": limit(K(d, omega, sigma), 2 * BELL, omega),
    "a pole": limit(1 / epsilon, S.Zero, epsilon),
    "a pole that cancels at no value": limit((epsilon + 1) / epsilon - 1 / epsilon, S.Zero, epsilon),
    "at infinity": limit(exp(-epsilon), S.One, epsilon, oo),
    "at one": limit(x, S.Zero, point=S.One),
    "a limit that moves": limit(2 * x, x),
    "an integer that tends to 0": limit(k, S.Zero, k),
    "an unknown function": limit(unknown(x), unknown(S.Zero)),
    "a jump": limit(sp.sign(x), S.Zero),
    "a whole number": limit(sp.ceiling(x), S.Zero),
    "a logarithm": limit(log(epsilon), S.Zero, epsilon),
    "an integral over the variable's end": limit(Integral(1 / z, (z, x, 1)), Integral(1 / z, (z, 0, 1))),
    "an integral without the lemma": limit(spectrum, 2 * squared(psi_hat(S.Zero, omega, sigma)), epsilon),
    "a sum to the variable": limit(Sum(exp(-(k**2) / epsilon), (k, 1, oo)), S.Zero, epsilon),
    "a power with a power": limit(2 ** (1 / epsilon), S.One, epsilon),
    "a lemma from outside": limit(
        Integral(exp(-(z**2)) * x, (z, -oo, oo)), S.Zero, lemma=IntegralLemma("mine", GAUSSIAN.rule, (), ())),
    "one limit, of two expressions": same(
        TendsTo(x * y, x, y, S.Zero), TendsTo(x, x, S.Zero, S.Zero), Equal(y, S.Zero)),
    "one limit, at two points": same(
        TendsTo(epsilon * y, epsilon, y, S.Zero), TendsTo(epsilon * y, epsilon, S.Zero, oo), Equal(y, S.Zero)),
    "two limits, other ones": same(TendsTo(x * y, x, y, S.Zero), TendsTo(x * y, x, S.Zero, S.Zero), Equal(y, S.One)),
    "two limits that move": same(TendsTo(x * y, x, x, S.Zero), TendsTo(x * y, x, S.Zero, S.Zero), Equal(x, S.Zero)),
    "an infinite limit": same(TendsTo(x * y, x, oo, S.Zero), TendsTo(x * y, x, S.Zero, S.Zero), Equal(oo, S.Zero)),
    "limits at a point that is not approached": same(
        TendsTo(epsilon, epsilon, y, -oo), TendsTo(epsilon, epsilon, S.Zero, -oo), Equal(y, S.Zero)),
    "limits of an integer": same(TendsTo(k * y, k, y, S.Zero), TendsTo(k * y, k, S.Zero, S.Zero), Equal(y, S.Zero)),
    "no limits": SameLimit(Equal(x, y), Generalise(ForAll(z, S.Reals, Equal(z, z)), Assume(Equal(z, z))), Assume(Equal(x, y))),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLD)
def test_it_holds(name: str) -> None:
    outcome = proves(HOLD[name])
    assert outcome, outcome.reason


@pytest.mark.parametrize("name", FALSE)
def test_it_does_not_hold(name: str) -> None:
    assert not proves(FALSE[name])


def test_a_modulus_is_continuous_and_beyond_the_rule() -> None:
    """It is refused, not refuted: |x| is not a sum of the kind that the rule takes."""
    assert proves(limit(Abs(x), S.Zero)).status == "refused"
    assert proves(limit(sqrt(u), S.Zero, u)).status == "refused"
