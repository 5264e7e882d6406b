"""Derivations: chains of equations and inequalities, each link closed by the decision procedure or by a proved lemma.

The set of rules is sealed: a link whose rule is not one of ``RULES`` is refused, so that a file of claims cannot bring its own
way of being right. The rules themselves are in ``rules``, but for the one that needs a chain.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Literal

import sympy as sp

from .decide import Refused, is_real, positive, unfold
from .lemmas import LEMMAS, Inequality, IntegralLemma
from .rules import Bound, Decide, Modulus, Numbers, Relation, Rule
from .statement import Equal, Less, LessEqual, Statement
from .substitution import bound_symbols
from .text import expression
from .veto import veto

Status = Literal["holds", "fails", "refused"]


@dataclass(frozen=True)
class Outcome:
    """What a check found: it holds; it fails, and why; or it is refused as undecided, and why."""

    status: Status
    reason: str = ""

    def __bool__(self) -> bool:
        return self.status == "holds"


HOLDS = Outcome("holds")


@dataclass(frozen=True)
class Line:
    """One line of a printed derivation."""

    depth: int
    statement: Statement
    rule: str
    lemma: str = ""
    note: str = ""
    """What the rule is used with: a hypothesis, a point, a witness."""


REWRITABLE = (
    sp.Add, sp.Mul, sp.Pow, sp.exp, sp.cos, sp.sin, sp.cosh, sp.sinh, sp.conjugate, sp.re, sp.im, sp.Abs, sp.Symbol, sp.Rational,
    type(sp.I), type(sp.pi), type(sp.E),
)  # fmt: skip
"""What an expression may consist of, unfolded, for a rewrite inside it: nothing that has a pole or a range of its own."""


@dataclass(frozen=True)
class Rewrite(Rule):
    """rhs is lhs with one side of a derived equation put for the other."""

    equation: Chain
    relation = Equal
    name = "rewrite"

    @property
    def lemmas(self) -> tuple[Inequality | IntegralLemma, ...]:
        return tuple(lemma for step in self.equation.steps for lemma in step.rule.lemmas)

    def check(self, lhs: sp.Expr, rhs: sp.Expr) -> bool:
        outcome = self.equation.check() if type(self.equation) is Chain else Outcome("refused", "it is no chain")
        if not outcome or not isinstance(self.equation.statement, Equal) or self.equation.hypotheses:
            raise Refused(f"the equation of the rewrite is not derived: {outcome.reason or 'not a plain equation'}")
        if bound_symbols(lhs):
            raise Refused("no rewriting below a bound variable")
        plain = unfold(lhs)
        for part in sp.preorder_traversal(plain):
            if not isinstance(part, REWRITABLE):
                raise Refused(f"no rewriting inside {type(part).__name__}")
        for power in plain.atoms(sp.Pow):
            if power.exp.is_nonnegative is not True and not positive(power.base * sp.conjugate(power.base)):
                raise Refused(f"{power.base} may vanish in a denominator")  # and SymPy would cancel it without a word
        if rhs.has(sp.zoo, sp.nan, sp.oo, -sp.oo):
            raise Refused("an infinite or undefined value")
        old, new = self.equation.statement.lhs, self.equation.statement.rhs
        return bool(lhs.xreplace({old: new}) == rhs)


RULES: tuple[type[Rule], ...] = (Decide, Bound, Numbers, Modulus, Rewrite)


# --- derivations ---------------------------------------------------------------------------------------------------------


class Derivation:
    """A proof of ``statement`` for all values of its free symbols, and for the hypotheses that it names."""

    statement: Statement
    rule_name: ClassVar[str]

    def check(self) -> Outcome:
        raise NotImplementedError

    def outline(self, depth: int = 0) -> Iterator[Line]:
        """The derivation as lines: what is proved, by which rule, with which lemma."""
        raise NotImplementedError

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every link of the derivation, its premises' included."""
        return tuple(step for premise in self.premises for step in premise.steps)


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
        if type(self.rule) not in RULES:
            return Outcome("refused", f"{type(self.rule).__name__} is not a rule of this calculus")
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
        contradiction = veto(self.statement, self.rule.hypotheses)
        return Outcome("fails", f"vetoed by high precision at {contradiction}") if contradiction else HOLDS


