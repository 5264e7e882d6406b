"""What every enclosure has: the statement it encloses and a check."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import sympy as sp
from flint import ctx

from ..derivation import Outcome
from ..statement import Statement


class Enclosure:
    """A check of one statement (or of one member of a conjunction) in ball arithmetic."""

    statement: Statement

    def check(self) -> Outcome:
        """`holds`: proved on the whole box; `fails`: disproved at some point of it; `refused`: neither."""
        raise NotImplementedError

    def lies_within(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        """Does every point that is looked at belong to the box of the claim? Else what it finds says nothing of the claim."""
        raise NotImplementedError

    def covers(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        """Is every point of the box of the claim looked at? Else the statement is enclosed on a part of the box only."""
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
