"""Random expressions on random cells, bounded or not: the interval holds what mpmath computes at points of the cell."""
from __future__ import annotations

import random
from collections.abc import Callable

import mpmath
import pytest
import sympy as sp
from flint import arb

from mope_theory.enclosure.base import precision
from mope_theory.enclosure.interval import INFINITY, Interval, spanning
from mope_theory.enclosure.real_walker import enclose

x, y = sp.symbols("x y", real=True)
LEAVES = (x, y, sp.Integer(-2), sp.Integer(3), sp.Rational(-5, 3), sp.Rational(1, 3), sp.pi)
NODES: tuple[Callable[[sp.Expr, sp.Expr], sp.Expr], ...] = (
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / b,
    lambda a, _: sp.exp(a),
    lambda a, _: sp.cos(a),
    lambda a, _: a**2,
    lambda a, _: sp.Abs(a),
    lambda a, _: sp.sqrt(a),
    sp.Max,
)


def expression(chance: random.Random, depth: int) -> sp.Expr:
    if depth == 0:
        return chance.choice(LEAVES)
    return chance.choice(NODES)(expression(chance, depth - 1), expression(chance, depth - 1))


def cell(chance: random.Random) -> tuple[Interval, list[float]]:
    """A range and points of it."""
    low = chance.randint(-8, 8) / 4
    length = chance.choice([0, 0.25, 1, 2.5, 40])
    points = [low + part * length for part in (0, 0.5, 1, chance.random())]
    return spanning(arb(low), arb(low + length) if length < 40 else INFINITY), points


@pytest.mark.parametrize("seed", range(4))
def test_the_interval_holds_the_values(seed: int) -> None:
    chance, seen = random.Random(seed), 0
    while seen < 400:
        try:
            e = expression(chance, chance.choice((2, 3)))
        except ValueError:  # the maximum of what is not real
            continue
        (first, across), (second, up) = cell(chance), cell(chance)
        if e.has(sp.zoo, sp.nan, sp.oo, sp.I) or not e.free_symbols:
            continue
        with precision(64):
            try:
                found = enclose(e, {x: first, y: second})
            except ValueError:  # a function that is not evaluated, as cosh for a mean of exponentials
                continue
        if found is None:
            continue
        value = sp.lambdify((x, y), e, "mpmath")
        for a in across:
            for b in up:
                with mpmath.workdps(40):
                    exact = arb(mpmath.nstr(mpmath.mpf(value(mpmath.mpf(a), mpmath.mpf(b))), 35))
                slack = abs(exact) * arb("1e-30") + arb("1e-34")  # of the 35 digits
                assert not exact + slack < found.low, (e, a, b)
                assert not exact - slack > found.high, (e, a, b)
                seen += 1
