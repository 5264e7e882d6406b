"""Integrals on a cell of a box: Arb's quadrature over a bounded range, and a bound for the rest.

Infinite sums in an integrand are cut off too. What is left out is an analytic function of the variable, in the integrand as in
its Schwarz reflection, of modulus at most what the majorants give at that complex value; a ball of that radius stands for it.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import sympy as sp
from flint import acb, arb, ctx

from ..reference import Unresolved, to_acb
from ..substitution import put
from .compiled import Function, compiled
from .interval import Interval
from .majorant import OnBalls, OnCell, Tail, Term, majorants, tail

FARTHEST = 1_000
"""Up to where an integral, or a sum in it, is cut off."""


@dataclass(frozen=True)
class Integrand:
    """x ↦ f(x) as Arb's quadrature calls it; without a branch point the flag needs no answer.

    Where a branch cut or a pole is met ``to_acb`` gives a ball that is not finite, as the quadrature asks.
    """

    function: sp.Expr
    x: sp.Symbol
    fixed: Mapping[sp.Symbol, arb]
    left_out: Mapping[sp.Symbol, tuple[int, tuple[tuple[Term, ...], ...]]] | None = None
    """For each stand-in of the rest of a sum, where that begins and the majorants of its one or two sides."""

    def __call__(self, x: acb, _analytic: bool) -> acb:
        if not self.left_out:
            return self._composed({self.x: x, **self._balls})
        around = acb(x.real, arb(0, arb(abs(x.imag).upper())))  # also of the reflection
        rests: dict[sp.Symbol, acb] = {}
        for stand_in, (first, sides) in self.left_out.items():
            bounds = [tail(side, OnBalls({self.x: around, **self._balls})).beyond(first, summed=True) for side in sides]
            if None in bounds:
                return acb(arb.nan(), arb.nan())
            radius = arb(0, sum((b for b in bounds if b is not None), arb(0)).upper())
            rests[stand_in] = acb(radius, radius)
        return to_acb(self.function, {self.x: x, **self.fixed, **rests}, analytic=True)

    @cached_property
    def _composed(self) -> Function:
        return compiled(self.function, ctx.prec)

    @cached_property
    def _balls(self) -> dict[sp.Symbol, acb]:
        return {s: acb(value) for s, value in self.fixed.items()}


def integral(e: sp.Integral, evaluate: Callable[[sp.Expr], Interval], ranges: Mapping[sp.Symbol, Interval]) -> acb:
    """The integral of a function of one real variable over a bounded or unbounded range; Unresolved if it is not enclosed."""
    if len(e.limits) != 1 or len(e.limits[0]) != 3 or not e.limits[0][0].is_real:
        raise Unresolved("not an integral over one real variable")
    ((x, start, stop),) = e.limits
    terms = majorants(e.function, x) if sp.oo in (stop, -start) else ()
    upper, left = OnCell(evaluate), tuple(t.mirrored() for t in terms)
    low, below = _cut(tail(left, upper)) if start is -sp.oo else (-evaluate(start).ball(), arb(0))
    high, above = _cut(tail(terms, upper)) if stop is sp.oo else (evaluate(stop).ball(), arb(0))
    fixed = {s: ranges[s].ball() for s in e.function.free_symbols - {x}}
    value = acb.integral(integrand(e.function, x, fixed), acb(-low), acb(high))
    if not value.is_finite():
        raise Unresolved("the quadrature gives no finite ball")
    radius = arb(0, arb(below + above).upper())
    return value + acb(radius, radius)


def integrand(function: sp.Expr, x: sp.Symbol, fixed: Mapping[sp.Symbol, arb]) -> Integrand:
    """The function with its infinite sums cut off."""
    left_out, shortened = {}, {}
    for number, total in enumerate(sorted(function.atoms(sp.Sum), key=sp.default_sort_key)):
        ((k, start, stop),) = total.limits
        if stop is not sp.oo or not (start.is_Integer or start is -sp.oo) or total.function.atoms(sp.Sum):
            raise Unresolved(f"the sum {total} in an integrand")
        stand_in = sp.Symbol(f"rest_{number}", real=True)
        terms = majorants(total.function, k)
        sides = (terms, tuple(t.mirrored() for t in terms)) if start is -sp.oo else (terms,)
        upper = OnBalls({x: acb(0), **{s: acb(value) for s, value in fixed.items()}})
        first = max(int(_cut(tail(side, upper), summed=True)[0].unique_fmpz() or 0) for side in sides) + 4
        numbers = range(1 - first if start is -sp.oo else int(start), first)
        shortened[total] = stand_in + sp.Add(*(put(total.function, {k: sp.Integer(n)}) for n in numbers))
        left_out[stand_in] = first, sides
    return Integrand(function.xreplace(shortened), x, fixed, left_out)


def _cut(beyond: Tail, summed: bool = False) -> tuple[arb, arb]:
    """Where an integral, or a sum, is cut off, and a bound for what is beyond."""
    for n in range(1, FARTHEST):
        rest = beyond.beyond(n, summed)
        if rest is not None and rest < arb(2) ** (-ctx.prec):
            return arb(n), rest
    raise Unresolved("what is beyond does not fall fast enough")


def quadrature(f: Integrand, reach: arb) -> acb:
    """The integral of f over [−reach, reach], enclosed."""
    return acb.integral(f, acb(-reach), acb(reach))

