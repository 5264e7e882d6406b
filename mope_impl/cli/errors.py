"""Errors that a user can mend: one clear line, exit code 2."""
from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from traceback import extract_tb

FINE, FAILED, WRONG_USAGE, INTERRUPTED, READER_GONE = 0, 1, 2, 130, 141
"""Exit codes: all is well; a check failed; wrong usage, bad input or no room for the output; stopped by the user; whoever
read the output has gone, which shells report as 128 + SIGPIPE."""


class UserError(Exception):
    """Wrong usage or bad input; the message is one line and says what to do."""


def check_names(kind: str, given: Sequence[str], known: Iterable[str], see: str = "") -> None:
    """Raise UserError for names that are not known, each with the nearest known ones; ``see`` says what lists them."""
    import mope_theory as mt  # here, for it takes a second to load and may raise: see app.py

    known = list(known)
    wrong = [str(mt.UnknownName(kind, name, known)) for name in given if name not in known]
    if wrong:
        hint = f" ({see})" if see and "did you mean" not in wrong[-1] else ""
        raise UserError("; ".join(wrong) + hint)


def fault_of_file(problem: Exception) -> str | None:
    """What is wrong with a file of claims or a specification that its author can mend, with its name; None for other errors.

    Specifications are checked as they are built, which their modules do: the error may come out of the import of mope_theory.
    So does that of a name which was taken away in one of these files and is still imported by another.
    """
    module = sys.modules.get("mope_theory.spec")  # whatever raised a SpecError has loaded it; to import it could raise again
    files = [Path(frame.filename) for frame in extract_tb(problem.__traceback__) if frame.name == "<module>"]
    place = f"{files[-1].name}: " if files and files[-1].parent.name in ("claims", "specs") else ""
    if (module is not None and isinstance(problem, module.SpecError)) or (place and isinstance(problem, ImportError)):
        return f"{place}{problem}"
    return None
