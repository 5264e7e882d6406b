"""Blocks of data: for each lane the expression that it holds, and the place among the named axes that its leaves stand at.

All lanes of a block do the same, so a block is few expressions, each with the lanes that hold it. An expression names its
leaves by input and channel; *where* along the axes they were read is kept apart, one coordinate for each axis, FREE where
nothing depends on it. Two coordinates of one axis never meet in a lane: it becomes unknown then, as one does that was masked
off in a load. What is unknown may reach neither a store nor a sum.

A sum is one expression, that of its terms, and the bag of places that they stand at, each as often as it occurs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .nodes import Node, Nodes, refuse
from .torch.tensors import FLOATS

FREE, EMPTY = -1, -1
SUMMED = ("terms",)
"""The mark of a sum while the axes that it is over are still open."""

Mask = NDArray[np.bool_]
Places = NDArray[np.int32]
"""Coordinates, the axes last."""
Bags = NDArray[np.int64]
"""Codes of the places of a sum's terms, those of one lane last; EMPTY where there is none, or the lane is no sum."""


@dataclass(frozen=True)
class Block:
    """Values of one dtype, one for each lane; a lane of no part is unknown, and ``unknown`` says why."""

    parts: Mapping[Node, Mask]
    at: Places
    dtype: str
    bags: Bags | None = None
    unknown: str = ""

    @property
    def shape(self) -> tuple[int, ...]:
        return self.at.shape[:-1]

    @property
    def known(self) -> Mask:
        return self.lanes(lambda node: True)

    def lanes(self, choose: Callable[[Node], bool]) -> Mask:
        """The lanes of chosen expressions."""
        found = np.zeros(self.shape, dtype=bool)
        for node, lanes in self.parts.items():
            if choose(node):
                found = found | lanes
        return found

    def view(self, change: Callable[[Any], Any]) -> Block:
        """The block under a change of the leading axes of an array, as a new axis is."""
        parts = {node: change(lanes) for node, lanes in self.parts.items()}
        return Block(parts, change(self.at), self.dtype, None if self.bags is None else change(self.bags), self.unknown)

    def spread(self, shape: tuple[int, ...]) -> Block:
        """The block broadcast to a shape. Raises ValueError."""
        parts = {node: np.broadcast_to(lanes, shape) for node, lanes in self.parts.items()}
        bags = None if self.bags is None else np.broadcast_to(self.bags, (*shape, self.bags.shape[-1]))
        return Block(parts, np.broadcast_to(self.at, (*shape, self.at.shape[-1])), self.dtype, bags, self.unknown)


def is_sum(node: Node) -> bool:
    """Whether a node is a sum, or one that was rounded to another dtype."""
    while node.op == "cast":
        (node,) = node.args
    return node.op == "sum"


def is_zero(node: Node) -> bool:
    """Whether a node is 0 as it is written, rounded or not, with a sign or a constant factor."""
    if node.op in ("cast", "neg"):
        return is_zero(node.args[0])
    if node.op == "mul" and all(arg.op == "const" or is_zero(arg) for arg in node.args):
        return any(map(is_zero, node.args))
    return node.op == "const" and node.value == 0


def put(into: Bags | None, bags: Bags, lanes: Mask) -> Bags:
    """Bags with those of some lanes replaced."""
    if into is None:
        into = np.full((*lanes.shape, 0), EMPTY, dtype=np.int64)
    width = max(into.shape[-1], bags.shape[-1])
    old, new = (np.pad(x, [(0, 0)] * lanes.ndim + [(0, width - x.shape[-1])], constant_values=EMPTY) for x in (into, bags))
    return np.where(lanes[..., None], new, old)


