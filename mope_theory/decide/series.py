"""Stand-ins for sums: over finitely many whole numbers, and over infinitely many where they plainly converge.

Each term of the summand is a polynomial in the index k times e^p with a polynomial p in k. It converges absolutely if p is of
degree 2 with a leading coefficient whose real part is plainly negative (a Gaussian comb, over ℕ or ℤ), or of degree 1 with such
a coefficient (a geometric series, over ℕ). If every term does, the sum is linear and may be taken apart and put together in any
order; it is reduced to sums over 1, 2, 3, … By that, Σ_{k∈ℤ} f(k) = f(0) + Σ_{k≥1} (f(k) + f(−k)). Any other infinite sum is left
whole: nothing says that it converges.
"""
from __future__ import annotations

import sympy as sp

from .binding import replaced
from .field import Element, Refused
from .opaque import canonical, form, handles
from .sums import LONGEST, as_written, sum_apart, sum_of


@handles(sp.Sum)
def any_sum(e: sp.Sum) -> sp.Expr:
    infinite = any(bound in (sp.oo, -sp.oo) for limit in e.limits for bound in limit[1:])
    if not infinite:
        return sum_of(e)
    return series(e) if summable(e) else as_written(e)


def summable(e: sp.Sum) -> bool:
    """True only if it is a sum of one index over a, a + 1, … or over ℤ that plainly converges absolutely."""
    if type(e) is not sp.Sum or len(e.limits) != 1 or len(e.limits[0]) != 3:
        return False
    variable, lower, upper = e.limits[0]
    if lower == -sp.oo and variable.is_nonnegative:
        return False
    if upper != sp.oo or not (lower == -sp.oo or (lower.is_Integer and abs(lower) <= LONGEST)):
        return False
    k = _whole(variable, e)
    try:
        own = form(replaced(e.function, variable, k))
        return all(decays(p, c, k, lower != -sp.oo) for p, c in own.terms.items())
    except Refused:
        return False


def _whole(variable: sp.Symbol, e: sp.Expr) -> sp.Symbol:
    """An integer of a name that does not occur."""
    taken, name = {symbol.name for symbol in e.atoms(sp.Symbol)}, variable.name
    while name in taken:
        name += "'"
    return sp.Symbol(name, integer=True)


def decays(p: Element, c: Element, k: sp.Symbol, one_sided: bool) -> bool:
    """Whether c·e^p is plainly summable over k; raises Refused where it is no polynomial times the e^ of one."""
    c.coefficients(k)
    power = p.coefficients(k)
    if max(power, default=0) > 2:
        return False
    lead = power.get(2, p.field.zero)
    if not lead and one_sided:
        lead = power.get(1, p.field.zero)
    return (-(lead + lead.conjugate())).manifest_sign(strict=True)


def is_smooth_series(e: sp.Sum, x: sp.Symbol) -> bool:
    """True only if a sum that plainly converges plainly has all derivatives by a real variable.

    Its terms are polynomials in k and x times e^{−ak² + k p(x) + q(x)} with polynomials p and q, and a that is free of x: on
    bounded ranges of x, the sums of their derivatives converge uniformly.
    """
    if not summable(e):
        return False
    variable = e.limits[0][0]
    k = _whole(variable, e)
    own = form(replaced(e.function, variable, k))
    g = own.field.index.get(x)
    varying = {n for n, inside in own.field.opaque.items() if x in inside}
    if any(pair.has(n) for term in own.terms.items() for pair in term for n in varying):
        return False
    return g is None or (g not in own.field.rooted and all(_is_smooth_term(p, c, k, g) for p, c in own.terms.items()))


def _is_smooth_term(p: Element, c: Element, k: sp.Symbol, g: int) -> bool:
    lead = p.coefficients(k).get(2, p.field.zero)
    return bool(lead) and not lead.has(g) and not any(powers[g] for den in (p.den, c.den) for powers in den)


def series(e: sp.Sum) -> sp.Expr:
    """A summable sum, in terms of sums over 1, 2, 3, …"""
    ((variable, lower, _),) = e.limits
    if lower == -sp.oo:
        k = _whole(variable, e)  # sums inside may bind the variable anew, where −k would be captured
        sides = (replaced(e.function, variable, x) for x in (k, -k))
        return sp.Add(_at(e, 0), *(sum_apart(side, k, sp.S.One, sp.oo) for side in sides))
    before = sp.Add(*(_at(e, n) for n in range(int(lower), 1)), *(-_at(e, n) for n in range(1, int(lower))))
    return before + sum_apart(e.function, variable, sp.S.One, sp.oo)


def _at(e: sp.Sum, n: int) -> sp.Expr:
    return canonical(replaced(e.function, e.limits[0][0], sp.Integer(n)))
