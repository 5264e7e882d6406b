"""The truth of a rule at a scope: true, false, or unknown where runs are lacking; and what each of its quantities came to.

The logic is Kleene's: a conjunction with one false member is false whatever the others are, and one with an unknown member is
never true. A comparison with the number of seeds is true or unknown, since further runs may come.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from mope_theory.statement import And, Equal, Implies, Less, LessEqual, Not, Or, Statement
from mope_theory.vocabulary.measured import Measured, Seeds

from .measures import COUNTERPARTS, Value, labels_of, rational, value
from .samples import Lacking
from .store import Runs

Relation = Equal | Less | LessEqual


@dataclass(frozen=True)
class Finding:
    """What is asked of one quantity: its truth, and in words what the quantity came to, or what it lacks."""

    truth: bool | None
    said: str
    opposite: bool
    """Whether the whole interval lies where it should not: more is shown than that nothing is."""


class RuleError(ValueError):
    """A statement that runs cannot decide: it is no rule."""


class Judgement:
    """A rule judged by the runs of a scope.

    Raises RuleError for a statement that asks for no number of seeds, or that is not made of comparisons of measured quantities
    with rational numbers by and, or, not and implication.
    """

    def __init__(self, rule: Statement, runs: Runs) -> None:
        self.rule, self._runs = rule, runs
        self.asked = asked(rule)
        self.labels = tuple(dict.fromkeys(label for head in heads(rule) for label in labels_of(head)))
        """The models that the rule speaks of."""
        self._values: dict[Measured, Value | str] = {}
        self.truth = self._truth(rule)

    @property
    def runs(self) -> int:
        """How many runs of its models are counted."""
        return sum(len(self._runs.of(label)) for label in self.labels)

    @property
    def planned(self) -> int:
        """How many the grids declare."""
        return sum(self._runs.planned.get(label, 0) for label in self.labels)

    @property
    def seeds(self) -> int:
        """The smallest number of paired seeds behind any quantity that is asked for; 0 where one has no value."""
        known = [self._value(head) for relation in self._asked_for(self.rule) for head in _heads(relation)]
        return min((one.seeds if isinstance(one, Value) else 0 for one in known), default=0)

    def findings(self) -> list[Finding]:
        """What each quantity came to, in the order of the rule; none for what an implication does not ask."""
        found: dict[str, list[Relation]] = {}
        for relation in self._asked_for(self.rule):
            for said in self._words(relation):
                found.setdefault(said, []).append(relation)
        return [
            Finding(_all_of([self._truth(one) for one in asked]), said, any(map(self._opposite, asked)))
            for said, asked in found.items()
        ]

    # --- truth ---

    def _truth(self, statement: Statement) -> bool | None:
        match statement:
            case And(body=body):
                return _all_of([self._truth(one) for one in body])
            case Or(body=body):
                return _not(_all_of([_not(self._truth(one)) for one in body]))
            case Not(body=inner):
                return _not(self._truth(inner))
            case Implies(hypothesis=hypothesis, conclusion=conclusion):
                return _not(_all_of([self._truth(hypothesis), _not(self._truth(conclusion))]))
            case Equal() | Less() | LessEqual():
                return self._compared(statement)
        raise RuleError(f"a rule is made of comparisons by and, or, not and implication, not of {type(statement).__name__}")

    def _compared(self, relation: Relation) -> bool | None:
        if _asks_for_seeds(relation):
            return True if self.seeds >= rational(relation.lhs) else None
        left, right = self._number(relation.lhs), self._number(relation.rhs)
        if left is None or right is None:
            return None
        return left == right if isinstance(relation, Equal) else left < right if isinstance(relation, Less) else left <= right

    def _number(self, e: sp.Expr) -> Fraction | None:
        """An expression with the values of the measured quantities in it."""
        put = {}
        for head in e.atoms(Measured):
            known = self._value(head)
            if isinstance(known, str):
                return None
            put[head] = sp.Rational(known.number.numerator, known.number.denominator)
        try:
            return rational(e.xreplace(put))
        except ValueError as problem:
            raise RuleError(str(problem)) from None

    def _value(self, head: Measured) -> Value | str:
        """What the runs say of a quantity, or what they lack."""
        if head not in self._values:
            try:
                self._values[head] = value(self._runs, head, self.asked)
            except Lacking as lacking:
                self._values[head] = str(lacking)
        return self._values[head]

    # --- words ---

    def _asked_for(self, statement: Statement) -> Iterator[Relation]:
        """The comparisons that count: what follows from a false hypothesis is not asked, and a hypothesis is no finding."""
        match statement:
            case And(body=body) | Or(body=body):
                for one in body:
                    yield from self._asked_for(one)
            case Not(body=inner):
                yield from self._asked_for(inner)
            case Implies(hypothesis=hypothesis, conclusion=conclusion):
                if self._truth(hypothesis) is not False:
                    yield from self._asked_for(conclusion)
            case Equal() | Less() | LessEqual():
                if not _asks_for_seeds(statement):
                    yield statement

    def _words(self, relation: Relation) -> Iterator[str]:
        for head in _heads(relation):
            known = self._value(head)
            yield known if isinstance(known, str) else known.shown()

    def _opposite(self, relation: Relation) -> bool:
        """Whether a false comparison with an end of an interval is false with the other end too: the interval lies beyond."""
        ends = {head: COUNTERPARTS[type(head)](*head.args) for head in _heads(relation) if type(head) in COUNTERPARTS}
        if not ends or self._truth(relation) is not False:
            return False
        other = type(relation)(relation.lhs.xreplace(ends), relation.rhs.xreplace(ends))
        return self._compared(other) is False


def asked(rule: Statement) -> int:
    """How many paired seeds a rule asks for, in a member n ≤ seeds. Raises RuleError where it asks for none."""
    members = rule.body if isinstance(rule, And) else (rule,)
    numbers = [int(one.lhs) for one in members if isinstance(one, LessEqual) and _asks_for_seeds(one) and one.lhs.is_Integer]
    if len(numbers) != 1:
        raise RuleError("a rule asks for a number of seeds, once, as a member of the conjunction that it is")
    return numbers[0]


def heads(rule: Statement) -> tuple[Measured, ...]:
    """The measured quantities of a rule, but for the number of seeds, in their order."""
    return tuple(dict.fromkeys(head for head in _heads(rule) if not isinstance(head, Seeds)))


def _heads(statement: Statement) -> list[Measured]:
    return [head for e in statement.expressions for head in sorted(e.atoms(Measured), key=str)]


def _asks_for_seeds(relation: Relation) -> bool:
    return isinstance(relation, LessEqual) and isinstance(relation.rhs, Seeds)


def _all_of(truths: list[bool | None]) -> bool | None:
    return False if False in truths else None if None in truths else True


def _not(truth: bool | None) -> bool | None:
    return None if truth is None else not truth
