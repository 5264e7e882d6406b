"""Gradients summed over the axes that their inputs lack."""
from __future__ import annotations

from dataclasses import replace

from ..ir import Node, Program, absent_dims, literal


def reduce(program: Program) -> Program:
    """Guarantees: each gradient has its input's own shape; one that does not depend on its input is zero, not absent."""
    return replace(program, gradients=tuple(_reduced(program, k, root) for k, root in enumerate(program.gradients)))


def _reduced(program: Program, index: int, summand: Node) -> Node:
    own = Node("input", data=index)
    if summand == literal(0.0):
        return Node("zeros_like", (own,))
    dims, summand = absent_dims(program.spec, index), summand.named(f"d_{program.spec.inputs[index].name}")
    summed = Node("sum", (summand,), dims) if dims else summand
    return Node("sum_to", (summed, own))