@dataclass(frozen=True)
class Chain(Derivation):
    """A chain of steps whose ends are the two sides of an equation or of an inequality; one strict step makes it strict."""

    statement: Relation
    links: tuple[Step, ...]
    hypotheses: tuple[sp.Expr, ...] = ()
    """Expressions that are assumed to be nonnegative."""
    rule_name = "chain"

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.links

    def check(self) -> Outcome:
        links, statement = self.links, self.statement
        if type(links) is not tuple or any(type(step) is not Step for step in links) or type(self.hypotheses) is not tuple:
            return Outcome("refused", "the links of the chain are not a tuple of steps, or its hypotheses not a tuple")
        if not links:
            return Outcome("fails", "an empty chain")
        if (links[0].lhs, links[-1].rhs) != (statement.lhs, statement.rhs):
            return Outcome("fails", "the ends of the chain are not the sides of the statement")
        for number, (left, right) in enumerate(pairwise(links), 1):
            if left.rhs != right.lhs:
                return Outcome("fails", f"step {number} does not end where step {number + 1} begins")
        relations = {step.rule.relation for step in links}
        if type(statement) is Equal and relations != {Equal}:
            return Outcome("fails", "an equation is not proved by inequalities")
        if type(statement) is Less and Less not in relations:
            return Outcome("fails", "no step of the chain is strict")
        if type(statement) not in (Equal, LessEqual, Less):
            return Outcome("refused", f"a chain does not prove {type(statement).__name__}")
        if type(statement) is not Equal and relations == {Equal} and not is_real(statement.lhs):
            return Outcome("refused", "an inequality between numbers that are not shown to be real")
        undeclared = {h for step in links for h in step.rule.hypotheses} - set(self.hypotheses)
        if undeclared:
            return Outcome("fails", f"undeclared hypothesis {', '.join(map(str, undeclared))} ≥ 0")
        for number, step in enumerate(links, 1):
            outcome = step.check()
            if not outcome:
                return Outcome(outcome.status, f"step {number}: {outcome.reason}")
        contradiction = veto(statement, self.hypotheses)
        return Outcome("fails", f"vetoed by high precision at {contradiction}") if contradiction else HOLDS

    def outline(self, depth: int = 0) -> Iterator[Line]:
        given = " and ".join(f"{expression(h)} ≥ 0" for h in self.hypotheses)
        yield Line(depth, self.statement, self.rule_name, note=f"given {given}" if given else "")
        for step in self.links:
            if isinstance(step.rule, Rewrite):
                yield from step.rule.equation.outline(depth + 1)
            lemma = "; ".join(dict.fromkeys(lemma.name for lemma in step.rule.lemmas))
            yield Line(depth + 1, step.statement, step.rule.name, lemma)


def chain(
    first: sp.Expr,
    *links: tuple[Rule, sp.Expr],
    relation: type[Equal] | type[LessEqual] | type[Less] = Equal,
    hypotheses: tuple[sp.Expr, ...] = (),
) -> Chain:
    """A chain from its first expression and (rule, next expression) pairs; the statement is read off its ends."""
    ends = [first, *(expr for _, expr in links)]
    steps = tuple(Step(lhs, rhs, rule) for (rule, rhs), lhs in zip(links, ends, strict=False))
    return Chain(relation(first, ends[-1]), steps, hypotheses)


def directly(statement: Relation, rule: Rule) -> Chain:
    """A chain of a single step: one rule closes the statement."""
    return Chain(statement, (Step(statement.lhs, statement.rhs, rule),))
