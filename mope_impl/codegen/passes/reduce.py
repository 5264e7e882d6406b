"""Gradients summed over the axes that their inputs lack."""
from __future__ import annotations

from dataclasses import replace

from ..ir import Node, Program, absent_dims, literal

ZERO = literal(0.0)


def reduce(program: Program) -> Program:
    """Guarantees: one gradient an input, of the input's own shape; one that does not depend on its input is zero, not absent."""
    summands, gradients = iter(program.gradients), []
    for k, x in enumerate(program.spec.inputs):
        parts = [(next(summands), symbol.name if x.has_channels else x.name) for symbol in x.symbols]
        gradients.append(_reduced(program, k, [_summed(program, k, *part) for part in parts]))
    return replace(program, gradients=tuple(gradients))


def _summed(program: Program, index: int, summand: Node, name: str) -> Node:
    """The summand, summed over the axes that the input lacks."""
    if summand == ZERO:
        return ZERO
    dims, summand = absent_dims(program.spec, index), summand.named(f"d_{name}")
    return Node("sum", (summand,), dims) if dims else summand


def _reduced(program: Program, index: int, parts: list[Node]) -> Node:
    """The gradient of an input from those of its channels, in the shape of the input where that was broadcast.

    A gradient is linear in the incoming one, so that those of all channels have its shape.
    """
    x, own = program.spec.inputs[index], Node("input", data=index)
    live = next((part for part in parts if part != ZERO), None)
    if live is None:
        return Node("zeros_like", (own,))
    if not x.has_channels:
        return Node("sum_to", (live, own))
    # Channel by channel, so that each can be rounded before they are joined.
    ready = [Node("full_like", (live, ZERO)) if part == ZERO else part for part in parts]
    channel = Node("part", data=(index, 0))
    return Node("join", tuple(Node("sum_to", (part.named(""), channel), label=part.label) for part in ready), index)
