"""Natural deduction, the quantifiers: arbitrary values, instances, witnesses, induction, and equals put for equals.

A derivation holds for all values that its free symbols admit. "x ∈ D" for a smaller D is written as inequalities
(`ranges.membership`), which a derivation may assume of x and the quantifier discharges.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import sympy as sp

from ..defined import is_whole, require_defined, values_of
from ..judgement import HOLDS, Derivation, Outcome
from ..ranges import membership
from ..statement import Exists, ForAll, Less, LessEqual, Statement
from ..text import expression
from .base import Node, conjuncts, fails, free, refused
from .placing import placed, require_substitutable


@dataclass(frozen=True)
class Generalise(Node):
    """∀ x ∈ D: A, because A holds for an arbitrary x, of which nothing is assumed but that it lies in D."""

    statement: ForAll
    premise: Derivation
    rule_name = "for an arbitrary value"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.premise,)

    @property
    def assumptions(self) -> frozenset[Statement]:
        return self.premise.assumptions - _given(self.statement.var, self.statement.domain)

    def check(self) -> Outcome:
        st = self.statement
        if self.premise.statement != st.body:
            return fails("what is derived is not the body of the statement")
        if st.var in free(self.assumptions) or st.var in st.domain.free_symbols:
            return fails(f"something is assumed of {expression(st.var)}")
        return HOLDS if st.domain.is_subset(values_of(st.var)) is True else refused(f"{st.domain} is more than {st.var} admits")


@dataclass(frozen=True)
class Each(Node):
    """∀ x ∈ {a, …, b}: A, because A at each of these numbers."""

    statement: ForAll
    members: tuple[Derivation, ...]
    rule_name = "for each value"
    longest: ClassVar[int] = 64

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return self.members

    def check(self) -> Outcome:
        st = self.statement
        if not isinstance(st.domain, sp.Range) or st.domain.free_symbols or not st.domain.is_finite_set:
            return refused("the values are not listed")
        values = values_of(st.var)
        if len(st.domain) > self.longest or not (st.domain.is_subset(values) is values.is_subset(sp.S.Reals) is True):
            return refused("too many values, or a variable that is not a number")
        _require_defined(st.body)
        if [x.statement for x in self.members] != [st.body.substitute({st.var: value}) for value in st.domain]:
            return fails("what is derived is not the body at each value")
        return HOLDS


def _given(symbol: sp.Symbol, domain: sp.Set) -> frozenset[Statement]:
    """What a derivation for all values in the domain may assume; nothing, if that is not written as inequalities."""
    try:
        return frozenset(membership(symbol, domain))
    except Exception:
        return frozenset()


def _require_defined(statement: Statement) -> None:
    for part in statement.expressions:
        require_defined(part)


@dataclass(frozen=True)
class Specialise(Node):
    """A at x = a, because ∀ x ∈ D: A, and a ∈ D."""

    statement: Statement
    universal: Derivation
    value: sp.Basic
    facts: tuple[Derivation, ...] = ()
    rule_name = "at a value"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.universal, *self.facts)

    def check(self) -> Outcome:
        known = self.universal.statement
        if type(known) is not ForAll:
            return refused("the premise does not speak of all values")
        require_substitutable((known.body,), {known.var: (self.value, known.domain)}, self.facts)
        if self.statement != known.body.substitute({known.var: self.value}):
            return fails("not the statement at the value")
        return placed(self.value, known.var, known.domain, self.facts)

    @property
    def note(self) -> str:
        known = self.universal.statement
        return f"{expression(known.var)} = {expression(self.value)}" if type(known) is ForAll else ""


@dataclass(frozen=True)
class Witness(Node):
    """∃ x ∈ D: A, because A at a value in D."""

    statement: Exists
    value: sp.Basic
    premise: Derivation
    facts: tuple[Derivation, ...] = ()
    rule_name = "witness"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.premise, *self.facts)

    def check(self) -> Outcome:
        st = self.statement
        require_substitutable((st.body,), {st.var: (self.value, st.domain)}, self.facts)
        if self.premise.statement != st.body.substitute({st.var: self.value}):
            return fails("what is derived is not the body at the witness")
        return placed(self.value, st.var, st.domain, self.facts)

    @property
    def note(self) -> str:
        return f"{expression(self.statement.var)} = {expression(self.value)}"


@dataclass(frozen=True)
class Choose(Node):
    """B, because ∃ x ∈ D: A, and B follows from A for an arbitrary x in D that B does not mention."""

    statement: Statement
    existence: Derivation
    conclusion: Derivation
    rule_name = "choice of a value"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.existence, self.conclusion)

    @property
    def assumptions(self) -> frozenset[Statement]:
        return self.existence.assumptions | self._others

    @property
    def _others(self) -> frozenset[Statement]:
        """What the conclusion rests on beside the choice."""
        known = self.existence.statement
        if type(known) is not Exists:
            return self.conclusion.assumptions
        return self.conclusion.assumptions - conjuncts(known.body) - _given(known.var, known.domain)

    def check(self) -> Outcome:
        known = self.existence.statement
        if type(known) is not Exists:
            return refused("the premise does not say that there is a value")
        if self.conclusion.statement != self.statement:
            return fails("what is derived is not the statement")
        if known.var in free(self._others) | self.statement.free_symbols | known.domain.free_symbols:
            return fails(f"{expression(known.var)} is not arbitrary")
        covered = known.domain.is_subset(values_of(known.var)) is True
        return HOLDS if covered else refused(f"{known.domain} is more than {known.var} admits")


@dataclass(frozen=True)
class Instance(Node):
    """A with values put for its free symbols, which range over all that they admit."""

    statement: Statement
    general: Derivation
    values: tuple[tuple[sp.Symbol, sp.Basic], ...]
    facts: tuple[Derivation, ...] = ()
    rule_name = "instance"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.general, *self.facts)

    @property
    def assumptions(self) -> frozenset[Statement]:
        values = dict(self.values)
        general = frozenset(x.substitute(values) for x in self.general.assumptions)
        return general.union(*(fact.assumptions for fact in self.facts))

    def check(self) -> Outcome:
        values = dict(self.values)
        if len(values) < len(self.values):
            return refused("two values for one symbol")
        within = {symbol: (value, values_of(symbol)) for symbol, value in self.values}
        require_substitutable((self.general.statement, *self.general.assumptions), within, self.facts)
        if self.statement != self.general.statement.substitute(values):
            return fails("not the statement with the values")
        for symbol, value in self.values:
            outcome = placed(value, symbol, values_of(symbol), self.facts)
            if not outcome:
                return outcome
        return HOLDS

    @property
    def note(self) -> str:
        return ", ".join(f"{expression(symbol)} = {expression(value)}" for symbol, value in self.values)


def instance(general: Derivation, values: Mapping[sp.Symbol, sp.Basic], *facts: Derivation) -> Instance:
    """What is derived, with values put for its free symbols; facts place the values where that is not plain."""
    statement = general.statement.substitute(values)
    return Instance(statement, general, tuple(values.items()), facts)


@dataclass(frozen=True)
class Induction(Node):
    """∀ k ∈ {a, a + 1, …}: A, because A at a, and A at k + 1 follows from A for every k from a on (short of the last)."""

    statement: ForAll
    base: Derivation
    step: Derivation
    rule_name = "induction"

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return (self.base, self.step)

    @property
    def assumptions(self) -> frozenset[Statement]:
        return self.base.assumptions | (self.step.assumptions - self._given)

    @property
    def _given(self) -> frozenset[Statement]:
        """What the step may assume: A at k, and that k and k + 1 lie in the domain."""
        st = self.statement
        _, last = _ends(st.domain)
        upper = () if last is None else (LessEqual(st.var, last), LessEqual(st.var + 1, last), Less(st.var, last))
        return frozenset({st.body, LessEqual(_ends(st.domain)[0], st.var), *upper})

    def check(self) -> Outcome:
        st = self.statement
        first, _ = _ends(st.domain)
        if values_of(st.var) != sp.S.Integers:
            return refused("induction over a symbol that is no integer")
        _require_defined(st.body)
        if self.base.statement != st.body.substitute({st.var: first}):
            return fails("the base is not the statement at the first value")
        if self.step.statement != st.body.substitute({st.var: st.var + 1}):
            return fails("the step is not the statement at the next value")
        if st.var in free(self.step.assumptions - self._given) | st.domain.free_symbols:
            return fails(f"the step assumes more of {expression(st.var)}")
        return HOLDS


def _ends(domain: sp.Set) -> tuple[sp.Expr, sp.Expr | None]:
    """First and last of a range of integers; no last if it goes on for ever."""
    if domain in (sp.S.Naturals, sp.S.Naturals0):
        return domain.inf, None
    if isinstance(domain, sp.Range) and domain.step == 1 and is_whole(domain.start):
        return domain.start, None if domain.stop == sp.oo else domain.stop - 1
    raise ValueError(f"no induction over {domain}")


__all__ = ["Choose", "Each", "Generalise", "Induction", "Instance", "Specialise", "Witness", "instance"]
