"""Number formats: float64 inside, one rounding on the way out."""
from __future__ import annotations

from dataclasses import replace

from ..ir import Node, Program

SHAPED = ("sum_to", "zeros_like")
"""Operations that look at the shape and dtype of an input, not at its values."""


def typify(program: Program) -> Program:
    """Guarantees: values of inputs and incoming gradients are read as float64, outputs are rounded once to the dtype of the
    result, gradients once to the dtype of their inputs."""

    def read(node: Node) -> Node:
        if node.op in ("input", "gradient"):
            return Node("compute", (node.named(""),), label=node.label)
        if node.op in SHAPED:
            return replace(node, args=(*node.args[:-1], node.args[-1].args[0]))
        if node.op.startswith("take_"):  # the parts are cast, not the whole: what is not needed is not converted
            return Node("compute", (replace(node, args=node.args[0].args, label=""),), label=node.label)
        return node

    ready = program.rewrite(read)
    return replace(
        ready,
        outputs=tuple(Node("result", (root,)) for root in ready.outputs),
        gradients=tuple(
            root if root.op == "zeros_like" else Node("like", (root, Node("input", data=k)))
            for k, root in enumerate(ready.gradients)
        ),
    )
