"""Derivations as rows to print, and free text as LaTeX."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import sympy as sp

from mope_impl.book import typeset
from mope_theory import statement as st

if TYPE_CHECKING:
    from mope_theory.derivation import Line

RELATIONS = (st.Equal, st.LessEqual, st.Less)
RELATION = {st.Equal: ("=", "="), st.LessEqual: ("≤", r"\le"), st.Less: ("<", "<")}
"""Sign of each relation, in text and in LaTeX."""


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
        why = " ".join(filter(None, (line.rule, line.note))) + (f": {line.lemma}" if line.lemma else "")
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
            line, held = replace(line, depth=held.depth, note=held.note), None
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
