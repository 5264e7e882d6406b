"""``mope derive``: a claim's statements and every step of their derivations, as text, LaTeX or Markdown."""
from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING, Annotated

import typer
from rich.padding import Padding
from rich.text import Text

from .errors import FAILED, UserError, check_names
from .output import console
from .streams import write_utf8

if TYPE_CHECKING:
    from rich.console import Console

    from mope_impl.ledger import Evidence
    from mope_theory import Claim, Derivation

    from .render import Entry

    Proof = tuple[Derivation, Evidence]
    """A derivation, and how its check ended."""

FORMATS = ("text", "latex", "markdown")


def derive(
    claim: Annotated[str, typer.Argument(metavar="CLAIM", help="Id of the claim.")],
    style: Annotated[str, typer.Option("--format", metavar="FORMAT", help=", ".join(FORMATS))] = "text",
) -> None:
    """Print the statements of a claim and each step of its derivations, with the rule and the lemma that closes it.

    Each derivation is checked before it is shown; what does not hold is marked NOT PROVED, and the command exits 1. For
    a claim without a derivation its statements are shown, and it exits 2.
    """
    check_names("format", [style], FORMATS)

    import mope_theory as mt
    from mope_impl import ledger

    check_names("claim", [claim], [known.id for known in mt.claims()], see="mope verify lists them")
    found = mt.claim(claim)
    (row,) = ledger.verify([claim], ["derive"])
    proofs = list(zip(found.derivations, row.evidence, strict=True))
    if style == "text":
        as_text(found, proofs, console())
    else:
        lines = as_latex(found, proofs) if style == "latex" else as_markdown(found, proofs)
        write_utf8(sys.stdout, "\n".join(lines) + "\n")
    if not proofs:
        raise UserError(f"{claim} has no derivation yet")
    failed = [f"{claim}: derivation {one.status}: {one.detail}" for one in row.evidence if one.status != "holds"]
    for line in failed:
        console(stderr=True).print(line, markup=False, soft_wrap=True)
    if failed:
        raise typer.Exit(FAILED)


SIDE = {"published": "the published statement", "ours": "our statement"}


def describe(claim: Claim, proof: Proof) -> str:
    """What a derivation is of: one side of the claim, its negation, or a statement beside them; and whether it fails."""
    derivation, evidence = proof
    spoken = claim.speaks_of(derivation.statement)
    doubt = "" if evidence.status == "holds" else " (not proved)"
    if spoken is None:
        return f"derivation of another statement{doubt}"
    side, truth = spoken
    return f"{'derivation' if truth else 'refutation'} of {SIDE[side]}{doubt}"


def lines_of(proof: Proof) -> Iterator[Entry]:
    """The entries of a derivation, each failure at its step."""
    from .checked import checked_outline
    from .render import entries

    derivation, evidence = proof
    return entries(checked_outline(derivation, "" if evidence.status == "holds" else evidence.detail))


def as_text(claim: Claim, proofs: Sequence[Proof], screen: Console) -> None:
    """Print a claim as text; long formulas are folded under their beginning on a terminal and left whole in a pipe."""
    from mope_impl.book.typeset import members
    from mope_theory.text import expression

    from .render import text

    def line(content: Text, indent: int) -> None:
        if screen.is_terminal:
            # The hanging part is set deeper than the beginning, so that a folded formula reads as one.
            screen.print(Padding(content, (0, 0, 0, indent)))
        else:
            screen.print(Text(" " * indent).append_text(content), soft_wrap=True)

    line(Text(f"{claim.id}  {claim.title}", style="bold"), 0)
    ranges = ", ".join(f"{expression(symbol)} ∈ {expression(domain)}" for symbol, domain in claim.box.items())
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
    for proof in proofs:
        line(Text(f"\n{describe(claim, proof)}", style="bold"), 0)
        for entry in lines_of(proof):
            left = "" if entry.left is None else f"{expression(entry.left)} "
            right = text(entry.right)
            content = Text(f"{left}{entry.sign[0]} {right}" if entry.sign[0] else right)
            content.append(f"   [{entry.why}]", style="dim")
            if entry.mark:
                content.append(f" {entry.mark}", style="bold red")
            line(content, 2 + 2 * entry.depth)


