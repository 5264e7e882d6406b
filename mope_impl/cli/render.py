"""Derivations as rows to print, and free text as LaTeX."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

from mope_impl.book import typeset
from mope_impl.book.typeset import RELATIONS
from mope_theory import statement as st
from mope_theory.text import expression

from .checked import CheckedLine

if TYPE_CHECKING:
    from mope_theory.derivation import Line

RELATION = {st.Equal: ("=", "="), st.LessEqual: ("≤", r"\le"), st.Less: ("<", "<")}
"""Sign of each relation, in text and in LaTeX."""


@dataclass(frozen=True)
class Entry:
    """A line of a derivation made ready to print; ``left`` is None where the line goes on from the one before.

    ``failure`` says why it is not proved. The book shows derivations as trees and has rows of its own for that.
    """

    depth: int
    left: sp.Basic | None
    sign: tuple[str, str]
    right: sp.Basic | st.Statement | str
    why: str
    failure: str = ""

    @property
    def mark(self) -> str:
        """What a reader must not miss: empty for a line that is proved."""
        return f"[NOT PROVED: {self.failure}]" if self.failure else ""


def entries(lines: Iterable[Line]) -> Iterator[Entry]:
    """The lines of an outline without what would be said twice.

    A left side is left out where it repeats the right side of the line above it; a chain of one step is shown as that
    step; a conjunction, whose members follow, is named but not written out.
    """
    before: Line | None = None
    above: dict[int, str] = {}  # depth → rule of the last line there
    left: sp.Basic | None
    right: sp.Basic | st.Statement | str
    for line in _short_chains(lines):
        value = line.statement
        why = " ".join(filter(None, (line.rule, line.note))) + (f": {line.lemma}" if line.lemma else "")
        if isinstance(value, RELATIONS):
            goes_on = (
                before is not None
                and above.get(line.depth - 1) == "chain"  # others have their premises side by side
                and before.depth == line.depth
                and isinstance(before.statement, RELATIONS)
                and before.statement.rhs == value.lhs
            )
            left, sign, right = None if goes_on else value.lhs, RELATION[type(value)], value.rhs
        elif isinstance(value, st.And) and line.rule == "conjunction":
            left, sign, right = None, ("", ""), f"all {len(value.body)} of the following"
        else:
            left, sign, right = None, ("", ""), value
        yield Entry(line.depth, left, sign, right, why, _failure(line))
        before, above[line.depth] = line, line.rule


def _short_chains(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, each chain of a single step replaced by that step."""
    held: Line | None = None
    for line in lines:
        if held is not None and (line.depth, line.statement) == (held.depth + 1, held.statement):
            one = CheckedLine(held.depth, line.statement, line.rule, line.lemma, held.note, _failure(held) or _failure(line))
            line, held = one, None
        if held is not None:
            yield held
        held = line
    if held is not None:
        yield held


def _failure(line: Line) -> str:
    return line.failure if isinstance(line, CheckedLine) else ""


def text(value: sp.Basic | st.Statement | str) -> str:
    """An expression, a statement or free text as one line of plain text."""
    if isinstance(value, str):
        return value
    return value.text() if isinstance(value, st.Statement) else expression(value)


def latex(value: sp.Basic | st.Statement | str) -> str:
    """An expression, a statement or free text, for use in mathematics mode."""
    if isinstance(value, str):
        return rf"\text{{{tex_text(value)}}}"
    return typeset.latex(value) if isinstance(value, st.Statement) else typeset.expression(value)


_SIGNS = {
    "−": "-", "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "→": r"\to", "∞": r"\infty", "∈": r"\in", "∫": r"\int", "√": r"\surd",
    "·": r"\cdot", "×": r"\times", "ℝ": r"\mathbb{R}", "ℤ": r"\mathbb{Z}", "ℂ": r"\mathbb{C}", "ℕ": r"\mathbb{N}",
    "ℚ": r"\mathbb{Q}", "|": "|", "‖": r"\|", "…": r"\dots", "′": "'", "^": r"\wedge", "⌈": r"\lceil", "⌉": r"\rceil",
    "⌊": r"\lfloor", "⌋": r"\rfloor", "<": "<", ">": ">", "\\": r"\backslash", "~": r"\sim", "ⅈ": r"\mathrm{i}",
    "ϖ": r"\varpi", "ς": r"\varsigma", "∖": r"\setminus", "∂": r"\partial", "Σ": r"\Sigma", "Π": r"\Pi", "Δ": r"\Delta",
    "↦": r"\mapsto", "⇒": r"\Rightarrow", "⇔": r"\Leftrightarrow", "¬": r"\neg", "∀": r"\forall", "∃": r"\exists", "∧": r"\wedge",
    "∨": r"\vee", "±": r"\pm", "≈": r"\approx", "≡": r"\equiv", "∪": r"\cup", "∩": r"\cap", "⊆": r"\subseteq",
    "∅": r"\emptyset", "½": r"\tfrac{1}{2}",
    **{letter: rf"\{name}" for letter, name in zip("αβγδεζηθικλμνξπρστυφχψω", (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi"
        " omega").split(), strict=True)},
}  # fmt: skip
"""Letters that stand in mathematics mode, with their commands there."""
_TEX = {
    **{letter: f"${command}$" for letter, command in _SIGNS.items()},
    **{letter: rf"\{letter}" for letter in "{}$&#%_"},
    "–": "--", "’": "'", "‘": "`", "“": "``", "”": "''",
}  # fmt: skip
_SUPERSCRIPTS, _SUBSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻ⁿⁱ", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"
_PLAIN = str.maketrans(_SUPERSCRIPTS + _SUBSCRIPTS, "0123456789-ni0123456789aehijklmnoprstuvx")
_LETTER = re.compile(rf"[{_SUPERSCRIPTS}]+|[{_SUBSCRIPTS}]+|.", re.S)
_ACCENTS = {"\u0302": r"\hat", "\u0303": r"\tilde", "\u0304": r"\bar", "\u0305": r"\overline"}
_POWER = re.compile(r"(\w)\^(\{[^{}]*\}|\w)")
"""A power written in a text, as in "e^{−x}"."""


def tex_text(value: str) -> str:
    r"""Free text as LaTeX for use within ``\text{…}``, plain enough for any engine; an unknown letter becomes "?"."""
    done, parts = 0, []
    for power in _POWER.finditer(value):
        parts.append(_letters(value[done : power.start()]))
        exponent = power[2].strip("{}").replace("−", "-")
        parts.append(f"${_formula(power[1])}^{{{_formula(exponent)}}}$")
        done = power.end()
    # Formulas side by side are one: "$$" would end the display that the text stands in.
    return re.sub(r"(?<!\\)\$\$", " ", "".join([*parts, _letters(value[done:])]))


def _formula(value: str) -> str:
    """Letters for use between dollar signs."""
    return _letters(value).replace("$", "")


def _letters(value: str) -> str:
    done: list[str] = []
    for letter in _LETTER.findall(value):
        if letter in _ACCENTS and done:
            done.append(f"${_ACCENTS[letter]}{{{done.pop().strip('$')}}}$")
        elif letter[0] in _SUPERSCRIPTS + _SUBSCRIPTS:
            done.append(f"${'^' if letter[0] in _SUPERSCRIPTS else '_'}{{{letter.translate(_PLAIN)}}}$")
        else:
            done.append(_TEX.get(letter, letter if letter.isascii() else "?"))
    return "".join(done)
