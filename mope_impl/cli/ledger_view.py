"""The ledger on a screen: a line for each claim, by topic; or each claim with what it says and why."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mope_impl.book.typeset import members
from mope_theory.text import expression

from .output import plain_table, show

if TYPE_CHECKING:
    from rich.console import Console

    from mope_impl.ledger import Evidence, Ledger, Row
    from mope_theory.statement import Statement

LETTER = {"derivation": "D", "enclosure": "C", "formal": "F", "kernel": "K", "experiment": "E"}
NAME = {kind: {"formal": "formal proof", "kernel": "kernels"}.get(kind, kind) for kind in LETTER}
MARK = {"holds": "", "fails": " fails", "unknown": " unknown", "missing": " missing", "stale": " stale"}
COLOUR = {"open": "yellow", "conflict": "bold red", "not-reproduced": "yellow"}
SIDE = {"published": "the published statement", "ours": "our statement"}
LEGEND = ", ".join(f"{letter} {NAME[kind]}" for kind, letter in LETTER.items())

WIDE = 120
"""Columns from which the two statements of a claim stand side by side."""


def show_table(result: Ledger, screen: Console) -> None:
    """A line for each claim below the name of its topic, a legend, and the count of each verdict."""
    table = plain_table("claim", "verdict", "expected", "evidence", "missing", "time")
    table.columns[-1].justify = "right"
    topic = ""
    for row in result.rows:
        if row.claim.topic != topic:
            topic = row.claim.topic
            table.add_row(Text(topic, style="bold"))
        lacking = " ".join(LETTER[kind] for kind in row.missing)
        shown = evidence(piece for piece in row.evidence if piece.preset in (None, row.preset))
        table.add_row(f"  {row.id}", _verdict(row), row.expected or "–", Text(shown), lacking, _time(row))
        for scope in () if row.asked else row.scopes:
            judged = evidence(piece for piece in row.evidence if piece.preset == scope.preset)
            table.add_row(f"    @{scope.preset}", _coloured(scope.verdict), "", Text(judged), "", "")
    show(screen, table)
    kept = any(piece.cached for row in result.rows for piece in row.evidence)
    screen.print(f"\n{LEGEND}\ntime in seconds{'; c: cached by an earlier call' if kept else ''}", style="dim")
    _show_counts(result, screen)


def show_claims(result: Ledger, screen: Console) -> None:
    """Each claim with its two statements, the verdict and the reason for it, the evidence, and what is missing."""
    for row in result.rows:
        screen.print(Text(f"{row.id}  {row.claim.title}", style="bold"))
        show(screen, Padding(_claim(row, screen.width), (0, 0, 1, 2)))
    if len(result.rows) > 1:
        _show_counts(result, screen)


def evidence(pieces: Iterable[Evidence]) -> str:
    """The kinds of evidence that arrived, by letter, with what went wrong: "D C", "D fails"."""
    shown: dict[str, None] = {}
    for piece in pieces:
        shown.setdefault(LETTER[piece.kind] + MARK[piece.status])
    return " ".join(shown)


def _verdict(row: Row) -> Text:
    """The verdict; a sign besides the colour where it is not the expected one."""
    return _coloured(row.verdict, "bold red" if row.contradicts else None).append(" ≠" if row.contradicts else "")


def _coloured(verdict: str, colour: str | None = None) -> Text:
    return Text(verdict, style=colour or COLOUR.get(verdict, "green"))


def _time(row: Row) -> str:
    """What the evidence took, that which is stale apart; nothing where there is none."""
    pieces = [piece for piece in row.evidence if piece.status != "stale"]
    return f"{sum(piece.seconds for piece in pieces):.2f}" + " c" * any(piece.cached for piece in pieces) if pieces else ""


def _show_counts(result: Ledger, screen: Console) -> None:
    counts = Counter(row.verdict for row in result.rows)
    total = len(result.rows)
    shown = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
    screen.print(f"{total} claim{'s' * (total != 1)}: {shown}")


# --- one claim in full ---------------------------------------------------------------------------------------------------


def _claim(row: Row, width: int) -> Table:
    claim = row.claim
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("verdict", _verdict(row).append(f" ({_expectation(row)})", style="default not bold"))
    for scope in () if row.asked else row.scopes:
        grid.add_row(f"@{scope.preset}", _coloured(scope.verdict))
    if claim.box:
        grid.add_row("for", ", ".join(f"{expression(symbol)} ∈ {expression(domain)}" for symbol, domain in claim.box.items()))
    sides = {side: _lines(statement) for side, statement in claim.statements.items()}
    if "published" in sides:
        sides["published"].append(f"\n({claim.place})")
    if width >= WIDE and len(sides) == 2:
        beside = Table.grid(padding=(0, 4, 0, 0), expand=True)
        for side in sides:
            beside.add_column(Text(side, style="bold"), ratio=1, overflow="fold")
        beside.show_header = True
        beside.add_row(*sides.values())
        grid.add_row("statements", beside)
    else:
        for side, lines in sides.items():
            grid.add_row(side, lines)
    if claim.measured is not None:
        grid.add_row("measured", _lines(claim.measured))
    for label, text in (("reading", claim.reading), ("reason", claim.reason)):
        if text:
            grid.add_row(label, Text(text))
    for number, piece in enumerate(row.evidence):
        grid.add_row("" if number else "evidence", _piece(piece))
    if row.missing:
        grid.add_row("missing", ", ".join(NAME[kind] for kind in row.missing))
    return grid


def _expectation(row: Row) -> str:
    if row.expected:
        return f"expected {row.expected}"
    return f"decided by runs of preset {row.preset}" if row.preset else "nothing expected"


def _lines(statement: Statement) -> Text:
    """A statement, the members of a conjunction below each other with their numbers."""
    parts = members(statement)
    if len(parts) == 1:
        return Text(statement.text())
    return Text("\n".join(f"({number}) {part.text()}" for number, part in enumerate(parts, 1)))


def _piece(piece: Evidence) -> Text:
    """One piece of evidence: "derivation of our statement holds, 0.02 s (cached): 3 steps by normal form"."""
    of = f" {'against' if piece.establishes is False else 'of'} {SIDE[piece.side]}" if piece.side else ""
    if piece.kind == "experiment" and piece.side is None:
        of = f" {'against' if piece.establishes is False else 'of'} what is measured beside the statements"
    kept = " (cached)" if piece.cached else ""
    at = f"@{piece.preset}" if piece.preset else ""
    return Text(f"{NAME[piece.kind]}{at}{of} {piece.status}, {piece.seconds:.2f} s{kept}: {piece.detail}")
