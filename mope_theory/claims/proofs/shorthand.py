"""Shorthand for derivations: nodes whose statement can be read off their premises. Nothing is checked here."""
from __future__ import annotations

from typing import Any

import sympy as sp

from ...derivation import Chain, Derivation, chain
from ...logic import Choose, Detach, Select, Specialise, Witness
from ...rules import Rule
from ...statement import Equal, Less, LessEqual

Form = Any
"""A statement whose form the argument relies on; the checker sees whether it has it."""


def at(universal: Derivation, *values: sp.Basic, facts: tuple[Derivation, ...] = ()) -> Derivation:
    """What is derived for all values, at these, one for each quantifier; the facts that speak of a value place it."""
    found = universal
    for value in values:
        known: Form = found.statement
        placed = tuple(fact for fact in facts if value in fact.statement.expressions)
        found = Specialise(known.body.substitute({known.var: value}), found, value, placed)
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


def joined(first: sp.Expr, *links: tuple[Rule, sp.Expr], relation: type[Equal] | type[LessEqual] | type[Less] = Equal) -> Chain:
    """A chain without the links whose two ends SymPy writes alike."""
    kept, here = [], first
    for rule, end in links:
        if end != here:
            kept.append((rule, end))
            here = end
    return chain(first, *kept, relation=relation)
