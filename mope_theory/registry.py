"""Look-up by name, with suggestions for a mistyped one."""
from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from functools import cache

from .claim import Claim
from .claims import CLAIMS
from .derivation import Derivation
from .logic import conjunction


class UnknownName(KeyError):
    """A name that nothing is registered under; ``suggestions`` holds the nearest ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, tuple(known)
        self.suggestions = nearest(name, self.known)
        super().__init__(name)

    def __str__(self) -> str:
        """One line: "unknown claim 'kernel.prodct': did you mean kernel.product?"."""
        if self.suggestions:
            return f"unknown {self.kind} {self.name!r}: did you mean {' or '.join(self.suggestions)}?"
        few = f": one of {', '.join(self.known)}" if 0 < len(self.known) <= 8 else ""
        return f"unknown {self.kind} {self.name!r}{few}"


def nearest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known names that come near a mistyped one, best first; a second one only if it is about as near as the first."""
    near = get_close_matches(name.lower(), list(known), n=3, cutoff=0.6)
    score = [SequenceMatcher(None, name.lower(), other).ratio() for other in near]
    return tuple(other for other, value in zip(near, score, strict=True) if value > score[0] - 0.06)


class NoDerivation(ValueError):
    """The claim is registered, but nothing is derived for it yet."""


@cache
def _by_id() -> dict[str, Claim]:
    table = {claim.id: claim for claim in CLAIMS}
    if len(table) != len(CLAIMS):
        raise ValueError("two claims share an id")
    return table


def claims() -> tuple[Claim, ...]:
    """Every registered claim, in the order of the ledger."""
    return CLAIMS


def claim(id: str) -> Claim:
    """The claim of that id.

    Raises UnknownName, with suggestions, if there is none.
    """
    table = _by_id()
    if id not in table:
        raise UnknownName("claim", id, table)
    return table[id]


def derive(id: str) -> Derivation:
    """The derivation of a claim: of its published statement, of its refutation, of the corrected one, or of both.

    Raises UnknownName for an unknown id and NoDerivation for a claim without a derivation.
    """
    derivations = claim(id).derivations
    if not derivations:
        raise NoDerivation(f"{id} has no derivation yet")
    return derivations[0] if len(derivations) == 1 else conjunction(*derivations)
