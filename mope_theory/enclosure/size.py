"""How large an expression can be at complex values of its variables: an upper bound for its modulus."""
from __future__ import annotations

from collections.abc import Mapping

import sympy as sp
from flint import acb, arb

from ..decide import Refused
from .majorant import OnBalls, majorants, tail
from .real_walker import RealWalker


class Size:
    """Bounds where each variable is in a ball (in real and imaginary part)."""

    def __init__(self, values: Mapping[sp.Symbol, acb]) -> None:
        self.upper = OnBalls(values)

    def of(self, e: sp.Expr) -> arb:
        """An upper bound for |e|; Refused if it has a part that no bound is known for."""
        if not e.has(sp.Sum, sp.Integral):
            return self.upper.modulus(e)
        if not e.free_symbols:
            return arb(abs(RealWalker({}).complex_value(e)).upper())
        if isinstance(e, sp.Add):
            return sum((self.of(a) for a in e.args), arb(0)).upper()
        if isinstance(e, sp.Mul):
            product = arb(1)
            for a in e.args:
                product *= self.of(a)
            return product.upper()
        if isinstance(e, (sp.Sum, sp.Integral)):
            return self._whole(e)
        raise Refused(f"no bound for the size of {e}")

    def _whole(self, e: sp.Sum | sp.Integral) -> arb:
        """A sum, or an integral: from 0 on (or 1: more is bounded then), or over both sides."""
        ((x, start, stop),) = e.limits
        if stop is not sp.oo or not (start is -sp.oo or start in (0, 1)):
            raise Refused(f"no bound for the size of {e}")
        terms = majorants(e.function, x)
        sides = [terms, tuple(t.mirrored() for t in terms)] if start is -sp.oo else [terms]
        return sum((tail(side, self.upper).whole(isinstance(e, sp.Integral)) for side in sides), arb(0)).upper()
