"""What is inside named functions, looked at one by one: side by side SymPy would cancel what has a pole."""
from __future__ import annotations

from functools import cache

import sympy as sp

from ..symbols import Head


@cache
def definition(head: Head) -> sp.Expr:
    """The definition of a head, made once."""
    return head.definition()


def has_imaginary_unit(e: sp.Basic) -> bool:
    """Does I occur, also within a head?"""
    return e.has(sp.I) or any(has_imaginary_unit(definition(head)) for head in e.atoms(Head))
