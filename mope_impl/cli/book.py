"""``mope book``: build the book from a checkout, so that any warning is an error."""
from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from .checkout import checkout
from .errors import FAILED, UserError
from .output import console
from .tools import missing

NEEDED = ("jupyter-book", "pygraphviz", "node")


def book(
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the pages. [default: build/book in the checkout]")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Show the book in a browser when it is built.")] = False,
) -> None:
    """Build the book: every cell is run, and a cell that raises, a bad reference or a bad formula fails the build."""
    root = checkout("mope book", "book/_config.yml")
    lacking = missing(*NEEDED)
    if lacking:
        wants = ", ".join(f"{tool.name} ({tool.source})" for tool in lacking)
        raise UserError(f"mope book needs {wants}")
    target = (out if out is not None else root / "build" / "book").resolve()
    check_target(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # Built beside its place and moved there when complete: no cell or page of an earlier build can survive in it.
        work = tempfile.TemporaryDirectory(prefix=".book-", dir=target.parent)
    except OSError as problem:
        raise UserError(f"cannot write below {target.parent}: {problem.strerror}") from problem
    with work as folder:
        code = subprocess.run(command(root / "book", Path(folder)), cwd=root, check=False).returncode
        pages = Path(folder) / "_build" / "html"
        if code != 0 or not (pages / "index.html").is_file():
            console(stderr=True).print(f"mope book: the build failed (jupyter-book exited {code})", soft_wrap=True)
            raise typer.Exit(FAILED)
        if target.exists():
            shutil.rmtree(target)
        shutil.move(pages, target)
    index = target / "index.html"
    console().print(f"built {index}", soft_wrap=True)
    if open_page:
        webbrowser.open(index.as_uri())


def command(source: Path, out: Path) -> list[str]:
    """The call of Jupyter Book: warnings are errors (-W), references are checked (-n), every fault is shown."""
    flags = ["-W", "-n", "--keep-going", "--path-output", str(out)]
    # By the interpreter, not by a script on the path: that script may belong to another environment.
    start = "from jupyter_book.cli.main import main; main()"
    return [sys.executable, "-c", start, "build", str(source), *flags]


def check_target(target: Path) -> None:
    """Raise UserError unless the folder is absent, empty or an earlier build: nothing else may be replaced."""
    if not target.exists():
        return
    if not target.is_dir():
        raise UserError(f"cannot build into {target}: it is a file")
    if any(target.iterdir()) and not (target / ".buildinfo").is_file():
        raise UserError(f"cannot build into {target}: it holds something else than an earlier build of the book")
