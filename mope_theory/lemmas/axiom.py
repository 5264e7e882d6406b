"""What an axiom is."""
from __future__ import annotations

from dataclasses import dataclass

from ..statement import Statement


@dataclass(frozen=True)
class Axiom:
    """A theorem that is taken on trust."""

    name: str
    statement: Statement
    reference: str
    """Where a proof is found."""
