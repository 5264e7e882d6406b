"""SymPy expressions at exact points: mpmath to a stated precision, Arb as an enclosure, derivatives by Taylor series.

Points are exact: integers, fractions, the exact binary value of a float, balls for Arb. A decimal string is refused,
because the tested code never saw it. An infinite value (``sympy.oo``, ``math.inf``) stands for the limit: 1/σ is 0
there.

The two routes share this front door, which prepares the values; each walks the tree on its own (``mp_walker``,
``arb_walker``), so that a fault in one shows as a difference between them. Both accept the same list of nodes, refuse
every other by name (ValueError) and unfold each ``Head`` to its definition.
"""
from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import mpmath
import sympy as sp
from flint import acb, acb_series, ctx

from . import arb_walker, mp_walker
from .exact import INFINITE, Point, Unresolved, exact_point

__all__ = ["Unresolved", "derivative_arb", "to_acb", "to_mpmath"]

GUARD_DIGITS = 15
LONGEST_DIGITS = 4_000


def to_acb(expr: sp.Expr, values: Mapping[sp.Symbol, Any], analytic: bool = False, prec: int | None = None) -> acb:
    """Enclosure of the value of ``expr``: the returned ball contains it, for every point of the balls in ``values``.

    ``prec`` is the working precision in bits, by default that of ``flint.ctx``. With ``analytic`` a conjugate is
    evaluated by Schwarz reflection, f̄(t) := conj(f(conj t)), that is I ↦ −I with symbols untouched: the same value for
    real symbols, and analytic in each of them, as the integrand of a rigorous quadrature must be. Real symbols may then
    take complex values, and a ball that meets a branch cut or a pole gives a ball that is not finite, as
    ``acb.integral`` asks.

    Raises ValueError for a node, a value or a symbol that is not accepted; Unresolved (without ``analytic``) if the
    enclosure is not finite: a ball of NaN contains every number, so that a comparison with it would always pass.
    """
    with _precision(prec):
        series = _walk(expr, values, analytic, None, 0)
        return _finite(series[0], expr, analytic)


def derivative_arb(
    expr: sp.Expr, values: Mapping[sp.Symbol, Any], wrt: sp.Symbol, order: int = 1, prec: int | None = None
) -> acb:
    """Enclosure of the derivative of ``expr`` along ``wrt`` by Taylor arithmetic on balls, without SymPy's diff.

    ``wrt`` must be a real symbol, so that conjugate, re, im and Abs are differentiable along it. At an infinite value
    the derivative of the limit is returned (0 for a dependence through 1/σ). Errors as for ``to_acb``.
    """
    if not wrt.is_extended_real:
        raise ValueError(f"the derivative is taken along a real symbol; {wrt} is not declared real")
    if order < 1:
        raise ValueError(f"order must be at least 1, got {order}")
    if wrt not in values:
        raise ValueError(f"no value for {wrt}")
    with _precision(prec):
        series = _walk(expr, values, False, wrt, order)
        _finite(series[0], expr, False)
        return _finite(series[order] * math.factorial(order), expr, False)


def to_mpmath(expr: sp.Expr, values: Mapping[sp.Symbol, Any], dps: int) -> Any:
    """Value of ``expr`` as an ``mpc`` with |error| ≤ 10^−dps |value|, judged by two precisions that agree.

    The precision is raised until the values at p and 2p digits agree, so that a large phase or a cancellation costs
    digits here and not in the answer. Raises Unresolved if they never do, as for a zero by cancellation.
    """
    points = {s: exact_point(s, v) for s, v in values.items()}
    digits = dps + GUARD_DIGITS
    coarse = mp_walker.evaluate(expr, points, digits)
    while digits <= LONGEST_DIGITS:
        digits *= 2
        fine = mp_walker.evaluate(expr, points, digits)
        with mpmath.workdps(digits):
            if abs(fine - coarse) <= mpmath.mpf(10) ** (-dps) * abs(fine):
                return fine
        coarse = fine
    raise Unresolved(f"{expr} has no stable value in {LONGEST_DIGITS} digits")


def _walk(
    expr: sp.Expr, values: Mapping[sp.Symbol, Any], analytic: bool, wrt: sp.Symbol | None, order: int
) -> acb_series:
    points: dict[sp.Symbol, Point] = {s: exact_point(s, v, continued=analytic) for s, v in values.items()}
    old = ctx.cap
    ctx.cap = order + 1
    try:
        walker = arb_walker.Walker(points, wrt, order + 1, analytic)
        value = walker.value(expr)
    finally:
        ctx.cap = old
    if value is INFINITE:
        raise ValueError(f"{expr} is infinite at the given point")
    assert isinstance(value, acb_series)
    return value


def _finite(value: acb, expr: sp.Expr, analytic: bool) -> acb:
    if not analytic and not value.is_finite():
        raise Unresolved(f"no finite enclosure of {expr}: a pole or a branch cut is met, or the precision is too low")
    return value


@contextmanager
def _precision(prec: int | None) -> Iterator[None]:
    old = ctx.prec
    if prec is not None:
        ctx.prec = prec
    try:
        yield
    finally:
        ctx.prec = old

