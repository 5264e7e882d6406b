"""Operations as Triton expressions, with the fewest parentheses that keep the order of evaluation."""
from __future__ import annotations

import struct
from collections.abc import Callable

from mope_impl.codegen.ir import Node
from mope_theory.spec import SpecError

from .config import ATOM, CALLS, CHOICE, INFIX, METHODS, SIGN


class Printer:
    """Text of a node; ``load`` writes the reading of an input or of a channel of one."""

    def __init__(self, load: Callable[[Node], str]) -> None:
        self.load = load

    def text(self, node: Node, at_least: int = CHOICE) -> str:
        """The expression, in parentheses if it binds less tightly than asked for."""
        written, precedence = self._written(node)
        return written if precedence >= at_least else f"({written})"

    def _written(self, node: Node) -> tuple[str, int]:
        if node.op in ("input", "gradient") or node.op.startswith("take_"):
            return self.load(node), ATOM
        if node.op == "variable":
            return str(node.data), ATOM
        if node.op == "literal":
            return literal(node.data), SIGN if node.data < 0 else ATOM
        if node.op == "neg":
            return f"-{self.text(node.args[0], ATOM)}", SIGN
        if node.op in INFIX:
            sign, own = INFIX[node.op]
            left, right = node.args
            return f"{self.text(left, own)} {sign} {self.text(right, own + 1)}", own
        if node.op in CALLS:
            return f"{CALLS[node.op]}({', '.join(map(self.text, node.args))})", ATOM
        if node.op in METHODS:
            return METHODS[node.op].format(*(self.text(arg, ATOM) for arg in node.args)), ATOM
        raise SpecError(f"the operation {node.op} has no Triton form")


def literal(value: float) -> str:
    """A constant; one that float32 does not hold is made a float64, for a literal by itself may be a float32 in Triton."""
    exact = struct.unpack("f", struct.pack("f", value))[0] == value if abs(value) < 2.0**128 else False
    return repr(value) if exact else f"tl.full((1, 1), {value!r}, tl.float64)"
