"""Stand-ins for integrals: linear where they plainly converge, otherwise one quantity for equal integrands over one range.

An integral over a bounded range converges if the integrand is continuous: exponential polynomials whose denominators never
vanish are. Over an unbounded one it converges absolutely if each term is a polynomial times e^p with a polynomial p of degree 2
whose leading coefficient has a plainly negative real part (or of degree 1, over a half-line to +∞).
"""
from __future__ import annotations

from functools import partial

import sympy as sp

from .binding import fresh_index, replaced
from .linear import apart, bound_complex
from .normal_form import NormalForm
from .opaque import canonical, form, handles
from .quantity import Opaque
from .series import decays
from .sign import holds, is_real, nonnegative, positive
from .sums import as_written

ENDS = (-sp.oo, sp.oo)


@handles(sp.Integral)
def integral_of(e: sp.Integral) -> sp.Expr:
    *inner, outer = e.limits
    function = sp.Integral(e.function, *inner) if inner else e.function
    if len(outer) != 3 or outer[1] == sp.oo or outer[2] == -sp.oo:
        return as_written(e)
    variable, lower, upper = outer
    if not all(x in ENDS or holds(is_real, x) for x in (lower, upper)):
        return as_written(e)
    lower, upper = (x if x in ENDS else canonical(x) for x in (lower, upper))
    bounds = {lower, upper}.difference(ENDS)
    t, real = (fresh_index(kind, function, *bounds) for kind in (_kind(lower, upper), "real"))
    integrand = replaced(function, variable, t)
    converges = partial(_continuous, t=t, lower=lower) if len(bounds) == 2 else partial(_decaying, t=real, lower=lower)
    if holds(lambda f: converges(form(f)), integrand if len(bounds) == 2 else replaced(function, variable, real)):
        return apart("integral", form(integrand), t, lower, upper)
    return bound_complex("integral", t, lower, upper, canonical(integrand))


def _kind(lower: sp.Expr, upper: sp.Expr) -> str:
    """Of the numbers between two bounds: an end of the range does not count."""
    upwards = upper == sp.oo or (lower != -sp.oo and holds(nonnegative, upper - lower))
    return "positive" if lower != -sp.oo and upwards and holds(nonnegative, lower) else "real"


def _continuous(own: NormalForm, t: Opaque, lower: sp.Expr) -> bool:
    """True only if every term is plainly continuous on a bounded range, its ends included, where t > 0 may fail."""
    g = own.field.index.get(t)
    varying = {k for k, varies in own.field.opaque.items() if t in varies}
    pairs = [x for pair in own.terms.items() for x in pair]
    if any(x.has(k) for x in pairs for k in varying - {g}):
        return False
    return t.sort == "real" or holds(positive, lower) or not any(powers[g] for x in pairs for powers in x.den if g is not None)


def _decaying(own: NormalForm, t: Opaque, lower: sp.Expr) -> bool:
    """True only if every term plainly decays; raises Refused where one is no polynomial times the e^ of one."""
    return all(decays(p, c, t, one_sided=lower != -sp.oo) for p, c in own.terms.items())
