"""One piece of evidence: what kind it is, which side it speaks of, what it establishes, and how the check ended."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal, get_args

from mope_theory.claim import Side

Status = Literal["holds", "fails", "unknown", "missing", "stale"]

PROOFS = frozenset({"derivation", "formal"})
"""Kinds that prove; an enclosure encloses, a kernel agrees, an experiment is statistics."""

_TRUTH = {True: "true", False: "false", None: None}


@dataclass(frozen=True)
class Evidence:
    """A computed piece of evidence for a claim."""

    kind: str
    side: Side | None
    """The statement that it speaks of; None where its check did not end, or it speaks of neither, which is a fault of the claim's
    file, except for an experiment on a rule beside the statements."""
    establishes: bool | None
    """What it makes of that statement when it holds: true, false, or (None) only a part of it."""
    status: Status
    detail: str
    seconds: float
    """What the check took, when it was made."""
    cached: bool = False
    """Whether it was made in an earlier call."""
    preset: str | None = None
    """Of an experiment, the scope whose runs it counts; None for the other kinds."""

    def to_json(self) -> dict[str, object]:
        """The piece as plain types."""
        return {
            "kind": self.kind,
            "side": self.side,
            "establishes": _TRUTH[self.establishes],
            "status": self.status,
            "detail": self.detail,
            "seconds": round(self.seconds, 4),
            "cached": self.cached,
            "preset": self.preset,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Evidence:
        """The piece that ``to_json`` made these plain types of. Raises KeyError, TypeError or ValueError for any others."""
        piece = cls(**{**data, "establishes": {text: truth for truth, text in _TRUTH.items()}[data["establishes"]]})
        texts = all(type(text) is str for text in (piece.kind, piece.detail)) and type(piece.preset) in (str, type(None))
        if not texts or piece.side not in (None, *get_args(Side)) or piece.status not in get_args(Status):
            raise ValueError(f"no piece of evidence: {data}")
        if type(piece.seconds) not in (int, float) or not isfinite(piece.seconds) or type(piece.cached) is not bool:
            raise ValueError(f"no piece of evidence: {data}")
        return piece
