"""Stand-ins for values of unknown functions and for quantities that runs measure: their kind is that of a declared codomain."""
from __future__ import annotations

import sympy as sp

from ..vocabulary.functions import Partial, Unknown, Value
from ..vocabulary.measured import Measured
from .field import Refused
from .opaque import canonical, handles, opaque, opaque_complex

_CODOMAINS: tuple[tuple[sp.Set, str], ...] = (
    (sp.S.Naturals, "counting"),
    (sp.S.Naturals0, "natural"),
    (sp.S.Integers, "integer"),
    (sp.Interval.open(0, sp.oo), "positive"),
    (sp.Interval(0, sp.oo), "nonnegative"),
    (sp.S.Reals - sp.FiniteSet(0), "nonzero"),
    (sp.S.Reals, "real"),
)
"""Sets from the smallest on, with the kind of their members; an unknown has its values in its codomain at every argument."""


@handles(Value)
def value(e: sp.Expr) -> sp.Expr:
    """f(x, …): one quantity for all arguments that are decided equal."""
    function, *arguments = e.args
    if type(function) is not Unknown:
        raise Refused(f"{function} is not an unknown function")
    codomain = function.space.codomain
    if not function.space.is_inhabited:
        raise Refused(f"nothing shows that there are functions such as {function}")
    key = ("value", function, *map(canonical, arguments))
    for values, kind in _CODOMAINS:
        if codomain.is_subset(values) is True:
            return opaque(kind, *key)
    if codomain.is_subset(sp.S.Complexes) is not True:
        raise Refused(f"{function} has values that are not numbers")
    return opaque_complex(*key, nonzero=codomain.contains(sp.S.Zero) == sp.false)


@handles(Partial)
def partial(e: sp.Expr) -> sp.Expr:
    """∂_i f(x, …) of an unknown of class C¹ with real values."""
    function, number, *arguments = e.args
    if type(function) is not Unknown or not number.is_Integer:
        raise Refused(f"{e} is not a derivative of an unknown function")
    if function.space.kind != "C^{1}" or function.space.codomain.is_subset(sp.S.Reals) is not True:
        raise Refused(f"{function} is not declared to have real derivatives")
    return opaque("real", "partial", function, number, *map(canonical, arguments))


@handles(Measured)
def measured(e: sp.Expr) -> sp.Expr:
    """What a finished run supplies is a real number."""
    return opaque("real", "measured", e)
