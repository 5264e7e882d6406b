"""Steps on integrals over the real line: equal integrands, and functions that are plainly integrable."""
from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..decide import Refused, field_for, nonnegative
from ..judgement import Derivation
from ..lemmas import GAUSSIAN, Inequality, IntegralLemma
from ..statement import Equal, Less
from .base import Rule
from .decision import runs_where_admitted
from .premises import _FromPremise


def definite(integral: sp.Expr) -> sp.Tuple:
    """Variable and ends of a definite integral over a range that its variable admits; raises Refused for anything else."""
    if type(integral) is not sp.Integral or len(integral.limits) != 1 or not runs_where_admitted(integral.limits[0]):
        raise Refused("not a definite integral over a range that its variable admits")
    return integral.limits[0]


@dataclass(frozen=True)
class Integrands(_FromPremise):
    """∫ f = ∫ g over one range because f = g, where nothing is assumed of the variable."""

    premise: Derivation
    relation = Equal
    name = "equal integrands"

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        limits = definite(lhs)
        if definite(rhs) != limits or type(self.given) is not Equal:
            raise Refused("integrals over different ranges, or no equation of the integrands")
        if any(limits[0] in statement.free_symbols for statement in self.assumptions):
            raise Refused(f"something is assumed of {limits[0]}")
        return {lhs.function, rhs.function} == {self.given.lhs, self.given.rhs}


@dataclass(frozen=True)
class Integrable(Rule):
    """∫ f < ∞ over ℝ, because f ≥ 0 plainly, and is a sum of polynomials times Gaussians."""

    relation = Less
    name = "integrable"

    @property
    def lemmas(self) -> tuple[Inequality | IntegralLemma, ...]:
        return (GAUSSIAN,)

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        definite(lhs)
        if rhs != sp.oo or not nonnegative(lhs.function):
            raise Refused("not the finiteness of an integral of something plainly nonnegative")
        GAUSSIAN(lhs, field_for(lhs, integrals=True))
        return True


