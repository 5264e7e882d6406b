"""What the check of the formal proofs finds."""

from __future__ import annotations

from dataclasses import dataclass

from .statements import Proposition


@dataclass(frozen=True)
class Theorem:
    """A theorem that Coq accepts: of which statement of a claim, and what it rests on."""

    name: str
    """``Module.theorem``."""
    claim: str
    proposition: Proposition | None
    """The printed statement; None for one in words of its own."""
    refutes: bool
    axioms: tuple[str, ...]
    """Those of all theorems of its claim in its file."""
    seconds: float
    """What its proof took to check."""


@dataclass(frozen=True)
class Fault:
    """Something that does not hold."""

    claim: str | None
    """The claim that is not proved for it; "" for every claim, None for none by itself."""
    what: str


@dataclass(frozen=True)
class Outcome:
    """What the check found."""

    theorems: tuple[Theorem, ...]
    faults: tuple[Fault, ...]
    coq: str
    seconds: float

    def of(self, claim: str) -> tuple[Theorem, ...]:
        """The theorems of a claim."""
        return tuple(t for t in self.theorems if t.claim == claim)


class Missing(Exception):
    """Coq, or the proofs, are not on this machine; the message says how to get them."""
