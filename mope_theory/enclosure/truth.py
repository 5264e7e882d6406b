"""What is known of a statement on a whole cell: true everywhere, false everywhere, or neither established (Kleene's logic)."""
from __future__ import annotations

from collections.abc import Iterable

from flint import arb

from ..decide import Refused
from ..statement import And, Equal, Exists, ForAll, Implies, Less, LessEqual, Not, Or, Statement
from ..substitution import put
from .cell import Cell, cells
from .interval import Interval
from .real_walker import enclose

RELATIONS = (Equal, LessEqual, Less)


def truth(statement: Statement, cell: Cell, within: int | None = None) -> bool | None:
    """True or False if it is so at every point of the cell, None if neither is established.

    With ``within``, an equation that is asserted counts as true if its sides differ by at most 2^{−within} of the right one; one
    that is negated, or in a hypothesis, does not.
    """
    kind = type(statement)
    if kind in RELATIONS:
        return _relation(statement, cell, within)
    if isinstance(statement, Not) and kind is Not:
        return _not(truth(statement.body, cell))
    if isinstance(statement, And) and kind is And:
        return _all(truth(part, cell, within) for part in statement.body)
    if isinstance(statement, Or) and kind is Or:
        return _not(_all(_not(truth(part, cell, within)) for part in statement.body))
    if isinstance(statement, Implies) and kind is Implies:
        hypothesis = truth(statement.hypothesis, cell)
        if hypothesis is False:
            return True
        conclusion = truth(statement.conclusion, cell, within)
        return True if conclusion else (False if hypothesis and conclusion is False else None)
    if isinstance(statement, (ForAll, Exists)) and kind in (ForAll, Exists):
        every = [truth(statement.body, {**cell, **part}, within) for part in cells({statement.var: statement.domain})]
        return _all(every) if kind is ForAll else _not(_all(map(_not, every)))
    raise Refused(f"balls do not decide {kind.__name__}")


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _all(values: Iterable[bool | None]) -> bool | None:
    known = True
    for value in values:
        if value is False:
            return False
        known = known and value is True
    return True if known else None


def _relation(statement: Statement, cell: Cell, within: int | None) -> bool | None:
    ranges = {symbol: side.interval() for symbol, side in cell.items()}
    assert isinstance(statement, (Equal, LessEqual, Less))
    left, right = enclose(statement.lhs, ranges), enclose(statement.rhs, ranges)
    if left is None or right is None:
        return None
    known = _compared(type(statement), left, right, within)
    if known is None and type(statement) is not Less and _same_sides(statement, cell):
        return True
    return known


def _compared(kind: type[Statement], left: Interval, right: Interval, within: int | None) -> bool | None:
    if kind is Equal:
        if (left.point is not None and left.point == right.point) or (within is not None and _near(left, right, within)):
            return True
        return False if _below(left, right, True) or _below(right, left, True) else None
    strict = kind is Less
    return True if _below(left, right, strict) else False if _below(right, left, not strict) else None


def _same_sides(statement: Equal | LessEqual | Less, cell: Cell) -> bool:
    """Are the sides one and the same expression, or so at the only point of the cell?"""
    if statement.lhs == statement.rhs:
        return True
    point = {symbol: cell[symbol].point for symbol in statement.free_symbols}
    if None in point.values():
        return False
    return bool(put(statement.lhs, point) == put(statement.rhs, point))


def _near(left: Interval, right: Interval, within: int) -> bool:
    """Do values of the two differ by at most 2^{−within} of the right one?"""
    if not (left.low.is_finite() and left.high.is_finite() and right.low.is_finite() and right.high.is_finite()):
        return False
    gap, size = (left - right).modulus().high, right.modulus().low
    return bool(gap <= size * arb(2) ** -within)


def _below(left: Interval, right: Interval, strict: bool) -> bool:
    """Is every value of the left below every value of the right, strictly or not?"""
    if left.high < right.low:
        return True
    return bool(left.high == right.low) and (not strict or left.below or right.above)
