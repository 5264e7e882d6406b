"""Inequalities in one variable, proved by Taylor's theorem with the signs of finitely many derivatives."""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..decide import Refused, field_for, is_real, nonnegative, normal_form
from ..decide.sign import manifest


@dataclass(frozen=True)
class Inequality:
    """0 ≤ expr for every x in the range that the symbol's assumptions name.

    On x ≥ 0: f(0), f′(0), …, f^{(k−1)}(0) ≥ 0 and f^{(k)} ≥ 0 plainly, so f ≥ 0 by Taylor's theorem. On the real line: the
    two cases f(x) and f(−x) with x ≥ 0.
    """

    name: str
    expr: sp.Expr
    x: sp.Symbol
    order: int
    axioms: tuple[str, ...] = ("Taylor's theorem with the Lagrange remainder",)

    def proved(self) -> bool:
        """Run the proof."""
        if not self.x.is_nonnegative:
            u = sp.Symbol("u", nonnegative=True)
            cases = (self.expr.xreplace({self.x: v}) for v in (u, -u))
            return all(Inequality(self.name, case, u, self.order).proved() for case in cases)
        form = normal_form(self.expr, field_for(self.expr))
        for _ in range(self.order):
            if not manifest(form.at_zero(self.x), strict=False):
                return False
            form = form.diff(self.x)
        return manifest(form, strict=False)

    def instance(self, value: sp.Expr) -> sp.Expr:
        """The nonnegative expression with x replaced by a value that is shown to lie in the range of x."""
        if not is_real(value) or (self.x.is_nonnegative and not nonnegative(value)):
            raise Refused(f"{self.name}: {value} is not shown to lie in the range of the lemma")
        return self.expr.xreplace({self.x: value})


_x = sp.Symbol("x", nonnegative=True)
_y = sp.Symbol("y", real=True)

ONE_MINUS_EXP = Inequality("1 − e^{−x} ≤ x for x ≥ 0", sp.exp(-_x) - 1 + _x, _x, 2)
EXP_ABOVE_TANGENT = Inequality("e^y ≥ 1 + y for real y", sp.exp(_y) - 1 - _y, _y, 2)
SQUARED_EXCESS = Inequality(
    "(e^x − 1)² ≤ (x²/2)(1 + e^{2x}) for x ≥ 0", _x**2 * (1 + sp.exp(2 * _x)) / 2 - (sp.exp(_x) - 1) ** 2, _x, 4
)
