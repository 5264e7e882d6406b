"""The claim: one permanent id, up to two statements, and the evidence that the theory itself can compute for them."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import sympy as sp

from .derivation import Derivation
from .enclosure import Enclosure
from .statement import And, Not, Statement

Side = Literal["published", "ours"]

KINDS = ("derivation", "enclosure", "formal", "kernel", "experiment")
"""Kinds of evidence, in the order in which they are shown."""


class Later(Sequence[Derivation]):
    """Derivations that are put together when they are first asked for, because that takes a while."""

    def __init__(self, build: Callable[[], tuple[Derivation, ...]]) -> None:
        self._build = cache(build)

    def __len__(self) -> int:
        return len(self._build())

    def __getitem__(self, place: Any) -> Any:
        return self._build()[place]


@dataclass(frozen=True)
class Claim:
    """One row of the ledger.

    ``published`` is what the paper says, ``ours`` what is true; either may be absent. ``box`` names the range of every free
    symbol of the two statements. ``requires`` lists the kinds of evidence that the claim asks for; those that have not
    arrived are reported as missing. No verdict is stored here: it is computed from the evidence.
    """

    id: str
    title: str
    place: str
    """Where the paper says it, or "–" for a statement of ours alone."""
    box: Mapping[sp.Symbol, sp.Set]
    published: Statement | None = None
    ours: Statement | None = None
    requires: tuple[str, ...] = ()
    reading: str = ""
    """How the published sentence was turned into a formula, where there was a choice."""
    reason: str = ""
    """Why the verdict is what it is, in a sentence for a reader."""
    uses: tuple[str, ...] = ()
    """Ids of the claims that this one rests on."""
    derivations: Sequence[Derivation] = ()
    enclosures: tuple[Enclosure, ...] = ()
    measured: Statement | None = None
    """What runs are asked beside statements that proofs decide: a rule on measured values, which changes no verdict."""

    def __post_init__(self) -> None:
        wrong = [kind for kind in self.requires if kind not in KINDS]
        if wrong:
            raise ValueError(f"{self.id}: unknown kind of evidence {', '.join(map(repr, wrong))}; known: {', '.join(KINDS)}")

    @property
    def topic(self) -> str:
        """The part of the id before the dot."""
        return self.id.partition(".")[0]

    @property
    def statements(self) -> dict[Side, Statement]:
        """The statements that are present, by side."""
        sides: dict[Side, Statement | None] = {"published": self.published, "ours": self.ours}
        return {side: statement for side, statement in sides.items() if statement is not None}

    @property
    def rules(self) -> dict[Side | None, Statement]:
        """What runs decide, by side; None is the side of a rule beside the statements."""
        found: dict[Side | None, Statement] = {}
        if "experiment" in self.requires:
            found.update(self.statements.items() if self.measured is None else ((None, self.measured),))
        return found

    def speaks_of(self, statement: Statement) -> tuple[Side, bool] | None:
        """The side a proved statement speaks of, and whether it makes that side true or false; None if neither."""
        for side, own in self.statements.items():
            if statement == own:
                return side, True
            if statement == Not(own):
                return side, False
        return None

    def part_of(self, statement: Statement) -> tuple[Side, int] | None:
        """The side that a statement is a member of (a conjunct) and its number there, from 1; or None."""
        for side, own in self.statements.items():
            if isinstance(own, And) and statement in own.body:
                return side, own.body.index(statement) + 1
        return None
