"""Steps closed by a combination of equations that are derived."""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..decide import Refused, equal
from ..judgement import Derivation
from ..statement import Equal
from .base import Rule, sum_of_products


@dataclass(frozen=True)
class Combine(Rule):
    """lhs = rhs because rhs − lhs = Σ factor · (right − left), exactly, over derived equations left = right."""

    parts: tuple[tuple[sp.Expr, Derivation], ...]
    relation = Equal
    name = "combination of equations"

    def __init__(self, *parts: tuple[sp.Expr, Derivation]) -> None:
        object.__setattr__(self, "parts", tuple(parts))

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return tuple(equation for _, equation in self.parts)

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        products = []
        for factor, equation in self.parts:
            known = equation.statement
            if type(known) is not Equal:
                raise Refused("what is combined is not an equation")
            products.append((factor, known.rhs - known.lhs))
        return equal(rhs - lhs, sum_of_products(products))
