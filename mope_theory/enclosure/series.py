"""Sums over whole numbers, finite or not, on a cell of a box: the first terms, and a bound for the rest."""
from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from flint import arb, ctx

from ..reference import Unresolved
from .interval import Interval, exactly
from .majorant import OnCell, Tail, majorants, tail

MOST_TERMS = 2_000
At = Callable[[int], Interval]


def series(e: sp.Sum, evaluate: Callable[[sp.Expr], Interval], at: At) -> Interval:
    """The sum; ``evaluate`` encloses what is free of the index, ``at`` a term.

    Raises Unresolved if the rest is not shown to be small after MOST_TERMS terms.
    """
    if len(e.limits) != 1:
        raise Unresolved("a sum over several indices")
    ((x, start, stop),) = e.limits
    if not x.is_real:
        raise Unresolved("the index of a sum is not real")
    if start.is_Integer and stop.is_Integer:
        return _first(at, range(int(start), int(stop) + 1))
    terms = majorants(e.function, x)
    if stop is not sp.oo or not (start.is_Integer or start is -sp.oo):
        raise Unresolved(f"a sum from {start} to {stop}")
    first = 0 if start is -sp.oo else int(start)
    last, rest = _cut(tail(terms, OnCell(evaluate)), first)
    total = _first(at, range(first, last)) + rest
    if start is -sp.oo:
        last, rest = _cut(tail(tuple(t.mirrored() for t in terms), OnCell(evaluate)), 1)
        total = total + _first(at, range(-last + 1, 0)) + rest
    return total


def _first(at: At, numbers: range) -> Interval:
    total = exactly(arb(0))
    for number in numbers:
        total = total + at(number)
    return total


def _cut(beyond: Tail, first: int) -> tuple[int, Interval]:
    """The first term that is left out, and all that is left out from there on."""
    last, rest = max(first, 1), None
    goal = arb(2) ** (-ctx.prec)
    while last < first + MOST_TERMS:
        rest = beyond.beyond(last, summed=True)
        if rest is not None and rest < goal:
            return last, Interval(-rest, rest)
        last += 1
    raise Unresolved("the terms of a sum do not fall fast enough")
