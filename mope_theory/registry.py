"""Look-up by name, with suggestions for a mistyped one."""
from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache

from .claim import Claim
from .claims import CLAIMS
from .derivation import Derivation
from .logic import conjunction


class UnknownName(KeyError):
    """A name that nothing is registered under; ``suggestions`` holds the nearest ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name = kind, name
        self.suggestions = tuple(get_close_matches(name, list(known), n=3, cutoff=0.6))
        super().__init__(name)

    def __str__(self) -> str:
        hint = f": did you mean {' or '.join(self.suggestions)}?" if self.suggestions else ""
        return f"unknown {self.kind} {self.name!r}{hint}"


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
