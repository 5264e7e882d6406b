"""What each operation that a file may use means on symbolic tensors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..nodes import Node, Nodes, Refused, refuse
from . import tensors
from .tensors import FLOATS, Shape, Tensor

ARITHMETIC = {"Add": "add", "Sub": "sub", "Mult": "mul", "Div": "div"}
ORDERS = {"Lt": "lt", "LtE": "le", "Gt": "gt", "GtE": "ge"}
UNARY = frozenset("abs cos sin exp exp2 sigmoid sign square neg".split())


@dataclass(frozen=True)
class DType:
    """A dtype as a value of the file."""

    name: str


@dataclass(frozen=True)
class Kind:
    """A type that ``isinstance`` may ask for."""

    name: str


def number(value: Any) -> bool:
    return type(value) in (int, float)


def elementwise(nodes: Nodes, op: str, given: tuple[Any, ...], line: int, dtype: str | None = None) -> Tensor:
    """An operation on tensors of one dtype, which their dtypes are promoted to, and on numbers, which take it."""
    parts = [x for x in given if isinstance(x, Tensor)]
    if not parts or not all(isinstance(x, Tensor) or number(x) for x in given):
        refuse(f"operands of {op}", line)
    common = parts[0].dtype
    for x in parts[1:]:
        common = tensors.promoted(common, x.dtype)
    if any(x.dtype != common for x in parts) and any(not x.axes for x in parts):
        refuse("different dtypes with a tensor without axes", line)
    if common not in FLOATS and op not in ("abs", "sign", "neg"):
        refuse(f"{op} of {common}", line)
    axes, count = tensors.broadcast(parts, line)

    def node(x: Any, channel: int) -> Node:
        if not isinstance(x, Tensor):
            return constant(nodes, x, common, line)
        own = x.nodes[channel if len(x.nodes) > 1 else 0]
        return own if x.dtype == common else nodes.make("cast", [own], common, lines=[line])

    result = dtype or common
    made = (nodes.make(op, [node(x, k) for x in given], result, lines=[line]) for k in range(count))
    return Tensor(axes, tuple(made), result)


def constant(nodes: Nodes, value: int | float, dtype: str, line: int) -> Node:
    """A literal as it is written: 1e-08 is 10⁻⁸, and that no float is exactly that belongs to the rounding errors."""
    if isinstance(value, float) and math.isnan(value):
        return nodes.make("nan", dtype=dtype, lines=[line])
    if isinstance(value, float) and math.isinf(value):
        refuse("an infinite constant", line)
    return nodes.make("const", dtype=dtype, value=Fraction(repr(value)), lines=[line])


def binary(nodes: Nodes, op: str, one: Any, two: Any, line: int) -> Any:
    """An arithmetic operation of tensors and numbers; a power of a tensor is its square."""
    if op == "Mult" and type(one) is list and type(two) is int and 0 <= two <= 64:
        return one * two
    if op == "Pow" and isinstance(one, Tensor) and type(two) is int and two == 2:
        return elementwise(nodes, "square", (one,), line)
    if op not in ARITHMETIC or not (isinstance(one, Tensor) or isinstance(two, Tensor)):
        refuse(f"{op} of what are no tensors", line)
    return elementwise(nodes, ARITHMETIC[op], (one, two), line)


def compared(nodes: Nodes, op: str, one: Any, two: Any, line: int) -> Any:
    """An order of tensors element by element; anything else is decided at once."""
    if op in ORDERS and (isinstance(one, Tensor) or isinstance(two, Tensor)):
        return elementwise(nodes, ORDERS[op], (one, two), line, "bool")
    if op in ("Is", "IsNot") and two is None:
        return (one is None) == (op == "Is")
    if op in ("Eq", "NotEq") and isinstance(one, (str, DType)) and type(one) is type(two):
        return (one == two) == (op == "Eq")
    if op in ("In", "NotIn") and isinstance(one, (str, DType)) and isinstance(two, tuple):
        return any(type(x) is type(one) and x == one for x in two) == (op == "In")
    raise Refused(f"comparison {op}", line)


def attribute(owner: Any, name: str, line: int) -> Any:
    """An attribute of a tensor or of a dtype."""
    if isinstance(owner, Tensor) and name == "dtype":
        return DType(owner.dtype)
    if isinstance(owner, Tensor) and name == "shape":
        return Shape(owner.axes, len(owner.nodes))
    if isinstance(owner, DType) and name == "is_floating_point":
        return owner.name in FLOATS
    raise Refused(f"attribute {name} of {type(owner).__name__}", line)


def subscript(owner: Any, place: Any, line: int) -> Any:
    """A member or a part of a tuple; of a tensor a new axis, or the channels that a stride picks."""
    if isinstance(owner, tuple):
        if type(place) is int and -len(owner) <= place < len(owner):
            return owner[place]
        if isinstance(place, slice) and all(x is None or type(x) is int for x in (place.start, place.stop, place.step)):
            return owner[place]
    if isinstance(owner, Tensor) and isinstance(place, tuple) and len(place) == 2 and place[0] is Ellipsis:
        if place[1] is None:
            return tensors.unsqueeze(owner, -1, line)
        picked = place[1]
        if isinstance(picked, slice) and type(picked.start) is int and type(picked.step) is int and picked.stop is None:
            return tensors.strided(owner, picked.start, picked.step, line)
        if type(picked) is int and owner.axes and owner.axes[-1] == "c" and 0 <= picked < len(owner.nodes):
            return Tensor(owner.axes[:-1], (owner.nodes[picked],), owner.dtype)
    raise Refused(f"index of {type(owner).__name__}", line)


def call_of_torch(nodes: Nodes, name: str, given: tuple[Any, ...], line: int, channels: int) -> Any:
    """A function of torch."""
    match name, given:
        case _, (Tensor() as x,) if name in UNARY:
            return elementwise(nodes, name, (x,), line)
        case "where", (Tensor() as condition, one, two) if condition.dtype == "bool":
            return _where(nodes, condition, one, two, line)
        case (("stack" | "cat"), (tuple(parts), -1)) if parts and all(isinstance(x, Tensor) for x in parts):
            return tensors.joined(parts, name == "stack", channels, line)
        case "full_like", (Tensor() as x, value) if number(value) and x.dtype in FLOATS and not _has_channels(x):
            return Tensor(x.axes, (constant(nodes, value, x.dtype, line),), x.dtype)
        case "zeros_like", (Tensor() as x,) if x.dtype in FLOATS and not _has_channels(x):
            return Tensor(x.axes, (constant(nodes, 0, x.dtype, line),), x.dtype)
        case "promote_types", (DType() as one, DType() as two):
            return DType(tensors.promoted(one.name, two.name))
        case _:
            raise Refused(f"torch.{name} of these arguments", line)


def _has_channels(x: Tensor) -> bool:
    return len(x.nodes) > 1 or any(axis == "c" or isinstance(axis, tuple) for axis in x.axes)


def _where(nodes: Nodes, condition: Tensor, one: Any, two: Any, line: int) -> Tensor:
    branches = [x for x in (one, two) if isinstance(x, Tensor)]
    if not branches or not all(isinstance(x, Tensor) or number(x) for x in (one, two)):
        refuse("torch.where of these arguments", line)
    dtype = branches[0].dtype
    if dtype not in FLOATS or any(x.dtype != dtype for x in branches):
        refuse(f"torch.where of {' and '.join(x.dtype for x in branches)}", line)
    axes, count = tensors.broadcast([condition, *branches], line)

    def node(x: Any, channel: int) -> Node:
        return x.nodes[channel if len(x.nodes) > 1 else 0] if isinstance(x, Tensor) else constant(nodes, x, dtype, line)

    made = (nodes.make("where", [node(x, k) for x in (condition, one, two)], dtype, lines=[line]) for k in range(count))
    return Tensor(axes, tuple(made), dtype)


def method(nodes: Nodes, owner: Any, name: str, given: tuple[Any, ...], options: Mapping[str, Any], line: int) -> Any:
    """A method of a tensor."""
    if not isinstance(owner, Tensor):
        refuse(f"{name} of {type(owner).__name__}", line)
    if options and not (name == "to" and set(options) == {"copy"} and isinstance(options["copy"], bool)):
        refuse(f"{', '.join(options)} of {name}", line)
    match name, given:
        case "to", (DType(name=dtype),):
            return tensors.cast(nodes, owner, dtype, line)
        case "unsqueeze", (int(place),):
            return tensors.unsqueeze(owner, place, line)
        case "sum", (int(place),):
            return tensors.total(nodes, owner, (place,), line)
        case "sum", (tuple(places),) if all(type(x) is int for x in places):
            return tensors.total(nodes, owner, places, line)
        case "sum_to_size", (Shape(axes=axes),):
            return tensors.sum_to_size(nodes, owner, axes, line)
        case "flatten", (int(place),):
            return tensors.flattened(owner, place, line)
        case "new_empty", ((),):
            return tensors.unwritten(nodes, owner.dtype, line)
        case "expand", (Shape(axes=axes, channels=count),) if not owner.axes:
            return Tensor(axes, owner.nodes * count, owner.dtype)
        case "chunk", (int(count), -1):
            return tensors.halves(owner, count, line)
        case _:
            raise Refused(f"{name} of these arguments", line)
