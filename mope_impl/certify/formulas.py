"""What a kernel should compute on a cell of its box: the channels of the specification, and derivatives taken of them here.

SymPy differentiates the formula. Where a channel has a corner the derivative is taken on both sides; at the corner itself
either one is accepted, and their mean. Nothing of the generator is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import sympy as sp

from mope_theory import decide
from mope_theory.spec import KernelSpec

from .regions import Cell, Range
from .translate import resolved


def gradient_symbols(spec: KernelSpec) -> tuple[sp.Symbol, ...]:
    """The incoming gradients, one for each channel."""
    return tuple(sp.Symbol(f"grad_{k}", real=True) for k in range(len(spec.channels)))


def channel(spec: KernelSpec, number: int, cell: Cell) -> sp.Expr:
    """The formula of a channel on a cell. Raises Split or Undecided."""
    return _at_infinity(resolved(decide.unfold(spec.channels[number]), cell), cell)


def adjoint(spec: KernelSpec, symbol: sp.Symbol, cell: Cell) -> Sequence[sp.Expr]:
    """The accepted values of Σ grad·∂channel/∂symbol on a cell. Raises Split or Undecided."""
    points = [x for x in cell.cut if cell.ranges[x].is_point]
    found: list[sp.Expr] = []
    for sides in product((-1, 1), repeat=len(points)):
        beside = cell
        for x, side in zip(points, sides, strict=True):
            at = cell.ranges[x].low
            own = Range(-sp.oo, at, False, False) if side < 0 else Range(at, sp.oo, False, False)
            beside = replace(beside, ranges={**beside.ranges, x: own})
        terms = (
            grad * sp.diff(resolved(decide.unfold(c), beside), symbol)
            for grad, c in zip(gradient_symbols(spec), spec.channels, strict=True)
        )
        value = _at_infinity(sp.Add(*terms), cell)
        value = value.subs({x: cell.ranges[x].low for x in points})
        if value not in found:
            found.append(value)
    return [*found, sp.Add(*found) / len(found)] if len(found) > 1 else found


def _at_infinity(e: sp.Expr, cell: Cell) -> sp.Expr:
    """The limit where a variable tends to ∞: that of a function of its reciprocal which is analytic at 0."""
    for symbol in cell.infinite:
        small = sp.Symbol(f"1/{symbol.name}", positive=True)
        e = sp.expand(e.subs(symbol, 1 / small)).subs(small, 0)
    return e


def with_defaults(spec: KernelSpec, missing: frozenset[str]) -> Mapping[sp.Symbol, sp.Expr]:
    """Values of the symbols whose inputs are left out."""
    return {x.symbols[0]: sp.Integer(x.default or 0) for x in spec.inputs if x.name in missing}
