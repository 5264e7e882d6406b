"""Checks that several passes share; each raises SpecError with the part at fault, and nothing undecided passes."""
from __future__ import annotations

import sympy as sp

from mope_theory.decide import Refused, equal
from mope_theory.registry import UnknownName, claim
from mope_theory.spec import KernelSpec, SpecError

from .ir import FUNCTIONS
from .opaque import opaque


def require_claim(spec: KernelSpec) -> None:
    """Refuse a specification with a claim that is not registered; the message suggests the nearest ids."""
    try:
        for name in spec.claims:
            claim(name)
    except UnknownName as fault:
        raise SpecError(f"kernel {spec.name}: {fault}") from fault


def require_equal(left: sp.Expr, right: sp.Expr, what: str) -> None:
    """Prove two expressions equal for all values of their symbols.

    Raises SpecError if they are proved different, or if the decision procedure refuses.
    """
    if left == right:
        return
    left_, right_ = opaque(left, right)
    try:
        same = equal(left_, right_)
    except Refused as refusal:
        raise SpecError(f"{what}: cannot be decided: {refusal}") from refusal
    if not same and (left_, right_) != (left, right):
        raise SpecError(f"{what}: cannot be decided: {sp.sstr(left)} and {sp.sstr(right)} are not equal term by term")
    if not same:
        raise SpecError(f"{what}: {sp.sstr(left)} is not {sp.sstr(right)}")


def require_lowerable(expression: sp.Expr, what: str) -> None:
    """Refuse, by name, whatever no backend has an operation for."""
    for part in sp.preorder_traversal(expression):
        known = part.is_Symbol or part.is_Number or part.is_NumberSymbol or part.is_Add or part.is_Mul
        if not (known or part.is_Pow or type(part) in FUNCTIONS):
            raise SpecError(f"{what}: {type(part).__name__} cannot be lowered, in {sp.sstr(expression)}")
