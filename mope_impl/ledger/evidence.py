"""One piece of evidence: what kind it is, which side it speaks of, what it establishes, and how the check ended."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mope_theory.claim import Side

Status = Literal["holds", "fails", "unknown", "missing", "stale"]

PROOFS = frozenset({"derivation", "formal"})
"""Kinds that prove; an enclosure encloses, a kernel agrees, an experiment is statistics."""


@dataclass(frozen=True)
class Evidence:
    """A computed piece of evidence for a claim."""

    kind: str
    side: Side | None
    """The statement that it speaks of; None if it speaks of neither, which is a fault of the claim's file."""
    establishes: bool | None
    """What it makes of that statement when it holds: true, false, or (None) only a part of it."""
    status: Status
    detail: str
    seconds: float

    def to_json(self) -> dict[str, object]:
        """The piece as plain types."""
        truth = {True: "true", False: "false", None: None}[self.establishes]
        return {
            "kind": self.kind,
            "side": self.side,
            "establishes": truth,
            "status": self.status,
            "detail": self.detail,
            "seconds": round(self.seconds, 4),
        }
