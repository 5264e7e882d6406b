"""Operations as torch expressions, with the fewest parentheses that keep the order of evaluation."""
from __future__ import annotations

from collections.abc import Sequence

from mope_impl.codegen.ir import CHOSEN, Node

from .config import ATOM, CALLS, CHOICE, INFIX, JOINED, METHODS, SIGN, TAKEN


class Printer:
    """Text of a node, given the variable names of inputs and incoming gradients, and the dtype that it is computed in."""

    def __init__(self, inputs: Sequence[str], gradients: Sequence[str] = (), arithmetic: str = "torch.float64") -> None:
        self.leaves = {"input": inputs, "gradient": gradients}
        self.arithmetic = arithmetic

    def text(self, node: Node, at_least: int = CHOICE) -> str:
        """The expression, in parentheses if it binds less tightly than asked for."""
        written, precedence = self._written(node)
        return written if precedence >= at_least else f"({written})"

    def _written(self, node: Node) -> tuple[str, int]:
        if node.op in self.leaves:
            return self.leaves[node.op][node.data], ATOM
        if node.op == "variable":
            return str(node.data), ATOM
        if node.op == "literal":
            return repr(node.data), SIGN if node.data < 0 else ATOM
        if node.op == "neg":
            return f"-{self.text(node.args[0], ATOM)}", SIGN
        if node.op in INFIX:
            sign, own = INFIX[node.op]
            left, right = node.args
            return f"{self.text(left, own)} {sign} {self.text(right, own + 1)}", own
        if node.op in CALLS:
            return f"{CALLS[node.op]}({', '.join(map(self.text, node.args))})", ATOM
        if node.op in METHODS:
            return METHODS[node.op].format(*(self.text(arg, ATOM) for arg in node.args), arithmetic=self.arithmetic), ATOM
        kind, _, layout = node.op.partition("_")
        if kind == "join":
            args = ", ".join(map(self.text, node.args)) + ("," if len(node.args) == 1 else "")
            return JOINED[layout].format(args), ATOM
        if kind == "take":
            return self._taken(node, layout)
        return self._shaped(node), ATOM

    def _taken(self, node: Node, layout: str) -> tuple[str, int]:
        """A channel taken, in the layout that is fixed or that the caller has chosen."""
        whole = self.text(node.args[0])
        if layout != "chosen":
            return TAKEN[layout].format(whole, *node.data), ATOM
        first, second = (TAKEN[own].format(whole, *node.data) for own in CHOSEN.values())
        return f'{first} if layout == "{next(iter(CHOSEN))}" else {second}', CHOICE

    def _shaped(self, node: Node) -> str:
        """Operations with dimensions or counts as their data."""
        args = [self.text(arg, ATOM) for arg in node.args]
        if node.op == "positive":
            return f'torch.where({args[0]} > 0.0, {args[0]}, float("nan"))'
        if node.op == "unsqueeze":
            return args[0] + "".join(f".unsqueeze({dim})" for dim in node.data)
        if node.op == "sum":
            return f"{args[0]}.sum({node.data[0] if len(node.data) == 1 else node.data})"
        if node.op == "expand":
            return f"torch.broadcast_tensors({', '.join(args)})[0]"
        raise KeyError(f"operation {node.op} has no torch form")
