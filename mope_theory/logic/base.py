"""What the nodes of the logic share."""
from __future__ import annotations

from ..decide import Refused
from ..judgement import Derivation, Outcome
from ..statement import And, Statement


class Node(Derivation):
    """A derivation with premises; `check` of the node looks at its own inference only."""


def fails(reason: str) -> Outcome:
    return Outcome("fails", reason)


def refused(reason: str) -> Outcome:
    return Outcome("refused", reason)


def conjuncts(statement: Statement) -> frozenset[Statement]:
    """A statement and, if it is a conjunction, all that it is a conjunction of."""
    if type(statement) is not And:
        return frozenset({statement})
    return frozenset({statement}).union(*map(conjuncts, statement.body))


def free(statements: frozenset[Statement]) -> frozenset[object]:
    """The free symbols of several statements."""
    return frozenset(symbol for statement in statements for symbol in statement.free_symbols)


__all__ = ["Node", "Refused", "conjuncts", "fails", "free", "refused"]
