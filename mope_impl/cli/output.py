"""Where output goes: tables to stdout, or to stderr where stdout holds JSON; notes, errors and progress to stderr."""
from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from .errors import UserError

STDOUT = "-"
"""The file name that stands for stdout."""


def console(stderr: bool = False) -> Console:
    """A console on the present stdout or stderr. Colour follows the terminal and NO_COLOR; it carries no meaning."""
    return Console(stderr=stderr, highlight=False)


def plain_table(*columns: str, title: str | None = None) -> Table:
    """A table with a rule under its heading and no other lines, so that 80 columns hold much."""
    table = Table(box=None, pad_edge=False, title=title, title_justify="left", header_style="bold")
    for name in columns:
        table.add_column(name, overflow="fold")
    return table


def error(message: str) -> None:
    """One line on stderr, whatever its length."""
    console(stderr=True).print(f"[bold red]mope:[/] {escape(message)}", soft_wrap=True)


def check_json_target(target: str | None) -> None:
    """Raise UserError at once where a result could not be written at the end."""
    if target is None or target == STDOUT:
        return
    path = Path(target)
    if path.is_dir():
        raise UserError(f"cannot write {target}: it is a folder")
    if not path.parent.is_dir():
        raise UserError(f"cannot write {target}: there is no folder {path.parent}")


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


def write_utf8(stream: TextIO, text: str) -> None:
    """Write text as UTF-8 whatever the encoding of the terminal: documents are read by programs."""
    stream.flush()
    stream.buffer.write(text.encode("utf-8"))
    stream.buffer.flush()


class ProgressBar:
    """A bar on stderr that is called as ``bar(name, done, total)``."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=None)

    def __call__(self, name: str, done: int, total: int) -> None:
        self._progress.update(self._task, description=name, completed=done, total=total)


@contextmanager
def progress_bar() -> Iterator[ProgressBar]:
    """A bar that vanishes when done and is shown on a terminal only."""
    shown = console(stderr=True)
    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=shown, transient=True, disable=not shown.is_terminal) as progress:
        yield ProgressBar(progress)
