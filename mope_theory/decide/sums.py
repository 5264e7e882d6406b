"""Stand-ins for sums, products and integrals.

A sum Σ_{k=a}^{b} runs over the whole numbers a ≤ k ≤ b, and is 0 where there are none. It is linear, so it is taken apart: what
does not vary with the index goes in front, and each sum of a single product of quantities and e^p is a quantity. Infinite sums
go by `series`; an integral is left whole: nothing says that it converges. The index of a quantity is a name that nothing else
has, of the kind that the range establishes, whatever the declared one is.
"""
from __future__ import annotations

from typing import Any

import sympy as sp

from .binding import fresh_index, index, number, replaced
from .field import Element, Field, Refused
from .normal_form import element_expression, normal_form, polynomial_expression
from .opaque import canonical, field_for, form, handles, opaque, opaque_complex
from .quantity import Opaque, complex_quantity, depends, level, renamed
from .sign import holds, is_integer, is_real, nonnegative, positive

LONGEST = 16
"""Terms of a sum that is written out."""


def sum_of(e: sp.Sum) -> sp.Expr:
    """A sum over finitely many whole numbers; any other is left whole."""
    *inner, outer = e.limits
    function = sp.Sum(e.function, *inner) if inner else e.function
    if len(outer) != 3:
        raise Refused("an indefinite sum")
    variable, lower, upper = outer
    if not (holds(is_integer, lower) and holds(is_integer, upper)):
        return as_written(e)
    terms = canonical(upper - lower + 1)
    if terms.is_Integer and lower.is_Integer and 0 <= terms <= LONGEST:
        return canonical(sp.Add(*(replaced(function, variable, lower + n) for n in range(int(terms)))))
    return apart(function, variable, canonical(lower), canonical(upper))


def apart(function: sp.Expr, variable: sp.Symbol, lower: sp.Expr, upper: sp.Expr) -> sp.Expr:
    """Σ over lower … upper, term by term."""
    k = fresh_index(_index_kind(lower), function, lower, upper)
    own = form(replaced(function, variable, k))
    varying = [g for s, g in own.field.index.items() if k in depends(s)]
    out: sp.Expr = sp.S.Zero
    for p, c in own.terms.items():
        free_power, power = _split_sum(p, varying)
        for powers, q in c.num.iterterms():
            free, factor = _split_product(own.field, powers, q, c.den, varying)
            out += free * sp.exp(element_expression(free_power)) * _elementary(k, factor, power, lower, upper)
    return out


def _index_kind(lower: sp.Expr) -> str:
    """Of the whole numbers from a lower bound on."""
    return "counting" if holds(positive, lower) else "natural" if holds(nonnegative, lower) else "integer"


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


def _elementary(k: Opaque, factor: Element, power: Element, lower: sp.Expr, upper: sp.Expr) -> sp.Expr:
    """Σ_k factor·e^power for a real factor; the sum of the conjugates is its conjugate."""
    if factor == factor.field.one and not power and holds(nonnegative, upper - lower + 1):
        return upper - lower + 1
    k, factor, power = _lowest(k, factor, power, lower, upper)
    f = factor.field
    half = f.rational(sp.Rational(1, 2))
    growth, angle = (power + power.conjugate()) * half, (power - power.conjugate()) * half / f.i
    key = (k, lower, upper, element_expression(factor), element_expression(growth))
    if not angle:
        return _bound(_kind_of_sum(key[3], lower, upper), "sum", *key)
    up, way = (angle, 1) if angle.num.LC > 0 else (-angle, -1)
    real, imaginary = (_bound("real", f"sum, {part}", *key, element_expression(up)) for part in ("cos", "sin"))
    return real + sp.I * way * imaginary


def _kind_of_sum(factor: sp.Expr, lower: sp.Expr, upper: sp.Expr) -> str:
    if holds(positive, factor) and (upper == sp.oo or holds(nonnegative, upper - lower)):
        return "positive"
    return "nonnegative" if holds(nonnegative, factor) else "real"


def _bound(kind: str, name: str, k: Opaque, *key: sp.Expr) -> Opaque:
    """A quantity in which an index is bound."""
    made = opaque(kind, name, k, *key)
    return Opaque(made.key, kind, made.depends - {k}, max(made.level, number(k) + 1))


@handles(sp.Product)
def product_of(e: sp.Product) -> sp.Expr:
    """Over finitely many whole numbers; real if the factor is."""
    if len(e.limits) != 1 or len(e.limits[0]) != 3:
        raise Refused("an indefinite product, or one over several indices")
    ((variable, lower, upper),) = e.limits
    if not (holds(is_integer, lower) and holds(is_integer, upper)):
        return as_written(e)
    k = fresh_index(_index_kind(lower), e.function, lower, upper)
    factor = replaced(e.function, variable, k)
    key = ("product", k, canonical(lower), canonical(upper), canonical(factor))
    if holds(is_real, factor):
        return _bound("real", *key)
    return complex_quantity(key, depends(*key[1:]) - {k}, max(level(key), number(k) + 1))


@handles(sp.Integral)
def integral_of(e: sp.Integral) -> sp.Expr:
    return as_written(e)


def as_written(e: sp.Expr) -> sp.Expr:
    """Nothing is known of it but that it is itself."""
    return opaque_complex("written", e)
