"""Bound variables: indices that nothing else has the name of, and values put for a variable where it is free."""
from __future__ import annotations

from itertools import chain, count
from typing import Any

import sympy as sp

from ..substitution import bound_symbols, denominators, put, require_kept
from ..symbols import Head
from .field import Refused
from .normal_form import definition_of
from .quantity import Opaque, depends, level

BINDERS = (sp.Sum, sp.Product, sp.Integral)


def height(e: sp.Basic) -> int:
    """How many sums, products and integrals lie within each other."""
    if isinstance(e, Head):
        return height(definition_of(e))
    inside = max((height(a) for a in e.args), default=0)
    return inside + len(e.limits) if isinstance(e, BINDERS) else inside


def index(kind: str, least: int, *exprs: sp.Basic) -> Opaque:
    """The index of the least number from a given one on that does not occur free in the expressions."""
    taken = {number(s) for s in depends(*exprs) if isinstance(s, Opaque)}
    return Opaque(("index", next(n for n in count(least) if n not in taken)), kind, frozenset())


def number(k: Opaque) -> int:
    assert isinstance(k.key, tuple)
    return int(k.key[1])


def fresh_index(kind: str, *exprs: sp.Basic) -> Opaque:
    """An index that occurs in none of the expressions, nor in what is bound inside; its number says nothing of their names."""
    return index(kind, max(max(map(height, exprs)), level(exprs)), *exprs)


def replaced(e: sp.Basic, variable: sp.Symbol, value: sp.Expr) -> Any:
    """An expression at a value of a variable that sums inside may bind anew.

    Raises Refused where the value would be captured, and where SymPy would cancel a denominator that may be 0.
    """
    try:
        if variable not in bound_symbols(e):
            return put(e, {variable: value})
        if type(e) in BINDERS:
            return _replaced_below(e, variable, value)
        if isinstance(e, (sp.Lambda, sp.Derivative, sp.Subs, sp.Limit)):
            raise Refused(f"{variable} is bound in {type(e).__name__}")
        parts = [replaced(a, variable, value) for a in e.args]
        new = e.func(*parts)
        outermost = denominators(e.func(*parts, evaluate=False)) if isinstance(e, (sp.Pow, sp.log)) else None
        require_kept(chain.from_iterable(map(denominators, parts)) if outermost is None else outermost, new)
    except ValueError as error:
        raise Refused(str(error)) from error
    return new


def _replaced_below(e: sp.Basic, variable: sp.Symbol, value: sp.Expr) -> sp.Basic:
    """In a sum: in the bounds as far as no later limit binds the variable, and in the function if none does."""
    names = [limit[0] for limit in e.limits]
    if set(names) & value.free_symbols:
        raise Refused(f"{value} would be captured")
    limits = [
        sp.Tuple(limit[0], *(x if variable in names[n + 1 :] else replaced(x, variable, value) for x in limit[1:]))
        for n, limit in enumerate(e.limits)
    ]
    function = e.function if variable in names else replaced(e.function, variable, value)
    return e.func(function, *limits)
