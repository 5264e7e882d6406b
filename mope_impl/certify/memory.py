"""Memory: buffers that hold an expression at each of their elements, and tensors, which are views of them by strides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .lanes import EMPTY, FREE, Bags, Block, Lanes, Mask, Places, is_sum
from .nodes import Node, Nodes, refuse
from .torch.tensors import Axis

NOTHING = -1
GUARD = 2
"""Elements in front of a tensor and behind it, which belong to none."""


@dataclass(eq=False)
class Buffer:
    """A piece of memory; ``which`` says which of the expressions an element holds, if any."""

    name: str
    dtype: str
    expressions: list[Node]
    which: NDArray[np.int32]
    at: Places
    is_new: bool = False
    bags: Bags | None = None
    launch: int = 0
    """The last launch that wrote to it."""

    def load(self, offsets: NDArray[np.int64], mask: Mask, launch: int, line: int) -> Block:
        """Read some elements. Raises Refused for what lies outside, or was not written yet."""
        if self.launch == launch:
            refuse(f"{self.name} is read in the launch that writes it", line)
        self._within("read", offsets[mask], line)
        if not mask.any():
            at = np.full((*mask.shape, self.at.shape[-1]), FREE, dtype=np.int32)
            return Block({}, at, self.dtype, None, f"a lane that the load in line {line} masks off")
        where = np.where(mask, offsets, offsets[mask][0])
        which = self.which[where]
        if (mask & (which == NOTHING)).any():
            first = int(offsets[mask & (which == NOTHING)][0])
            what = "which nothing has written" if self.is_new else "which belongs to no tensor"
            refuse(f"element {first} of {self.name} is read, {what}", line)
        parts = {self.expressions[k]: mask & (which == k) for k in np.unique(which[mask])}
        bags = None if self.bags is None else self.bags[where]
        return Block(parts, self.at[where], self.dtype, bags, f"a lane that the load in line {line} masks off")

    def store(self, offsets: NDArray[np.int64], value: Block, mask: Mask, launch: int, line: int) -> None:
        """Write some elements, each for the first time. Raises Refused otherwise."""
        if not self.is_new:
            refuse(f"{self.name} is written, which is no new tensor", line)
        self.launch, own = launch, offsets[mask]
        self._within("written", own, line)
        if (mask & ~value.known).any():
            refuse(f"{self.name} is written with {value.unknown}", line)
        if len(np.unique(own)) < own.size or (self.which[own] != NOTHING).any():
            refuse(f"an element of {self.name} is written twice", line)
        for node, lanes in value.parts.items():
            if node not in self.expressions:
                self.expressions.append(node)
            self.which[offsets[mask & lanes]] = self.expressions.index(node)
        self.at[own] = value.at[mask]
        if value.bags is not None:
            width = value.bags.shape[-1]
            old = np.empty((self.which.size, 0), dtype=np.int64) if self.bags is None else self.bags
            self.bags = np.pad(old, ((0, 0), (0, max(width - old.shape[-1], 0))), constant_values=EMPTY)
            self.bags[own, :width] = value.bags[mask]

    def _within(self, done: str, offsets: NDArray[np.int64], line: int) -> None:
        if offsets.size and offsets.max() >= self.which.size:
            refuse(f"element {int(offsets.max())} of {self.name} is {done}, which has {self.which.size}", line)


@dataclass(frozen=True, eq=False)
class Tensor:
    """A view of a buffer: the address of each element. Compared by identity, as autograd does.

    ``source`` says which elements of another tensor these are, as views and copies keep track of.
    """

    buffer: Buffer
    view: NDArray[np.int64]
    source: tuple[Tensor, NDArray[np.int64]] | None = None

    @property
    def dtype(self) -> str:
        return self.buffer.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.view.shape

    @property
    def strides(self) -> tuple[int, ...]:
        return tuple(step // self.view.itemsize for step in self.view.strides)

    @property
    def first(self) -> int:
        """The address of the first element."""
        return int(self.view.flat[0]) if self.view.size else 0

    def read(self, line: int) -> Block:
        """All elements. Raises Refused."""
        return self.buffer.load(self.view, np.ones(self.shape, dtype=bool), -1, line)

    @property
    def origin(self) -> Tensor:
        """The tensor that this is a view of, or a copy."""
        return self.source[0] if self.source else self

    @property
    def elements(self) -> NDArray[np.int64]:
        """Which of its elements these are, by their number."""
        return self.source[1] if self.source else np.arange(self.view.size).reshape(self.shape)


def strided(shape: Sequence[int], strides: Sequence[int], first: int, count: int) -> NDArray[np.int64]:
    """Addresses of the elements of a tensor in a buffer of so many elements."""
    base = np.arange(max(count, 1), dtype=np.int64)[first:]
    return np.lib.stride_tricks.as_strided(base, shape, [step * base.itemsize for step in strides])


def empty(name: str, shape: int | Sequence[int], dtype: str, axes: int) -> Tensor:
    """A new tensor, of which nothing is written yet."""
    view = np.arange(int(np.prod(shape, dtype=np.int64)), dtype=np.int64).reshape(shape)
    which = np.full(view.size, NOTHING, dtype=np.int32)
    return Tensor(Buffer(name, dtype, [], which, np.full((view.size, axes), FREE, dtype=np.int32), True), view)


def new(lanes: Lanes, block: Block, line: int) -> Tensor:
    """A new tensor that holds a block. Raises Refused for what is unknown in it."""
    found = empty(f"the tensor of line {line}", block.shape, block.dtype, len(lanes.sizes))
    found.buffer.store(found.view, block, np.ones(block.shape, dtype=bool), -2, line)
    return found


def viewed(lanes: Lanes, x: Tensor, change: Callable[[Any], Any], line: int) -> Tensor:
    """The same elements under another shape or order of axes: a view, or a copy where no strides give it. Raises ValueError."""
    view, source = change(x.view), (x.origin, change(x.elements))
    if view.size and not np.may_share_memory(view, x.view):
        x = new(lanes, x.read(line), line)
        view = change(x.view)
    return Tensor(x.buffer, view, source)


def summed(lanes: Lanes, x: Tensor, shape: Sequence[int], line: int) -> Tensor:
    """``x.sum_to_size(shape)``. Raises Refused."""
    if len(shape) != len(x.shape) or any(own != to and to != 1 for own, to in zip(x.shape, shape, strict=True)):
        refuse(f"an operation that fails: sum_to_size of {x.shape} to {tuple(shape)}", line)
    if x.shape == tuple(shape):
        return x
    block = x.read(line)
    for axis in (k for k, own in enumerate(x.shape) if own != shape[k]):
        block = lanes.total(block, axis, True, line)
    return new(lanes, block, line)


def through_view(lanes: Lanes, x: Tensor, argument: Tensor, own: Tensor, line: int) -> Tensor:
    """The gradient of x from that of a view of it: as autograd adds up over what was spread. Raises Refused."""
    if argument is x:
        return own
    order, count = np.argsort(argument.elements.reshape(-1), kind="stable"), x.view.size
    block = own.read(line).view(lambda a: a.reshape(order.size, *a.shape[len(own.shape) :])[order])
    if order.size != count and count:
        exact = {(node.args[0] if is_sum(node) and node.op == "cast" else node): on for node, on in block.parts.items()}
        block = replace(block, parts=exact).view(lambda a: a.reshape(count, order.size // count, *a.shape[1:]))
        block = lanes.cast(lanes.total(block, 1, False, line), own.dtype, line)
    return new(lanes, block.view(lambda a: a.reshape((*x.shape, *a.shape[1:]))), line)


def flat(axes: Sequence[Axis]) -> list[str]:
    """The named axes of a tensor, those merged with channels too."""
    parts = [part for axis in axes for part in (axis if isinstance(axis, tuple) else (axis,))]
    return [axis for axis in parts if isinstance(axis, str) and axis != "c"]


def shape(axes: Sequence[Axis], sizes: Mapping[str, int], channels: int) -> tuple[int, ...]:
    """The shape of a tensor."""
    own = {**sizes, "c": channels}
    return tuple(a if isinstance(a, int) else own[a] if isinstance(a, str) else own[a[0]] * own[a[1]] for a in axes)


def elements(axes: Sequence[Axis], sizes: Mapping[str, int], channels: int) -> tuple[Places, NDArray[np.int64]]:
    """The place of each element of a tensor among the axes, FREE along those that it lacks; and its channel."""
    index = np.indices(shape(axes, sizes, channels))
    places, channel = {axis: np.full(index.shape[1:], FREE) for axis in sizes}, np.zeros(index.shape[1:], dtype=np.int64)
    for axis, own in zip(axes, index, strict=True):
        parts = axis if isinstance(axis, tuple) else (axis,)
        inner = channels if parts[-1] == "c" else sizes[parts[-1]] if isinstance(parts[-1], str) else 1
        for part, along in zip(parts, np.divmod(own, inner) if len(parts) > 1 else (own,), strict=True):
            if part == "c":
                channel = along
            elif isinstance(part, str):
                places[part] = along
    return np.stack(list(places.values()), -1).astype(np.int32), channel


def tensor(
    nodes: Nodes, name: str, leaves: Sequence[str], axes: Sequence[Axis], dtype: str, sizes: Mapping[str, int], memory: str
) -> Tensor:
    """An input, or an incoming gradient, one leaf for each channel; ``memory`` is as a case of :mod:`.triton` has it."""
    own = shape(axes, sizes, len(leaves))
    order = range(len(own)) if memory == "transposed" else reversed(range(len(own)))
    steps, step = [0] * len(own), 2 if memory == "spaced" else 1
    still = {k for k, axis in enumerate(axes) if axis == memory or (memory == "all" and name == "grad")}
    for k in order:
        if k not in still:
            steps[k], step = step, step * max(own[k], 1) + (memory == "spaced")
    count = 2 * GUARD + 1 + sum(step * max(size - 1, 0) for step, size in zip(steps, own, strict=True))
    view = strided(own, steps, GUARD, count)
    places, channel = elements(axes, sizes, len(leaves))
    if still and memory != "all":
        places[..., list(sizes).index(memory)] = FREE
    if memory == "all" and name == "grad":
        places, channel = np.full_like(places, FREE), np.zeros_like(channel)
        leaves = leaves if len(leaves) == 1 else [f"{name}.*"]
    which, at = np.full(count, NOTHING, dtype=np.int32), np.full((count, len(sizes)), FREE, dtype=np.int32)
    which[view], at[view] = channel, places
    return Tensor(Buffer(name, dtype, [nodes.make("leaf", dtype=dtype, value=leaf) for leaf in leaves], which, at), view)
