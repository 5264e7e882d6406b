"""Sums and integrals that are linear, taken apart: what does not vary with the index goes in front of a quantity.

A quantity is the sum, or the integral, of a single product of quantities times e^p. The index of a quantity is a name that
nothing else has, of the kind that the range establishes, whatever the declared one is.
"""
from __future__ import annotations

from typing import Any, Literal

import sympy as sp

from .binding import index, number
from .field import Element, Field
from .normal_form import NormalForm, element_expression, exponential, normal_form, polynomial_expression
from .opaque import field_for
from .quantity import Opaque, complex_quantity, depends, level, renamed
from .sign import holds, nonnegative, positive

Name = Literal["sum", "integral"]


def apart(name: Name, own: NormalForm, k: Opaque, lower: sp.Expr, upper: sp.Expr) -> sp.Expr:
    """A sum or an integral of a normal form over k from a lower to an upper bound, term by term."""
    varying = [g for s, g in own.field.index.items() if k in depends(s)]
    out: sp.Expr = sp.S.Zero
    for p, c in own.terms.items():
        free_power, power = _split_sum(p, varying)
        for powers, q in c.num.iterterms():
            free, factor = _split_product(own.field, powers, q, c.den, varying)
            out += free * sp.exp(element_expression(free_power)) * _elementary(name, k, factor, power, lower, upper)
    return out


def _split_sum(p: Element, varying: list[int]) -> tuple[Element, Element]:
    """p as a part that is free of some generators and the rest."""
    f = p.field
    if any(powers[g] for powers in p.den for g in varying):
        return f.zero, p
    rest = f.ring.from_dict({powers: q for powers, q in p.num.iterterms() if any(powers[g] for g in varying)})
    return f.make(p.num - rest, p.den), f.make(rest, p.den)


def _split_product(f: Field, powers: tuple[int, ...], q: Any, den: Any, varying: list[int]) -> tuple[sp.Expr, Element]:
    """A monomial over a denominator as a free expression times an element that varies."""
    kept = tuple(e if g in varying else 0 for g, e in enumerate(powers))
    free = f.ring.from_dict({tuple(e - v for e, v in zip(powers, kept, strict=True)): q})
    rest = f.ring.from_dict({kept: f.ring.domain.one})
    if not any(p[g] for p in den for g in varying):
        return polynomial_expression(f, free) / polynomial_expression(f, den), f.make(rest, f.ring.one)
    if len(den) == 1:
        ((below, r),) = den.iterterms()
        varies = tuple(e if g in varying else 0 for g, e in enumerate(below))
        constant = f.ring.from_dict({tuple(e - v for e, v in zip(below, varies, strict=True)): r})
        return (
            polynomial_expression(f, free) / polynomial_expression(f, constant),
            f.make(rest, f.ring.from_dict({varies: f.ring.domain.one})),
        )
    return polynomial_expression(f, free), f.make(rest, den)


def _lowest(k: Opaque, factor: Element, power: Element, *bounds: sp.Expr) -> tuple[Opaque, Element, Element]:
    """With the lowest index that neither occurs free nor is bound inside, so that equal sums have equal indices."""
    exprs = element_expression(factor), element_expression(power)
    own = index(k.sort, level(exprs), *(depends(*exprs, *bounds) - {k}))
    factor_expr, power_expr = (renamed(x, k, own) for x in exprs)
    field = field_for(factor_expr, power_expr)
    return own, normal_form(factor_expr, field).element(), normal_form(power_expr, field).element()


def _elementary(name: Name, k: Opaque, factor: Element, power: Element, lower: sp.Expr, upper: sp.Expr) -> sp.Expr:
    """Of factor·e^power for a real factor; that of the conjugate is the conjugate."""
    if factor == factor.field.one and not power and (name == "integral" or holds(nonnegative, upper - lower + 1)):
        return upper - lower + (1 if name == "sum" else 0)
    k, factor, power = _lowest(k, factor, power, lower, upper)
    f = factor.field
    half = f.rational(sp.Rational(1, 2))
    growth, angle = (power + power.conjugate()) * half, (power - power.conjugate()) * half / f.i
    key = (k, lower, upper, element_expression(factor), element_expression(growth))
    if not angle:
        return bound(_sign(name, key[3], lower, upper), name, *key)
    up, way = (angle, 1) if angle.num.LC > 0 else (-angle, -1)
    real, imaginary = (bound("real", f"{name}, {part}", *key, element_expression(up)) for part in ("cos", "sin"))
    turned = exponential(f.i * up, f.one)
    return real if turned == turned.conjugate() else real + sp.I * way * imaginary


def _sign(name: Name, factor: sp.Expr, lower: sp.Expr, upper: sp.Expr) -> str:
    """Kind of the sum or the integral of a factor times an exponential; a sum over nothing is 0."""
    filled = sp.oo in (upper, -lower) or holds(nonnegative if name == "sum" else positive, upper - lower)
    if filled and holds(positive, factor):
        return "positive"
    upwards = filled or name == "sum" or holds(nonnegative, upper - lower)
    return "nonnegative" if upwards and holds(nonnegative, factor) else "real"


def bound(kind: str, name: str, k: Opaque, *key: sp.Expr) -> Opaque:
    """A quantity in which an index is bound."""
    whole = (name, k, *key)
    return Opaque(whole, kind, depends(*key) - {k}, max(level(whole), number(k) + 1))


def bound_complex(*key: Any) -> sp.Expr:
    """A complex quantity in which an index is bound; the key is the name, the index and what it is of."""
    _, k, *inside = key
    return complex_quantity(key, depends(*inside) - {k}, max(level(key), number(k) + 1))
