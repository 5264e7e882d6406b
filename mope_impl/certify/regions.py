"""Regions: cells of the box in which every branch of a file and of a formula is decided.

A condition on one variable splits its range at a point, which is a cell of its own; one on |q| for another quantity q splits
at its threshold. Each side of a split is then proved by itself. Cells on both sides of |q| = threshold are closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import sympy as sp

from mope_theory import decide
from mope_theory.spec import KernelSpec

MOST_CELLS = 64
"""Beyond it a result counts as undecided."""


class Undecided(Exception):
    """Nothing shows which branch is taken, or that a denominator does not vanish."""


class Split(Exception):
    """The cell must be split before it can be gone on with."""

    def __init__(self, cells: list[Cell]) -> None:
        super().__init__()
        self.cells = cells


@dataclass(frozen=True)
class Range:
    """An interval; a point where both ends are the same."""

    low: sp.Expr
    high: sp.Expr
    has_low: bool
    has_high: bool

    @property
    def is_point(self) -> bool:
        return bool(self.low == self.high)

    def cut(self, at: sp.Expr) -> list[Range]:
        """Below, at and above a point within."""
        return [Range(self.low, at, self.has_low, False), Range(at, at, True, True), Range(at, self.high, False, self.has_high)]

    def side(self, at: sp.Expr) -> int | None:
        """The sign of x − at on the range, None where it has several."""
        if self.is_point:
            return int(sp.sign(self.low - at))
        if at < self.low or (at == self.low and not self.has_low):
            return 1
        if at > self.high or (at == self.high and not self.has_high):
            return -1
        return None


@dataclass(frozen=True)
class Guarded:
    """low ≤ |quantity| ≤ high."""

    quantity: sp.Expr
    low: sp.Rational
    high: sp.Expr


@dataclass(frozen=True)
class Cell:
    """Ranges of the variables, of the guarded quantities, and the variables whose value is ∞ itself."""

    ranges: Mapping[sp.Symbol, Range]
    guarded: tuple[Guarded, ...] = ()
    infinite: frozenset[sp.Symbol] = frozenset()
    cut: frozenset[sp.Symbol] = field(default=frozenset())
    """Variables whose range was split."""

    def at(self, symbol: sp.Symbol, own: Range) -> Cell:
        return replace(self, ranges={**self.ranges, symbol: own}, cut=self.cut | {symbol})

    def sign(self, q: sp.Expr) -> int:
        """The sign of a quantity on the cell. Raises Split or Undecided."""
        if q is sp.oo:
            return 1
        q = sp.expand(q)
        if q.is_Rational:
            return int(sp.sign(q))
        if len(q.free_symbols) == 1:
            (symbol,) = q.free_symbols
            if symbol in self.ranges and q.is_polynomial(symbol) and sp.degree(q, symbol) == 1:
                return self._linear(q, symbol)
        told = self.put(q)
        for sign in (1, -1):
            try:
                if decide.positive(sign * told):
                    return sign
            except decide.Refused:
                pass
        raise Undecided(f"the sign of {q} is not plain")

    def _linear(self, q: sp.Expr, symbol: sp.Symbol) -> int:
        slope = q.coeff(symbol, 1)
        root = -q.coeff(symbol, 0) / slope
        side = self.ranges[symbol].side(root)
        if side is None:
            raise Split([self.at(symbol, own) for own in self.ranges[symbol].cut(root) if _is_filled(own)])
        return side * int(sp.sign(slope))

    def exceeds(self, q: sp.Expr, threshold: sp.Rational) -> bool:
        """Whether |q| > threshold > 0; at equality either answer may be given. Raises Split or Undecided."""
        if threshold <= 0:
            raise Undecided(f"|{q}| is compared with {threshold}")
        if q.is_Rational:
            return bool(abs(q) > threshold)
        if len(q.free_symbols) == 1:
            return self.sign(q - threshold) > 0 or self.sign(q + threshold) < 0
        for place, known in enumerate(self.guarded):
            if _same(q, known.quantity):
                if threshold <= known.low:
                    return True
                if threshold >= known.high:
                    return False
                parts = (replace(known, high=threshold), replace(known, low=threshold))
                raise Split([replace(self, guarded=_with(self.guarded, place, part)) for part in parts])
        parts = (Guarded(q, sp.S.Zero, threshold), Guarded(q, threshold, sp.oo))
        raise Split([replace(self, guarded=(*self.guarded, part)) for part in parts])

    def put(self, e: sp.Expr) -> sp.Expr:
        """An expression in variables that are free on the cell: x = low + x' or high − x' with positive x' where it was split."""
        values = {}
        for symbol in self.cut & e.free_symbols:
            own = self.ranges[symbol]
            beyond = sp.Symbol(f"{symbol.name}_beyond", positive=True)
            if own.is_point:
                values[symbol] = own.low
            elif not own.has_low and own.low != -sp.oo:
                values[symbol] = own.low + beyond
            elif not own.has_high and own.high != sp.oo and not symbol.is_nonnegative:
                values[symbol] = own.high - beyond
        return e.subs(values, simultaneous=True) if values else e

    def text(self) -> str:
        """What sets the cell apart, empty for the whole box."""
        said = [f"{symbol} = oo" for symbol in self.infinite]
        for symbol in sorted(self.cut, key=str):
            own = self.ranges[symbol]
            if own.is_point:
                said.append(f"{symbol} = {own.low}")
            else:
                said.append(f"{own.low} {'<=' if own.has_low else '<'} {symbol} {'<=' if own.has_high else '<'} {own.high}")
        said += [f"|{g.quantity}| >= {g.low}" if g.low else f"|{g.quantity}| <= {g.high}" for g in self.guarded]
        return ", ".join(said)


def _is_filled(own: Range) -> bool:
    return bool(own.low < own.high) or (own.is_point and own.has_low and own.has_high)


def _same(one: sp.Expr, two: sp.Expr) -> bool:
    try:
        return decide.equal(one, two) or decide.equal(one, -two)
    except decide.Refused:
        return False


def _with(own: tuple[Guarded, ...], place: int, part: Guarded) -> tuple[Guarded, ...]:
    return (*own[:place], part, *own[place + 1 :])


def outside(spec: KernelSpec) -> list[Cell]:
    """Where a kernel must give NaN: one cell for each input whose domain excludes 0 and all below."""
    box = whole(spec)[0]
    below = Range(-sp.oo, sp.S.Zero, False, True)
    return [box.at(x.symbols[0], below) for x in spec.inputs if x.is_positive]


def is_outside(cell: Cell, spec: KernelSpec) -> bool:
    """Whether a cell is one of those, or a part of one."""
    return any(x.is_positive and cell.ranges[x.symbols[0]].high <= 0 for x in spec.inputs)


def whole(spec: KernelSpec) -> list[Cell]:
    """The box of a specification, and the cells where an input is infinite that may be."""
    ranges = {}
    for symbol, domain in spec.box.items():
        finite = domain - sp.FiniteSet(sp.oo)
        low, high = finite.inf, finite.sup
        ranges[symbol] = Range(low, high, finite.contains(low) == sp.true, finite.contains(high) == sp.true)
    box = Cell(ranges)
    far = [x.symbols[0] for x in spec.inputs if x.may_be_infinite]
    return [box, *(replace(box, infinite=frozenset({symbol})) for symbol in far)]
