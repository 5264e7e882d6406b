"""Errors that a user can mend: one clear line, exit code 2."""
from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

FINE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: all is well; a check failed; wrong usage or bad input; stopped by the user."""


class UserError(Exception):
    """Wrong usage or bad input; the message is one line and says what to do."""


def check_names(kind: str, given: Sequence[str], known: Iterable[str], see: str = "") -> None:
    """Raise UserError for names that are not known, each with the nearest known ones; ``see`` says what lists them."""
    known = list(known)
    wrong = [unknown(kind, name, known) for name in given if name not in known]
    if wrong:
        hint = f" ({see})" if see and "did you mean" not in wrong[-1] else ""
        raise UserError("; ".join(wrong) + hint)


def unknown(kind: str, name: str, known: Sequence[str]) -> str:
    """Say that a name is not known, and suggest: "unknown claim 'kernel.prodct': did you mean kernel.product?"."""
    near = difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.6)
    if near:
        # A second suggestion only helps where it is about as near as the first.
        score = [difflib.SequenceMatcher(None, name.lower(), other).ratio() for other in near]
        near = [other for other, value in zip(near, score, strict=True) if value > score[0] - 0.06]
        return f"unknown {kind} {name!r}: did you mean {' or '.join(near)}?"
    few = f": one of {', '.join(known)}" if 0 < len(known) <= 8 else ""
    return f"unknown {kind} {name!r}{few}"
