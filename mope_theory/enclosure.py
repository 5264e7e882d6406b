"""Ball-arithmetic checks of statements over whole boxes."""
from __future__ import annotations

from .derivation import Outcome
from .statement import Statement


class Enclosure:
    """A check in ball arithmetic of one statement over a box."""

    statement: Statement
    refutes: bool = False

    def check(self) -> Outcome:
        raise NotImplementedError
