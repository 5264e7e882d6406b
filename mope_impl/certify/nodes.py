"""Scalar nodes: what one element of a tensor is computed from, each operation once, with the lines that it stands on."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NoReturn

MOST_NODES = 20_000
"""Beyond it a file is refused: a chain z = z·z doubles the formula with every line."""


class Refused(Exception):
    """The file holds something outside the allow-list, at a line of it; nothing is said of what it would do."""

    def __init__(self, what: str, line: int | None = None) -> None:
        super().__init__(what)
        self.what, self.line = what, line


def refuse(what: str, line: int | None = None) -> NoReturn:
    """Raise Refused."""
    raise Refused(what, line)


class Node:
    """One operation on scalars and the dtype that its result is rounded to; equal operations of one table are one node."""

    __slots__ = ("args", "dtype", "lines", "number", "op", "value")

    def __init__(
        self, op: str, args: tuple[Node, ...], dtype: str, value: str | Fraction | tuple[str, ...] | None, number: int
    ) -> None:
        self.op, self.args, self.dtype, self.value, self.number = op, args, dtype, value, number
        self.lines: set[int] = set()


class Nodes:
    """A table of nodes."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Node] = {}

    def make(
        self,
        op: str,
        args: Iterable[Node] = (),
        dtype: str = "real",
        value: str | Fraction | tuple[str, ...] | None = None,
        lines: Iterable[int] = (),
    ) -> Node:
        """The node of an operation. Raises Refused where there are too many."""
        args = tuple(args)
        key = (op, tuple(a.number for a in args), dtype, value)
        node = self._known.get(key)
        if node is None:
            if len(self._known) >= MOST_NODES:
                refuse(f"more than {MOST_NODES} operations")
            node = self._known[key] = Node(op, args, dtype, value, len(self._known))
        node.lines.update(lines)
        return node


def lines_below(node: Node) -> frozenset[int]:
    """The lines that a node and what it is computed from stand on; a constant or an input is what it is on any line."""
    seen: dict[int, Node] = {}
    open_ones = [node]
    while open_ones:
        one = open_ones.pop()
        if one.number not in seen:
            seen[one.number] = one
            open_ones += one.args
    return frozenset(line for one in seen.values() if one.args for line in one.lines)


def leaves(name: str, count: int) -> list[str]:
    """Names of the scalars of an input, or of the incoming gradient: one for each channel."""
    return [name] if count == 1 else [f"{name}.{k}" for k in range(count)]
