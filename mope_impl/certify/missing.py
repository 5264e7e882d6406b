"""What a file gives for an input that is NaN: NaN, or a number where a branch leaves the input out.

A comparison with NaN does not hold, torch's sign of NaN is 0, and every other operation on NaN gives NaN. So which inputs a
result may lose follows from its operations alone, whatever the other inputs are.
"""

from __future__ import annotations

from typing import Literal

from .nodes import Node

Given = Literal["NaN", "NaN or a number", "a number"]
COMPARED = frozenset(("lt", "le", "gt", "ge"))


def given_nan(node: Node, name: str) -> Given:
    """The value of a node where the leaf of that name is NaN and every other input is a number within its domain."""
    return _value(node, name, {})


def _value(node: Node, name: str, memo: dict[int, Given]) -> Given:
    if node.number not in memo:
        memo[node.number] = _found(node, name, memo)
    return memo[node.number]


def _found(node: Node, name: str, memo: dict[int, Given]) -> Given:
    if node.op == "leaf":
        return "NaN" if node.value == name else "a number"
    if node.op == "nan":
        return "NaN"
    if node.op == "sign":
        return "a number"
    parts = [_value(arg, name, memo) for arg in node.args]
    if node.op in COMPARED or node.op == "indicator":
        # what a condition may depend on; one that is NaN on a side does not hold
        return "NaN" if "NaN" in parts else "NaN or a number" if "NaN or a number" in parts else "a number"
    if node.op == "where":
        if parts[0] == "NaN":
            return parts[2]
        # what lies outside a domain is written as NaN, and the other inputs lie within
        chosen = {part for part, arg in zip(parts[1:], node.args[1:], strict=True) if arg.op != "nan"}
        return chosen.pop() if len(chosen) == 1 else "NaN or a number"
    if "NaN" in parts:
        return "NaN"
    return "NaN or a number" if "NaN or a number" in parts else "a number"
