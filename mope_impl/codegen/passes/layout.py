"""Channels joined into the output, the incoming gradient split into channels."""
from __future__ import annotations

from dataclasses import replace

from ..ir import Node, Program


def layout(program: Program) -> Program:
    """Guarantees: one output, or one for each channel if they are separate, with the channels where the output names them."""
    how, count = program.spec.layout, len(program.outputs)

    def split(node: Node) -> Node:
        if node.op != "incoming":
            return node
        if how == "separate":
            return Node("gradient", data=node.data, label=node.label)
        return Node(f"take_{how}", (Node("gradient", data=0),), (node.data, count), label=node.label)

    ready = program.rewrite(split)
    channels = tuple(root.named(f"channel_{k}") for k, root in enumerate(ready.outputs))
    return replace(ready, outputs=channels if how == "separate" else (Node(f"join_{how}", channels),))
