"""The walker that evaluates a SymPy tree in mpmath numbers; shares no arithmetic with the Arb walker.

Accepts the same nodes: rational numbers, π, I, E, symbols with a value, Add, Mul, Pow, exp, cos, sin, cosh, sinh, log, erfc,
conjugate, re, im, Abs, finite sums and products, and heads. Every other node is refused by name.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import Any

import mpmath
import sympy as sp
from flint import acb, arb
from mpmath import mp, mpf

from ..symbols import Head
from .exact import INFINITE, Point, index_range

Number = Any
"""mpf, mpc or INFINITE; mpmath carries no types."""

FUNCTIONS: dict[type, Callable[[Number], Number]] = {
    sp.exp: lambda x: mp.exp(x),
    sp.cos: lambda x: mp.cos(x),
    sp.sin: lambda x: mp.sin(x),
    sp.cosh: lambda x: mp.cosh(x),
    sp.sinh: lambda x: mp.sinh(x),
    sp.log: lambda x: mp.log(x),
    sp.erfc: lambda x: mp.erfc(x),
    sp.conjugate: lambda x: mp.conj(x),
    sp.re: lambda x: mp.re(x),
    sp.im: lambda x: mp.im(x),
    sp.Abs: lambda x: mp.fabs(x),
}
ATOMS: dict[sp.Basic, Callable[[], Number]] = {
    sp.pi: lambda: +mp.pi,
    sp.E: lambda: mp.exp(1),
    sp.I: lambda: mpmath.mpc(0, 1),
}


def evaluate(expr: sp.Basic, points: Mapping[sp.Symbol, Point], digits: int) -> Number:
    """``expr`` at a point with every operation carried out at ``digits`` decimal digits, as an mpc."""
    with mpmath.workdps(digits):
        value = _visit(expr, points, {})
        if value is INFINITE:
            raise ValueError(f"{expr} is infinite at the given point")
        return mpmath.mpc(value)


def _visit(node: sp.Basic, points: Mapping[sp.Symbol, Point], seen: dict[sp.Basic, Number]) -> Number:
    if node in seen:
        return seen[node]
    if node in ATOMS:
        result = ATOMS[node]()
    elif node.is_Rational:
        result = mpf(int(node.p)) / int(node.q)
    elif node.is_Symbol:
        if node not in points:
            raise ValueError(f"no value for {node}")
        result = _number(node, points[node])
    elif isinstance(node, Head):
        result = _visit(node.definition(), points, seen)
    elif node.is_Add or node.is_Mul or node.is_Pow or type(node) in FUNCTIONS:
        result = _combine(node, [_visit(a, points, seen) for a in node.args])
    elif isinstance(node, (sp.Sum, sp.Product)):
        index, indices = index_range(node)
        terms = [_visit(node.function, {**points, index: Fraction(k)}, {}) for k in indices]
        result = sum(terms, mpf(0)) if isinstance(node, sp.Sum) else reduce(mul, terms, mpf(1))
    else:
        raise ValueError(f"{type(node).__name__} is not evaluated: {node}")
    seen[node] = result
    return result


def _combine(node: sp.Basic, args: list[Number]) -> Number:
    if any(a is INFINITE for a in args):
        return _at_infinity(node, args)
    if node.is_Add:
        return sum(args, mpf(0))
    if node.is_Mul:
        return reduce(mul, args, mpf(1))
    if not node.is_Pow:
        return FUNCTIONS[type(node)](args[0])
    base, exponent = args
    if base == 0 and mp.re(exponent) <= 0:
        raise ValueError(f"{node} has a pole at the given point")
    return mp.power(base, int(node.exp) if node.exp.is_Integer else exponent)


def _at_infinity(node: sp.Basic, args: list[Number]) -> Number:
    """The projective rules: 1/∞ = 0, ∞ ± finite = ∞, ∞ · nonzero = ∞; nothing else."""
    finite = [a for a in args if a is not INFINITE]
    if node.is_Pow and args[0] is INFINITE and node.exp.is_Rational:
        return INFINITE if node.exp > 0 else mpf(0)
    if node.is_Add and len(finite) == len(args) - 1:
        return INFINITE
    if node.is_Mul and all(a != 0 for a in finite):
        return INFINITE
    raise ValueError(f"{node} is indeterminate at infinity")


def _number(symbol: sp.Symbol, point: Point) -> Number:
    if isinstance(point, Fraction):
        return mpf(point.numerator) / point.denominator
    if isinstance(point, acb):
        return mpmath.mpc(_ball(symbol, point.real), _ball(symbol, point.imag))
    return _ball(symbol, point) if isinstance(point, arb) else point


def _ball(symbol: sp.Symbol, point: arb) -> Number:
    if not point.is_exact():
        raise ValueError(f"{symbol} is a ball of positive radius; mpmath evaluates at exact points")
    mantissa, exponent = point.man_exp()
    return mp.ldexp(int(mantissa), int(exponent))
