"""Stand-ins for finite sums and products.

A sum Σ_{k=a}^{b} runs over the whole numbers a ≤ k ≤ b, and is 0 where there are none. It is linear.
Infinite sums go by `series`.
"""
from __future__ import annotations

import sympy as sp

from .binding import fresh_index, replaced
from .field import Refused
from .linear import apart, bound, bound_complex
from .opaque import canonical, form, handles, opaque_complex
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
    return sum_apart(function, variable, canonical(lower), canonical(upper))


def sum_apart(function: sp.Expr, variable: sp.Symbol, lower: sp.Expr, upper: sp.Expr) -> sp.Expr:
    """Σ over the whole numbers from a lower to an upper bound, which may be ∞ where it converges."""
    k = fresh_index(_index_kind(lower), function, lower, upper)
    return apart("sum", form(replaced(function, variable, k)), k, lower, upper)


def _index_kind(lower: sp.Expr) -> str:
    """Of the whole numbers from a lower bound on."""
    return "counting" if holds(positive, lower) else "natural" if holds(nonnegative, lower) else "integer"


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
    key = (k, canonical(lower), canonical(upper), canonical(factor))
    return bound("real", "product", *key) if holds(is_real, factor) else bound_complex("product", *key)


def as_written(e: sp.Expr) -> sp.Expr:
    """Nothing is known of it but that it is itself."""
    return opaque_complex("written", e)
