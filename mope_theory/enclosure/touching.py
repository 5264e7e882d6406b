"""Inequalities in one variable that touch: near the point where both sides agree, by convexity.

If the gap g = rhs − lhs has g(c) = 0 and g′(c) = 0, both decided, and g″ ≥ 0 on an interval around c, enclosed, then g is convex
there and lies above its tangent at c, which is 0.
"""
from __future__ import annotations

import sympy as sp
from flint import arb

from ..decide import Refused, equal
from ..statement import LessEqual
from .analytic import is_analytic
from .cell import Range
from .exchange import exchanged
from .interval import Interval
from .real_walker import enclose


def holds_by_convexity(relation: LessEqual, x: sp.Symbol, side: Range, c: sp.Expr) -> bool:
    """Is lhs ≤ rhs for every x of the range, because the sides touch at c and part from there? False if that is not shown."""
    here, ranges = None if c.free_symbols else enclose(c, {}), {x: side.interval()}
    if here is None or not _within(here, ranges[x]):
        return False
    gap = _without_moduli(relation.rhs - relation.lhs, ranges)
    if not is_analytic(gap, x, right_half_plane=False):
        return False
    slope = sp.diff(gap, x)
    try:
        touches = equal(gap.subs(x, c), sp.S.Zero) and equal(slope.subs(x, c), sp.S.Zero)
    except Refused:
        return False
    curvature = enclose(sp.diff(slope, x), ranges) if touches else None
    return curvature is not None and bool(curvature.low >= arb(0))


def _within(point: Interval, side: Interval) -> bool:
    return bool(side.low <= point.low) and bool(point.high <= side.high)


def _without_moduli(e: sp.Expr, ranges: dict[sp.Symbol, Interval]) -> sp.Expr:
    """Moduli of what has one sign on the range are written without bars."""
    signed = {}
    for modulus in e.atoms(sp.Abs):
        inside = modulus.args[0]
        value = enclose(inside, ranges)
        if value is not None and (value.low >= 0 or value.high <= 0):
            signed[modulus] = inside if value.low >= 0 else -inside
    return exchanged(e, signed)
