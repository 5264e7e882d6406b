"""Integrals of numbers: Arb's quadrature over a bounded range, and a bound for the rest."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import sympy as sp
from flint import acb, arb, ctx

from ..reference import Unresolved, to_acb
from .interval import Interval
from .majorant import Tail, majorants, tail

FARTHEST = 1_000
"""Up to where an integral is cut off."""


@dataclass(frozen=True)
class Integrand:
    """x ↦ f(x) as Arb's quadrature calls it; without a branch point the flag needs no answer.

    Where a branch cut or a pole is met ``to_acb`` gives a ball that is not finite, as the quadrature asks.
    """

    function: sp.Expr
    x: sp.Symbol
    fixed: Mapping[sp.Symbol, arb]

    def __call__(self, x: acb, _analytic: bool) -> acb:
        return to_acb(self.function, {self.x: x, **self.fixed}, analytic=True)


def integral(e: sp.Integral, evaluate: Callable[[sp.Expr], Interval], ranges: Mapping[sp.Symbol, Interval]) -> acb:
    """The integral of a function of one real variable over a bounded or unbounded range; Unresolved if it is not enclosed."""
    if len(e.limits) != 1 or len(e.limits[0]) != 3 or not e.limits[0][0].is_real:
        raise Unresolved("not an integral over one real variable")
    ((x, start, stop),) = e.limits
    terms = majorants(e.function, x) if sp.oo in (stop, -start) else ()
    low, below = (_cut(tail(tuple(t.mirrored() for t in terms), evaluate))) if start is -sp.oo else (evaluate(start).ball(), 0)
    high, above = _cut(tail(terms, evaluate)) if stop is sp.oo else (evaluate(stop).ball(), 0)
    fixed = {s: ranges[s].ball() for s in e.function.free_symbols - {x}}
    value = acb.integral(Integrand(e.function, x, fixed), acb(-low if start is -sp.oo else low), acb(high))
    if not value.is_finite():
        raise Unresolved("the quadrature gives no finite ball")
    radius = arb(0, arb(below + above).upper())
    return value + acb(radius, radius)


def _cut(beyond: Tail) -> tuple[arb, arb]:
    """Where an integral is cut off, and a bound for what is beyond."""
    for n in range(1, FARTHEST):
        rest = beyond.beyond(n, summed=False)
        if rest is not None and rest < arb(2) ** (-ctx.prec):
            return arb(n), rest
    raise Unresolved("an integrand does not fall fast enough")


def quadrature(f: Integrand, reach: arb) -> acb:
    """The integral of f over [−reach, reach], enclosed."""
    return acb.integral(f, acb(-reach), acb(reach))
