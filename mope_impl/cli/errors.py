"""Errors that a user can mend: one clear line, exit code 2."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

import mope_theory as mt

FINE, FAILED, WRONG_USAGE, INTERRUPTED, READER_GONE = 0, 1, 2, 130, 141
"""Exit codes: all is well; a check failed; wrong usage, bad input or no room for the output; stopped by the user; whoever
read the output has gone, which shells report as 128 + SIGPIPE."""


class UserError(Exception):
    """Wrong usage or bad input; the message is one line and says what to do."""


def check_names(kind: str, given: Sequence[str], known: Iterable[str], see: str = "") -> None:
    """Raise UserError for names that are not known, each with the nearest known ones; ``see`` says what lists them."""
    known = list(known)
    wrong = [str(mt.UnknownName(kind, name, known)) for name in given if name not in known]
    if wrong:
        hint = f" ({see})" if see and "did you mean" not in wrong[-1] else ""
        raise UserError("; ".join(wrong) + hint)
