"""What a claim says: SymPy expressions under a small vocabulary of relations, connectives, quantifiers and limits.

A statement is data. Its LaTeX is printed from it, its derivation must end in its sides, and its negation is an object too,
so that no formula is written twice. Free symbols range over the parameter box of the claim.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import ClassVar, TypeVar

import sympy as sp

from .substitution import put
from .text import expression

S = TypeVar("S", bound="Statement")


@dataclass(frozen=True)
class Statement:
    """Base of the vocabulary; the fields of a subclass are expressions, sets or statements."""

    binding: ClassVar[int] = 3
    """How tightly it binds when printed: relations 3, conjunctions 2, disjunctions 1, implications and quantifiers 0."""

    def latex(self) -> str:
        """LaTeX of the statement, printed from its expressions."""
        raise NotImplementedError

    def text(self) -> str:
        """One line of plain text."""
        raise NotImplementedError

    def parts(self) -> Iterator[object]:
        for field in fields(self):
            value = getattr(self, field.name)
            yield from value if isinstance(value, tuple) else (value,)

    @property
    def bound_symbols(self) -> set[sp.Symbol]:
        """Symbols that this statement itself binds (a quantified variable, the variable of a limit)."""
        return set()

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """Symbols that a box must range over."""
        found: set[sp.Symbol] = set()
        for part in self.parts():
            found |= getattr(part, "free_symbols", set())
        return found - self.bound_symbols

    @property
    def expressions(self) -> tuple[sp.Expr, ...]:
        """Every SymPy expression of the statement, its own and those of the statements in it."""
        found: list[sp.Expr] = []
        for part in self.parts():
            if isinstance(part, Statement):
                found.extend(part.expressions)
            elif isinstance(part, sp.Expr):
                found.append(part)
        return tuple(found)

    def is_plain(self) -> bool:
        """Whether it is made of the classes of this module throughout, and of none that a file of claims has brought along."""
        return type(self) in STATEMENTS and all(part.is_plain() for part in self.parts() if isinstance(part, Statement))

    def substitute(self: S, values: Mapping[sp.Symbol, sp.Expr]) -> S:
        """Replace free symbols by values.

        Raises ValueError if a value would be captured by a quantifier, or if a symbol to be replaced is bound here.
        """
        free = set().union(*(sp.sympify(v).free_symbols for v in values.values())) if values else set()
        clash = self.bound_symbols & (free | set(values))
        if clash:
            raise ValueError(f"substitution would be captured by {', '.join(map(str, clash))}")

        def one(value: object) -> object:
            if isinstance(value, tuple):
                return tuple(one(x) for x in value)
            if isinstance(value, Statement):
                return value.substitute(values)
            return put(value, values) if isinstance(value, sp.Basic) else value

        return replace(self, **{f.name: one(getattr(self, f.name)) for f in fields(self)})


def _tex(value: object) -> str:
    return value.latex() if isinstance(value, Statement) else sp.latex(value, ln_notation=True, imaginary_unit="ri")


def _str(value: object) -> str:
    return value.text() if isinstance(value, Statement) else expression(value)


def _tex_within(part: Statement, binding: int) -> str:
    """LaTeX of a part, in parentheses if it binds more loosely than its place asks for."""
    return rf"\left({part.latex()}\right)" if _binding(part) < binding else part.latex()


def _str_within(part: Statement, binding: int) -> str:
    return f"({part.text()})" if _binding(part) < binding else part.text()


def _binding(part: Statement) -> int:
    return 0 if _equivalence(part) else part.binding


def _equivalence(part: Statement) -> tuple[Statement, Statement] | None:
    """(A, B) of a conjunction (A ⇒ B) ∧ (B ⇒ A), which is printed as A ⇔ B."""
    if not (isinstance(part, And) and len(part.body) == 2 and all(isinstance(x, Implies) for x in part.body)):
        return None
    there, back = part.body
    assert isinstance(there, Implies)
    assert isinstance(back, Implies)
    sides = there.hypothesis, there.conclusion
    return sides if sides == (back.conclusion, back.hypothesis) else None


@dataclass(frozen=True)
class Equal(Statement):
    """lhs = rhs."""

    lhs: sp.Expr
    rhs: sp.Expr

    def latex(self) -> str:
        return f"{_tex(self.lhs)} = {_tex(self.rhs)}"

    def text(self) -> str:
        return f"{_str(self.lhs)} = {_str(self.rhs)}"


@dataclass(frozen=True)
class LessEqual(Statement):
    """lhs ≤ rhs, both sides real."""

    lhs: sp.Expr
    rhs: sp.Expr

    def latex(self) -> str:
        return rf"{_tex(self.lhs)} \le {_tex(self.rhs)}"

    def text(self) -> str:
        return f"{_str(self.lhs)} ≤ {_str(self.rhs)}"


@dataclass(frozen=True)
class Less(Statement):
    """lhs < rhs, both sides real."""

    lhs: sp.Expr
    rhs: sp.Expr

    def latex(self) -> str:
        return f"{_tex(self.lhs)} < {_tex(self.rhs)}"

    def text(self) -> str:
        return f"{_str(self.lhs)} < {_str(self.rhs)}"


@dataclass(frozen=True)
class And(Statement):
    """Every one of the statements."""

    body: tuple[Statement, ...]
    binding = 2

    def __init__(self, *body: Statement) -> None:
        object.__setattr__(self, "body", tuple(body))

    def latex(self) -> str:
        sides = _equivalence(self)
        if sides:
            return r" \;\Leftrightarrow\; ".join(_tex_within(x, 1) for x in sides)
        return r" \;\wedge\; ".join(_tex_within(x, self.binding) for x in self.body)

    def text(self) -> str:
        sides = _equivalence(self)
        if sides:
            return " ⇔ ".join(_str_within(x, 1) for x in sides)
        return " and ".join(_str_within(x, self.binding) for x in self.body)

    def substitute(self, values: Mapping[sp.Symbol, sp.Expr]) -> And:
        return And(*(x.substitute(values) for x in self.body))


@dataclass(frozen=True)
class Or(Statement):
    """At least one of the statements."""

    body: tuple[Statement, ...]
    binding = 1

    def __init__(self, *body: Statement) -> None:
        object.__setattr__(self, "body", tuple(body))

    def latex(self) -> str:
        return r" \;\vee\; ".join(_tex_within(x, 3) for x in self.body)

    def text(self) -> str:
        return " or ".join(_str_within(x, 3) for x in self.body)

    def substitute(self, values: Mapping[sp.Symbol, sp.Expr]) -> Or:
        return Or(*(x.substitute(values) for x in self.body))


@dataclass(frozen=True)
class Implies(Statement):
    """hypothesis ⇒ conclusion."""

    hypothesis: Statement
    conclusion: Statement

    binding = 0

    def latex(self) -> str:
        conclusion = _tex_within(self.conclusion, self._place)
        return rf"{_tex_within(self.hypothesis, 1)} \;\Rightarrow\; {conclusion}"

    def text(self) -> str:
        return f"{_str_within(self.hypothesis, 1)} ⇒ {_str_within(self.conclusion, self._place)}"

    @property
    def _place(self) -> int:
        """A quantifier in the conclusion reaches to its end and needs no parentheses; an implication gets them."""
        return 0 if isinstance(self.conclusion, _Quantified) else 1


@dataclass(frozen=True)
class Not(Statement):
    """The body fails, for every value of the free symbols; to say less, quantify inside."""

    body: Statement

    def latex(self) -> str:
        if isinstance(self.body, Equal):
            return rf"{_tex(self.body.lhs)} \ne {_tex(self.body.rhs)}"
        return rf"\neg\left({_tex(self.body)}\right)"

    def text(self) -> str:
        if isinstance(self.body, Equal):
            return f"{_str(self.body.lhs)} ≠ {_str(self.body.rhs)}"
        return f"not ({_str(self.body)})"


@dataclass(frozen=True)
class _Quantified(Statement):
    var: sp.Symbol
    domain: sp.Set
    body: Statement

    binding = 0

    @property
    def bound_symbols(self) -> set[sp.Symbol]:
        return {self.var}

    def _prefix(self) -> tuple[list[sp.Symbol], Statement]:
        """Variables of neighbouring quantifiers of one kind over one domain, and what they bind."""
        variables, body = [self.var], self.body
        while isinstance(body, _Quantified) and type(body) is type(self) and body.domain == self.domain:
            variables.append(body.var)
            body = body.body
        return variables, body


@dataclass(frozen=True)
class ForAll(_Quantified):
    """∀ var ∈ domain: body."""

    def latex(self) -> str:
        variables, body = self._prefix()
        return rf"\forall\, {', '.join(map(_tex, variables))} \in {_tex(self.domain)}:\ {_tex(body)}"

    def text(self) -> str:
        variables, body = self._prefix()
        return f"for all {', '.join(map(_str, variables))} ∈ {_str(self.domain)}: {_str(body)}"


@dataclass(frozen=True)
class Exists(_Quantified):
    """∃ var ∈ domain: body."""

    def latex(self) -> str:
        variables, body = self._prefix()
        return rf"\exists\, {', '.join(map(_tex, variables))} \in {_tex(self.domain)}:\ {_tex(body)}"

    def text(self) -> str:
        variables, body = self._prefix()
        return f"there is {', '.join(map(_str, variables))} ∈ {_str(self.domain)}: {_str(body)}"


@dataclass(frozen=True)
class TendsTo(Statement):
    """expr → limit as var → point, for each fixed value of the other symbols."""

    expr: sp.Expr
    var: sp.Symbol
    limit: sp.Expr
    point: sp.Expr

    @property
    def bound_symbols(self) -> set[sp.Symbol]:
        return {self.var}

    def latex(self) -> str:
        side = "^{+}" if self.point == 0 and self.var.is_positive else ""
        return rf"{_tex(self.expr)} \xrightarrow[{_tex(self.var)} \to {_tex(self.point)}{side}]{{}} {_tex(self.limit)}"

    def text(self) -> str:
        return f"{_str(self.expr)} → {_str(self.limit)} as {_str(self.var)} → {_str(self.point)}"


@dataclass(frozen=True)
class UniformlyTendsTo(Statement):
    """sup over `over` ∈ domain of |expr − limit| → 0 as var → point."""

    expr: sp.Expr
    var: sp.Symbol
    limit: sp.Expr
    point: sp.Expr
    over: sp.Symbol
    domain: sp.Set

    @property
    def bound_symbols(self) -> set[sp.Symbol]:
        return {self.var, self.over}

    def latex(self) -> str:
        gap = sp.Abs(self.expr - self.limit, evaluate=False)
        return (
            rf"\sup_{{{_tex(self.over)} \in {_tex(self.domain)}}} {_tex(gap)}"
            rf" \xrightarrow[{_tex(self.var)} \to {_tex(self.point)}]{{}} 0"
        )

    def text(self) -> str:
        return (
            f"{_str(self.expr)} → {_str(self.limit)} as {_str(self.var)} → {_str(self.point)}, "
            f"uniformly in {_str(self.over)} ∈ {_str(self.domain)}"
        )


STATEMENTS: tuple[type[Statement], ...] = (
    Equal, LessEqual, Less, And, Or, Implies, Not, ForAll, Exists, TendsTo, UniformlyTendsTo
)  # fmt: skip
"""Every class of statement."""
