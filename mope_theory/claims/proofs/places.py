"""Where an index lies, as assumptions."""
from __future__ import annotations

import sympy as sp
from sympy import S

from ...logic import Assume
from ...statement import LessEqual
from ...symbols import N


def within(place: sp.Expr, count: sp.Expr = N) -> tuple[Assume, Assume]:
    """0 ≤ place ≤ count − 1."""
    return Assume(LessEqual(S.Zero, place)), Assume(LessEqual(place, count - 1))