@dataclass
class Lanes:
    """Operations on the blocks of one run; ``sizes`` are those of the axes."""

    nodes: Nodes
    sizes: tuple[int, ...]
    _met: dict[tuple[int, int], tuple[Places, Places, Places, Mask]] = field(default_factory=dict)

    def constant(self, node: Node) -> Block:
        """One value that is the same everywhere."""
        return Block({node: np.ones((), dtype=bool)}, np.full(len(self.sizes), FREE, dtype=np.int32), node.dtype)

    def codes(self, at: Places) -> NDArray[np.int64]:
        """One number for each place."""
        code = np.zeros(at.shape[:-1], dtype=np.int64)
        for axis, size in enumerate(self.sizes):
            code = code * (size + 1) + at[..., axis] + 1
        return code

    def places(self, codes: NDArray[np.int64]) -> Places:
        """The places of codes."""
        at = np.empty((*codes.shape, len(self.sizes)), dtype=np.int32)
        for axis in reversed(range(len(self.sizes))):
            codes, at[..., axis] = np.divmod(codes, self.sizes[axis] + 1)
        return at - 1

    def bags(self, block: Block) -> Bags:
        """The bags of a block, of one term where a lane is no sum, of none where it is 0."""
        plain = block.lanes(lambda node: not is_sum(node) and not is_zero(node))
        return put(block.bags, self.codes(block.at)[..., None], plain)

    def meet(self, one: Places, two: Places) -> tuple[Places, Mask]:
        """The places where both stand, and the lanes in which they do not contradict each other."""
        key = (id(one), id(two))
        if key not in self._met:
            fits = ~np.any((one != FREE) & (two != FREE) & (one != two), axis=-1)
            self._met[key] = (one, two, np.maximum(one, two), fits)  # the first two are held, so that no other takes their id
        return self._met[key][2:]

    def apply(self, op: str, given: Sequence[Block], dtype: str, line: int) -> Block:
        """An operation lane by lane; of a sum only what is linear. Raises Refused, or ValueError for shapes that do not match."""
        at, fits = given[0].at, np.ones((), dtype=bool)
        for block in given[1:]:
            at, agree = self.meet(at, block.at)
            fits = fits & agree
        shape = at.shape[:-1]
        parts: dict[Node, Mask] = {}
        bags: Bags | None = None
        for chosen in product(*(block.parts.items() for block in given)):
            args = [node for node, _ in chosen]
            adds = op == "add" and any(is_sum(node) or is_zero(node) for node in args)
            lanes: Mask = np.broadcast_to(np.True_ if adds else fits, shape)
            for _, holding in chosen:
                lanes = lanes & holding
            if not lanes.any():
                continue
            node = self._added(args, dtype, line) if adds else self._made(op, args, dtype, line)
            if is_sum(node):
                if adds:
                    own = np.concatenate([self.bags(block.spread(shape)) for block in given], -1)
                else:
                    summed = next(block for block, arg in zip(given, args, strict=True) if is_sum(arg))
                    own, fit = self._placed(self.bags(summed.spread(shape)), at)
                    lanes = lanes & fit
                bags = put(bags, own, lanes)
            parts[node] = parts[node] | lanes if node in parts else lanes
        if bags is not None:
            at = np.where((bags != EMPTY).any(-1)[..., None], FREE, at)
        unknown = next((block.unknown for block in given if not block.known.all()), "")
        return Block(parts, at, dtype, bags, unknown or f"what stands at two places of one axis, and meets in line {line}")

    def _made(self, op: str, args: list[Node], dtype: str, line: int) -> Node:
        """The node of an operation; a factor of a sum is one of its terms."""
        sums = [k for k, node in enumerate(args) if is_sum(node)]
        if not sums or op == "cast":
            return self.nodes.make(op, args, dtype, lines=[line])
        linear = op == "neg" or (op == "mul" and len(sums) == 1) or (op == "div" and sums == [0])
        if not linear or args[sums[0]].op != "sum":
            refuse(f"{op} of {'a sum' if args[sums[0]].op == 'sum' else 'a rounded sum'}", line)
        inner = [node.args[0] if node.op == "sum" else node for node in args]
        return self.nodes.make("sum", [self.nodes.make(op, inner, dtype, lines=[line])], dtype, SUMMED, [line])

    def _added(self, args: list[Node], dtype: str, line: int) -> Node:
        """Terms that are added to a sum, or to 0, which is a sum without terms."""
        terms = {node.args[0] if node.op == "sum" else node for node in args if not is_zero(node)}
        if not terms:
            return args[0]
        if len(terms) > 1 or any(is_sum(term) for term in terms):
            refuse("a sum of different terms", line)
        return self.nodes.make("sum", terms, dtype, SUMMED, [line])

    def _placed(self, bags: Bags, at: Places) -> tuple[Bags, Mask]:
        """The bags of sums that are multiplied by what stands at a place, and where that is a place of each term."""
        both, fits = Lanes(self.nodes, self.sizes).meet(self.places(np.maximum(bags, 0)), at[..., None, :])
        return np.where(bags == EMPTY, EMPTY, self.codes(both)), (fits | (bags == EMPTY)).all(-1)

    def cast(self, block: Block, dtype: str, line: int) -> Block:
        """A block in another dtype; a condition becomes 1 or 0. Raises Refused for what is neither, and for integers."""
        if dtype not in FLOATS:
            refuse(f"conversion of {block.dtype} to {dtype}", line)
        if block.dtype == dtype:
            return block
        return self.apply("indicator" if block.dtype == "bool" else "cast", [block], dtype, line)

    def pick(self, mask: Mask, one: Block, two: Block) -> Block:
        """One block where a mask holds, else the other. Raises ValueError for shapes that do not match."""
        shape = np.broadcast_shapes(mask.shape, one.shape, two.shape)
        one, two, mask = one.spread(shape), two.spread(shape), np.broadcast_to(mask, shape)
        parts: dict[Node, Mask] = {}
        bags: Bags | None = None
        for block, where in ((one, mask), (two, ~mask)):
            for node, lanes in block.parts.items():
                parts[node] = parts[node] | (lanes & where) if node in parts else lanes & where
            if block.bags is not None:
                bags = put(bags, block.bags, where)
        return Block(parts, np.where(mask[..., None], one.at, two.at), one.dtype, bags, one.unknown or two.unknown)

    def total(self, block: Block, axis: int, keep: bool, line: int) -> Block:
        """The sum along an axis: what is 0 in a lane adds nothing; all other lanes hold one expression. Raises Refused."""
        known: Mask = np.asarray(block.known.all(axis, keepdims=keep))
        parts: dict[Node, Mask] = {}
        rest = known.copy()
        for node, lanes in block.parts.items():
            here: Mask = np.asarray(lanes.any(axis, keepdims=keep) & known)
            if is_zero(node) or not here.any():
                continue
            if is_sum(node) and node.op != "sum":
                refuse("a sum of rounded sums", line)
            if (here & ~rest).any():
                refuse("a sum of different terms", line)
            own = self.nodes.make("sum", [node.args[0] if node.op == "sum" else node], block.dtype, SUMMED, [line])
            parts[own] = parts[own] | here if own in parts else here
            rest &= ~here
        if rest.any():
            parts[self.nodes.make("const", dtype=block.dtype, value=Fraction(0), lines=[line])] = rest
        bags = np.moveaxis(self.bags(block), axis, -2)
        bags = np.sort(bags.reshape((*bags.shape[:-2], bags.shape[-2] * bags.shape[-1])), -1)
        most = int((bags != EMPTY).sum(-1).max(initial=0))
        bags = bags[..., bags.shape[-1] - most :]
        free = np.full((*known.shape, len(self.sizes)), FREE, dtype=np.int32)
        return Block(parts, free, block.dtype, np.expand_dims(bags, axis) if keep else bags, block.unknown)
