"""Logarithmic growth: it holds where it should, and each misuse does not."""
from __future__ import annotations

import mpmath as mp
import pytest
import sympy as sp
from sympy import Integral, S, Tuple, exp, log, oo

from mope_theory.derivation import Derivation, chain
from mope_theory.logic import Assume, LimitByContinuity, LogarithmicGrowth, check, instance, proves
from mope_theory.rules import Dominated, Monotone, Part, Strict
from mope_theory.statement import Less, TendsTo
from mope_theory.symbols import epsilon

x, y = sp.symbols("x y", real=True)
p = sp.Symbol("p", positive=True)
r, u = sp.Symbol("r", positive=True), sp.Symbol("u", positive=True)
bell = exp(-(x**2))
WITHIN = Tuple(x, epsilon, oo)


def tail_of(f: sp.Expr, lower: sp.Expr = epsilon, upper: sp.Expr = oo) -> Integral:
    return Integral(f, (x, lower, upper))


def finite() -> Derivation:
    """∫_ε^∞ e^{−x²}/x dx < ∞, as e^{−x²}/x < e^{−x²}/ε there."""
    def here(general: Derivation) -> Derivation:
        return instance(general, {u: x}, Assume(Less(S.Zero, x)))

    g = exp(-(u**2))
    floor = chain(S.Zero, (Strict(Part(S.One, None, g / u)), g / u), relation=Less)
    ceiling = chain(g / u, (Monotone(Assume(Less(epsilon, u)), r, g / r), g / epsilon), relation=Less)
    return chain(tail_of(bell / x), (Dominated(here(floor), here(ceiling), WITHIN), oo), relation=Less)


def tends(expr: sp.Expr, limit: sp.Expr, var: sp.Symbol = epsilon, point: sp.Expr = S.Zero) -> Assume:
    """Taken for granted: what is looked at is what the node makes of it."""
    return Assume(TendsTo(expr, var, limit, point))


local = LimitByContinuity(TendsTo(exp(-(epsilon**2)), epsilon, S.One, S.Zero))
one = chain(S.Zero, (Strict(Part(S.One, None, S.One)), S.One), relation=Less)
integral = tail_of(bell / x)
quotient = TendsTo(integral / log(1 / epsilon), epsilon, S.One, S.Zero)
unbounded = TendsTo(integral, epsilon, oo, S.Zero)
moving = bell * epsilon / x

HOLD: dict[str, Derivation] = {
    "the quotient by the logarithm": LogarithmicGrowth(quotient, local, finite()),
    "without bound": LogarithmicGrowth(unbounded, local, finite(), one),
}

FALSE: dict[str, Derivation] = {
    "another limit": LogarithmicGrowth(TendsTo(quotient.expr, epsilon, S(2), S.Zero), local, finite()),
    "another quotient": LogarithmicGrowth(TendsTo(integral / log(2 / epsilon), epsilon, S.One, S.Zero), local, finite()),
    "to a number, and no quotient": LogarithmicGrowth(TendsTo(integral, epsilon, S.One, S.Zero), local, finite(), one),
    "without bound, and no sign": LogarithmicGrowth(unbounded, local, finite()),
    "without bound, by the sign of another": LogarithmicGrowth(
        unbounded, local, finite(), chain(S.Zero, (Strict(Part(S.One, None, S(2))), S(2)), relation=Less)),
    "at infinity": LogarithmicGrowth(
        TendsTo(quotient.expr, epsilon, S.One, oo), tends(local.statement.expr, S.One, point=oo), finite()),
    "by the limit of another integrand": LogarithmicGrowth(quotient, tends(epsilon * exp(-(epsilon**2)), S.One), finite()),
    "of an integral over a range that ends": LogarithmicGrowth(
        TendsTo(tail_of(bell / x, upper=S.One) / log(1 / epsilon), epsilon, S.One, S.Zero),
        local, Assume(Less(tail_of(bell / x, upper=S.One), oo))),
    "of an integral from elsewhere": LogarithmicGrowth(
        TendsTo(tail_of(bell / x, lower=p) / log(1 / epsilon), epsilon, S.One, S.Zero),
        local, Assume(Less(tail_of(bell / x, lower=p), oo))),
    "of an integrand that moves": LogarithmicGrowth(
        TendsTo(tail_of(moving) / log(1 / epsilon), epsilon, S.One, S.Zero),
        tends(epsilon * exp(-(epsilon**2)), S.One), Assume(Less(tail_of(moving), oo))),
    "to a limit that moves": LogarithmicGrowth(
        TendsTo(quotient.expr, epsilon, epsilon, S.Zero), tends(local.statement.expr, epsilon), finite()),
    "of a tail that is finite for one end only": LogarithmicGrowth(quotient, local, Assume(Less(integral, oo))),
    "of a tail below a number": LogarithmicGrowth(quotient, local, Assume(Less(integral, S.One))),
    "of a real end": LogarithmicGrowth(
        TendsTo(Integral(bell / x, (x, y, oo)) / log(1 / y), y, S.One, S.Zero),
        tends(exp(-(y**2)), S.One, y), Assume(Less(Integral(bell / x, (x, y, oo)), oo))),
    "by no limit": LogarithmicGrowth(quotient, one, finite()),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLD)
def test_it_holds(name: str) -> None:
    outcome = proves(HOLD[name])
    assert outcome, outcome.reason


@pytest.mark.parametrize("name", FALSE)
def test_it_does_not_hold(name: str) -> None:
    assert not check(FALSE[name])


def test_the_theorem_at_a_few_ends() -> None:
    """∫_ε^∞ e^{−x²}/x dx = E₁(ε²)/2 is ln(1/ε) − γ/2 + O(ε²): over ln(1/ε) it tends to 1, with an error of γ/2 ln(1/ε)."""
    for e in (mp.mpf(10) ** -n for n in (10, 100, 1000)):
        rest = mp.e1(e**2) / 2 / mp.log(1 / e) - 1 + mp.euler / 2 / mp.log(1 / e)
        assert abs(rest) < mp.mpf(10) ** -9
