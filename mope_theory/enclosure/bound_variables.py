"""Sums, integrals and deviations made ready for balls: real, and in variables of integration without a scale.

* re Σ f = Σ re f, and re e^{p + iq} = e^p cos q for real p and q.
* With x = λy + μ for a positive λ: ∫ f(x) dx = λ ∫ f(λy + μ) dy over the range of y, and the standard deviation of a weight
  w(x) is λ times that of w(λy + μ); a constant factor of the weight changes nothing.

That a new integrand is the old one in the new variable is decided, where SymPy's own arithmetic has not already shown it.
"""
from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from ..assumptions import admitted
from ..decide import Refused, equal, unfold
from ..substitution import bound_symbols
from ..vocabulary.spectra import Deviation, psi_hat, psi_hat_on_integers
from .exchange import exchanged


def opened(expr: sp.Expr) -> sp.Expr:
    """The expression with transforms written as the integrals and sums that they are, and |z|² as z z̄ inside of integrals."""
    expr = exchanged(expr, {h: h.definition() for h in expr.atoms(psi_hat, psi_hat_on_integers)})
    squares = {x: x.base.args[0] * sp.conjugate(x.base.args[0]) for x in expr.atoms(sp.Pow) if _is_square(x)}
    return exchanged(expr, squares)


def _is_square(power: sp.Pow) -> bool:
    return isinstance(power.base, sp.Abs) and power.exp == 2 and power.has(sp.Sum, sp.Integral)


def real_sums(expr: sp.Expr) -> sp.Expr:
    """The expression with the real part of each sum as a sum of real parts."""
    found = {}
    for part in expr.atoms(sp.re):
        total = part.args[0]
        if isinstance(total, sp.Sum):
            found[part] = total.func(_real_part(total.function), *total.limits)
    return exchanged(expr, found)


def _real_part(value: sp.Expr) -> sp.Expr:
    """e^p cos q of e^{p + iq}, decided to be the real part."""
    flat = sp.powsimp(sp.expand(unfold(value), power_exp=False))
    if type(flat) is not sp.exp:
        raise Refused(f"{value} is no single exponential")
    p, q = sp.expand(flat.args[0]).as_real_imag()
    real = sp.exp(p) * sp.cos(q)
    if not equal(sp.re(value), real):
        raise Refused(f"the real part of {value} is not decided")
    return real


def rescaled(expr: sp.Expr, inside: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
    """The expression with the given variables of integration put in the place of others, x ↦ λy + μ.

    The new variable is the one of λy + μ that does not occur. A node that does not depend on λ and μ is left alone.
    """
    for x, value in inside.items():
        nodes = [e for e in expr.atoms(sp.Integral, Deviation) if _variable(e) == x]
        scaled = [e for e in nodes if len(value.free_symbols - e.free_symbols) == 1]
        expr = exchanged(expr, {e: _in_new_variable(e, x, value) for e in scaled})
    return expr


def _variable(e: sp.Integral | Deviation) -> sp.Symbol | None:
    if isinstance(e, sp.Integral):
        return e.limits[0][0] if len(e.limits) == 1 and len(e.limits[0]) == 3 else None
    return e.args[0].variables[0]


def _in_new_variable(e: sp.Integral | Deviation, x: sp.Symbol, value: sp.Expr) -> sp.Expr:
    (y,) = value.free_symbols - e.free_symbols
    width = sp.diff(value, y)
    shift = sp.expand(value - width * y)
    real = admitted(x) == admitted(y) == sp.S.Reals and y not in bound_symbols(e)
    if not real or x in value.free_symbols or y in width.free_symbols or not (width.is_positive and shift.is_real):
        raise Refused(f"{x} = {value} is no change of a real variable")

    def place(end: sp.Expr) -> sp.Expr:
        return end if end.is_infinite else sp.expand((end - shift) / width)

    if isinstance(e, Deviation):
        weight, domain = e.args
        if not isinstance(domain, sp.Interval) and domain != sp.S.Reals:
            raise Refused(f"no change of variable over {domain}")
        factor, inner = _without_factor(weight.expr, x, value, y)
        if not factor.is_positive:
            raise Refused("a factor of the weight that is not shown to be positive")
        return width * Deviation(sp.Lambda(y, inner), sp.Interval(place(domain.start), place(domain.end)))
    ((_, start, stop),) = e.limits
    factor, inner = _without_factor(e.function, x, value, y)
    return width * factor * sp.Integral(inner, (y, place(start), place(stop)))


def _without_factor(function: sp.Expr, x: sp.Symbol, value: sp.Expr, y: sp.Symbol) -> tuple[sp.Expr, sp.Expr]:
    """c, g with f(λy + μ) = c·g(y)."""
    moved = unfold(function).xreplace({x: value})
    plain = moved.xreplace({s: s.func(combined(s.function), *s.limits) for s in moved.atoms(sp.Sum)})
    plain = plain if moved.has(sp.Sum) else combined(moved)
    factor, inner = plain.as_independent(y, as_Add=False)
    return factor, inner


def combined(moved: sp.Expr) -> sp.Expr:
    """Exponentials multiplied out and put together, so that what cancels is gone."""
    plain = sp.powsimp(sp.expand(moved))
    if plain != moved and not equal(moved, plain):
        raise Refused("the integrand in the new variable is not the one in the old")
    return plain
