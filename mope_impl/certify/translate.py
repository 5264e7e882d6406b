"""A node as an expression on a cell of the box, every branch of it decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import sympy as sp

from .nodes import Node, lines_below
from .regions import Cell
from .structure import Unfit

HOLDS: dict[str, Callable[[int], bool]] = {
    "lt": lambda sign: sign < 0,
    "le": lambda sign: sign <= 0,
    "gt": lambda sign: sign > 0,
    "ge": lambda sign: sign >= 0,
}
"""Whether a comparison holds, by the sign of the difference of its sides."""

MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}

SMOOTH: dict[str, Callable[..., sp.Expr]] = {
    "neg": lambda x: -x,
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "square": lambda x: x**2,
    "exp": sp.exp,
    "exp2": lambda x: sp.exp(sp.log(2) * x),
    "cos": sp.cos,
    "sin": sp.sin,
    "sigmoid": lambda x: 1 / (1 + sp.exp(-x)),
}
"""Operations that are one expression everywhere."""


def expression(node: Node, cell: Cell, symbols: Mapping[str, sp.Symbol], memo: dict[int, sp.Expr]) -> sp.Expr:
    """The expression of a node without casts and sums; NaN where it is NaN. Raises Unfit, Split or Undecided."""
    if node.number not in memo:
        memo[node.number] = _expression(node, cell, symbols, memo)
    return memo[node.number]


def _expression(node: Node, cell: Cell, symbols: Mapping[str, sp.Symbol], memo: dict[int, sp.Expr]) -> sp.Expr:
    def of(other: Node) -> sp.Expr:
        return expression(other, cell, symbols, memo)

    if node.op == "leaf":
        symbol = symbols[str(node.value)]
        return sp.oo if symbol in cell.infinite else symbol
    if node.op == "const" and isinstance(node.value, Fraction):
        return sp.Rational(node.value.numerator, node.value.denominator)
    if node.op == "unwritten":
        raise Unfit("a value that nothing has written", lines_below(node))
    if node.op == "nan":
        return sp.nan
    if node.op == "where":
        return of(node.args[1] if holds(node.args[0], cell, symbols, memo) else node.args[2])
    if node.op == "indicator":
        return sp.S.One if holds(node.args[0], cell, symbols, memo) else sp.S.Zero
    parts = [of(arg) for arg in node.args]
    if sp.nan in parts:
        return sp.nan
    if sp.oo in parts:
        if node.op == "div" and parts[0] is not sp.oo:
            return sp.S.Zero
        raise Unfit(f"{node.op} of an infinite value", lines_below(node))
    if node.op == "div":
        if cell.sign(parts[1]) == 0:
            raise Unfit("division by 0", lines_below(node))
        return parts[0] / parts[1]
    if node.op in ("abs", "sign"):
        sign = cell.sign(parts[0])
        return sign * parts[0] if node.op == "abs" else sp.Integer(sign)
    if node.op in SMOOTH:
        return SMOOTH[node.op](*parts)
    raise Unfit(f"{node.op} has no meaning here", lines_below(node))


def holds(node: Node, cell: Cell, symbols: Mapping[str, sp.Symbol], memo: dict[int, sp.Expr]) -> bool:
    """Whether a comparison holds on the cell. Raises Unfit, Split or Undecided."""
    if node.op not in HOLDS:
        raise Unfit(f"{node.op} as a condition", lines_below(node))
    left, right = node.args
    op = node.op
    if right.op == "abs" and left.op != "abs":
        left, right, op = right, left, MIRRORED[op]
    other = expression(right, cell, symbols, memo)
    if sp.nan in (other, expression(left.args[0] if left.op == "abs" else left, cell, symbols, memo)):
        return False
    if left.op == "abs" and other.is_Rational:
        inner = expression(left.args[0], cell, symbols, memo)
        if inner is not sp.oo and len(inner.free_symbols) > 1:
            beyond = cell.exceeds(inner, other)  # at equality either branch is proved
            return beyond == (op in ("gt", "ge"))
    one = expression(left, cell, symbols, memo)
    if sp.oo in (one, other):
        return HOLDS[op](int(one is sp.oo) - int(other is sp.oo))
    return HOLDS[op](cell.sign(one - other))


def resolved(e: sp.Expr, cell: Cell) -> sp.Expr:
    """A formula on the cell, without maxima and moduli. Raises Split or Undecided."""
    if not e.args:
        return e
    args = [resolved(a, cell) for a in e.args]
    if isinstance(e, sp.Max):
        best = args[0]
        for other in args[1:]:
            best = best if cell.sign(best - other) >= 0 else other
        return best
    if isinstance(e, sp.Abs):
        return cell.sign(args[0]) * args[0]
    return e.func(*args)
