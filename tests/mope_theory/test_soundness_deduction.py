"""False statements by way of premises, quantifiers and values: none may hold. Each stands for a way in that was once open."""
from __future__ import annotations

import pytest
import sympy as sp
from sympy import I, Integral, S, Sum, exp, oo

from mope_theory.derivation import Derivation, chain, directly
from mope_theory.logic import Assume, Contradiction, LimitByRate, OtherLimit, Suppose, Weaken, check, proves
from mope_theory.rules import (
    Agreement,
    Bound,
    Combine,
    Extremum,
    Given,
    Integrable,
    Known,
    Monotone,
    Numbers,
    Part,
    Rewrite,
    Strict,
)
from mope_theory.statement import Equal, ForAll, Implies, Less, LessEqual, Not, TendsTo
from mope_theory.symbols import channel as i
from mope_theory.symbols import j, k
from mope_theory.vocabulary.functions import SEQUENCES, Functions, Unknown

x, y, t = sp.symbols("x y t", real=True)
p = sp.Symbol("p", positive=True)
u = sp.Symbol("u", nonnegative=True)

ORDER = directly(Less(S.Zero, S.One), Numbers())
APART = Weaken(Not(Equal(S.Zero, S.One)), ORDER)


def infinite_maximum() -> Derivation:
    """m = ∞ = m − 1 for m = max(a, ∞)."""
    bell = Integral(exp(-(t**2)), (t, -oo, oo))
    largest = sp.Max(bell, oo, evaluate=False)
    infinite = directly(Equal(largest, oo), Extremum(directly(Less(bell, oo), Integrable())))
    less = chain(largest - 1, (Rewrite(infinite), oo))
    return chain(largest, (Known(infinite), oo), (Known(less), largest - 1))


def inverse_never_zero() -> Derivation:
    """1/x ≠ 0 for every x, because 0 = 1/x gives 0 = x/x = 1, at x = 0 too."""
    absurd = chain(S.Zero, (Combine((x, Assume(Equal(S.Zero, 1 / x)))), S.One))
    return Contradiction(Not(Equal(S.Zero, 1 / x)), absurd, APART)


def square_cancelled() -> Derivation:
    absurd = chain(S.One, (Bound(Given(x**2, -1 / x**2)), S.Zero), relation=LessEqual)
    return Suppose(Implies(LessEqual(S.Zero, -1 / x**2), absurd.statement), absurd)


f, g = (Unknown(name, Functions(SEQUENCES, S.Reals)) for name in "fg")


def agreement_beyond(*limits: tuple[sp.Expr, ...]) -> Derivation:
    """Σ f = Σ g because f and g agree at 0, 1, 2, 3."""
    same = Assume(ForAll(k, sp.Range(4), Equal(f(k), g(k))))
    one, other = Sum(f(i), *limits), Sum(g(i), *limits)
    return Suppose(Implies(same.statement, Equal(one, other)), directly(Equal(one, other), Agreement(same)))


def other_limit(wrong: TendsTo, found: Derivation) -> Derivation:
    return OtherLimit(Not(wrong), found, APART if wrong.limit == 1 else _positive(1 / p))


def _positive(value: sp.Expr) -> Derivation:
    return Weaken(Not(Equal(S.Zero, value)), chain(S.Zero, (Strict(Part(S.One, None, value)), value), relation=Less))


_falls = LimitByRate(
    TendsTo(1 / p, p, S.Zero, oo), chain(1 / p, (Bound(Part(S.One, None, 1 / p)), 2 / p), relation=LessEqual)
)
_nowhere = TendsTo(S.One, p, S.Zero, -oo)
_nowhere_else = TendsTo(S.One, p, S.One, -oo)

FALSE: dict[str, Derivation] = {
    "an order of complex numbers, carried along": directly(Less(I, 1 + I), Monotone(ORDER, x, x + I)),
    "the larger of a number and ∞": infinite_maximum(),
    "a pole cancelled in a combination": inverse_never_zero(),
    "a pole cancelled in a certificate": square_cancelled(),
    "an index that a bound further out shares its name with": agreement_beyond((i, 0, 10), (j, i, 3)),
    "a limit that differs from one that moves": other_limit(TendsTo(1 / p, p, 1 / p, oo), _falls),
    "two limits at an unreachable point": Suppose(
        Implies(_nowhere, Not(_nowhere_else)), other_limit(_nowhere_else, Assume(_nowhere))
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_falsehood_does_not_hold(name: str) -> None:
    assert not proves(FALSE[name])


def test_their_sound_twins_hold() -> None:
    assert proves(directly(Less(S.One, exp(1)), Monotone(ORDER, x, exp(x))))
    assert check(chain(S.Zero, (Combine((p, Assume(Equal(S.Zero, 1 / p)))), S.One)))
    assert check(chain(S.One, (Bound(Given(p**2, -1 / p**2)), S.Zero), relation=LessEqual))
    assert proves(agreement_beyond((i, 0, j), (j, 0, 3)))
    assert proves(other_limit(TendsTo(1 / p, p, S.One, oo), _falls))
