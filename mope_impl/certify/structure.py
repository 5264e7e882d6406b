"""A node without its casts, and its sums moved outwards: Σ over named axes of one summand.

Sums are linear marks. What does not commute with them is refused: a product of two sums, a function of a sum, a factor that
varies along an axis that was summed already, sums over different axes that are added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .nodes import Node, Nodes, lines_below, refuse

Axes = frozenset[str]

LARGEST = 4000
"""Operations of one formula, written out; a chain z = z + z·z doubles them with every line."""


class Unfit(Exception):
    """What is computed cannot be the formula; with the lines of the file that show it."""

    def __init__(self, what: str, lines: frozenset[int]) -> None:
        super().__init__(what)
        self.what, self.lines = what, lines


@dataclass(frozen=True)
class Summand:
    """A node without casts and sums, the axes that it is summed over, and those that it varies along after that."""

    node: Node
    axes: Axes
    varies: Axes
    size: int
    """Operations of the formula, written out."""


def summand(nodes: Nodes, node: Node, along: Mapping[str, Axes], memo: dict[int, Summand]) -> Summand:
    """The summand of a node; ``along`` says along which axes each leaf varies. Raises Unfit."""
    if node.number not in memo:
        memo[node.number] = _summand(nodes, node, along, memo)
    return memo[node.number]


def _summand(nodes: Nodes, node: Node, along: Mapping[str, Axes], memo: dict[int, Summand]) -> Summand:
    none: Axes = frozenset()
    parts = [summand(nodes, arg, along, memo) for arg in node.args]
    varies = none.union(*(part.varies for part in parts))
    size = 1 + sum(part.size for part in parts)
    if size > LARGEST:
        refuse(f"a formula of more than {LARGEST} operations", min(node.lines, default=None))
    if node.op == "leaf":
        return Summand(nodes.make("leaf", value=node.value, lines=node.lines), none, along[str(node.value)], size)
    if node.op == "cast":
        inner = parts[0].node
        return Summand(nodes.make(inner.op, inner.args, value=inner.value, lines=node.lines), parts[0].axes, varies, size)
    if node.op == "sum":
        over = frozenset(node.value) if isinstance(node.value, tuple) else none
        if over & parts[0].axes:
            raise Unfit(f"a second sum over {', '.join(sorted(over & parts[0].axes))}", lines_below(node))
        return Summand(parts[0].node, parts[0].axes | over, varies - over, size)
    axes = _summed(node, parts)
    own = nodes.make(node.op, [part.node for part in parts], value=node.value, lines=node.lines)
    return Summand(own, axes, varies, size)


def _summed(node: Node, parts: list[Summand]) -> Axes:
    """The axes that all of an operation is summed over."""
    axes: Axes = frozenset().union(*(part.axes for part in parts))
    if not axes:
        return axes
    summed, plain = [part for part in parts if part.axes], [part for part in parts if not part.axes]
    alike = all(part.axes == axes for part in summed)
    if node.op == "neg":
        return axes
    if node.op in ("add", "sub") and alike and all(_is_zero(part) for part in plain):
        return axes
    factors = (node.op == "mul" and len(summed) == 1) or (node.op == "div" and not parts[1].axes)
    if factors and not any(part.varies & axes for part in plain):
        return axes
    chosen = node.op == "where" and not parts[0].axes and not parts[0].varies & axes
    if chosen and alike and all(_is_zero(part) for part in parts[1:] if not part.axes):
        return axes
    raise Unfit(f"{node.op} of a sum over {', '.join(sorted(axes))}", lines_below(node))


def _is_zero(part: Summand) -> bool:
    return part.node.op == "const" and part.node.value == 0
