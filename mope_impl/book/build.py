"""Build a Jupyter Book from nothing: a fresh folder each time, every warning an error, the network not needed."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .pages import PageError, stage

FLAGS = ("-W", "-n", "--keep-going")
"""A warning is an error, every reference is checked, and every fault is shown, not the first alone."""

_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
_FAULT = re.compile(r"\b(WARNING|ERROR|CRITICAL):|^(\w+\.)*\w*(Error|Exception)\b:?")
# What Jupyter Book adds to a failure: the way through its own code, and a box that says to look above.
_WRAPPING = re.compile(
    r"^(The above exception was the direct cause|(RuntimeError: *\n)?={60,}\n+(There was an error in b|B)uilding your book).*\Z",
    re.DOTALL | re.MULTILINE,
)
_LAST_LINES = 25


class BookError(Exception):
    """The build failed. ``faults`` are the lines that say why, ``log`` is all that was printed."""

    def __init__(self, code: int, log: str) -> None:
        self.code, self.log = code, log
        lines = [line.rstrip() for line in _WRAPPING.sub("", log).splitlines() if line.strip()]
        self.faults = tuple(dict.fromkeys(line for line in lines if _FAULT.search(line)))
        parts = (f"the book did not build (exit code {code})", *self.faults, "the last lines are:", *lines[-_LAST_LINES:])
        super().__init__("\n".join(parts))


def build(source: Path, out: Path, *, within: Sequence[str] = (), log: Path | None = None) -> Path:
    """Build the book in ``source`` into ``out`` and return its landing page; an earlier build there is replaced.

    The pages are made in a new folder beside ``out`` and moved there when complete, so that no page and no executed cell
    of an earlier build can survive; the pages that are computed from the registry are written there too, see ``pages``.
    ``within`` is a command to run the build in, as ``("unshare", "-n")`` to cut the network; ``log`` is a file for all that
    the build prints.

    Raises BookError if anything is wrong with a page, a cell, a reference or a formula; ``out`` is left as it was.
    """
    source, out = source.resolve(), out.resolve()
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".book-", dir=out.parent) as folder:
        staged = Path(folder) / "source"
        try:
            stage(source, staged)
        except PageError as problem:
            raise BookError(1, f"{source}: ERROR: {problem}") from problem
        done = subprocess.run(
            [*within, *command(staged, Path(folder))],
            env=_environment(Path(folder)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        text = _ESCAPES.sub("", done.stdout).replace(str(staged), str(source))
        if log is not None:
            log.write_text(text, encoding="utf-8")
        pages = Path(folder) / "_build" / "html"
        if done.returncode != 0 or not (pages / "index.html").is_file():
            raise BookError(done.returncode, text)
        if out.exists():
            shutil.rmtree(out)
        shutil.move(pages, out)
    return out / "index.html"


def command(source: Path, folder: Path) -> list[str]:
    """The call of Jupyter Book, by this interpreter: a script on the path may belong to another environment."""
    start = "from jupyter_book.cli.main import main; main()"
    return [sys.executable, "-c", start, "build", str(source), *FLAGS, "--path-output", str(folder)]


def _environment(folder: Path) -> dict[str, str]:
    """The environment of the build: no user's settings or kernels of Jupyter, so that a page comes out one way."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "IPYTHON", "SPHINX"))}
    home = folder / "home"
    home.mkdir()
    places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    # The debugger's complaint of frozen modules would be output on stderr, and that is an error on a page.
    fixed = {"PYDEVD_DISABLE_FILE_VALIDATION": "1", "PYTHONUTF8": "1", "JUPYTER_PLATFORM_DIRS": "1"}
    return {**kept, **fixed, **{name: str(home / name.lower()) for name in places}}
