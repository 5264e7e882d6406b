"""Functions of one real variable that are measurable by the way they are put together, and square-integrable by a fact."""
from __future__ import annotations

import sympy as sp

from .decide import Refused, unfold
from .defined import require_defined
from .ranges import belongs, with_stand_ins
from .statement import Less
from .vocabulary.functions import Functions, Unknown, Value

ELEMENTARY = (
    sp.Add, sp.Mul, sp.Pow, sp.exp, sp.cos, sp.sin, sp.cosh, sp.sinh, sp.conjugate, sp.re, sp.im, sp.Abs, sp.Rational,
    type(sp.I), type(sp.pi), type(sp.E),
)  # fmt: skip
"""What a measurable term may consist of, unfolded, beside plain symbols."""
SQUARE_INTEGRABLE = "L^{2}"
"""The kind of the spaces of square-integrable functions."""


def require_measurable(f: sp.Expr, x: sp.Symbol) -> None:
    """Raise Refused unless f is an elementary function of x, of constants and of values g(x) of square-integrable unknowns."""
    plain = unfold(f)
    values = sorted((value for value in plain.atoms(Value) if _is_measurable(value, x)), key=sp.default_sort_key)
    for part in sp.preorder_traversal(with_stand_ins(plain, values, complex=True)):
        if not (type(part) is sp.Symbol or isinstance(part, ELEMENTARY)):
            raise Refused(f"{type(part).__name__} is not seen to be measurable")


def _is_measurable(value: Value, x: sp.Symbol) -> bool:
    function, *arguments = value.args
    known = type(function) is Unknown and function.space.kind == SQUARE_INTEGRABLE and function.space.domain == sp.S.Reals
    return known and arguments == [x]


def square_integrable(value: sp.Basic, domain: sp.Set) -> Less | None:
    """What says that a measurable function on the line lies in a space of square-integrable ones; None if nothing does."""
    if not isinstance(domain, Functions) or domain.kind != SQUARE_INTEGRABLE or domain.domain != sp.S.Reals:
        return None
    if type(value) is not sp.Lambda or not belongs(value, Functions(domain.domain, domain.codomain)):
        return None
    (x,) = value.variables
    try:
        require_measurable(value.expr, x)
        require_defined(value.expr)
    except Refused:
        return None
    return Less(sp.Integral(sp.Abs(value.expr) ** 2, (x, -sp.oo, sp.oo)), sp.oo)
