"""Strict inequalities over a box, by subdivision (branch and bound).

Subdivision proves what is strict on the whole box, and never what touches: an inequality that becomes an equality at a point
goes by a derivation, and its enclosure keeps away from that point.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import log

import sympy as sp
from flint import arb, fmpq

from ..decide import Refused, equal, unfold
from ..derivation import Outcome
from ..reference import Unresolved, to_acb
from ..statement import Less, LessEqual
from ..text import expression
from .base import Enclosure, precision

Interval = tuple[Fraction, Fraction]
Cell = dict[sp.Symbol, Interval]


@dataclass(frozen=True)
class Subdivision(Enclosure):
    """lhs ≤ rhs (or <) at every point of a box, because every cell of a subdivision has a ball of rhs − lhs above 0.

    ``box`` gives the ends of the range of each symbol that remains after a common phase is taken out of every modulus; a
    symbol that drops out is not restricted at all.
    """

    statement: Less | LessEqual
    box: Mapping[sp.Symbol, tuple[int | sp.Rational, int | sp.Rational]]
    bits: int = 64
    max_cells: int = 40_000

    def lies_within(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        return all(symbol in box and ends.is_subset(box[symbol]) is True for symbol, ends in self._intervals().items())

    def covers(self, box: Mapping[sp.Symbol, sp.Set]) -> bool:
        return all(box[symbol].is_subset(ends) is True for symbol, ends in self._intervals().items() if symbol in box)

    def _intervals(self) -> dict[sp.Symbol, sp.Set]:
        return {symbol: sp.Interval(low, high) for symbol, (low, high) in self.box.items()}

    def check(self) -> Outcome:
        if type(self.statement) not in (Less, LessEqual):
            return Outcome("refused", f"subdivision does not enclose {type(self.statement).__name__}")
        if any(sp.Rational(low) > sp.Rational(high) for low, high in self.box.values()):
            return Outcome("refused", "a side of the box is empty")
        try:
            lhs, rhs = without_phase(self.statement.lhs), without_phase(self.statement.rhs)
        except Refused as refusal:
            return Outcome("refused", str(refusal))
        free = lhs.free_symbols | rhs.free_symbols
        if not free <= set(self.box):
            return Outcome("refused", f"no range for {', '.join(sorted(map(str, free - set(self.box))))}")
        start: Cell = {s: (_fraction(lo), _fraction(hi)) for s, (lo, hi) in self.box.items() if s in free}
        with precision(self.bits):
            return self._subdivide(lhs, rhs, start)

    def _subdivide(self, lhs: sp.Expr, rhs: sp.Expr, start: Cell) -> Outcome:
        todo, done = deque([start]), 0
        while todo:
            cell = todo.popleft()  # breadth first: a region where the statement is false is met early
            done += 1
            low, high = _enclose(lhs, cell), _enclose(rhs, cell)
            if low is not None and high is not None and low < high:
                continue
            if low is not None and high is not None and low > high:
                return Outcome("fails", f"false on the whole cell {_show(cell)}")
            if done + len(todo) > self.max_cells or not cell:
                return Outcome("refused", f"undecided near {_show(cell)} after {done} cells")
            todo += _split(cell)
        return Outcome("holds", f"strict on {_show(start)}, {done} cells")


def without_phase(expr: sp.Expr) -> sp.Expr:
    """The expression with each modulus |e^{iφ} w| replaced by |w|, where such a phase can be taken out.

    Balls forget that two terms share a phase. That e^{iφ} w is what stood there, and that |e^{iφ}| = 1, is decided.
    """

    def one(own: sp.Expr) -> sp.Expr:
        z = sp.expand(unfold(own))
        for phase in sorted((e for e in z.atoms(sp.exp) if (e.args[0] / sp.I).is_real), key=sp.default_sort_key):
            rest = sp.expand(z / phase)
            if not rest.has(sp.I) and equal(own, phase * rest) and equal(sp.Abs(phase), sp.S.One):
                return rest
        return own  # as it stands: SymPy may have cancelled a pole in z

    # SymPy would rewrite an evaluated modulus of a sum as the root of a square, which balls enclose badly.
    return expr.xreplace({x: sp.Abs(one(x.args[0]), evaluate=False) for x in expr.atoms(sp.Abs)})


def _enclose(side: sp.Expr, cell: Cell) -> arb | None:
    """A ball that holds the value of one side everywhere on the cell; None if there is no finite real one."""
    try:
        value = to_acb(side, {s: _ball(*ends) for s, ends in cell.items()})
    except Unresolved:
        return None
    return value.real if value.imag.is_zero() else None


def _fraction(value: int | sp.Rational) -> Fraction:
    value = sp.Rational(value)
    return Fraction(int(value.p), int(value.q))


def _ball(low: Fraction, high: Fraction) -> arb:
    ends = (arb(fmpq(x.numerator, x.denominator)) for x in (low, high))
    return next(ends).union(next(ends))


def _split(cell: Cell) -> list[Cell]:
    """Two halves across the widest side, measured on a logarithmic scale where the side keeps away from 0."""

    def width(symbol: sp.Symbol) -> float:
        low, high = cell[symbol]
        return log(high / low) if low > 0 else float(high - low)

    widest = max(sorted(cell, key=str), key=width)
    low, high = cell[widest]
    # A dyadic number near the geometric or arithmetic middle keeps the ends short.
    middle = Fraction((float(low) * float(high)) ** 0.5 if low > 0 else (float(low) + float(high)) / 2)
    return [{**cell, widest: ends} for ends in ((low, middle), (middle, high))]


def _show(cell: Cell) -> str:
    return " × ".join(f"{expression(s)} ∈ [{float(lo):.6g}, {float(hi):.6g}]" for s, (lo, hi) in sorted(cell.items(), key=str))
