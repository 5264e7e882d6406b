"""The chain rule and functions that agree near a point: what holds, and what must not."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import Abs, Derivative, Max, S, exp, sqrt

from mope_theory.derivation import chain
from mope_theory.logic import Assume, Suppose, proves
from mope_theory.rules import ChainRule, NearBy, Rule
from mope_theory.statement import Equal, Implies, Less, LessEqual, Statement
from mope_theory.vocabulary.functions import Functions, Partial, Unknown

x, y = sp.symbols("x y", real=True)
p = sp.Symbol("p", positive=True)
u = sp.Symbol("u", nonnegative=True)
POSITIVE = sp.Interval.open(0, sp.oo)
f = Unknown("f", Functions(S.Reals, S.Reals, "C^{1}"))
g = Unknown("g", Functions(sp.ProductSet(POSITIVE, POSITIVE), S.Reals, "C^{1}"))
rough = Unknown("h", Functions(S.Reals, S.Reals))


def slope(of: sp.Expr, at: sp.Symbol, value: sp.Expr, rule: Rule, given: Statement | None = None) -> bool:
    step = chain(Derivative(of, at), (rule, value))
    return bool(proves(Suppose(Implies(given, step.statement), step) if given else step))


def test_the_chain_rule() -> None:
    assert slope(f(x**2), x, 2 * x * Partial(f, 1, x**2), ChainRule())
    assert slope(g(p**2, exp(p)), p, 2 * p * Partial(g, 1, p**2, exp(p)) + exp(p) * Partial(g, 2, p**2, exp(p)), ChainRule())


@pytest.mark.parametrize(
    ("of", "at", "value"),
    [
        (f(x**2), x, x * Partial(f, 1, x**2)),
        (f(x**2), x, 2 * x * Partial(f, 1, x)),
        (g(p**2, exp(p)), p, 2 * p * Partial(g, 2, p**2, exp(p)) + exp(p) * Partial(g, 1, p**2, exp(p))),
        (rough(x**2), x, 2 * x * Partial(rough, 1, x**2)),
        (f(Abs(x)), x, sp.sign(x) * Partial(f, 1, Abs(x))),
        (g(x, exp(x)), x, Partial(g, 1, x, exp(x)) + exp(x) * Partial(g, 2, x, exp(x))),
        (f(sqrt(u)), u, Partial(f, 1, sqrt(u)) / (2 * sqrt(u))),
    ],
    ids=["factor", "elsewhere", "exchanged", "not differentiable", "a corner", "out of the domain", "the end of the range"],
)  # fmt: skip
def test_what_the_chain_rule_does_not_say(of: sp.Expr, at: sp.Symbol, value: sp.Expr) -> None:
    assert not slope(of, at, value, ChainRule())


def test_near_the_point() -> None:
    above = Less(x, y)
    assert slope(f(Max(x, y)), y, Derivative(f(y), y), NearBy(Assume(above)), above)
    assert not slope(f(Max(x, y)), y, S.Zero, NearBy(Assume(above)), above)
    for weak in (LessEqual(x, y), Equal(x, y)):
        assert not slope(f(Max(x, y)), y, Derivative(f(y), y), NearBy(Assume(weak)), weak)
    jump = Less(sp.floor(x), y)
    assert not slope(f(Max(sp.floor(x), y)), x, S.Zero, NearBy(Assume(jump)), jump)
    end = Less(u, p)
    assert not slope(f(Max(u, p)), u, S.Zero, NearBy(Assume(end)), end)
    k = sp.Symbol("k", integer=True)
    inside = Less(k, x)
    summed = sp.Sum(Max(k, x), (k, 0, 3))
    assert not slope(summed, x, Derivative(sp.Sum(x, (k, 0, 3)), x), NearBy(Assume(inside)), inside)
