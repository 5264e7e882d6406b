"""Chains of equations and inequalities, each link closed by a rule: the decision procedure, a certificate, a lemma, a premise."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy as sp

from .bound_ranges import stray
from .decide import Refused, is_real
from .judgement import HOLDS, Derivation, Line, Outcome, Status
from .lemmas import LEMMAS
from .rules import RULES, Known, Relation, Rule
from .statement import Equal, Less, LessEqual, Statement
from .veto import veto


@dataclass(frozen=True)
class Step:
    """One link lhs → rhs with the rule that closes it."""

    lhs: sp.Expr
    rhs: sp.Expr
    rule: Rule

    @property
    def statement(self) -> Relation:
        return self.rule.relation(self.lhs, self.rhs)

    def check(self) -> Outcome:
        """Whether the rule closes the step; what its premises prove is taken as it stands."""
        if type(self.rule) not in RULES:
            return Outcome("refused", f"{type(self.rule).__name__} is not a rule of this calculus")
        fault = stray(self.lhs) or stray(self.rhs)
        if fault:
            return Outcome("refused", fault)
        if self.lhs == self.rhs:
            return Outcome("fails", "an identity step: both ends are the same expression")
        for lemma in self.rule.lemmas:
            if not any(lemma is known for known in LEMMAS):
                return Outcome("refused", f"the lemma {lemma.name!r} is not registered")
            if not lemma.proved():
                return Outcome("fails", f"the lemma {lemma.name!r} is not proved")
        try:
            proved = self.rule.check(self.lhs, self.rhs)
        except Refused as refusal:
            return Outcome("refused", str(refusal))
        if not proved:
            return Outcome("fails", f"not {self.rule.relation.__name__}: {self.lhs} and {self.rhs}")
        contradiction = veto(self.statement, self.rule.assumptions)
        return Outcome("fails", f"vetoed by high precision at {contradiction}") if contradiction else HOLDS


@dataclass(frozen=True)
class Chain(Derivation):
    """A chain of steps whose ends are the two sides of an equation or of an inequality; one strict step makes it strict."""

    statement: Relation
    links: tuple[Step, ...]
    rule_name = "chain"

    @property
    def own_steps(self) -> tuple[Step, ...]:
        return self.links

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return tuple(premise for step in self.links for premise in step.rule.premises)

    @property
    def assumptions(self) -> frozenset[Statement]:
        return frozenset().union(*(step.rule.assumptions for step in self.links))

    def check(self) -> Outcome:
        links, statement = self.links, self.statement
        if type(links) is not tuple or any(type(step) is not Step for step in links):
            return Outcome("refused", "the links of the chain are not a tuple of steps")
        if not links:
            return Outcome("fails", "an empty chain")
        if (links[0].lhs, links[-1].rhs) != (statement.lhs, statement.rhs):
            return Outcome("fails", "the ends of the chain are not the sides of the statement")
        for number, (left, right) in enumerate(pairwise(links), 1):
            if left.rhs != right.lhs:
                return Outcome("fails", f"step {number} does not end where step {number + 1} begins")
        for number, step in enumerate(links, 1):
            outcome = step.check()
            if not outcome:
                return Outcome(outcome.status, f"step {number}: {outcome.reason}")
        outcome = _joined(statement, {step.rule.relation for step in links})
        if not outcome:
            return outcome
        contradiction = veto(statement, self.assumptions)
        return Outcome("fails", f"vetoed by high precision at {contradiction}") if contradiction else HOLDS

    def lines(self, depth: int, shown: set[int]) -> Iterator[Line]:
        assumed = dict.fromkeys(s.text() for step in self.links for s in sorted(step.rule.assumed, key=lambda s: s.text()))
        yield Line(depth, self.statement, self.rule_name, note=f"given {' and '.join(assumed)}" if assumed else "")
        for step in self.links:
            for premise in step.rule.premises:
                yield from premise.outline(depth + 1, shown)
            if type(step.rule) is Known and step.rule.premise.statement == step.statement:
                continue  # the premise says it all; an equation that is used backwards does not
            lemma = "; ".join(dict.fromkeys(lemma.name for lemma in step.rule.lemmas))
            yield Line(depth + 1, step.statement, step.rule.name, lemma)


def _joined(statement: Relation, relations: set[type]) -> Outcome:
    """Whether steps of these relations make up a chain of the statement's."""
    if type(statement) not in (Equal, LessEqual, Less):
        return Outcome("refused", f"a chain does not prove {type(statement).__name__}")
    if type(statement) is Equal and relations != {Equal}:
        return Outcome("fails", "an equation is not proved by inequalities")
    if type(statement) is Less and Less not in relations:
        return Outcome("fails", "no step of the chain is strict")
    if type(statement) is not Equal and relations == {Equal} and not is_real(statement.lhs):
        return Outcome("refused", "an inequality between numbers that are not shown to be real")
    return HOLDS


def chain(
    first: sp.Expr, *links: tuple[Rule, sp.Expr], relation: type[Equal] | type[LessEqual] | type[Less] = Equal
) -> Chain:
    """A chain from its first expression and (rule, next expression) pairs; the statement is read off its ends."""
    ends = [first, *(expr for _, expr in links)]
    steps = tuple(Step(lhs, rhs, rule) for (rule, rhs), lhs in zip(links, ends, strict=False))
    return Chain(relation(first, ends[-1]), steps)


def directly(statement: Relation, rule: Rule) -> Chain:
    """A chain of a single step: one rule closes the statement."""
    return Chain(statement, (Step(statement.lhs, statement.rhs, rule),))


__all__ = ["HOLDS", "Chain", "Derivation", "Line", "Outcome", "Relation", "Status", "Step", "chain", "directly"]
