"""Functions of one real variable that are smooth by the way they are put together."""
from __future__ import annotations

import sympy as sp

from .decide import is_smooth_series, unfold


def is_smooth(expr: sp.Expr, x: sp.Symbol) -> bool:
    """True only if a term that is defined everywhere plainly has all derivatives by the real variable x.

    Sums, products, natural powers, exponentials, cosines, sines, conjugates and finite sums of such, and sums over a Gaussian
    comb; whatever is free of x is a constant.
    """
    return _is_smooth(unfold(expr), x)


def _is_smooth(e: sp.Expr, x: sp.Symbol) -> bool:
    if e == x or x not in e.atoms(sp.Symbol):
        return True
    if isinstance(e, sp.Pow):
        return bool(e.exp.is_Integer and e.exp >= 0) and _is_smooth(e.base, x)
    if isinstance(e, sp.Sum):
        finite = all(_is_finite(limit, x) for limit in e.limits) and _is_smooth(e.function, x)
        return finite or is_smooth_series(e, x)
    smooth = (sp.Add, sp.Mul, sp.exp, sp.cos, sp.sin, sp.conjugate)
    return isinstance(e, smooth) and all(_is_smooth(a, x) for a in e.args)


def _is_finite(limit: sp.Tuple, x: sp.Symbol) -> bool:
    """Does an index run between two bounds that are free of x?"""
    return len(limit) == 3 and x not in limit.atoms(sp.Symbol) and not limit.has(sp.oo, -sp.oo, sp.zoo, sp.nan)
