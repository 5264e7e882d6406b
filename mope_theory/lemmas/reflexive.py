"""Every number is itself: a chain has no step between equal ends, so it goes by way of real and imaginary part."""
from __future__ import annotations

import sympy as sp

from ..derivation import Chain, chain
from ..rules import Decide


def itself(value: sp.Expr) -> Chain:
    """z = z."""
    parts = sp.re(value, evaluate=False) + sp.I * sp.im(value, evaluate=False)
    return chain(value, (Decide(), parts), (Decide(), value))
