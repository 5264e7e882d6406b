"""What every enclosure has: the statement it encloses and a check."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flint import ctx

from ..derivation import Outcome
from ..statement import Statement


class Enclosure:
    """A check of one statement (or of one member of a conjunction) in ball arithmetic."""

    statement: Statement

    def check(self) -> Outcome:
        """`holds`: proved on the whole box; `fails`: disproved at some point of it; `refused`: neither."""
        raise NotImplementedError


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work at a precision, and restore the caller's afterwards."""
    saved = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = saved
