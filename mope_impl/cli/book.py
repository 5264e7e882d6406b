"""``mope book``: build the book from a checkout, so that any warning is an error."""
from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from .checkout import checkout
from .errors import FAILED, UserError
from .output import console, folder
from .tools import missing

NEEDED = ("jupyter-book", "pygraphviz", "node")


def book(
    out: Annotated[
        str | None, typer.Option(metavar="DIR", help="Folder for the pages. [default: build/book in the checkout]")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Show the book in a browser when it is built.")] = False,
) -> None:
    """Build the book: every cell is run, and a cell that raises, a bad reference or a bad formula fails the build."""
    chosen = folder("--out", out)
    root = checkout("mope book", "book/_config.yml")
    lacking = missing(*NEEDED)
    if lacking:
        wants = ", ".join(f"{tool.name} ({tool.source})" for tool in lacking)
        raise UserError(f"mope book needs {wants}")
    target = (chosen if chosen is not None else root / "build" / "book").resolve()
    check_target(target)

    from mope_impl.book import BookError, build

    notes = console(stderr=True)
    try:
        with notes.status("building the book"):
            index = build(root / "book", target)
    except BookError as problem:
        notes.print(f"mope book: {problem}", markup=False, soft_wrap=True)
        raise typer.Exit(FAILED) from problem
    except OSError as problem:
        raise UserError(f"cannot build into {target}: {problem.strerror}") from problem
    console().print(f"built {index}", markup=False, soft_wrap=True)
    if open_page:
        webbrowser.open(index.as_uri())


def check_target(target: Path) -> None:
    """Raise UserError unless the folder is absent, empty or an earlier build: nothing else may be replaced."""
    if not target.exists():
        return
    if not target.is_dir():
        raise UserError(f"cannot build into {target}: it is a file")
    if any(target.iterdir()) and not (target / ".buildinfo").is_file():
        raise UserError(f"cannot build into {target}: it holds something else than an earlier build of the book")
