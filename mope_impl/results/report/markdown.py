"""The report as Markdown."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .table import Table
from .tables import TABLES
from .whole import Report


def markdown(report: Report, pictures: Mapping[str, Sequence[tuple[str, str, Sequence[str]]]] | None = None) -> str:
    """Every table with its notes, and below it the pictures that belong to it: (alt, caption, names of files)."""
    lines = [f"# Runs of preset {report.scope}", ""]
    for name, make in TABLES.items():
        lines += section(make(report))
        for alt, caption, files in (pictures or {}).get(name, ()):
            lines += [*(f"![{_text(alt)}]({file})" for file in files), "", caption, ""]
    return "\n".join(lines).rstrip() + "\n"


def section(table: Table) -> Iterable[str]:
    """A heading, the table, its notes."""
    yield from (f"## {table.title}", "")
    if not table.rows:
        yield from (table.absent, "")
        return
    yield _row(table.columns)
    yield _row(["---" if at < table.left else "---:" for at in range(len(table.columns))])
    for at, row in enumerate(table.rows):
        yield _row([f"**{_text(cell)}**" if at in table.heads and cell else _text(cell) for cell in row])
    yield ""
    for note in table.notes:
        yield from (_text(note), "")


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    """Text in which nothing is markup."""
    for sign in "\\|*_[]<>`":
        text = text.replace(sign, f"\\{sign}")
    return text
