"""Statements and derivations in the form in which a page sets them: stacked conjunctions, and steps as a tree."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import cast

import sympy as sp
from sympy.core.alphabets import greeks
from sympy.printing.pretty.pretty_symbology import pretty_symbol

from mope_theory.claim import Claim
from mope_theory.derivation import Line
from mope_theory.statement import And, Equal, Exists, ForAll, Implies, Less, LessEqual, Not, Or, Statement, TendsTo

from .extent import extent

Relation = Equal | LessEqual | Less
RELATIONS = (Equal, LessEqual, Less)

LEDGER_ROOM, HALF_ROOM, BESIDE_ROOM, BOX_ROOM, STEP_ROOM = 35.0, 17.0, 22.0, 34.0, 32.0
"""Widths in em that a formula may take at 1360 pixels: in the ledger, in a half of its row, in a half of a box, in a box, in a
derivation."""

_INDENT, _ARROW = 1.0, 3.0
_LINES = r"\begin{aligned}"


@cache
def expression(value: sp.Basic) -> str:
    """TeX of an expression or a set, as in the statements."""
    return str(sp.latex(value, ln_notation=True, imaginary_unit="ri"))


def numbers(tex: str) -> str:
    """TeX in which long whole numbers are powers of two or of ten where they are such."""

    def short(match: re.Match[str]) -> str:
        value = int(match[0])
        exponent = value.bit_length() - 1
        if value == 2**exponent:
            return f"2^{{{exponent}}}"
        return f"10^{{{len(match[0]) - 1}}}" if value == 10 ** (len(match[0]) - 1) else match[0]

    return re.sub(r"\d{6,}", short, tex)


def members(statement: Statement) -> tuple[Statement, ...]:
    """The conjuncts of a conjunction, else the statement itself."""
    return tuple(statement.body) if isinstance(statement, And) else (statement,)


@cache
def latex(statement: Statement, room: float = STEP_ROOM) -> str:
    """TeX for display: the statement's own where it fits into ``room`` em, else broken after quantifiers and before arrows
    and signs. Conjunctions are stacked behind a brace wherever they stand."""
    if isinstance(statement, And):
        return rf"\left\{{{_stack(latex(member, room - _INDENT) for member in statement.body)}\right."
    if isinstance(statement, (ForAll, Exists)):
        return _quantified(statement, room)
    if isinstance(statement, Implies):
        return _implication(statement, room)
    if isinstance(statement, Not) and not isinstance(statement.body, Equal):
        return rf"\neg\left({latex(statement.body, room - _INDENT)}\right)"
    text = statement.latex()
    if extent(text) <= room:
        return text
    if isinstance(statement, Or):
        first, *others = (_within(part, 3, room) for part in statement.body)
        return _stack((first, *(rf"\quad \vee\; {other}" for other in others)))
    if not isinstance(statement, (*RELATIONS, TendsTo)):
        return text
    left, right = (statement.expr, statement.limit) if isinstance(statement, TendsTo) else (statement.lhs, statement.rhs)
    sign = text.removeprefix(expression(left)).removesuffix(expression(right)).strip()
    return _stack((_side(left, room), rf"\quad {sign} {_side(right, room - _ARROW)}"))


def _side(value: sp.Expr, room: float) -> str:
    """One side of a relation; a sum that is too long is broken before its signs, also within a modulus."""
    text = expression(value)
    if extent(text) <= room:
        return text
    if isinstance(value, sp.Abs):
        return rf"\left|{{{_side(value.args[0], room - _INDENT)}}}\right|"
    if not isinstance(value, sp.Add):
        return text
    lines: list[str] = []
    for term in map(expression, value.as_ordered_terms()):
        signed = term if not lines or term.startswith("-") else f"+ {term}"
        if lines and extent(f"{lines[-1]} {signed}") <= room:
            lines[-1] += f" {signed}"
        else:
            lines.append(rf"\quad {signed}" if lines else signed)
    return _stack(lines) if len(lines) > 1 else lines[0]


def _stack(lines: Iterable[str]) -> str:
    """Lines below each other, set from the left."""
    body = r" \\ ".join(f"& {line}" for line in lines)
    return rf"{_LINES} {body} \end{{aligned}}"


def _within(part: Statement, binding: int, room: float) -> str:
    """A part, in parentheses if it binds more loosely than its place asks for; a brace is as good as parentheses."""
    if isinstance(part, And) or part.binding >= binding:
        return latex(part, room)
    return rf"\left({latex(part, room - _INDENT)}\right)"


def _quantified(statement: ForAll | Exists, room: float) -> str:
    """Quantifiers one after the other, as many on a line as it takes, and what they bind."""
    lines, body = [""], cast(Statement, statement)
    while isinstance(body, (ForAll, Exists)):
        inner = body.body
        while isinstance(inner, type(body)) and inner.domain == body.domain:  # neighbours that are printed as one
            inner = inner.body
        prefix = body.latex().removesuffix(inner.latex()).strip().removesuffix("\\")
        if lines[-1] and extent(lines[-1] + prefix) > room:
            lines.append("")
        lines[-1] = rf"{lines[-1]}\ {prefix}" if lines[-1] else prefix
        body = inner
    bound = latex(body, room - _INDENT)
    if extent(lines[-1] + bound) <= room and not bound.startswith(_LINES):
        lines[-1] += rf"\ {bound}"
    else:
        lines.append(rf"\quad {bound}")
    return _stack(lines) if len(lines) > 1 else lines[0]


def _implication(statement: Implies, room: float) -> str:
    hypothesis = _within(statement.hypothesis, 1, room)
    # A quantifier in the conclusion reaches to its end and needs no parentheses.
    least = 0 if isinstance(statement.conclusion, (ForAll, Exists)) else 1
    flat = rf"{hypothesis} \;\Rightarrow\; {_within(statement.conclusion, least, room)}"
    if extent(flat) <= room:
        return flat
    conclusion = _within(statement.conclusion, least, room - _ARROW)
    if conclusion.startswith(_LINES):  # the arrow stands beside the first line
        conclusion = f"{_LINES}[t]{conclusion.removeprefix(_LINES)}"
    return _stack((hypothesis, rf"\quad \Rightarrow\; {conclusion}"))


def box(claim: Claim) -> str:
    r"""The ranges of a claim's symbols, those with one range together: ω, m, n ∈ ℝ, σ ∈ (0, ∞)."""
    ranges: dict[sp.Set, list[str]] = {}
    for symbol, domain in claim.box.items():
        ranges.setdefault(domain, []).append(expression(symbol))
    return r",\quad ".join(rf"{', '.join(symbols)} \in {expression(domain)}" for domain, symbols in ranges.items())


