"""Statements as one line of text, and free text as LaTeX."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.printing.pretty.pretty_symbology import pretty_symbol
from sympy.printing.str import StrPrinter

from mope_impl.book import typeset
from mope_theory import statement as st

if TYPE_CHECKING:
    from mope_theory.derivation import Line

RELATIONS = (st.Equal, st.LessEqual, st.Less)
RELATION = {st.Equal: ("=", "="), st.LessEqual: ("≤", r"\le"), st.Less: ("<", "<")}
"""Sign of each relation, in text and in LaTeX."""


class _Printer(StrPrinter):
    """SymPy's text, with Greek letters and the usual signs."""

    def _print_Symbol(self, expr: sp.Symbol) -> str:
        return str(pretty_symbol(expr.name))

    def _print_Function(self, expr: Any) -> str:
        return f"{pretty_symbol(expr.func.__name__)}({self.stringify(expr.args, ', ')})"

    def _print_conjugate(self, expr: Any) -> str:
        return f"conj({self._print(expr.args[0])})"

    def _print_Abs(self, expr: Any) -> str:
        return f"|{self._print(expr.args[0])}|"

    def _print_ImaginaryUnit(self, expr: Any) -> str:
        return "i"

    def _print_Pi(self, expr: Any) -> str:
        return "π"

    def _print_Infinity(self, expr: Any) -> str:
        return "∞"

    def _print_NegativeInfinity(self, expr: Any) -> str:
        return "-∞"

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        return str(super()._print_Pow(expr, rational)).replace("**", "^")

    def _print_Integers(self, expr: Any) -> str:
        return "ℤ"

    def _print_Reals(self, expr: Any) -> str:
        return "ℝ"

    def _print_Naturals(self, expr: Any) -> str:
        return "ℕ"

    def _print_Naturals0(self, expr: Any) -> str:
        return "ℕ₀"

    def _print_Interval(self, expr: Any) -> str:
        left = "(" if expr.left_open else "["
        right = ")" if expr.right_open else "]"
        return f"{left}{self._print(expr.start)}, {self._print(expr.end)}{right}"


def expression(value: sp.Basic) -> str:
    """An expression or a set as one line of text."""
    return str(_Printer().doprint(value))


def text(value: st.Statement) -> str:
    """A statement as one line of text."""
    match value:
        case st.Equal() | st.LessEqual() | st.Less():
            return f"{expression(value.lhs)} {RELATION[type(value)][0]} {expression(value.rhs)}"
        case st.And(body=body):
            return " and ".join(f"[{text(one)}]" if isinstance(one, st.Implies) else text(one) for one in body)
        case st.Implies(hypothesis=hypothesis, conclusion=conclusion):
            return f"if {text(hypothesis)} then {text(conclusion)}"
        case st.Not(body=body):
            return f"not [{text(body)}]"
        case st.ForAll(var=var, domain=domain, body=body):
            return f"for all {expression(var)} in {expression(domain)}: {text(body)}"
        case st.Exists(var=var, domain=domain, body=body):
            return f"for some {expression(var)} in {expression(domain)}: {text(body)}"
        case st.TendsTo(expr=expr, var=var, limit=limit, point=point):
            return f"{expression(expr)} → {expression(limit)} as {expression(var)} → {expression(point)}"
        case st.UniformlyTendsTo(expr=expr, var=var, limit=limit, point=point, over=over, domain=domain):
            return (
                f"{expression(expr)} → {expression(limit)} as {expression(var)} → {expression(point)}, "
                f"uniformly in {expression(over)} in {expression(domain)}"
            )
        case _:
            return value.latex()


@dataclass(frozen=True)
class Row:
    """A line of a derivation made ready to print; ``left`` is None where the line goes on from the one before."""

    depth: int
    left: sp.Basic | None
    sign: tuple[str, str]
    right: sp.Basic | st.Statement | str
    why: str


def rows(lines: Iterable[Line]) -> Iterator[Row]:
    """The lines of an outline without what would be said twice.

    A left side is left out where it repeats the right side of the line above it; a chain of one step is shown as that
    step; a conjunction, whose members follow, is named but not written out.
    """
    before: Line | None = None
    for line in _short_chains(lines):
        value = line.statement
        why = line.rule + (f": {line.lemma}" if line.lemma else "")
        if isinstance(value, RELATIONS):
            goes_on = (
                before is not None
                and before.depth == line.depth
                and isinstance(before.statement, RELATIONS)
                and before.statement.rhs == value.lhs
            )
            yield Row(line.depth, None if goes_on else value.lhs, RELATION[type(value)], value.rhs, why)
        elif isinstance(value, st.And) and line.rule == "conjunction":
            yield Row(line.depth, None, ("", ""), f"all {len(value.body)} of the following", why)
        else:
            yield Row(line.depth, None, ("", ""), value, why)
        before = line


def _short_chains(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, each chain of a single step replaced by that step."""
    held: Line | None = None
    for line in lines:
        if held is not None and (line.depth, line.statement) == (held.depth + 1, held.statement):
            line, held = replace(line, depth=held.depth), None
        if held is not None:
            yield held
        held = line
    if held is not None:
        yield held


def latex(value: sp.Basic | st.Statement | str) -> str:
    """An expression, a statement or free text, for use in mathematics mode."""
    if isinstance(value, str):
        return rf"\text{{{tex_text(value)}}}"
    return typeset.latex(value) if isinstance(value, st.Statement) else typeset.expression(value)


_TEX = {
    "−": "$-$", "–": "--", "’": "'", "≤": r"$\le$", "≥": r"$\ge$", "≠": r"$\ne$", "→": r"$\to$", "∞": r"$\infty$",
    "∈": r"$\in$", "∫": r"$\int$", "√": r"$\surd$", "·": r"$\cdot$", "×": r"$\times$", "²": "$^2$", "₀": "$_0$",
    "ℝ": r"$\mathbb{R}$", "ℤ": r"$\mathbb{Z}$", "|": "$|$", "…": r"$\dots$", "′": "$'$", "^": r"$\wedge$",
    "⌈": r"$\lceil$", "⌉": r"$\rceil$", "<": "$<$", ">": "$>$", "\\": r"$\backslash$", "~": r"$\sim$",
    "Σ": r"$\Sigma$", "Π": r"$\Pi$", "Δ": r"$\Delta$",
    **{letter: rf"\{letter}" for letter in "{}$&#%_"},
    **{letter: rf"$\{name}$" for letter, name in zip("αβγδεζηθικλμνξπρστυφχψω", (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi"
        " omega").split(), strict=True)},
}  # fmt: skip
_POWER = re.compile(r"(\w)\^(\{[^{}]*\}|\w)")
"""A power written in a text, as in "e^{−x}"."""


def tex_text(value: str) -> str:
    r"""Free text as LaTeX for use within ``\text{…}``, plain enough for any engine; an unknown letter becomes "?"."""
    done, parts = 0, []
    for power in _POWER.finditer(value):
        parts.append(_letters(value[done : power.start()]))
        exponent = power[2].strip("{}").replace("−", "-")
        parts.append(f"${_letters(power[1])}^{{{_letters(exponent)}}}$".replace("$$", ""))
        done = power.end()
    return "".join([*parts, _letters(value[done:])])


def _letters(value: str) -> str:
    return "".join(_TEX.get(letter, letter if letter.isascii() else "?") for letter in value)
