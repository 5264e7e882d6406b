"""Where output goes: tables to stdout, or to stderr where stdout holds JSON; notes, errors and progress to stderr."""
from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from .errors import UserError
from .streams import write_utf8

STDOUT = "-"
"""The file name that stands for stdout."""

NARROWEST = 20
"""Columns below which COLUMNS is ignored: in fewer a table is not readable, and in 0 nothing is printed at all."""


def console(stderr: bool = False) -> Console:
    """A console on the present stdout or stderr. Colour follows the terminal and NO_COLOR; it carries no meaning."""
    columns = os.environ.get("COLUMNS", "")
    width = 80 if columns.isdecimal() and int(columns) < NARROWEST else None
    return Console(stderr=stderr, highlight=False, width=width)


def plain_table(*columns: str, title: str | None = None) -> Table:
    """A table with a rule under its heading and no other lines, so that 80 columns hold much."""
    table = Table(box=None, pad_edge=False, title=title, title_justify="left", header_style="bold")
    for name in columns:
        table.add_column(name, overflow="fold")
    return table


def show(screen: Console, content: RenderableType) -> None:
    """Print a table, in a pipe without the blanks that fill its columns."""
    if screen.is_terminal:
        screen.print(content)
        return
    with screen.capture() as captured:
        screen.print(content)
    screen.print("\n".join(line.rstrip() for line in captured.get().splitlines()), markup=False, soft_wrap=True)


def error(message: str) -> None:
    """One line on stderr, whatever its length."""
    console(stderr=True).print(f"[bold red]mope:[/] {escape(message)}", soft_wrap=True)


def folder(option: str, given: str | None) -> Path | None:
    """The folder that an option names; UserError for the empty name, which would be the current folder."""
    if given == "":
        raise UserError(f"{option} needs the name of a folder; the current one is .")
    return None if given is None else Path(given)


def check_json_target(target: str | None) -> None:
    """Raise UserError at once where a result could not be written at the end."""
    if target is None or target == STDOUT:
        return
    if not target:
        raise UserError(f"--json needs the name of a file; {STDOUT} is stdout")
    path = Path(os.path.realpath(target))  # the file itself, whatever links lead there
    try:
        if path.is_dir():
            raise UserError(f"cannot write {target}: it is a folder")
        if not path.parent.is_dir():
            raise UserError(f"cannot write {target}: there is no folder {Path(target).parent}")
        new = not path.exists()
        if new or path.is_file():  # a pipe or a device is opened once, at the end
            path.open("ab").close()
        if new:
            path.unlink()
    except OSError as problem:
        raise UserError(f"cannot write {target}: {problem.strerror}") from problem


def write_json(data: Mapping[str, Any], target: str) -> None:
    """Write a JSON document, UTF-8, to a file or to stdout."""
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    if target == STDOUT:
        write_utf8(sys.stdout, text)
        return
    try:
        Path(target).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UserError(f"cannot write {target}: {problem.strerror}") from problem


class ProgressBar:
    """A bar on stderr that is called as ``bar(name, done, total)``."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=None)

    def __call__(self, name: str, done: int, total: int) -> None:
        self._progress.update(self._task, description=name, completed=done, total=total, refresh=True)


@contextmanager
def progress_bar() -> Iterator[ProgressBar]:
    """A bar that vanishes when done and is shown on a terminal only."""
    shown = console(stderr=True)
    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # Drawn when it is called, not by a thread of its own: a process with threads cannot be copied for the work.
    with Progress(*columns, console=shown, transient=True, disable=not shown.is_terminal, auto_refresh=False) as progress:
        yield ProgressBar(progress)
