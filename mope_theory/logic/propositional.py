"""Natural deduction, the connectives: assumptions are made, used and discharged."""
from __future__ import annotations

from dataclasses import dataclass

from ..decide import is_real
from ..judgement import HOLDS, Derivation, Outcome, together
from ..statement import And, Equal, Implies, Less, LessEqual, Not, Or, Statement
from .base import Node, conjuncts, fails, refused


@dataclass(frozen=True)
class Assume(Node):
    """A under the assumption A."""

    statement: Statement
    rule_name = "assumption"

    @property
    def assumptions(self) -> frozenset[Statement]:
        return frozenset({self.statement})

    def check(self) -> Outcome:
        return HOLDS


@dataclass(frozen=True)
class Suppose(Node):
    """A ⇒ B because B follows under the assumption A, or under members of a conjunction A."""

    statement: Implies
    conclusion: Derivation
    rule_name = "under the assumption"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.conclusion,)

    @property
    def assumptions(self) -> frozenset[Statement]:
        return self.conclusion.assumptions - conjuncts(self.statement.hypothesis)

    def check(self) -> Outcome:
        if self.conclusion.statement != self.statement.conclusion:
            return fails("what is derived is not the conclusion of the implication")
        return HOLDS


@dataclass(frozen=True)
class Detach(Node):
    """B because A ⇒ B and A."""

    statement: Statement
    implication: Derivation
    hypothesis: Derivation
    rule_name = "modus ponens"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.implication, self.hypothesis)

    def check(self) -> Outcome:
        known = self.implication.statement
        if type(known) is not Implies:
            return refused("the first premise is not an implication")
        if (known.hypothesis, known.conclusion) != (self.hypothesis.statement, self.statement):
            return fails("the implication is not from this hypothesis to this conclusion")
        return HOLDS


@dataclass(frozen=True)
class Using(Node):
    """A, where what A's derivation assumes is proved by the facts."""

    conclusion: Derivation
    facts: tuple[Derivation, ...]
    rule_name = "using"

    def __init__(self, conclusion: Derivation, *facts: Derivation) -> None:
        object.__setattr__(self, "conclusion", conclusion)
        object.__setattr__(self, "facts", tuple(facts))

    @property
    def statement(self) -> Statement:  # type: ignore[override]
        return self.conclusion.statement

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (*self.facts, self.conclusion)

    @property
    def assumptions(self) -> frozenset[Statement]:
        proved = frozenset(fact.statement for fact in self.facts)
        return (self.conclusion.assumptions - proved) | together(self.facts)

    def check(self) -> Outcome:
        idle = [fact for fact in self.facts if fact.statement not in self.conclusion.assumptions]
        return fails(f"a fact that nothing assumes: {idle[0].statement.text()}") if idle else HOLDS


@dataclass(frozen=True)
class Conjunction(Node):
    """Every member of an And, each by its own derivation."""

    statement: And
    members: tuple[Derivation, ...]
    rule_name = "conjunction"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return self.members

    def check(self) -> Outcome:
        if tuple(x.statement for x in self.members) != self.statement.body:
            return fails("the members derived are not the members stated")
        return HOLDS


def conjunction(*members: Derivation) -> Conjunction:
    """The conjunction of what the members prove."""
    return Conjunction(And(*(x.statement for x in members)), members)


@dataclass(frozen=True)
class Select(Node):
    """A, because A is a member of a conjunction that is derived."""

    statement: Statement
    whole: Derivation
    rule_name = "member of a conjunction"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.whole,)

    def check(self) -> Outcome:
        if self.statement not in conjuncts(self.whole.statement) - {self.whole.statement}:
            return fails("not a member of the conjunction")
        return HOLDS


@dataclass(frozen=True)
class Alternative(Node):
    """A ∨ B ∨ … because one of them."""

    statement: Or
    member: Derivation
    rule_name = "one of the alternatives"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.member,)

    def check(self) -> Outcome:
        return HOLDS if self.member.statement in self.statement.body else fails("not one of the alternatives")


@dataclass(frozen=True)
class Cases(Node):
    """A, because one of the alternatives holds and A follows from each."""

    statement: Statement
    alternatives: Derivation
    cases: tuple[Derivation, ...]
    rule_name = "by cases"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.alternatives, *self.cases)

    @property
    def assumptions(self) -> frozenset[Statement]:
        found = self.alternatives.assumptions
        for case, given in zip(self.cases, self._alternatives, strict=False):
            found |= case.assumptions - conjuncts(given)
        return found

    @property
    def _alternatives(self) -> tuple[Statement, ...]:
        whole = self.alternatives.statement
        return whole.body if type(whole) is Or else ()

    def check(self) -> Outcome:
        if not self._alternatives or len(self.cases) != len(self._alternatives):
            return refused("not one case for each alternative")
        if any(case.statement != self.statement for case in self.cases):
            return fails("a case proves something else")
        return HOLDS


@dataclass(frozen=True)
class Order(Node):
    """a ≤ b ∨ b < a, or a < b ∨ a = b ∨ b < a, of real numbers; or A ∨ ¬A."""

    statement: Or
    rule_name = "nothing else is possible"

    def check(self) -> Outcome:
        first, *rest = self.statement.body
        if len(rest) == 1 and rest[0] == Not(first):
            return HOLDS
        if type(first) not in (Less, LessEqual):
            return refused("neither an order of two numbers nor a statement and its negation")
        a, b = first.lhs, first.rhs  # type: ignore[attr-defined]
        others = [[Less(b, a)]] if type(first) is LessEqual else [[Equal(a, b), Less(b, a)], [LessEqual(b, a)]]
        if rest not in others:
            return fails("an order of two numbers with a case left out")
        return HOLDS if is_real(a) and is_real(b) else refused("an order of numbers that are not shown to be real")


@dataclass(frozen=True)
class Contradiction(Node):
    """¬A because A leads to B and to ¬B; or A because ¬A does."""

    statement: Statement
    yes: Derivation
    no: Derivation
    rule_name = "by contradiction"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.yes, self.no)

    @property
    def assumptions(self) -> frozenset[Statement]:
        opposite: frozenset[Statement] = frozenset({Not(self.statement)})
        if type(self.statement) is Not:
            opposite |= conjuncts(self.statement.body)
        return together(self.premises) - opposite

    def check(self) -> Outcome:
        return HOLDS if self.no.statement == Not(self.yes.statement) else fails("the premises do not contradict each other")


@dataclass(frozen=True)
class Weaken(Node):
    """a ≤ b because a < b, or a = b with both real; a ≠ b because a < b or b < a."""

    statement: LessEqual | Not
    premise: Derivation
    rule_name = "weaker"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.premise,)

    def check(self) -> Outcome:
        known, st = self.premise.statement, self.statement
        if type(known) is Less:
            a, b = known.lhs, known.rhs
            return HOLDS if st in (LessEqual(a, b), Not(Equal(a, b)), Not(Equal(b, a))) else fails("not weaker")
        if type(known) is Equal and type(st) is LessEqual:
            if st not in (LessEqual(known.lhs, known.rhs), LessEqual(known.rhs, known.lhs)):
                return fails("not weaker")
            return HOLDS if is_real(st.lhs) or is_real(st.rhs) else refused("numbers that are not shown to be real")
        return refused("only < and = are weakened")
