"""Steps on derivatives: the chain rule for an unknown function, and functions that agree near the point."""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..assumptions import admitted
from ..decide import Refused, equal, is_real
from ..defined import require_defined
from ..judgement import Derivation
from ..ranges import CONTINUOUSLY, OPEN, belongs, require_smooth
from ..statement import Equal, Less
from ..substitution import bound_symbols
from ..vocabulary.functions import Partial, Unknown, Value
from .base import Rule
from .premises import _FromPremise


def differentiated(derivative: sp.Expr) -> tuple[sp.Expr, sp.Symbol]:
    """The function and the variable of a first derivative on an open range; raises Refused for anything else."""
    if type(derivative) is not sp.Derivative or len(derivative.variables) != 1:
        raise Refused("not a first derivative")
    x = derivative.variables[0]
    if admitted(x) not in OPEN:
        raise Refused(f"the range of {x} is not open")
    return derivative.expr, x


@dataclass(frozen=True)
class ChainRule(Rule):
    """d/dx f(u, v, …) = Σ ∂_i f(u, v, …) · du_i/dx for an unknown f of class C¹ and smooth u, v, … that stay in its domain."""

    relation = Equal
    name = "chain rule"

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        value, x = differentiated(lhs)
        if type(value) is not Value or type(value.args[0]) is not Unknown:
            raise Refused("not the derivative of an unknown function")
        function, *inner = value.args
        domain = function.space.domain
        ranges = domain.args if isinstance(domain, sp.ProductSet) else (domain,)
        if function.space.kind != CONTINUOUSLY or len(ranges) != len(inner) or any(part not in OPEN for part in ranges):
            raise Refused(f"{function} is not known to be continuously differentiable on an open domain")
        for u, part in zip(inner, ranges, strict=True):
            require_smooth(u)
            if not belongs(u, part):
                raise Refused(f"{u} is not shown to lie in {part}")
        slopes = [Partial(function, sp.Integer(i), *inner) * sp.diff(u, x) for i, u in enumerate(inner, 1)]
        return equal(rhs, sp.Add(*slopes))


@dataclass(frozen=True)
class NearBy(_FromPremise):
    """d/dx f = d/dx g where g has b for max(a, b), or a for min(a, b), as a < b at the point and both are continuous."""

    premise: Derivation
    relation = Equal
    name = "equal near the point"

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        function, x = differentiated(lhs)
        if type(self.given) is not Less:
            raise Refused("functions that are near each other at the point alone")
        a, b = self.given.lhs, self.given.rhs
        require_smooth(a)
        require_smooth(b)
        require_defined(function)
        if not (is_real(a) and is_real(b)):
            raise Refused("two terms that are not shown to be real near the point")
        if bound_symbols(function) & (a.free_symbols | b.free_symbols):
            raise Refused("the two numbers vary with a bound variable")
        near = function.xreplace({sp.Max(a, b): b, sp.Min(a, b): a})
        return near != function and bool(rhs == sp.Derivative(near, x))
