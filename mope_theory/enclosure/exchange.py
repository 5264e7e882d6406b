"""Terms put for equal ones in what balls are to enclose: where something has a pole, it has one afterwards."""
from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from ..decide import Refused, positive
from ..substitution import with_its_poles


def exchanged(expr: sp.Expr, terms: Mapping[sp.Basic, sp.Basic]) -> sp.Expr:
    """The expression with terms put for others; raises ValueError where SymPy would cancel a denominator that may be 0."""
    return with_its_poles(expr, terms, _never_zero)


def _never_zero(e: sp.Expr) -> bool:
    try:
        return positive(e * sp.conjugate(e, evaluate=False))
    except Refused:
        return False
