"""Named functions that a backend computes by an operation: kept by name in kernels, one unknown quantity each in proofs.

What holds whatever the value of a quantity holds for the value of the function. The converse is not claimed, so a
difference in which one occurs counts as undecided.
"""
from __future__ import annotations

import sympy as sp

from mope_theory.symbols import Head
from mope_theory.vocabulary.operations import above, at_least, sigmoid

OPERATIONS: dict[type, str] = {sigmoid: "sigmoid", at_least: "at_least", above: "above"}
"""Named functions, and the operation that every backend has for them."""


def unfold(expression: sp.Expr) -> sp.Expr:
    """The expression with every named function replaced by its definition, those of ``OPERATIONS`` apart."""
    if isinstance(expression, Head) and type(expression) not in OPERATIONS:
        return unfold(expression.definition())
    return expression.func(*map(unfold, expression.args)) if expression.args else expression


def opaque(*expressions: sp.Expr) -> tuple[sp.Expr, ...]:
    """The expressions with each operation, the outermost ones, replaced by a symbol: one symbol for equal operations."""
    names: dict[sp.Expr, sp.Symbol] = {}

    def visit(part: sp.Expr) -> sp.Expr:
        if type(part) in OPERATIONS:
            return names.setdefault(part, sp.Symbol(f"opaque_{len(names)}", **_kind(part)))
        return part.func(*map(visit, part.args)) if part.args else part

    return tuple(map(visit, expressions))


def _kind(operation: sp.Expr) -> dict[str, bool]:
    """What is known of the value: a sigmoid is positive, and so is what is at least a positive number."""
    return {"positive": True} if type(operation) in (sigmoid, at_least) else {"real": True}
