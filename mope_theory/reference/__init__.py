"""References of higher precision: expressions evaluated by mpmath and by Arb, and bounds for what hardware computes.

Nothing here uses a SymPy printer, ``evalf`` or ``lambdify``, so that no fault of theirs is shared by the tested code
and its reference.
"""
from __future__ import annotations

from .evaluate import Unresolved, derivative_arb, to_acb, to_mpmath

__all__ = ["Unresolved", "derivative_arb", "to_acb", "to_mpmath"]
