"""Proof that what is computed has a value wherever the inputs may be.

An equality of formulas says nothing at a pole: with z = b/ω the form zω² equals ωb, and is NaN at ω = 0 nevertheless.
"""
from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from mope_theory.decide import Refused, nonnegative, positive
from mope_theory.spec import SpecError

from ..ir import Formula
from ..opaque import opaque


def regular(formula: Formula) -> Formula:
    """Guarantees: over the whole box, in channels, bindings and gradients, no divisor is 0, no root or logarithm is taken
    outside its range, and where ∞ is a legal input it is only divided by."""
    name = formula.spec.name
    for z, value in formula.bindings.items():
        _require_regular(formula, value, f"{z} in the numerical form of {name}")
    for k, channel in enumerate(formula.channels):
        _require_regular(formula, channel, f"channel {k} of {name}")
    for z, value in formula.binding_adjoints.items():
        _require_regular(formula, value, f"gradient of {name} by {z}")
    for (x, _), value in zip(formula.spec.variables, formula.adjoints, strict=True):
        _require_regular(formula, value, f"gradient of {name} by {x.name}")
    return formula


def _require_regular(formula: Formula, expression: sp.Expr, what: str) -> None:
    infinite = {symbol for x, symbol in formula.spec.variables if x.may_be_infinite}

    def require(sign: Callable[[sp.Expr], bool], part: sp.Expr, fault: str) -> None:
        try:
            shown = sign(*opaque(formula.in_inputs(part)))
        except Refused:
            shown = False
        if not shown:
            raise SpecError(f"{what}: {sp.sstr(part)} {fault} within the domains of the inputs, in {sp.sstr(expression)}")

    def visit(part: sp.Expr) -> None:
        if part in infinite:
            raise SpecError(f"{what}: {part} may be infinite, and is not only divided by, in {sp.sstr(expression)}")
        if not part.free_symbols:
            return
        if part.is_Pow:
            base, exponent = part.args
            if not exponent.is_Rational or not (exponent.is_Integer or exponent > 0):
                require(positive, base, "is not shown positive")
            elif not exponent.is_Integer:
                require(nonnegative, base, "is not shown nonnegative")
            elif exponent < 0:
                require(_nonzero, base, "may be 0 in a divisor")
            if base in infinite and exponent.is_Rational and exponent < 0:
                return
        if isinstance(part, sp.log):
            require(positive, part.args[0], "is not shown positive")
        for inner in part.args:
            visit(inner)

    visit(expression)


def _nonzero(value: sp.Expr) -> bool:
    return positive(value**2)
