"""The node that cites an axiom."""
from __future__ import annotations

from dataclasses import dataclass

from ..judgement import HOLDS, Outcome
from ..lemmas.axioms import AXIOMS, Axiom
from ..statement import Statement
from .base import Node, refused


@dataclass(frozen=True)
class Cite(Node):
    """A theorem of analysis that is taken on trust, with its reference."""

    axiom: Axiom
    rule_name = "axiom"

    @property
    def statement(self) -> Statement:  # type: ignore[override]
        return self.axiom.statement

    @property
    def cited(self) -> tuple[Axiom, ...]:
        return (self.axiom,)

    @property
    def note(self) -> str:
        return f"{self.axiom.name}: {self.axiom.reference}"

    def check(self) -> Outcome:
        if not any(self.axiom is known for known in AXIOMS):
            return refused(f"the axiom {self.axiom.name!r} is not registered")
        return HOLDS
