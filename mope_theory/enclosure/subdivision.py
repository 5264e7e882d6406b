"""Statements over a box, by subdivision (branch and bound).

A cell is done where interval arithmetic shows the statement at all of its points: its relations are enclosed, its connectives
are Kleene's, so that an implication is done where its hypothesis is false or its conclusion true. What touches is shown where the
interval is exact at the point of touching (e^{−x²} ≤ 1), or by convexity around it; else the box keeps away from it.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy as sp

from ..assumptions import admitted
from ..decide import Refused
from ..derivation import Outcome
from ..statement import LessEqual, Statement
from ..text import expression
from .base import Enclosure, precision
from .cell import Cell, Pieces, cells, show, show_box, split, union
from .instance import Instance
from .prepare import prepared
from .scaling import covered, kept
from .touching import holds_by_convexity
from .truth import truth


@dataclass(frozen=True)
class Subdivision(Enclosure):
    """The statement holds at every point of a box, because it does on every cell of a subdivision.

    ``scaling`` changes variables first: every value is put for its symbol (b ↦ σβ). ``box`` gives the range of each symbol that
    remains when a common phase has been taken out of every modulus, and what both sides of a relation share is divided out; a
    symbol that drops out is not restricted at all. For a statement on numbers the box is empty.
    """

    statement: Statement
    box: Mapping[sp.Symbol, Pieces] = field(default_factory=dict)
    scaling: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    inside: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    """New variables of integration, x ↦ λy + μ."""
    at: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    """Values of the variables of the leading quantifiers: a counterexample of ∀, a witness of ∃."""
    touching: tuple[sp.Expr, ...] = ()
    """Where the sides of an inequality in one variable agree: numbers, each inside of a piece of its range."""
    within: int | None = None
    """Equations hold to 2^{−within} of their right sides: balls say no more of an equation, so that nothing is then covered."""
    bits: int = 64
    max_cells: int = 40_000

    def lies_within(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        ranges = self._ranges()
        plain = all(ranges[symbol].is_subset(box[symbol]) is True for symbol in ranges if symbol in box)
        return plain and kept(self.scaling, box) and set(ranges) <= set(box) | self._ratios()

    def covers(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        ranges = self._ranges()
        plain = all(box[symbol].is_subset(ranges[symbol]) is True for symbol in ranges if symbol in box)
        return plain and self.within is None and not self.at and covered(self.scaling, box, ranges)

    def _ranges(self) -> dict[sp.Symbol, sp.Set]:
        """The set that each symbol runs over; the empty set where it is none."""
        found: dict[sp.Symbol, sp.Set] = {}
        for symbol, ends in self.box.items():
            try:
                found[symbol] = union(ends)
            except Refused:
                found[symbol] = sp.S.EmptySet
        return found

    def _ratios(self) -> set[sp.Symbol]:
        return {s for value in self.scaling.values() for s in value.free_symbols}

    def check(self) -> Outcome:
        try:
            chosen = Instance(self.statement, self.at)
            statement = prepared(chosen.body, self.scaling, self.inside)
            fault = self._fault(statement)
            if fault:
                return Outcome("refused", fault)
            with precision(self.bits):
                return chosen.judged(self._subdivide(statement))
        except Refused as refusal:
            return Outcome("refused", str(refusal))

    def _fault(self, statement: Statement) -> str:
        """What is wrong with the tolerance or with the box, if anything."""
        if self.within is not None and self.within < 1:
            return "a tolerance as large as what it is of"
        missing = statement.free_symbols - set(self.box)
        if missing:
            return f"no range for {', '.join(sorted(map(str, missing)))}"
        for symbol, ends in self.box.items():
            if union(ends).is_subset(admitted(symbol)) is not True:
                return f"{symbol} does not admit every value of its range"
        return ""

    def _subdivide(self, statement: Statement) -> Outcome:
        box = {symbol: ends for symbol, ends in self.box.items() if symbol in statement.free_symbols}
        todo, done = deque(cells(box)), 0
        while todo:
            cell = todo.popleft()  # breadth first: a region where the statement is false is met early
            done += 1
            value = truth(statement, cell, self.within)
            if value or self._touches(statement, cell):
                continue
            if value is False:
                return Outcome("fails", f"false on the whole cell {show(cell)}" if cell else "false, the enclosures lie apart")
            if done + len(todo) > self.max_cells or all(side.point is not None for side in cell.values()):
                near = f" near {show(cell)} after {done} cell{'s' * (done > 1)}" if cell else ""
                return Outcome("refused", f"undecided{near}")
            todo += split(cell)
        return Outcome("holds", self._summary(box, done))

    def _touches(self, statement: Statement, cell: Cell) -> bool:
        if not self.touching or len(cell) != 1 or not isinstance(statement, LessEqual):
            return False
        ((symbol, side),) = cell.items()
        return any(holds_by_convexity(statement, symbol, side, point) for point in self.touching)

    def _summary(self, box: Mapping[sp.Symbol, Pieces], done: int) -> str:
        equal = f"equal within 2^-{self.within} of itself" if self.within is not None else "enclosed"
        if not box:
            return f"{equal} for all values of its symbols" if self.statement.free_symbols else equal
        where = ", ".join(f"{expression(s)} = {expression(v)}" for s, v in self.scaling.items())
        touching = f", touching at {', '.join(map(expression, self.touching))}" if self.touching else ""
        return f"{equal} on {show_box(box, box)}{f' where {where}' if where else ''}, {done} cell{'s' * (done > 1)}{touching}"
