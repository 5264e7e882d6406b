"""Statements and derivations in the form in which a page sets them: stacked conjunctions, and steps as a tree."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import sympy as sp

from mope_theory.claim import Claim
from mope_theory.derivation import Line
from mope_theory.statement import And, Equal, Implies, Less, LessEqual, Statement

RELATIONS = (Equal, LessEqual, Less)

LONG = 130
"""Characters of TeX from which an implication is set on two lines."""


def expression(value: sp.Basic) -> str:
    """TeX of an expression or a set, as in the statements."""
    return str(sp.latex(value, ln_notation=True, imaginary_unit="ri"))


def members(statement: Statement) -> tuple[Statement, ...]:
    """The conjuncts of a conjunction, else the statement itself."""
    return tuple(statement.body) if isinstance(statement, And) else (statement,)


def latex(statement: Statement) -> str:
    """TeX for display: the statement's own, conjunctions stacked behind a brace, long implications on two lines."""
    if isinstance(statement, And):
        lines = r" \\ ".join(f"& {latex(member)}" for member in statement.body)
        return rf"\left\{{\begin{{aligned}} {lines} \end{{aligned}}\right."
    text = statement.latex()
    if isinstance(statement, Implies) and len(text) > LONG:
        hypothesis, conclusion = latex(statement.hypothesis), latex(statement.conclusion)
        return rf"\begin{{aligned}} & {hypothesis} \\ & \quad \Rightarrow\; {conclusion} \end{{aligned}}"
    for part in statement.parts():
        if isinstance(part, Statement):
            before, found, after = text.rpartition(part.latex())
            text = before + latex(part) + after if found else text
    return text


def box(claim: Claim) -> str:
    r"""The ranges of a claim's symbols, those with one range together: ω, m, n ∈ ℝ, σ ∈ (0, ∞)."""
    ranges: dict[sp.Set, list[str]] = {}
    for symbol, domain in claim.box.items():
        ranges.setdefault(domain, []).append(expression(symbol))
    return r",\quad ".join(rf"{', '.join(symbols)} \in {expression(domain)}" for domain, symbols in ranges.items())


def superscripts(text: str) -> Iterator[tuple[str, bool]]:
    """Plain text with powers, as in "e^{−x} ≥ 1 − x", cut into pieces; the flag says whether a piece is raised."""
    last = 0
    for match in re.finditer(r"\^(?:\{([^{}]*)\}|(\w))", text):
        if match.start() > last:
            yield text[last : match.start()], False
        yield match[1] if match[1] is not None else match[2], True
        last = match.end()
    if last < len(text):
        yield text[last:], False


@dataclass
class Branch:
    """One line of a derivation with the lines below it."""

    statement: Statement
    rule: str
    lemma: str = ""
    note: str = ""
    below: list[Branch] = field(default_factory=list)

    @property
    def is_chain(self) -> bool:
        """Whether it is a chain of equations and inequalities, whose steps are the leaves below it."""
        return self.rule == "chain"

    @property
    def steps(self) -> list[Branch]:
        """The links of a chain."""
        return [x for x in self.below if not x.is_chain] if self.is_chain else []

    @property
    def premises(self) -> list[Branch]:
        """What it rests on: below a chain, the equations that it rewrites with."""
        return [x for x in self.below if x.is_chain] if self.is_chain else self.below


def tree(outline: Iterable[Line]) -> Branch:
    """The lines of one derivation as a tree. Raises ValueError for lines that do not form one."""
    path: list[Branch] = []
    root: Branch | None = None
    for line in outline:
        if line.depth > len(path) or (line.depth == 0) != (root is None):
            raise ValueError(f"the line at depth {line.depth} has no line above it")
        branch = Branch(line.statement, line.rule, line.lemma, line.note)
        del path[line.depth :]
        if path:
            path[-1].below.append(branch)
        root = root or branch
        path.append(branch)
    if root is None:
        raise ValueError("a derivation without lines")
    return root


@dataclass(frozen=True)
class Row:
    """One line of a displayed chain: its beginning, or a sign with the next expression, and what closes the step."""

    tex: str
    rule: str = ""
    lemma: str = ""


def rows(chain: Branch) -> Iterator[Row]:
    """A chain as it is written by hand: the first expression, then a relation sign and an expression for each step."""
    if len(chain.steps) == 1:
        (step,) = chain.steps
        yield Row(latex(step.statement), step.rule, step.lemma)
        return
    for number, step in enumerate(chain.steps):
        statement = step.statement
        if not isinstance(statement, RELATIONS):
            yield Row(latex(statement), step.rule, step.lemma)
            continue
        left = expression(statement.lhs)
        if number == 0:
            yield Row(left)
        text = statement.latex()
        yield Row(text.removeprefix(left).strip(), step.rule, step.lemma)
