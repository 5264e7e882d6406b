"""Mutants of derivations: the ends of a step, what its rule is given, the statement of a node, what the node is given."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import sympy as sp

from mope_theory.derivation import Chain, Derivation, Step
from mope_theory.judgement import Outcome
from mope_theory.lemmas import LEMMAS, Inequality, IntegralLemma
from mope_theory.logic import Assume, Cite, check
from mope_theory.rules import Given, Part, Rule
from mope_theory.statement import Statement
from tests.mope_theory.mutants.expressions import MUTATORS, Pick, mutants
from tests.mope_theory.mutants.statements import changed, statement_mutants

Inference = Step | Derivation


@dataclass(frozen=True)
class Mutant:
    """A step or a node with one thing changed."""

    place: str
    """Step or node, and its number in the claim."""
    kind: str
    original: Inference
    inference: Inference

    def check(self) -> Outcome:
        """The one inference, its premises taken as they stand."""
        new = self.inference
        if not isinstance(new, Step):
            return check(new, {id(premise): (premise, HELD) for premise in new.premises})
        try:
            return new.check()
        except Exception as error:  # as the check of the whole derivation takes it
            return Outcome("refused", f"{type(error).__name__}: {error}")

    @property
    def left_open(self) -> frozenset[Statement]:
        """What the mutant assumes that the original does not: the derivation that it stands in no longer proves its statement."""
        return assumed(self.inference) - assumed(self.original)


HELD = Outcome("holds")


def assumed(inference: Inference) -> frozenset[Statement]:
    return inference.rule.assumptions if isinstance(inference, Step) else inference.assumptions


def premises(inference: Inference) -> tuple[Derivation, ...]:
    return inference.rule.premises if isinstance(inference, Step) else inference.premises


def everything(*roots: Derivation) -> list[Derivation]:
    """Every node of some derivations, those that are used twice once."""
    seen: dict[int, Derivation] = {}
    todo = list(roots)
    while todo:
        node = todo.pop(0)
        if id(node) not in seen:
            seen[id(node)] = node
            todo.extend(node.premises)
    return list(seen.values())


def step_mutants(place: str, step: Step, others: Sequence[Derivation], pick: Pick) -> Iterator[Mutant]:
    """Each end changed at each place, the ends exchanged where that is another statement, and all that the rule is given."""
    for side in ("lhs", "rhs"):
        for kind in MUTATORS:
            for new in mutants(getattr(step, side), kind, pick):
                yield Mutant(place, kind, step, changed(step, **{side: new}))
    if step.rule.relation.__name__ != "Equal":
        yield Mutant(place, "sides exchanged", step, Step(step.rhs, step.lhs, step.rule))
    for kind, rule in _fields(step.rule, others, pick):
        yield Mutant(place, kind, step, Step(step.lhs, step.rhs, rule))


def node_mutants(place: str, node: Derivation, others: Sequence[Derivation], pick: Pick) -> Iterator[Mutant]:
    """The statement changed while the premises stay; premises dropped, exchanged or replaced; another value or witness."""
    if isinstance(node, (Assume, Cite)):
        return  # an assumption may say anything, and is then left open; an axiom is given by its name
    for field in fields(node):  # type: ignore[arg-type]
        value = getattr(node, field.name)
        links = isinstance(node, Chain) and field.name == "links"  # what a step is made of is changed with the step
        for kind, new in _structure(value) if links else _variants(value, others, pick):
            yield Mutant(place, kind, node, changed(node, **{field.name: new}))


def _fields(thing: Any, others: Sequence[Derivation], pick: Pick) -> Iterator[tuple[str, Any]]:
    for field in fields(thing):
        for kind, new in _variants(getattr(thing, field.name), others, pick):
            yield kind, changed(thing, **{field.name: new})


def _variants(value: Any, others: Sequence[Derivation], pick: Pick) -> Iterator[tuple[str, Any]]:
    """What a field may be changed to."""
    if isinstance(value, Derivation):
        yield from (("premise replaced", other) for other in pick([x for x in others if x.statement != value.statement]))
    elif isinstance(value, Statement):
        yield from statement_mutants(value, pick)
    elif isinstance(value, sp.Lambda):
        bodies = (new for kind in MUTATORS for new in mutants(value.expr, kind, pick))
        yield from (("witness or value", sp.Lambda(value.variables, body)) for body in bodies)
    elif isinstance(value, sp.Expr) and not value.is_Symbol:
        yield from (("witness or value", new) for kind in MUTATORS for new in mutants(value, kind, pick))
    elif isinstance(value, bool):
        yield "strictness", not value
    elif isinstance(value, (Inequality, IntegralLemma)):
        yield from (("lemma exchanged", other) for other in LEMMAS if type(other) is type(value) and other is not value)
    elif isinstance(value, tuple):
        if not any(isinstance(member, sp.Basic) for member in value):  # a pair of a factor and an equation stays a pair
            yield from _structure(value)
        for k, member in enumerate(value):
            yield from ((kind, (*value[:k], new, *value[k + 1 :])) for kind, new in _variants(member, others, pick))
    elif is_dataclass(value) and isinstance(value, (Part, Given, Rule)):
        for kind, new in _fields(value, others, pick):
            yield "part of a certificate" if kind == "witness or value" else kind, new


def _structure(members: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """One member left out, one put twice, two neighbours exchanged."""
    for k, member in enumerate(members):
        yield "premise or part dropped", members[:k] + members[k + 1 :]
        yield "premise or part doubled", (*members[:k], member, *members[k:])
        if k and members[k - 1] != member:
            yield "premises or parts exchanged", (*members[: k - 1], member, members[k - 1], *members[k + 1 :])
