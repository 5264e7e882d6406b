"""Whether bound variables stay where their assumptions hold: SymPy simplifies under them as soon as a term is put together anew.

Σ_{k=−5}^{5} |y + k| with a k that is declared nonnegative becomes Σ (y + k) when a positive number is put for y.
"""
from __future__ import annotations

from functools import cache

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

from .assumptions import admitted
from .vocabulary.spectra import Deviation

WITHOUT_ZERO = (sp.S.Reals - sp.FiniteSet(0), sp.S.Complexes - sp.FiniteSet(0))


@cache
def stray(expr: sp.Basic) -> str:
    """The first sum, product, integral or deviation whose variable leaves what it admits, in words; empty if there is none."""
    for part in sp.preorder_traversal(expr):
        if isinstance(part, ExprWithLimits):
            kept = all(_stays(part, limit) for limit in part.limits if len(limit) == 3)
        elif isinstance(part, Deviation):
            weight, domain = part.args
            kept = isinstance(weight, sp.Lambda) and domain.is_subset(_values(weight.variables[0])) is True
        else:
            continue
        if not kept:
            return f"{part}: a variable leaves what it admits"
    return ""


def _values(variable: sp.Symbol) -> sp.Set:
    try:
        return admitted(variable)
    except ValueError:
        return sp.S.EmptySet


def _stays(total: ExprWithLimits, limit: sp.Tuple) -> bool:
    variable, lower, upper = limit
    values = _values(variable)
    if values in (sp.S.Reals, sp.S.Complexes):
        return True
    if values.is_empty is True:
        return False
    if isinstance(total, (sp.Sum, sp.Product)):
        return values == sp.S.Integers or (lower.is_nonnegative if values.contains(0) == sp.true else lower.is_positive) is True
    if values in WITHOUT_ZERO:
        return True  # a point does not count in an integral, and neither do its ends
    upwards = upper == sp.oo or (upper - lower).is_nonnegative is True
    return values.contains(sp.Rational(1, 2)) == sp.true and upwards and lower.is_nonnegative is True
