"""Inputs that must be positive."""
from __future__ import annotations

from ..ir import Node, Program


def domain(program: Program) -> Program:
    """Guarantees: where an input whose domain is positive is zero, negative or NaN, all that depends on it is NaN."""

    def rule(node: Node) -> Node:
        if node.op == "input" and program.spec.inputs[node.data].is_positive:
            return Node("positive", (node,), label=f"positive_{node.label}")
        return node

    return program.rewrite(rule)
