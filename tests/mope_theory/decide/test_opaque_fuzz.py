"""Random expressions with opaque parts against mpmath: forms, kinds of quantities, and what is said of signs."""
from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import mpmath as mp
import pytest
import sympy as sp
from sympy import Abs, Max, Min, Rational, Sum, acos, conjugate, cos, exp, im, log, pi, re, sin, sqrt

from mope_theory.decide import Refused, equal, is_real, nonnegative, positive
from mope_theory.decide.normal_form import expression
from mope_theory.decide.opaque import canonical, form, parts
from mope_theory.decide.quantity import Opaque
from mope_theory.decide.sign import holds, is_integer, nonzero
from mope_theory.vocabulary.floating import Rounded
from mope_theory.vocabulary.functions import Functions, Unknown
from tests.mope_theory.claims.numeric import CannotEvaluate
from tests.mope_theory.decide.meaning import Meaning

x, y = sp.symbols("x y", real=True)
s, t = sp.symbols("s t", positive=True)
u = sp.Symbol("u", nonnegative=True)
v = sp.Symbol("v", real=True, zero=False)
z = sp.Symbol("z", complex=True, zero=False)
w = sp.Symbol("w", complex=True)
j, k, ell, c = sp.symbols("j k ell c", integer=True)
N, P = sp.symbols("N P", integer=True, positive=True)
M = sp.Symbol("M", integer=True, nonnegative=True)

CODOMAINS: dict[str, tuple[sp.Set, Callable[[Any, Any], Any]]] = {
    "f": (sp.S.Reals, lambda a, b: a),
    "g": (sp.S.Complexes, mp.mpc),
    "p": (sp.Interval.open(0, sp.oo), lambda a, b: abs(a) + mp.mpf(1) / 7),
    "q": (sp.Interval(0, sp.oo), lambda a, b: abs(a) if b > 0 else mp.mpf(0)),
    "h": (sp.S.Complexes - sp.FiniteSet(0), lambda a, b: mp.mpc(a, b) + mp.mpc(0, mp.mpf(1) / 1000)),
    "n": (sp.S.Integers, lambda a, b: mp.nint(a)),
}
"""Unknown functions on ℤ: codomain, and a value made of two random numbers."""
UNKNOWNS = {name: Unknown(name, Functions(sp.S.Integers, values)) for name, (values, _) in CODOMAINS.items()}
LEAVES = [x, y, s, t, u, v, z, w, j, k, N, M, sp.I, pi, sp.Integer(2), Rational(-1, 3), sqrt(2), sp.S.One, log(2)]


def a_function(name: str, seed: int) -> Callable[..., Any]:
    def call(argument: Any) -> Any:
        place = int(mp.nint(mp.re(argument)))
        rng = random.Random(f"{seed} {name} {place}")
        return CODOMAINS[name][1](*(mp.mpf(rng.randint(-200, 200)) / 83 for _ in range(2)))

    return call


def a_point(seed: int) -> Meaning:
    rng = random.Random(seed)

    def number(least: int = -250) -> Any:
        return mp.mpf(rng.randint(least, 250)) / 89

    values: dict[str, Any] = {name: number() for name in "xy"} | {name: number(1) for name in "st"}
    values |= {"u": rng.choice([mp.mpf(0), number(0)]), "v": rng.choice([-1, 1]) * number(1)}
    values |= {"z": mp.mpc(number(1), number()), "w": mp.mpc(number(), number())}
    values |= {name: mp.mpf(rng.randint(-3, 4)) for name in ("j", "k", "ell")}
    values |= {"N": mp.mpf(rng.randint(1, 3)), "M": mp.mpf(rng.randint(0, 3)), "P": mp.mpf(rng.randint(1, 5))}
    return Meaning(values | {name: a_function(name, seed) for name in CODOMAINS})


def a_leaf(rng: random.Random, bound: tuple[sp.Symbol, ...]) -> sp.Expr:
    place = rng.choice([*bound * 3, j, k, j + 1, k - j, 2 * j, sp.S.Zero, N, M])
    chance = rng.random()
    if chance < 0.4:
        return rng.choice(list(UNKNOWNS.values()))(place)
    if bound and chance < 0.7:
        return rng.choice([place, (-1) ** place, place * x, z**place, 2**place])
    return rng.choice(LEAVES)


def grow(rng: random.Random, depth: int, bound: tuple[sp.Symbol, ...] = ()) -> sp.Expr:
    if depth == 0:
        return a_leaf(rng, bound)

    def a() -> sp.Expr:
        return grow(rng, depth - rng.choice([1, 1, min(2, depth)]), bound)

    def real() -> sp.Expr:
        return rng.choice([re, im, Abs])(a())

    def total() -> sp.Expr:
        index = rng.choice([k, ell, c, j])
        lower, upper = rng.choice([0, 0, 1, -2, j, M]), rng.choice([N - 1, N, M, k, 2])
        return Sum(grow(rng, depth - 1, (*bound, index)), (index, lower, upper))

    shapes = [
        lambda: a() + a(), lambda: a() * a(), lambda: a() - a(), lambda: a() / t, lambda: 1 / a(), lambda: a() ** 2,
        lambda: exp(a()), lambda: cos(a()), lambda: sin(a()), lambda: conjugate(a()), lambda: re(a()), lambda: im(a()),
        lambda: Abs(a()), lambda: sqrt(a()), lambda: sqrt(a() ** 2), lambda: a() * conjugate(a()), lambda: a() ** Rational(3, 2),
        lambda: log(a()), lambda: log(1 + Abs(a())), lambda: Max(real(), real()), lambda: Min(x, real()), lambda: Max(1, real()),
        lambda: sp.floor(real()), lambda: sp.sign(real()), lambda: acos(cos(real())), lambda: Rounded(real(), P), total, total,
        lambda: total() ** 2, lambda: t ** a(), lambda: 2 ** a(), lambda: a() ** rng.choice([j, k, N]), total,
        lambda: 1 / (1 + exp(real())),
        lambda: sp.Piecewise((a(), x > y), (a(), True)), lambda: 1 / sqrt(1 + Abs(a())), lambda: sp.Product(a(), (ell, 0, M)),
    ]  # fmt: skip
    return rng.choice(shapes)()


