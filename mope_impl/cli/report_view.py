"""Tables of a report on the terminal: as tables where they fit, else row by row."""
from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from .output import show

if TYPE_CHECKING:
    from mope_impl.results.report.table import Table

FOLDED = 18
"""Columns of the screen that a column of text needs at least; longer texts are broken."""
GAP = 2


def show_table(table: Table, screen: Console) -> None:
    """The title, the table or what is said in its place, and the notes."""
    screen.print(Text(table.title, style="bold"))
    if not table.rows:
        show(screen, Padding(Text(table.absent), (0, 0, 1, 2)))
        return
    show(screen, _grid(table) if fits(table, screen.width) else _blocks(table))
    for note in table.notes:
        show(screen, Padding(Text(note, style="dim"), (0, 0, 0, 2)))
    screen.print()


def fits(table: Table, width: int) -> bool:
    """Whether a table can be set with no number broken, and texts not too narrow."""
    cells = [table.columns, *(row for at, row in enumerate(table.rows) if at not in table.heads)]
    widths = [max(len(cell) for cell in column) for column in zip(*cells, strict=True)]
    least = [min(one, FOLDED) if at < max(1, table.left) else one for at, one in enumerate(widths)]
    return sum(least) + GAP * (len(widths) - 1) <= width


def _grid(table: Table) -> Grid:
    grid = Grid(box=None, pad_edge=False, header_style="bold", show_header=any(table.columns), padding=(0, GAP, 0, 0))
    for at, name in enumerate(table.columns):
        text = at < max(1, table.left)
        grid.add_column(name, overflow="fold", justify="left" if at < table.left else "right", no_wrap=not text)
    for at, row in enumerate(table.rows):
        grid.add_row(*(Text(cell, style="italic" if at in table.heads else "") for cell in row))
    return grid


def _blocks(table: Table) -> Grid:
    """Every row below its first cell: name of the column and value."""
    grid = Grid.grid(padding=(0, GAP, 0, 0))
    grid.add_column(style="bold", max_width=26, overflow="fold")
    grid.add_column(overflow="fold")
    for at, row in enumerate(table.rows):
        if at in table.heads:
            grid.add_row(Text(row[0], style="italic"), "")
            continue
        grid.add_row(*(Text(cell) for cell in (table.columns[0], row[0])))
        for name, cell in zip(table.columns[1:], row[1:], strict=True):
            if cell:
                grid.add_row(Text(f"  {name}", style="not bold"), Text(cell))
    return grid
