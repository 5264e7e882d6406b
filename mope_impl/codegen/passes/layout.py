"""Channels joined into the output, and inputs and incoming gradients split into channels."""
from __future__ import annotations

from dataclasses import replace

from ..ir import Node, Program


def layout(program: Program) -> Program:
    """Guarantees: one output, or one for each channel if they are separate, with the channels where the output names them;
    the channels of an input, and of its gradient, where the input names them."""
    how, inputs = program.spec.layout, program.spec.inputs
    count = len(program.outputs)

    def placed(node: Node) -> Node:
        if node.op == "part":
            index, place = node.data
            source = Node("input", data=index)
            return Node(f"take_{inputs[index].layout}", (source,), (place, len(inputs[index].symbols)), label=node.label)
        if node.op == "join":
            return replace(node, op=f"join_{inputs[node.data].layout}", data=None)
        if node.op != "incoming":
            return node
        if how == "separate":
            return Node("gradient", data=node.data, label=node.label)
        return Node(f"take_{how}", (Node("gradient", data=0),), (node.data, count), label=node.label)

    ready = program.rewrite(placed)
    channels = tuple(root.named(f"channel_{k}") for k, root in enumerate(ready.outputs))
    if how == "separate":
        return replace(ready, outputs=channels)
    return replace(ready, outputs=(Node(f"join_{how}", channels),))
