"""Operations as torch expressions, with the fewest parentheses that keep the order of evaluation."""
from __future__ import annotations

from collections.abc import Sequence

from mope_impl.codegen.ir import Node

from .config import ATOM, CALLS, COMPARISON, INFIX, METHODS, SIGN


class Printer:
    """Text of a node, given the variable names of inputs and incoming gradients."""

    def __init__(self, inputs: Sequence[str], gradients: Sequence[str] = ()) -> None:
        self.leaves = {"input": inputs, "gradient": gradients}

    def text(self, node: Node, at_least: int = COMPARISON) -> str:
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
            return METHODS[node.op].format(*(self.text(arg, ATOM) for arg in node.args)), ATOM
        return self._shaped(node), ATOM

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
        if node.op.startswith("join_"):
            parts = f"({', '.join(args)},)" if len(args) == 1 else f"({', '.join(args)})"
            joined = {"interleaved": "torch.stack({}, -1).flatten(-2)", "halves": "torch.cat({}, -1)"}
            return joined.get(node.op.removeprefix("join_"), "torch.stack({}, -1)").format(parts)
        if node.op.startswith("take_"):
            place, count = node.data
            taken = {"interleaved": f"[..., {place}::{count}]", "halves": f".chunk({count}, -1)[{place}]"}
            return args[0] + taken.get(node.op.removeprefix("take_"), f"[..., {place}]")
        raise KeyError(f"operation {node.op} has no torch form")
