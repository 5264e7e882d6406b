"""Number formats: float64 inside, one rounding on the way out."""
from __future__ import annotations

from dataclasses import replace

from ..ir import CHOSEN, Node, Program

SHAPED = ("sum_to", "zeros_like")
"""Operations that look at the shape and dtype of an input, not at its values."""


def typify(program: Program) -> Program:
    """Guarantees: values of inputs and incoming gradients are read as float64, outputs are rounded once to the dtype of the
    result, gradients once to the dtype of their inputs."""

    def read(node: Node) -> Node:
        if node.op in ("input", "gradient"):
            return Node("compute", (node.named(""),), label=node.label)
        if node.op in SHAPED:
            own = node.args[-1].args[0]
            return replace(node, args=(*node.args[:-1], own.named("own") if own.op.startswith("take_") else own))
        if node.op.startswith("take_"):  # the parts are cast, not the whole: what is not needed is not converted
            return Node("compute", (replace(node, args=node.args[0].args, label=""),), label=node.label)
        return node

    ready = program.rewrite(read)
    return replace(
        ready,
        outputs=tuple(_rounded(root, "result", "result_copied") for root in ready.outputs),
        gradients=tuple(
            root if root.op == "zeros_like" else _rounded(root, "like", "like", Node("input", data=k))
            for k, root in enumerate(ready.gradients)
        ),
    )


def _rounded(root: Node, before: str, after: str, *like: Node) -> Node:
    """Rounded to the dtype of the result, or of an input: after channels are joined, or before where they are copied one after
    the other.

    A compiler writes such channels to where they belong as it forms them. Joined first, they would be written in the dtype of the
    arithmetic, and read again to be rounded.
    """
    if root.op == "join_chosen":
        fixed = (replace(root, op=f"join_{own}") for own in CHOSEN.values())
        return Node("by_layout", tuple(_rounded(one, before, after, *like) for one in fixed))
    if root.op == "join_halves":
        return replace(root, args=tuple(Node(before, (channel, *like)) for channel in root.args))
    return Node(after, (root, *like))
