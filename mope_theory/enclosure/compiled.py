"""Analytic expressions of one variable made into functions of a complex ball: a quadrature calls them ten thousands of times.

What is free of the variable is evaluated once; sums, products, whole powers, exp, cos and sin are composed; every other node is
evaluated by the walker of the references, as if nothing had been composed.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from operator import add, mul

import sympy as sp
from flint import acb, arb

from ..reference import to_acb

Function = Callable[[acb], acb]

_SIMPLE: dict[type, Function] = {sp.exp: acb.exp, sp.cos: acb.cos, sp.sin: acb.sin}


def compiled(e: sp.Expr, x: sp.Symbol, fixed: Mapping[sp.Symbol, arb | acb]) -> Function:
    """z ↦ the value of ``e`` at x = z, the other symbols at their fixed values, continued analytically."""
    if x not in e.free_symbols:
        constant = to_acb(e, fixed, analytic=True)
        return lambda z: constant
    if e == x:
        return lambda z: z
    if isinstance(e, (sp.Add, sp.Mul)):
        return _folded(add if isinstance(e, sp.Add) else mul, _grouped(e, x, fixed))
    if type(e) in _SIMPLE:
        outer, inner = _SIMPLE[type(e)], compiled(e.args[0], x, fixed)
        return lambda z: outer(inner(z))
    if isinstance(e, sp.Pow) and e.exp.is_Integer and e.exp > 0:
        return _power(compiled(e.base, x, fixed), int(e.exp))
    return lambda z: to_acb(e, {**fixed, x: z}, analytic=True)


def _grouped(e: sp.Add | sp.Mul, x: sp.Symbol, fixed: Mapping[sp.Symbol, arb | acb]) -> list[Function]:
    """The parts that depend on x, and the others together as one."""
    constant, varying = [a for a in e.args if x not in a.free_symbols], [a for a in e.args if x in a.free_symbols]
    together = [e.func(*constant)] if constant else []
    return [compiled(a, x, fixed) for a in (*together, *varying)]


def _folded(operation: Callable[[acb, acb], acb], parts: list[Function]) -> Function:
    if len(parts) == 2:
        first, second = parts
        return lambda z: operation(first(z), second(z))
    return lambda z: reduce(operation, (part(z) for part in parts))


def _power(base: Function, k: int) -> Function:
    def value(z: acb) -> acb:
        b = base(z)
        return reduce(mul, [b] * (k - 1), b)

    return value
