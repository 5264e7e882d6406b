"""Symbol-free subtrees as float64 literals."""
from __future__ import annotations

import math

import sympy as sp

from mope_theory.spec import SpecError

from ..ir import Program, literal

DIGITS = 60
"""Decimal digits of the evaluation; what remains to the nearest float64 is one correct rounding."""


def literals(program: Program) -> Program:
    """Guarantees: √2, √π or ln 10000 beside an input is one number, the float64 nearest to its value."""
    return program.rewrite(lambda node: literal(nearest(node.data)) if node.op == "constant" else node)


def nearest(expression: sp.Expr) -> float:
    """The float64 nearest to a symbol-free expression.

    Raises SpecError if the expression is not a finite real number.
    """
    value = sp.sympify(expression).evalf(DIGITS)
    if not (value.is_Float or value.is_Integer or value.is_Rational) or not math.isfinite(float(value)):
        raise SpecError(f"the constant {sp.sstr(expression)} is no finite real number")
    return float(str(value)) if value.is_Float else float(sp.Rational(value))
