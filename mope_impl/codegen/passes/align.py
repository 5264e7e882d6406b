"""Named axes as positions of dimensions."""
from __future__ import annotations

from dataclasses import replace

from mope_theory.spec import parse_axes

from ..ir import Node, Program, absent_dims


def align(program: Program) -> Program:
    """Guarantees: inputs broadcast by their axes' names, and every output has all axes even where it is constant in some."""
    spec = program.spec

    def aligned(node: Node) -> Node:
        dims = absent_dims(spec, node.data) if node.op == "input" else ()
        if not dims:
            return node
        return Node("unsqueeze", (node.named(""),), dims, label=node.label)

    peers = tuple(aligned(Node("input", data=k, label=x.symbol.name)) for k, x in enumerate(spec.inputs))
    return replace(
        program.rewrite(aligned), outputs=tuple(_full(program, root, root.rewrite(aligned), peers) for root in program.outputs)
    )


def _full(program: Program, root: Node, ready: Node, peers: tuple[Node, ...]) -> Node:
    """The output, expanded if no input that it depends on has some axis."""
    spec = program.spec
    indices = [node.data for node in root.walk() if node.op == "input"]
    present = {axis for k in indices for axis in parse_axes(spec.inputs[k].axes, spec.inputs[k].name)}
    if set(spec.axes) <= present:
        return ready
    tensor = ready if indices else Node("full_like", (peers[0], ready))
    return Node("expand", (tensor, *peers))
