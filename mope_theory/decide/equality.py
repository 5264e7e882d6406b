"""Equality of two expressions."""
from __future__ import annotations

import sympy as sp

from .field import Refused
from .normal_form import IntegralRule, normal_form
from .opaque import field_for
from .relations import cleared


def equal(left: sp.Expr, right: sp.Expr, integral: IntegralRule | None = None, extra: tuple[sp.Expr, ...] = ()) -> bool:
    """True: proved equal for all values of the symbols. False: proved different as functions.

    ``extra`` names expressions that the integral rule brings in, so that the field holds them too.

    Raises Refused if neither is proved.
    """
    f = field_for(left, right, *extra, integrals=integral is not None)
    gap = cleared(normal_form(left, f, integral) - normal_form(right, f, integral))
    if not gap.terms:
        return True
    exponents = list(gap.terms)
    if any(x.has(k) for k in f.opaque for pair in gap.terms.items() for x in pair):
        raise Refused("terms outside the class: not shown equal, not shown different")
    if f.integers and any(p.has(f.pi) for p in exponents):
        raise Refused("integer symbols beside π: not shown equal, not shown different")
    constant_gap = any((p - q).is_constant() for k, p in enumerate(exponents) for q in exponents[:k])
    if constant_gap and any(x.has(f.pi) for pair in gap.terms.items() for x in pair):
        raise Refused("e and π together: a difference would need Schanuel's conjecture")
    return False
