"""What every derivation has: a statement, what it rests on, an outcome when it is checked, and an outline to print."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from .statement import Statement

if TYPE_CHECKING:
    from .derivation import Step
    from .lemmas.axiom import Axiom

Status = Literal["holds", "fails", "refused"]


@dataclass(frozen=True)
class Outcome:
    """What a check found: it holds; it fails, and why; or it is refused as undecided, and why."""

    status: Status
    reason: str = ""

    def __bool__(self) -> bool:
        return self.status == "holds"


HOLDS = Outcome("holds")


@dataclass(frozen=True)
class Line:
    """One line of a printed derivation."""

    depth: int
    statement: Statement
    rule: str
    lemma: str = ""
    note: str = ""
    """What the rule is used with: a hypothesis, a point, a witness."""


class Derivation:
    """A proof of ``statement``, for all values of its free symbols, from the ``assumptions``."""

    statement: Statement
    rule_name: ClassVar[str]

    def check(self) -> Outcome:
        """Look at the last inference only; `logic.check` looks at the premises too."""
        raise NotImplementedError

    def outline(self, depth: int = 0, shown: set[int] | None = None) -> Iterator[Line]:
        """The derivation as lines: what is proved, by which rule, with which lemma; what is used again is shown once."""
        shown = set() if shown is None else shown
        if id(self) in shown:
            yield Line(depth, self.statement, "as above")
            return
        if self.premises:
            shown.add(id(self))
        yield from self.lines(depth, shown)

    def lines(self, depth: int, shown: set[int]) -> Iterator[Line]:
        """The lines of an outline; ``shown`` holds the derivations that have theirs already."""
        yield Line(depth, self.statement, self.rule_name, note=self.note)
        for premise in self.premises:
            yield from premise.outline(depth + 1, shown)

    @property
    def note(self) -> str:
        """What the rule is used with, in words."""
        return ""

    @property
    def premises(self) -> tuple[Derivation, ...]:
        return ()

    @property
    def assumptions(self) -> frozenset[Statement]:
        """What is assumed and not yet discharged."""
        return together(self.premises)

    @property
    def own_steps(self) -> tuple[Step, ...]:
        """The steps of this derivation itself, of which a chain has some."""
        return ()

    @property
    def cited(self) -> tuple[Axiom, ...]:
        """The axiom that this derivation itself cites, if it does."""
        return ()

    def walk(self) -> Iterator[Derivation]:
        """Every derivation below this one, and this one, premises first and each once."""
        seen: set[int] = set()

        def visit(node: Derivation) -> Iterator[Derivation]:
            if id(node) not in seen:
                seen.add(id(node))
                for premise in node.premises:
                    yield from visit(premise)
                yield node

        yield from visit(self)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every link of the derivation, its premises' included."""
        return tuple(step for node in self.walk() for step in node.own_steps)

    @property
    def axioms(self) -> tuple[Axiom, ...]:
        """What the derivation takes on trust."""
        return tuple(dict.fromkeys(axiom for node in self.walk() for axiom in node.cited))


def together(premises: Iterable[Derivation]) -> frozenset[Statement]:
    """What any of the premises assumes."""
    return frozenset(statement for premise in premises for statement in premise.assumptions)
