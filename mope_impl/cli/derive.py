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
from .output import console, write_utf8

if TYPE_CHECKING:
    from rich.console import Console

    from mope_theory import Claim
    from mope_theory.derivation import Derivation

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
    from mope_theory.logic import check

    check_names("claim", [claim], [known.id for known in mt.claims()], see="mope verify lists them")
    found = mt.claim(claim)
    if not found.derivations:
        raise UserError(f"{claim} has no derivation yet")
    if style == "text":
        as_text(found, console())
    else:
        lines = as_latex(found) if style == "latex" else as_markdown(found)
        write_utf8(sys.stdout, "\n".join(lines) + "\n")

    outcomes = [(describe(found, derivation), check(derivation)) for derivation in found.derivations]
    failed = [f"{claim}: {name} {outcome.status}: {outcome.reason}" for name, outcome in outcomes if not outcome]
    for line in failed:
        console(stderr=True).print(line, markup=False, soft_wrap=True)
    if failed:
        raise typer.Exit(FAILED)


def describe(claim: Claim, derivation: Derivation) -> str:
    """What a derivation is of: one side of the claim, its negation, or a statement beside them."""
    spoken = claim.speaks_of(derivation.statement)
    if spoken is None:
        return "derivation of another statement"
    side, truth = spoken
    return f"derivation of the {side} statement" if truth else f"refutation of the {side} statement"


def as_text(claim: Claim, screen: Console) -> None:
    """Print a claim as text; long formulas are folded under their beginning on a terminal and left whole in a pipe."""
    from .render import expression, rows, text

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
        line(Text(f"{side}: ", style="bold").append(text(statement), style="not bold"), 0)
    for derivation in claim.derivations:
        line(Text(f"\n{describe(claim, derivation)}", style="bold"), 0)
        for row in rows(derivation.outline()):
            left = "" if row.left is None else f"{expression(row.left)} "
            right = text(row.right) if not isinstance(row.right, sp.Basic) else expression(row.right)
            formula = f"{left}{row.sign[0]} {right}" if row.sign[0] else right
            line(Text(formula).append(f"   [{row.why}]", style="dim"), 2 + 2 * row.depth)


def as_latex(claim: Claim) -> Iterator[str]:
    """A snippet that compiles in a document with the packages amsmath and amssymb."""
    from .render import tex_text

    yield f"% {claim.id} (needs amsmath and amssymb)"
    for side, statement in claim.statements.items():
        yield rf"\[ \text{{{side}:}}\quad {statement.latex()} \]"
    for derivation in claim.derivations:
        yield rf"\noindent {tex_text(describe(claim, derivation)).capitalize()}:"
        yield r"\begin{align*}"
        yield from _aligned(derivation)
        yield r"\end{align*}"


def as_markdown(claim: Claim) -> Iterator[str]:
    """Markdown with TeX between dollar signs, as MyST and most viewers read it."""
    yield f"## {claim.title} (`{claim.id}`)"
    for side, statement in claim.statements.items():
        yield from ("", f"**{side}**", "", "$$", statement.latex(), "$$")
    for derivation in claim.derivations:
        yield from ("", f"### {describe(claim, derivation).capitalize()}", "", "$$", r"\begin{aligned}")
        yield from _aligned(derivation)
        yield from (r"\end{aligned}", "$$")


def _aligned(derivation: Derivation) -> Iterator[str]:
    """The rows of an align environment, deeper lines moved in, each with its rule at the right."""
    from .render import rows, tex_text

    lines = list(rows(derivation.outline()))
    for row, last in zip(lines, [*([False] * (len(lines) - 1)), True], strict=True):
        shift = r"\quad" * row.depth + " " if row.depth else ""
        right = row.right.latex() if not isinstance(row.right, sp.Basic) else sp.latex(row.right, ln_notation=True)
        if row.sign[1]:
            left = "" if row.left is None else sp.latex(row.left, ln_notation=True)
            formula = f"{shift}{left} &{row.sign[1]} {right}"
        else:
            formula = f"& {shift}{right}"
        yield rf"{formula} && \text{{{tex_text(row.why)}}}" + ("" if last else r" \\")