PREAMBLE = r"""\documentclass[fleqn]{article}
\usepackage[paperwidth=%dpt,paperheight=297mm,margin=15mm]{geometry}
\usepackage{amsmath,amssymb}
\allowdisplaybreaks
\setlength{\parindent}{0pt}
\begin{document}"""
NARROWEST, EM, MARGINS = 842, 13, 100
"""In points: the long side of A4; an em, and a third more, since the estimate slips where fractions are nested; the margins."""


def as_latex(claim: Claim, proofs: Sequence[Proof]) -> Iterator[str]:
    """A document in plain ASCII that any engine compiles, on pages as wide as its longest line."""
    from mope_impl.book.typeset import box

    from .render import latex, tex_text

    statements = {side: rf"\text{{{side}:}}\quad {latex(statement)}" for side, statement in claim.statements.items()}
    blocks = [list(_aligned(proof)) for proof in proofs]
    rows = [[one] for one in statements.values()] + [one for of_proof in blocks for one in of_proof]
    yield PREAMBLE % max(NARROWEST, MARGINS + EM * max(map(_width, rows)))
    yield rf"\section*{{{tex_text(claim.title)} (\texttt{{{tex_text(claim.id)}}})}}"
    if claim.box:
        yield rf"For ${box(claim)}$:"
    yield from (rf"\[ {one} \]" for one in statements.values())
    for proof, of_proof in zip(proofs, blocks, strict=True):
        yield rf"\subsection*{{{tex_text(describe(claim, proof)).capitalize()}}}"
        for block in of_proof:
            yield from (r"\begin{align*}", *block, r"\end{align*}")
    yield r"\end{document}"


def _width(block: Sequence[str]) -> int:
    """Width in em that the columns of some rows take, about."""
    from mope_impl.book.extent import extent

    columns = zip(*(row.removesuffix(r" \\").split(" && ") for row in block), strict=True)
    return ceil(sum(max(map(extent, column)) for column in columns))


def as_markdown(claim: Claim, proofs: Sequence[Proof]) -> Iterator[str]:
    """Markdown with TeX between dollar signs, as MyST and most viewers read it."""
    from mope_impl.book.typeset import box

    from .render import latex

    yield f"## {claim.title} (`{claim.id}`)"
    if claim.box:
        yield from ("", f"For ${box(claim)}$:")
    for side, statement in claim.statements.items():
        yield from ("", f"**{side}**", "", "$$", latex(statement), "$$")
    for proof in proofs:
        yield from ("", f"### {describe(claim, proof).capitalize()}")
        for block in _aligned(proof):
            yield from ("", "$$", r"\begin{aligned}", *block, r"\end{aligned}", "$$")


BLOCK = 4000
"""Letters that go into one environment: MathJax reads at most 5120 after a command that it replaces by others."""


def _aligned(proof: Proof) -> Iterator[list[str]]:
    """The lines of align environments: formulas in one column from the left, deeper ones moved in, and a column of rules."""
    block: list[str] = []
    for row in map(_row, lines_of(proof)):
        if block and sum(map(len, block)) + len(row) > BLOCK:
            yield block
            block = []
        if block:
            block[-1] += r" \\"
        block.append(row)
    yield block


def _row(entry: Entry) -> str:
    from .render import latex, tex_text

    # A line that goes on from the one above begins with its sign, to the right of where that one begins.
    shift = r"\quad " * (entry.depth + (entry.left is None and bool(entry.sign[1])))
    relation = (latex(entry.left), entry.sign[1]) if entry.left is not None else (entry.sign[1],)
    formula = " ".join(filter(None, (*relation, latex(entry.right))))
    why = tex_text(" ".join(filter(None, (entry.why, entry.mark))))
    return rf"& {shift}{formula} && \text{{{why}}}"
