"""Random points for the judge: values of symbols and of unknown functions at which what is assumed holds."""
from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import mpmath as mp
import sympy as sp

from mope_theory.statement import Equal, Exists, ForAll, Statement, UniformlyTendsTo
from mope_theory.symbols import Head
from mope_theory.vocabulary.functions import Functions, Unknown
from tests.mope_theory.claims.numeric import CannotEvaluate, Point, unfolded
from tests.mope_theory.claims.values import SPECTRUM

TRIES, ENOUGH, ENOUGH_INTEGRALS = 300, 12, 4
WHOLE = (sp.S.Integers, sp.S.Naturals, sp.S.Naturals0)


def points(statement: Statement, assumptions: frozenset[Statement], kind: type[Point]) -> Iterator[Point]:
    """A few points at which the assumptions hold; fewer, or none, if they are hard to come by."""
    everything = (statement, *sorted(assumptions, key=lambda s: s.text()))
    symbols = sorted(set().union(*(s.free_symbols for s in everything)), key=str)
    if len({x.name for x in symbols}) < len(symbols):
        raise CannotEvaluate("two symbols of one name")
    rng = random.Random(7)
    enough = ENOUGH_INTEGRALS if any(map(_integrates, statement.expressions)) else ENOUGH
    yield from islice(_trials(symbols, everything, rng, kind), enough if symbols else 1)


def _integrates(e: sp.Basic) -> bool:
    return e.has(sp.Integral) or any(_integrates(unfolded(head)) for head in e.atoms(Head))


def _trials(symbols: list[sp.Symbol], said: tuple[Statement, ...], rng: random.Random, kind: type[Point]) -> Iterator[Point]:
    samples = {x.name: _samples(domain, rng) for s in said for x, domain in _bound(s)}
    for _ in range(TRIES):
        place = kind({x.name: drawn(x, rng) for x in symbols}, samples, SPECTRUM)
        equations = [s for s in said[1:] if isinstance(s, Equal)]
        if all(_solve(place, equation) for equation in equations) and all(map(place.holds, said[1:])):
            yield place


def _solve(place: Point, equation: Equal) -> bool:
    """Whether the equation is made to hold, by the value of a symbol that stands alone on one side of it."""
    for symbol, other in ((equation.lhs, equation.rhs), (equation.rhs, equation.lhs)):
        if symbol.is_Symbol and symbol not in other.free_symbols:
            value = place.value(other)
            place.values[symbol.name] = mp.re(value) if mp.im(value) == 0 else value
            place.known.clear()
            return True
    return place.holds(equation) or any(_solve_for(place, x, equation) for x in sorted(equation.free_symbols, key=str))


def _solve_for(place: Point, x: sp.Symbol, equation: Equal) -> bool:
    """Whether an equation that is linear in a real symbol is made to hold by another value that the symbol admits."""
    if isinstance(x, Unknown) or not x.is_real:
        return False
    old = place.values[x.name]

    def gap(y: Any) -> Any:
        return place.at(x, mp.mpf(y), equation.lhs - equation.rhs)

    low, slope = gap(1), gap(2) - gap(1)
    root = 1 - mp.re(low / slope) if slope else old
    if (x.is_integer and root != mp.nint(root)) or (x.is_nonnegative and root <= 0):
        return False
    place.values[x.name] = root
    place.known.clear()
    if place.holds(equation):
        return True
    place.values[x.name] = old
    return False


def drawn(x: sp.Symbol, rng: random.Random) -> Any:
    """A value that a symbol admits."""
    if isinstance(x, Unknown):
        return function(x.space, rng)
    if x.is_integer:
        return mp.mpf(rng.randint(1 if x.is_positive else 0 if x.is_nonnegative else -3, 4))
    size = mp.mpf(rng.randint(5, 250)) / 101
    if x.is_nonnegative:
        return size
    if x.is_real:
        return size * rng.choice((-1, 1))
    return mp.mpc(size * rng.choice((-1, 1)), mp.mpf(rng.randint(-200, 200)) / 97)


def function(space: Functions, rng: random.Random) -> Callable[..., Any]:
    """A function of a space: random values at whole numbers, a Gaussian bump with a slope on the line."""
    seed, discrete = rng.random(), any(part in WHOLE for part in getattr(space.domain, "args", ()) or (space.domain,))
    sample = sp.Symbol("_", **_kind(space.codomain))

    def at(*where: Any) -> Any:
        if discrete or space.domain in WHOLE:
            return drawn(sample, random.Random(f"{seed}{[int(mp.re(y)) for y in where]}"))
        bump = mp.exp(-sum(mp.re(y) ** 2 for y in where) / 2)
        slope = 1 if sample.is_nonnegative else sum(mp.re(y) * (k + seed) for k, y in enumerate(where, 1))
        return (bump * slope + bump) * (1 if sample.is_real else mp.mpc(1, seed))

    return at


def _kind(codomain: sp.Set) -> dict[str, bool]:
    if codomain in WHOLE:
        return {"integer": True} | ({} if codomain == sp.S.Integers else {"nonnegative": True})
    if codomain.is_subset(sp.Interval.open(0, sp.oo)):
        return {"positive": True}
    if codomain.is_subset(sp.Interval(0, sp.oo)):
        return {"nonnegative": True}
    return {"real": True} if codomain.is_subset(sp.S.Reals) else {"complex": True}


def _bound(s: Statement) -> Iterator[tuple[sp.Symbol, sp.Set]]:
    """What a statement quantifies over."""
    if isinstance(s, (ForAll, Exists)):
        yield s.var, s.domain
    if isinstance(s, UniformlyTendsTo):
        yield s.over, s.domain
    for part in s.parts():
        if isinstance(part, Statement):
            yield from _bound(part)


def _samples(domain: sp.Set, rng: random.Random) -> list[Any]:
    if isinstance(domain, Functions):
        return [function(domain, rng) for _ in range(2)]
    if isinstance(domain, sp.Range) or domain in WHOLE:
        return [y for y in range(-3, 5) if domain.free_symbols or domain.contains(y) == sp.true]
    pool = [sp.Rational(rng.randint(-300, 300), 101) for _ in range(12)]
    return [y for y in pool if domain.contains(y) == sp.true][:4]
