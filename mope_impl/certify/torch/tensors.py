"""Tensors of any size: named axes in place of sizes, and a node for each channel.

An axis is a name, 1, ``"c"`` for the channels, or the channels merged with the last axis: ``("n", "c")`` side by side,
``("c", "n")`` one after the other. Two different names never broadcast, so that what is found holds for all sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ..nodes import Node, Nodes, refuse

Axis = str | int | tuple[str, str]

FLOATS = ("float16", "bfloat16", "float32", "float64")
RANKS = {"bool": 0, "int32": 1, "int64": 1, "float16": 2, "bfloat16": 2, "float32": 3, "float64": 4}


@dataclass(frozen=True, eq=False)
class Tensor:
    """Axes, one node a channel (one in all without channels), and a dtype. Compared by identity, as autograd does."""

    axes: tuple[Axis, ...]
    nodes: tuple[Node, ...]
    dtype: str

    def each(self, change: Callable[[Node], Node], dtype: str | None = None) -> Tensor:
        return Tensor(self.axes, tuple(map(change, self.nodes)), dtype or self.dtype)


@dataclass(frozen=True)
class Shape:
    """What ``tensor.shape`` gives, and how many channels are in it."""

    axes: tuple[Axis, ...]
    channels: int


def promoted(one: str, two: str) -> str:
    """As torch.promote_types; two floating-point dtypes of 16 bits give float32."""
    if one == two:
        return one
    if RANKS[one] == RANKS[two]:
        return "float32" if RANKS[one] == RANKS["float16"] else "int64"
    return one if RANKS[one] > RANKS[two] else two


def is_merged(axis: Axis) -> bool:
    return isinstance(axis, tuple)


def broadcast(tensors: Sequence[Tensor], line: int) -> tuple[tuple[Axis, ...], int]:
    """Axes of an operation element by element, and how many channels it has. Raises Refused for axes that do not match."""
    axes: tuple[Axis, ...] = ()
    for tensor in tensors:
        pairs = zip_longest(reversed(axes), reversed(tensor.axes), fillvalue=1)
        met: list[Axis] = []
        for one, two in pairs:
            if one != two and 1 not in (one, two):
                refuse(f"axis {shown(one)} meets axis {shown(two)}", line)
            met.append(two if one == 1 else one)
        axes = tuple(reversed(met))
    if len({a for a in axes if isinstance(a, str)}) < sum(isinstance(a, str) for a in axes):
        refuse(f"an axis occurs twice in ({', '.join(map(shown, axes))})", line)
    counts = {len(t.nodes) for t in tensors} - {1}
    if len(counts) > 1:
        refuse("different numbers of channels", line)
    return axes, counts.pop() if counts else 1


def shown(axis: Axis) -> str:
    return f"({' '.join(axis)})" if isinstance(axis, tuple) else str(axis)


def cast(nodes: Nodes, tensor: Tensor, dtype: str, line: int) -> Tensor:
    """``tensor.to(dtype)``; towards integers it truncates, and is refused."""
    if dtype == tensor.dtype:
        return Tensor(tensor.axes, tensor.nodes, dtype)
    if dtype not in FLOATS:
        refuse(f"conversion of {tensor.dtype} to {dtype}", line)
    op = "indicator" if tensor.dtype == "bool" else "cast"
    return tensor.each(lambda node: nodes.make(op, [node], dtype, lines=[line]), dtype)


def unwritten(nodes: Nodes, dtype: str, line: int) -> Tensor:
    """``tensor.new_empty(())``: no axes, and no value that anything could be made of."""
    return Tensor((), (nodes.make("unwritten", dtype=dtype, lines=[line]),), dtype)


def unsqueeze(tensor: Tensor, place: int, line: int) -> Tensor:
    """``tensor.unsqueeze(place)``."""
    rank = len(tensor.axes)
    if not -rank - 1 <= place <= rank:
        refuse(f"unsqueeze({place}) of {rank} axes", line)
    axes = list(tensor.axes)
    axes.insert(place if place >= 0 else rank + 1 + place, 1)
    return Tensor(tuple(axes), tensor.nodes, tensor.dtype)


def total(nodes: Nodes, tensor: Tensor, places: Sequence[int], line: int) -> Tensor:
    """``tensor.sum(places)``: the places drop out, and their names are the mark of the sum."""
    rank = len(tensor.axes)
    if not places or not all(-rank <= place < rank for place in places):
        refuse(f"sum over {tuple(places)} of {rank} axes", line)
    gone = {place % rank for place in places}
    if len(gone) < len(places):
        refuse("sum over one axis twice", line)
    axes = tuple(axis for place, axis in enumerate(tensor.axes) if place not in gone)
    return Tensor(axes, _marked(nodes, tensor, [tensor.axes[k] for k in sorted(gone)], line), tensor.dtype)


def sum_to_size(nodes: Nodes, tensor: Tensor, axes: tuple[Axis, ...], line: int) -> Tensor:
    """``tensor.sum_to_size(axes)``: over the leading axes that the target lacks, and those where it has 1."""
    extra = len(tensor.axes) - len(axes)
    if extra < 0:
        refuse("sum_to_size to more axes", line)
    gone = list(tensor.axes[:extra])
    for own, wanted in zip(tensor.axes[extra:], axes, strict=True):
        if own != wanted and wanted != 1:
            refuse(f"sum_to_size of axis {shown(own)} to axis {shown(wanted)}", line)
        if own != wanted:
            gone.append(own)
    return Tensor(axes, _marked(nodes, tensor, gone, line), tensor.dtype)


def _marked(nodes: Nodes, tensor: Tensor, gone: Sequence[Axis], line: int) -> tuple[Node, ...]:
    names = tuple(sorted(axis for axis in gone if isinstance(axis, str)))
    if any(is_merged(axis) for axis in gone) or "c" in names:
        refuse("sum over an axis of channels", line)
    if tensor.dtype not in FLOATS:
        refuse(f"sum of {tensor.dtype}", line)
    if not names:
        return tensor.nodes
    return tuple(nodes.make("sum", [node], tensor.dtype, names, [line]) for node in tensor.nodes)


def joined(tensors: Sequence[Tensor], stacked: bool, count: int, line: int) -> Tensor:
    """``torch.stack(tensors, -1)``, or ``torch.cat(tensors, -1)``, of one tensor for each channel."""
    first = tensors[0]
    if len(tensors) != count or any(t.axes != first.axes or t.dtype != first.dtype or len(t.nodes) != 1 for t in tensors):
        refuse(f"join of other than {count} like tensors of a channel each", line)
    if stacked:
        axes = (*first.axes, "c")
    elif first.axes and isinstance(first.axes[-1], str):
        axes = (*first.axes[:-1], ("c", first.axes[-1]))
    else:
        refuse("torch.cat along an axis of size 1", line)
    return Tensor(axes, tuple(t.nodes[0] for t in tensors), first.dtype)


def flattened(tensor: Tensor, place: int, line: int) -> Tensor:
    """``tensor.flatten(-2)`` of channels that come last."""
    if place != -2 or len(tensor.axes) < 2 or tensor.axes[-1] != "c" or not isinstance(tensor.axes[-2], str):
        refuse(f"flatten({place}) of ({', '.join(map(shown, tensor.axes))})", line)
    return Tensor((*tensor.axes[:-2], (tensor.axes[-2], "c")), tensor.nodes, tensor.dtype)


def halves(tensor: Tensor, count: int, line: int) -> tuple[Tensor, ...]:
    """``tensor.chunk(count, -1)`` of channels that lie one after the other."""
    last = tensor.axes[-1] if tensor.axes else 1
    if not (isinstance(last, tuple) and last[0] == "c") or count != len(tensor.nodes):
        refuse(f"chunk({count}, -1) along axis {shown(last)}", line)
    return tuple(Tensor((*tensor.axes[:-1], last[1]), (node,), tensor.dtype) for node in tensor.nodes)


def strided(tensor: Tensor, start: int, step: int, line: int) -> Tensor:
    """``tensor[..., start::step]`` of channels that lie side by side."""
    last = tensor.axes[-1] if tensor.axes else 1
    if not (isinstance(last, tuple) and last[1] == "c") or step != len(tensor.nodes) or not 0 <= start < step:
        refuse(f"slice {start}::{step} along axis {shown(last)}", line)
    return Tensor((*tensor.axes[:-1], last[0]), (tensor.nodes[start],), tensor.dtype)
