"""Shorthand for derivations: nodes whose statement can be read off their premises. Nothing is checked here."""
from __future__ import annotations

from typing import Any

import sympy as sp

from ...derivation import Derivation, chain
from ...logic import Choose, Detach, Select, Specialise, Witness
from ...rules import Decide

Form = Any
"""A statement whose form the argument relies on; the checker sees whether it has it."""


def at(universal: Derivation, *values: sp.Basic, facts: tuple[Derivation, ...] = ()) -> Derivation:
    """What is derived for all values, at these: one for each quantifier; the facts place them."""
    found = universal
    for value in values:
        known: Form = found.statement
        found = Specialise(known.body.substitute({known.var: value}), found, value, facts)
    return found


def detach(implication: Derivation, hypothesis: Derivation) -> Detach:
    """The conclusion of an implication whose hypothesis is derived."""
    known: Form = implication.statement
    return Detach(known.conclusion, implication, hypothesis)


def member(whole: Derivation, number: int) -> Select:
    """A member of a conjunction, by its number from 0."""
    known: Form = whole.statement
    return Select(known.body[number], whole)


def given(existence: Derivation, conclusion: Derivation) -> Choose:
    """What follows from the value that there is."""
    return Choose(conclusion.statement, existence, conclusion)


def witness(statement: Form, value: sp.Basic, premise: Derivation, *facts: Derivation) -> Witness:
    """There is a value, because this is one."""
    return Witness(statement, value, premise, facts)


def itself(value: sp.Expr) -> Derivation:
    """z = z, by way of its real and imaginary parts."""
    return chain(value, (Decide(), sp.re(value, evaluate=False) + sp.I * sp.im(value, evaluate=False)), (Decide(), value))


