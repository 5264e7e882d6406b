"""Analytic expressions made into functions of complex balls: quadratures and sums call them ten thousands of times.

Sums, products, whole powers, exp, cos and sin are composed, numbers are evaluated once; every other node is left to the walker of
the references, as if nothing had been composed.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, reduce
from operator import add, mul

import sympy as sp
from flint import acb

from ..reference import to_acb

Values = Mapping[sp.Symbol, acb]
Function = Callable[[Values], acb]

_SIMPLE: dict[type, Callable[[acb], acb]] = {sp.exp: acb.exp, sp.cos: acb.cos, sp.sin: acb.sin}


@cache
def compiled(e: sp.Expr, bits: int) -> Function:
    """values ↦ the value of ``e``, continued analytically; numbers in it are taken at the precision given."""
    if not e.free_symbols:
        constant = to_acb(e, {}, analytic=True, prec=bits)
        return lambda values: constant
    if isinstance(e, sp.Symbol):
        return lambda values: values[e]
    if isinstance(e, (sp.Add, sp.Mul)):
        numbers, others = [a for a in e.args if not a.free_symbols], [a for a in e.args if a.free_symbols]
        together = [e.func(*numbers)] if numbers else []
        return _folded(add if isinstance(e, sp.Add) else mul, [compiled(a, bits) for a in (*together, *others)])
    if type(e) in _SIMPLE:
        outer, inner = _SIMPLE[type(e)], compiled(e.args[0], bits)
        return lambda values: outer(inner(values))
    if isinstance(e, sp.Pow) and e.exp.is_Integer:
        return _power(compiled(e.base, bits), int(e.exp))
    symbols = e.free_symbols
    return lambda values: to_acb(e, {s: values[s] for s in symbols}, analytic=True)


def _folded(operation: Callable[[acb, acb], acb], parts: list[Function]) -> Function:
    if len(parts) == 1:
        return parts[0]
    if len(parts) == 2:
        first, second = parts
        return lambda values: operation(first(values), second(values))
    return lambda values: reduce(operation, [part(values) for part in parts])


def _power(base: Function, k: int) -> Function:
    """The k-th power; a reciprocal first, of a ball with 0 in it a ball that is not finite."""
    if k == 0:
        return lambda values: acb(1)
    if k < 0:
        return _power(lambda values: 1 / base(values), -k)

    def value(values: Values) -> acb:
        b = base(values)
        return reduce(mul, [b] * (k - 1), b)

    return value


def is_composed(e: sp.Expr) -> bool:
    """Does ``compiled`` compose all of the expression?"""
    if isinstance(e, (sp.Add, sp.Mul)) or type(e) in _SIMPLE:
        return all(map(is_composed, e.args))
    return isinstance(e, (sp.Symbol, sp.Rational, sp.NumberSymbol)) or (
        isinstance(e, sp.Pow) and e.exp.is_Rational and is_composed(e.base)
    )
