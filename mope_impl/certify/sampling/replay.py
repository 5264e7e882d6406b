"""Recovered operations carried out by torch, one after the other: what a file computes, found without running it.

Every node is one operation of torch on tensors of its dtype, so that the result is that of the file bit for bit; the tests hold
it against the executed file. A sum has one term unless its axes are said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

import torch

from ..nodes import Node

DTYPES = {"bfloat16": torch.bfloat16, "float16": torch.float16, "float32": torch.float32, "float64": torch.float64}
SAME_NAME = "neg add sub mul div abs sign exp exp2 cos sin sigmoid square lt le gt ge where"
OPERATIONS = {name: getattr(torch, name) for name in SAME_NAME.split()}


def replay(
    node: Node, values: Mapping[str, torch.Tensor], order: Sequence[str] = (), memo: dict[int, torch.Tensor] | None = None
) -> torch.Tensor:
    """The value of a node, with one tensor for each leaf.

    order: the named axes of the tensors, one dimension each, along which sums are taken; without it a sum has one term. memo:
    values of nodes that are known already. Raises ValueError for an operation that torch has under no name of these.
    """
    known = {} if memo is None else memo
    for one in below(node):
        if one.number not in known:
            known[one.number] = _carried_out(one, [known[arg.number] for arg in one.args], values, order)
    return known[node.number]


@lru_cache(maxsize=32)
def below(node: Node) -> tuple[Node, ...]:
    """A node and all that it is computed from, each once, arguments first."""
    found: dict[int, Node] = {}
    open_ones = [(node, False)]
    while open_ones:
        one, are_done = open_ones.pop()
        if are_done:
            found[one.number] = one
        elif one.number not in found:
            open_ones += [(one, True), *((arg, False) for arg in reversed(one.args))]
    return tuple(found.values())


def _carried_out(
    node: Node, parts: Sequence[torch.Tensor], values: Mapping[str, torch.Tensor], order: Sequence[str]
) -> torch.Tensor:
    if node.op == "leaf":
        return values[str(node.value)]
    if node.op == "nan":
        return torch.tensor(float("nan"), dtype=DTYPES[node.dtype])
    if node.op == "const":
        assert isinstance(node.value, Fraction)
        return torch.tensor(float(node.value), dtype=DTYPES[node.dtype])
    if node.op in ("cast", "indicator"):
        return parts[0].to(DTYPES[node.dtype])
    if node.op == "sum":
        assert isinstance(node.value, tuple)
        return parts[0].sum([order.index(axis) for axis in node.value], keepdim=True) if order else parts[0]
    if node.op not in OPERATIONS:
        raise ValueError(f"{node.op} is no operation that can be carried out")
    return OPERATIONS[node.op](*parts)
