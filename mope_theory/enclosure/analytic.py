"""Which expressions are analytic functions of a symbol, by how they are built."""
from __future__ import annotations

import sympy as sp

ENTIRE = (sp.exp, sp.cos, sp.sin)


def is_analytic(e: sp.Expr, s: sp.Symbol, right_half_plane: bool) -> bool:
    """Is ``e`` analytic in ``s`` everywhere, or at least where re s > 0? True only if that is plain.

    A sum or an integral is analytic where it converges locally uniformly, which is not looked at here.
    """
    if s not in e.free_symbols:
        return True
    if isinstance(e, (sp.Add, sp.Mul, *ENTIRE)):
        return all(is_analytic(a, s, right_half_plane) for a in e.args)
    if isinstance(e, sp.Pow):
        if e.exp.is_Integer and e.exp > 0:
            return is_analytic(e.base, s, right_half_plane)
        return right_half_plane and e.exp.is_Rational is True and e.base == s
    if isinstance(e, (sp.Sum, sp.Integral)):
        fixed_range = all(s not in end.free_symbols for limit in e.limits for end in limit[1:])
        return fixed_range and all(s != limit[0] for limit in e.limits) and is_analytic(e.function, s, right_half_plane)
    return bool(e == s)
