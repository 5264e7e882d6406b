"""Named axes as positions of dimensions."""
from __future__ import annotations

from dataclasses import replace

from ..ir import Node, Program, absent_dims, input_index, leaves_of


def align(program: Program) -> Program:
    """Guarantees: inputs broadcast by their axes' names, and every output has all axes even where it is constant in some."""
    spec = program.spec

    def aligned(node: Node) -> Node:
        index = input_index(node)
        dims = () if index is None else absent_dims(spec, index)
        if not dims:
            return node
        return Node("unsqueeze", (node.named(""),), dims, label=node.label)

    peers = tuple(aligned(leaves_of(spec, k)[0]) for k in range(len(spec.inputs)))
    return replace(
        program.rewrite(aligned), outputs=tuple(_full(program, root, root.rewrite(aligned), peers) for root in program.outputs)
    )


def _full(program: Program, root: Node, ready: Node, peers: tuple[Node, ...]) -> Node:
    """The output, expanded if no input that it depends on has some axis."""
    spec = program.spec
    indices = [index for node in root.walk() if (index := input_index(node)) is not None]
    present = {axis for k in indices for axis in spec.inputs[k].own}
    if set(spec.axes) <= present:
        return ready
    tensor = ready if indices else Node("full_like", (peers[0], ready))
    return Node("expand", (tensor, *peers))
