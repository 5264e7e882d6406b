"""The verdict, a pure function of what is known of the two statements. Unknown is never a pass."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from mope_theory.claim import Side

from .evidence import PROOFS, Evidence

Knowledge = Literal["true", "enclosed", "false", "unknown", "conflict", "absent"]

VERDICTS = (
    "proved",
    "certified",
    "corrected",
    "refuted",
    "reproduced",
    "not-reproduced",
    "conflict",
    "open",
)


def knowledge(evidence: Iterable[Evidence], side: Side) -> Knowledge:
    """What the evidence that holds says of one statement."""
    held = [e for e in evidence if e.side == side and e.status == "holds" and e.establishes is not None]
    disproved = any(e.establishes is False and e.kind in PROOFS | {"enclosure"} for e in held)
    proved = any(e.establishes and e.kind in PROOFS for e in held)
    enclosed = any(e.establishes and e.kind == "enclosure" for e in held)
    if disproved:
        return "conflict" if proved or enclosed else "false"
    return "true" if proved else "enclosed" if enclosed else "unknown"


def experimental(evidence: Iterable[Evidence], preset: str | None = None) -> str | None:
    """The verdict of an experiment at one preset, where there is one: on what the paper says, where it says anything."""
    pieces = [e for e in evidence if e.kind == "experiment" and e.preset == preset]
    published = [e for e in pieces if e.side == "published"]
    held = [e.establishes for e in published or pieces if e.status == "holds"]
    if not held or None in held:
        return None
    return "conflict" if len(set(held)) > 1 else "reproduced" if held[0] else "not-reproduced"


def verdict(published: Knowledge, ours: Knowledge, experiment: str | None = None) -> str:
    """The verdict from the knowledge of the published statement, of ours, and of an experiment (`absent`: no statement)."""
    if "conflict" in (published, ours, experiment) or ours == "false":  # what we say is true must not be disproved
        return "conflict"
    if published == "true":
        return "proved"
    if published == "enclosed":
        return "certified"
    if published == "false":
        return {"true": "corrected", "absent": "refuted"}.get(ours, "open")
    if published == "absent" and ours in ("true", "enclosed"):
        return "proved" if ours == "true" else "certified"
    return experiment or "open"
