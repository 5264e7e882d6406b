"""Lines put into lists of source files, and changes to several files of which all are made or none."""
from __future__ import annotations

import os
import re
from bisect import bisect
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from .errors import UserError
from .skeleton import Entry


def added(text: str, entry: Entry) -> str:
    """The text with the line of an entry in its list. Raises UserError where the list is not to be found."""
    lines = text.split("\n")
    first, last = _list(lines, entry)
    place = bisect(lines[first:last], entry.line) + first if entry.ordered else last
    return "\n".join([*lines[:place], entry.line, *lines[place:]])


def removed(text: str, entry: Entry) -> str:
    """The text without the lines in the list of an entry that are of the same encoding, each if it stands alone."""
    lines = text.split("\n")
    first, last = _list(lines, entry)
    kept = [line for line in lines[first:last] if not (re.match(entry.own, line) and line.count("(") == line.count(")"))]
    return "\n".join([*lines[:first], *kept, *lines[last:]])


def _list(lines: list[str], entry: Entry) -> tuple[int, int]:
    """Where the lines of the list begin, and where it is closed."""
    if lines.count(entry.opening) != 1:
        raise UserError(f"{entry.path} has no line {entry.opening!r}, or several: put {entry.line.strip()!r} in by hand")
    first = lines.index(entry.opening) + 1
    return first, lines.index(entry.closing, first)


def apply(root: Path, changes: Mapping[str, str | None]) -> None:
    """Write files, or take away those that are None; where that fails, put back what was there and raise UserError."""
    before = {path: _read(root / path) for path in changes}
    done: list[str] = []
    try:
        for path, text in changes.items():
            done.append(path)
            _write(root / path, text)
    except OSError as problem:
        for path in done:
            with suppress(OSError):
                _write(root / path, before[path])
        raise UserError(f"cannot write {done[-1]}: {problem.strerror}; nothing was changed") from problem


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _write(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink(missing_ok=True)
        return
    new = path.with_name(f"{path.name}.new")
    try:
        new.write_text(text, encoding="utf-8")
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)