def candidate(rng: random.Random) -> sp.Expr | None:
    """A random expression, None for one that SymPy does not make."""
    try:
        e = grow(rng, rng.choice([1, 2, 2, 3]))
    except (TypeError, ValueError):  # what is complex has no maximum
        return None
    return None if e.has(sp.zoo, sp.nan, sp.oo, -sp.oo) else e


def value(point: Meaning, e: sp.Expr) -> Any:
    """The value at a point, None where there is none that can be told."""
    try:
        out = point.value(e)
    except (CannotEvaluate, ZeroDivisionError, ValueError, OverflowError):
        return None
    return out if mp.isfinite(out) and abs(out) < mp.mpf(10) ** 15 else None


NEAR = mp.mpf(10) ** -11
"""Sixty digits are carried; a root of what should be 0 loses half of them, a cube root of that two thirds of the rest."""


def real_value(out: Any) -> bool:
    return bool(abs(mp.im(out)) <= NEAR * (1 + abs(out)))


SAID: dict[Callable[[sp.Expr], bool], Callable[[Any], bool]] = {
    is_real: real_value,
    positive: lambda out: real_value(out) and mp.re(out) > 0,
    nonnegative: lambda out: real_value(out) and mp.re(out) >= -NEAR,
    nonzero: lambda out: out != 0,
    is_integer: lambda out: abs(out - mp.nint(mp.re(out))) < NEAR,
}


def faults(e: sp.Expr, points: list[Meaning]) -> list[str]:
    """What is wrong about the form of an expression, about its quantities, or about what is said of it, at some points."""
    out = []
    own = expression(form(e))
    said = [question for question in SAID if holds(question, e)]
    for point in points:
        here = value(point, e)
        if here is None:
            continue
        there = value(point, own)
        if there is None or abs(here - there) > NEAR * (1 + abs(here)):
            out.append(f"{e} is {here}, its form {there}")
        out += [f"{e} is {here}, not {question.__name__}" for question in said if not SAID[question](here)]
        out += [f"{q} is {point.value(q)}" for q in own.free_symbols if isinstance(q, Opaque) and not _of_its_kind(q, point)]
    return out


def _of_its_kind(quantity: Opaque, point: Meaning) -> bool:
    out = point.value(quantity)
    asked = {
        positive: quantity.is_positive, nonnegative: quantity.is_nonnegative, nonzero: quantity.is_zero is False,
        is_integer: quantity.is_integer, is_real: True,
    }  # fmt: skip
    return all(SAID[question](out) for question, applies in asked.items() if applies)


def test_forms_kinds_and_signs_agree_with_evaluation() -> None:
    rng, decided, opaque, said = random.Random(3), 0, 0, 0
    with mp.workdps(60):
        for number in range(300):
            e = candidate(rng)
            if e is None:
                continue
            try:
                own = form(e)
            except Refused:
                continue
            decided, opaque = decided + 1, opaque + bool(own.field.opaque)
            said += any(holds(question, e) for question in SAID)
            assert faults(e, [a_point(3 * number + n) for n in range(3)]) == []
    assert decided > 170
    assert opaque > 110
    assert said > 50


REWRITES = (sp.expand, sp.together, sp.powsimp, lambda e: sp.expand(e, complex=True), lambda e: e.rewrite(exp), sp.factor_terms)


def test_rewrites_are_never_told_apart() -> None:
    rng, proved = random.Random(5), 0
    for _ in range(30):
        e = candidate(rng)
        for rewrite in REWRITES if e is not None else ():
            try:
                other = rewrite(e)
                proved += equal(e, other)
                assert equal(e, other), (e, other)
            except (Refused, TypeError, ValueError, AttributeError, NotImplementedError):
                continue
    assert proved > 60


@pytest.mark.parametrize(
    ("wrong", "e"),
    [
        ("mope_theory.decide.powers.nonnegative", sqrt(UNKNOWNS["f"](j))),
        ("mope_theory.decide.elementary.is_real", Max(x, re(w) + sp.im(w), evaluate=False) + acos(cos(w))),
        ("mope_theory.decide.linear.nonnegative", Sum(UNKNOWNS["f"](ell), (ell, 0, N))),
    ],
    ids=["a root", "an angle", "a sum"],
)
def test_a_kind_that_is_not_established_is_seen(monkeypatch: pytest.MonkeyPatch, wrong: str, e: sp.Expr) -> None:
    caches = (form, canonical, parts)
    for cached in caches:
        cached.cache_clear()
    monkeypatch.setattr(wrong, lambda e: True)
    try:
        with mp.workdps(60):
            assert faults(e, [a_point(n) for n in range(20)]) != []
    finally:
        for cached in caches:
            cached.cache_clear()