def plain(text: str) -> str:
    """Arithmetic as it stands in a line of code, as a reader writes it: "2**-53" as "2^{−53}", "omega*b_0" as "ω·b₀"."""

    def word(match: re.Match[str]) -> str:
        name = match[0]
        if name in greeks or re.fullmatch(r"[a-zA-Z]_\d+", name):
            return str(pretty_symbol(name))
        return "∞" if name == "inf" else name

    text = re.sub(r"\*\*(-?\w+)", lambda match: f"^{{{match[1].replace('-', '−')}}}", text)
    text = re.sub(r"[a-zA-Z_]\w*", word, text)
    text = re.sub(r"\bsqrt\((\w+)\)", r"√\1", text)
    text = re.sub(r"\blog\((\w+)\)", r"ln \1", text)
    text = re.sub(r"\blog\(", "ln(", re.sub(r"\bsqrt\(", "√(", text))
    return re.sub(r"(?<![\w)])-(?=[\s\w(∞√|])", "−", text).replace("<=", "≤").replace(">=", "≥").replace("*", "·")


_SCRIPT = re.compile(
    r"\^(?:\{([^{}]*)\}|([\w∞]))"
    r"|(?<=(?<![a-zA-Z\d_])(?:[^\W\d_]|[∫∏∑]))_(?:\{([^{}]*)\}|([^\W_]+))"
)


def scripts(text: str) -> Iterator[tuple[str, str]]:
    """Plain text with powers and indices, as in "e^{−x} ≥ 1 − x" and "ω_eff", cut into pieces, each with "sup", "sub" or "".

    What is below the line follows a single letter: a name with an underscore stays as it is.
    """
    last = 0
    for match in _SCRIPT.finditer(text):
        if match.start() > last:
            yield text[last : match.start()], ""
        kind = "sup" if match[0].startswith("^") else "sub"
        yield next(group for group in match.groups() if group is not None), kind
        last = match.end()
    if last < len(text):
        yield text[last:], ""


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
    def lines(self) -> int:
        """How many lines it has, its own included."""
        return 1 + sum(branch.lines for branch in self.below)

    @property
    def steps(self) -> list[Link]:
        """The links of a chain, each from the expression that the last one ended with.

        A link is a line by itself; where there is none, it is what was derived just before, and taken as it stands.
        """
        links: list[Link] = []
        here = self.statement.lhs if self.is_chain and isinstance(self.statement, RELATIONS) else None
        for number, branch in enumerate(self.below):
            later = any(not x.below and x.link_from(here) for x in self.below[number + 1 :])
            statement = branch.link_from(here)
            if statement is not None and not (branch.below and later):
                links.append(Link(statement, branch))
                here = statement.rhs
        return links

    @property
    def premises(self) -> list[Branch]:
        """What it rests on: below a chain, all but the links that are lines by themselves."""
        lines = {id(link.branch) for link in self.steps if not link.branch.below}
        return [branch for branch in self.below if id(branch) not in lines]

    def main(self, more_than: int) -> Branch | None:
        """The largest premise, if it has more lines than that."""
        largest = max(self.premises, key=lambda branch: branch.lines, default=None)
        return largest if largest and largest.lines > more_than else None

    def link_from(self, value: sp.Expr | None) -> Relation | None:
        """What it says as a link from that expression, or None; an equation that was derived may be read backwards."""
        if not isinstance(self.statement, RELATIONS):
            return None
        if self.statement.lhs == value:
            return self.statement
        backwards = self.below and isinstance(self.statement, Equal) and self.statement.rhs == value
        return Equal(self.statement.rhs, self.statement.lhs) if backwards else None


@dataclass(frozen=True)
class Link:
    """A link of a chain: what it says, and the branch that closes it."""

    statement: Relation
    branch: Branch


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
    note: str = ""


def rows(chain: Branch) -> Iterator[Row]:
    """A chain as it is written by hand: the first expression, then a relation sign and an expression for each step."""
    links = chain.steps
    if len(links) == 1:
        yield _row(latex(links[0].statement), links[0].branch)
        return
    for number, link in enumerate(links):
        left = expression(link.statement.lhs)
        if number == 0:
            yield Row(left)
        yield _row(link.statement.latex().removeprefix(left).strip(), link.branch)


def _row(tex: str, branch: Branch) -> Row:
    return Row(tex, "as derived above") if branch.below else Row(tex, branch.rule, branch.lemma, branch.note)
