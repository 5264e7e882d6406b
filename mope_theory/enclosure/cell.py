"""Cells of a box: a range for each symbol, bounded or not, and how a cell is halved."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import inf, log
from typing import Any, TypeAlias

import sympy as sp
from flint import arb, fmpq

from ..decide import Refused
from ..text import expression
from .interval import INFINITY, Interval, spanning

End = Fraction | float
"""An end of a range: a fraction, or ±∞."""

Pieces: TypeAlias = sp.Set | tuple[Any, ...]
"""The range of a symbol: a pair of ends, an interval, a finite set, or several sets side by side."""


@dataclass(frozen=True)
class Range:
    """low ≤ x ≤ high, strictly at an end that is open; an infinite end is open."""

    low: End
    high: End
    left_open: bool = False
    right_open: bool = False

    def interval(self) -> Interval:
        """The range at the working precision."""
        return spanning(_arb(self.low), _arb(self.high), self.left_open, self.right_open)

    def halves(self) -> tuple[Range, Range]:
        """Two ranges that make up this one and share a dyadic point."""
        at = self._middle()
        return Range(self.low, at, self.left_open), Range(at, self.high, False, self.right_open)

    def _middle(self) -> Fraction:
        low, high = self.low, self.high
        if isinstance(low, float):
            return Fraction(0) if isinstance(high, float) else min(2 * high, Fraction(-1))
        if isinstance(high, float):
            return max(2 * low, Fraction(1))
        if low > 0:  # near the geometric middle; a float keeps the ends short
            return Fraction((float(low) * float(high)) ** 0.5)
        return -Range(-high, -low)._middle() if high < 0 else Fraction((float(low) + float(high)) / 2)

    @property
    def point(self) -> sp.Expr | None:
        """The only value, if there is only one."""
        return _rational(self.low) if self.low == self.high else None

    @property
    def width(self) -> float:
        """On a logarithmic scale where the range keeps away from 0; that of an unbounded range is that of a doubling or more."""
        if self.low == -inf or self.high == inf:
            return 2 * log(2)
        if self.low > 0:
            return log(self.high / self.low)
        return log(self.low / self.high) if self.high < 0 else float(self.high - self.low)

    def __str__(self) -> str:
        left, right = "(" if self.left_open else "[", ")" if self.right_open else "]"
        return f"{left}{_show(self.low)}, {_show(self.high)}{right}"


Cell = dict[sp.Symbol, Range]


def pieces(given: Pieces) -> tuple[Range, ...]:
    """The ranges that a symbol runs over; Refused if they are not written with rational ends."""
    if isinstance(given, tuple) and not any(isinstance(x, sp.Set) for x in given):
        given = sp.FiniteSet(*given) if given[0] == given[1] else sp.Interval(*given)
    sets: tuple[sp.Set, ...] = given if isinstance(given, tuple) else (given,)
    found: list[Range] = []
    for part in sets:
        if isinstance(part, sp.Interval):
            found.append(_range(part))
        elif isinstance(part, sp.FiniteSet) or (isinstance(part, sp.Range) and part.is_finite_set):
            found += [Range(_end(x), _end(x)) for x in part]
        elif part == sp.S.Reals:
            found.append(Range(-inf, inf, True, True))
        elif part.is_empty is not True:
            raise Refused(f"{part} is no range of an enclosure")
    if not found:
        raise Refused("a side of the box is empty")
    return tuple(found)


def union(given: Pieces) -> sp.Set:
    """The set that the pieces make up."""
    return sp.Union(*(sp.Interval(_rational(x.low), _rational(x.high), x.left_open, x.right_open) for x in pieces(given)))


def cells(box: Mapping[sp.Symbol, Pieces]) -> list[Cell]:
    """Every combination of the pieces."""
    return [dict(zip(box, sides, strict=True)) for sides in product(*(pieces(given) for given in box.values()))]


def split(cell: Cell) -> list[Cell]:
    """Two halves of a cell, across its widest side."""
    widest = max(sorted(cell, key=str), key=lambda symbol: cell[symbol].width)
    return [{**cell, widest: half} for half in cell[widest].halves()]


def show(cell: Cell) -> str:
    return _shown({symbol: (side,) for symbol, side in cell.items()})


def show_box(box: Mapping[sp.Symbol, Pieces], free: Iterable[sp.Symbol]) -> str:
    """The ranges of the symbols that are looked at."""
    return _shown({symbol: _joined(pieces(given)) for symbol, given in box.items() if symbol in set(free)})


def _joined(parts: tuple[Range, ...]) -> tuple[Range, ...]:
    """Neighbouring ranges as one, for messages."""
    sets = [sp.Interval(_rational(x.low), _rational(x.high), x.left_open, x.right_open) for x in parts]
    joined = sp.Union(*sets)
    intervals = joined.args if isinstance(joined, sp.Union) else (joined,)
    return tuple(map(_range, intervals)) if all(isinstance(x, sp.Interval) for x in intervals) else parts


def _shown(ranges: Mapping[sp.Symbol, tuple[Range, ...]]) -> str:
    return " × ".join(f"{expression(s)} ∈ {_side(r)}" for s, r in sorted(ranges.items(), key=str))


def _side(parts: tuple[Range, ...]) -> str:
    if all(x.point is not None for x in parts):
        shown = [_show(x.low) for x in parts]
        return "{" + ", ".join(shown if len(shown) < 6 else [shown[0], shown[1], "…", shown[-1]]) + "}"
    return " ∪ ".join(map(str, parts))


def _range(values: sp.Interval) -> Range:
    return Range(_end(values.start), _end(values.end), bool(values.left_open), bool(values.right_open))


def _end(value: sp.Expr) -> End:
    value = sp.sympify(value)
    if value in (sp.oo, -sp.oo):
        return inf if value is sp.oo else -inf
    if not isinstance(value, sp.Rational):
        raise Refused(f"{value} is not a rational end of a range")
    return Fraction(int(value.p), int(value.q))


def _rational(end: End) -> sp.Expr:
    if isinstance(end, float):
        return sp.oo if end > 0 else -sp.oo
    return sp.Rational(end.numerator, end.denominator)


def _arb(end: End) -> arb:
    if isinstance(end, float):
        return INFINITY if end > 0 else -INFINITY
    return arb(fmpq(end.numerator, end.denominator))


def _show(end: End) -> str:
    if isinstance(end, float):
        return "∞" if end > 0 else "-∞"
    return f"{float(end):.6g}"
