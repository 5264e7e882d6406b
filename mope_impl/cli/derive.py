"""``mope derive``: a claim's statements and every step of their derivations, as text, LaTeX or Markdown."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import sympy as sp
import typer
from rich.padding import Padding
from rich.text import Text

from .errors import FAILED, UserError, check_names
from .output import console
from .streams import write_utf8

if TYPE_CHECKING:
    from rich.console import Console

    from mope_theory import Claim
    from mope_theory.derivation import Derivation
    from mope_theory.statement import Statement

FORMATS = ("text", "latex", "markdown")


def derive(
    claim: Annotated[str, typer.Argument(metavar="CLAIM", help="Id of the claim.")],
    style: Annotated[str, typer.Option("--format", metavar="FORMAT", help=", ".join(FORMATS))] = "text",
) -> None:
    """Print the statements of a claim and each step of its derivations, with the rule and the lemma that closes it.

    Each derivation is checked before it is shown; exits 1 if one does not hold.
    """
    check_names("format", [style], FORMATS)

    import mope_theory as mt
    from mope_impl import ledger

    check_names("claim", [claim], [known.id for known in mt.claims()], see="mope verify lists them")
    found = mt.claim(claim)
    if not found.derivations:
        raise UserError(f"{claim} has no derivation yet")
    if style == "text":
        as_text(found, console())
    else:
        lines = as_latex(found) if style == "latex" else as_markdown(found)
        write_utf8(sys.stdout, "\n".join(lines) + "\n")

    (row,) = ledger.verify([claim], ["derive"])
    failed = [f"{claim}: derivation {one.status}: {one.detail}" for one in row.evidence if one.status != "holds"]
    for line in failed:
        console(stderr=True).print(line, markup=False, soft_wrap=True)
    if failed:
        raise typer.Exit(FAILED)


SIDE = {"published": "the published statement", "ours": "our statement"}


def describe(claim: Claim, derivation: Derivation) -> str:
    """What a derivation is of: one side of the claim, its negation, or a statement beside them."""
    spoken = claim.speaks_of(derivation.statement)
    if spoken is None:
        return "derivation of another statement"
    side, truth = spoken
    return f"{'derivation' if truth else 'refutation'} of {SIDE[side]}"


def as_text(claim: Claim, screen: Console) -> None:
    """Print a claim as text; long formulas are folded under their beginning on a terminal and left whole in a pipe."""
    from mope_impl.book.typeset import members
    from mope_theory.text import expression

    from .render import rows

    def line(content: Text, indent: int) -> None:
        if screen.is_terminal:
            # The hanging part is set deeper than the beginning, so that a folded formula reads as one.
            screen.print(Padding(content, (0, 0, 0, indent)))
        else:
            screen.print(Text(" " * indent).append_text(content), soft_wrap=True)

    line(Text(f"{claim.id}  {claim.title}", style="bold"), 0)
    ranges = ", ".join(f"{expression(symbol)} in {expression(domain)}" for symbol, domain in claim.box.items())
    if ranges:
        line(Text(f"for {ranges}"), 0)
    for side, statement in claim.statements.items():
        parts = members(statement)
        if len(parts) == 1:
            line(Text(f"{side}: ", style="bold").append(statement.text(), style="not bold"), 0)
            continue
        line(Text(f"{side}: all {len(parts)} of", style="bold"), 0)
        for part in parts:
            line(Text(part.text()), 2)
    for derivation in claim.derivations:
        line(Text(f"\n{describe(claim, derivation)}", style="bold"), 0)
        for row in rows(derivation.outline()):
            left = "" if row.left is None else f"{expression(row.left)} "
            right = row.right if isinstance(row.right, str) else _plain(row.right)
            formula = f"{left}{row.sign[0]} {right}" if row.sign[0] else right
            line(Text(formula).append(f"   [{row.why}]", style="dim"), 2 + 2 * row.depth)


def _plain(value: sp.Basic | Statement) -> str:
    from mope_theory.text import expression

    return expression(value) if isinstance(value, sp.Basic) else value.text()


def as_latex(claim: Claim) -> Iterator[str]:
    """A snippet that compiles in a document with the packages amsmath and amssymb."""
    from .render import latex, tex_text

    yield f"% {claim.id} (needs amsmath and amssymb)"
    for side, statement in claim.statements.items():
        yield rf"\[ \text{{{side}:}}\quad {latex(statement)} \]"
    for derivation in claim.derivations:
        yield rf"\noindent {tex_text(describe(claim, derivation)).capitalize()}:"
        yield r"\begin{align*}"
        yield from _aligned(derivation)
        yield r"\end{align*}"


def as_markdown(claim: Claim) -> Iterator[str]:
    """Markdown with TeX between dollar signs, as MyST and most viewers read it."""
    from .render import latex

    yield f"## {claim.title} (`{claim.id}`)"
    for side, statement in claim.statements.items():
        yield from ("", f"**{side}**", "", "$$", latex(statement), "$$")
    for derivation in claim.derivations:
        yield from ("", f"### {describe(claim, derivation).capitalize()}", "", "$$", r"\begin{aligned}")
        yield from _aligned(derivation)
        yield from (r"\end{aligned}", "$$")


def _aligned(derivation: Derivation) -> Iterator[str]:
    """The rows of an align environment, deeper lines moved in, each with its rule at the right."""
    from .render import latex, rows, tex_text

    lines = list(rows(derivation.outline()))
    for number, row in enumerate(lines, 1):
        shift = r"\quad" * row.depth + " " if row.depth else ""
        if row.sign[1]:
            formula = f"{shift}{'' if row.left is None else latex(row.left)} &{row.sign[1]} {latex(row.right)}"
        else:
            formula = f"& {shift}{latex(row.right)}"
        yield rf"{formula} && \text{{{tex_text(row.why)}}}" + (r" \\" if number < len(lines) else "")
