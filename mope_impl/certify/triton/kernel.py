"""Interpretation of a kernel: the text of a ``@triton.jit`` function, carried out for one program after the other.

Integers, masks and addresses are arrays with the values of the shape that is tried; data are blocks of expressions. Offsets are
of 64 bits: arithmetic of integers of 32 bits is refused, so that none can overflow at any shape.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..lanes import Block, Lanes
from ..memory import Buffer, Tensor
from ..nodes import Nodes, Refused, refuse
from ..statements import Statements
from ..torch.operations import ARITHMETIC, ORDERS, DType, constant
from ..torch.tensors import FLOATS, promoted

UNARY = frozenset("abs exp exp2 cos sin".split())
COMPUTED = ("float32", "float64")
"""Dtypes that a kernel may compute in."""
ON_INTEGERS = {"Add": np.add, "Mult": np.multiply, "FloorDiv": np.floor_divide, "Mod": np.remainder}
COMPARED = {"Lt": np.less, "LtE": np.less_equal, "Gt": np.greater, "GtE": np.greater_equal}


@dataclass(frozen=True)
class Pointer:
    """A buffer, and an address in it for each lane."""

    buffer: Buffer
    offsets: NDArray[np.int64]


def is_index(value: Any) -> bool:
    """Whether a value is an integer, or one for each lane."""
    return type(value) is int or (isinstance(value, np.ndarray) and value.dtype.kind == "i")


def is_mask(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "b"


class Kernel(Statements):
    """One launch of so many programs; ``number`` tells it from others."""

    fixed = frozenset()
    failures = (ValueError,)

    def __init__(self, own: ast.FunctionDef, nodes: Nodes, sizes: tuple[int, ...], number: int) -> None:
        self.own, self.number, self.program = own, number, 0
        self.lanes = Lanes(nodes, sizes)
        self.blocked: set[tuple[int, int]] = set()
        """Axes that the lanes of a block go along, and how many these are."""

    def launch(self, programs: int, given: Mapping[str, Any]) -> None:
        """Run every program. Raises Refused."""
        arguments = {own.arg: self._argument(own, given.get(own.arg)) for own in self.own.args.args}
        if set(given) - set(arguments):
            refuse(f"{', '.join(set(given) - set(arguments))}, which {self.own.name} does not take", self.own.lineno)
        for program in range(programs):
            self.program, self.lanes = program, Lanes(self.lanes.nodes, self.lanes.sizes)
            self._block(self.own.body, dict(arguments))

    def _argument(self, own: ast.arg, value: Any) -> Any:
        if own.annotation is not None and isinstance(value, int):
            return value
        if own.annotation is None and isinstance(value, Tensor):
            return Pointer(value.buffer, np.asarray(value.first))
        if own.annotation is None and type(value) is int and value >= 0:
            return np.asarray(value, dtype=np.int32)
        raise Refused(f"argument {own.arg} of {self.own.name}", self.own.lineno)

    # statements

    def _other(self, statement: ast.stmt, names: dict[str, Any]) -> None:
        line = statement.lineno
        match statement:
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                old = self._named(name, names, line)
                names[name] = self._binary(type(op).__name__, old, self._value(value, names), line)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=func, args=[end], keywords=options), body=body, orelse=[]):
                if ast.unparse(func) not in ("range", "tl.range") or {option.arg for option in options} - {"num_stages"}:
                    refuse(ast.unparse(statement.iter), line)
                steps = self._value(end, names)
                if not is_index(steps) or np.ndim(steps):
                    refuse("a range of what is no integer", line)
                for step in range(int(steps)):
                    names[name] = np.asarray(step, dtype=np.int32)
                    self._block(body, names)
            case _:
                super()._other(statement, names)

    def _bind(self, target: ast.expr, value: Any, names: dict[str, Any]) -> None:
        """A number in floating point becomes one of 32 bits where it is bound to a name."""
        if not isinstance(target, ast.Name) or value is None:
            refuse(f"assignment to {ast.unparse(target)}", target.lineno)
        if isinstance(value, float):
            value = self._cast(float(np.float32(value)), "float32", target.lineno)
        names[target.id] = value

    # expressions

    def _binary(self, op: str, left: Any, right: Any, line: int) -> Any:
        if op == "Add" and isinstance(left, Pointer) and is_index(right):
            return Pointer(left.buffer, left.offsets + right)
        if op == "BitAnd" and is_mask(left) and is_mask(right):
            return left & right
        if op in ON_INTEGERS and is_index(left) and is_index(right):
            if op in ("FloorDiv", "Mod") and np.any(np.less_equal(right, 0)):
                refuse("division by 0", line)
            found = ON_INTEGERS[op](left, right)
            if np.any(np.less(found, 0)) or found.dtype != np.int64:
                refuse("arithmetic of 32 bits, or an index below 0", line)
            return found if isinstance(found, np.ndarray) else np.asarray(found)
        if op in ARITHMETIC and (isinstance(left, Block) or isinstance(right, Block)):
            return self._apply(ARITHMETIC[op], [left, right], line)
        raise Refused(f"{op} of {_kind(left)} and {_kind(right)}", line)

    def _compared(self, op: str, left: Any, right: Any, line: int) -> Any:
        if op in COMPARED and is_index(left) and is_index(right):
            return np.asarray(COMPARED[op](left, right))
        if op in ORDERS and (isinstance(left, Block) or isinstance(right, Block)):
            return self._apply(ORDERS[op], [left, right], line, "bool")
        raise Refused(f"comparison {op} of {_kind(left)} and {_kind(right)}", line)

    def _negated(self, value: Any, line: int) -> Any:
        return -value if type(value) is float else self._apply("neg", [value], line)

    def _subscript(self, owner: Any, place: Any, line: int) -> Any:
        """``block[:, None]`` and its like."""
        every = [x for x in place if isinstance(x, slice)] if isinstance(place, tuple) else []
        if isinstance(owner, np.ndarray) and every == [slice(None)] * owner.ndim and len(every) + place.count(None) == len(place):
            return owner[place]
        raise Refused(f"index of {_kind(owner)}", line)

    def _attribute(self, e: ast.Attribute, names: dict[str, Any]) -> Any:
        match e:
            case ast.Attribute(value=ast.Name(id="tl"), attr=name) if name in (*FLOATS, "int64"):
                return DType(name)
            case ast.Attribute(value=ast.Attribute(value=owner, attr="dtype"), attr="element_ty"):
                pointer = self._value(owner, names)
                if isinstance(pointer, Pointer):
                    return DType(pointer.buffer.dtype)
        raise Refused(ast.unparse(e), e.lineno)

    def _apply(self, op: str, given: Sequence[Any], line: int, dtype: str | None = None) -> Block:
        """An operation in floating point; numbers take the dtype of the rest."""
        blocks = self._alike([x for x in given if not (isinstance(x, Block) and x.dtype == "bool")], line)
        common = blocks[0].dtype
        if common not in COMPUTED:
            refuse(f"{op} in {common}", line)
        given = [x if isinstance(x, Block) and x.dtype == "bool" else blocks.pop(0) for x in given]
        return self.lanes.apply(op, given, dtype or common, line)

    def _alike(self, given: Sequence[Any], line: int) -> list[Block]:
        """Values in the dtype that theirs are promoted to, float32 if all are numbers."""
        common = ""
        for x in given:
            if isinstance(x, Block) and x.dtype in FLOATS:
                common = promoted(common or x.dtype, x.dtype)
            elif type(x) not in (int, float):
                refuse(f"{_kind(x)} as a number", line)
        return [self._cast(x, common or "float32", line) for x in given]

    def _cast(self, value: Any, dtype: str, line: int) -> Any:
        if is_index(value) and dtype == "int64":
            return np.asarray(value, dtype=np.int64)
        if type(value) in (int, float) and dtype in FLOATS:
            return self.lanes.constant(constant(self.lanes.nodes, value, dtype, line))
        if isinstance(value, Block):
            return self.lanes.cast(value, dtype, line)
        raise Refused(f"conversion of {_kind(value)} to {dtype}", line)

    # calls

    def _called(self, e: ast.Call, names: dict[str, Any]) -> Any:
        line, (given, named) = e.lineno, self._given_to(e, names)
        match e.func, given:
            case ast.Name(id="float"), ("nan",) if not named:
                return float("nan")
            case ast.Attribute(value=ast.Name(id="tl"), attr=name), _:
                return self._of_language(name, given, named, line)
            case ast.Attribute(value=owner, attr="to"), (DType(name=dtype),) if not named:
                return self._cast(self._value(owner, names), dtype, line)
        raise Refused(f"call of {ast.unparse(e.func)} with these arguments", line)

    def _of_language(self, name: str, given: tuple[Any, ...], named: dict[str, Any], line: int) -> Any:
        """A function of triton.language."""
        mask = named.get("mask", np.True_)
        if not is_mask(np.asarray(mask)):
            refuse("a mask that depends on data", line)
        match name, given, sorted(named):
            case "load", (Pointer(buffer=buffer, offsets=at),), [] | ["mask"] | ["mask", "other"]:
                found = buffer.load(at, np.broadcast_to(mask, at.shape), self.number, line)
                if self.program == 0:
                    self._see(found)
                return found
            case "store", (Pointer(buffer=buffer, offsets=at), Block() as value), [] | ["mask"]:
                block = self._cast(value, buffer.dtype, line).spread(at.shape)
                return buffer.store(at, block, np.broadcast_to(mask, at.shape), self.number, line)
            case "program_id", (0,), []:
                return np.asarray(self.program, dtype=np.int32)
            case "arange", (0, int(count)), [] if count > 0 and count & (count - 1) == 0:
                return np.arange(count, dtype=np.int32)
            case "where", (condition, left, right), []:
                if is_mask(condition):
                    return self.lanes.pick(condition, *self._alike([left, right], line))
                if isinstance(condition, Block) and condition.dtype == "bool":
                    return self._apply("where", [condition, left, right], line)
            case "sum", (Block() as block,), ["axis"] | ["axis", "keep_dims"] if block.dtype in COMPUTED:
                axis, keep = named["axis"], named.get("keep_dims", False)
                if type(axis) is int and type(keep) is bool and 0 <= axis < len(block.shape):
                    return self.lanes.total(block, axis, keep, line)
            case (("zeros" | "full"), (tuple() as shape, *value, DType(name=dtype)), []) if len(value) == (name == "full"):
                if dtype in COMPUTED and all(type(x) in (int, float) for x in (*shape, *value)):
                    return self._cast(value[0] if value else 0.0, dtype, line).spread(shape)
            case "sigmoid", (Block() as x,), []:
                return self._apply("sigmoid", [x], line)
            case _, (Block() as x,), [] if name in UNARY:
                return self._apply(name, [x], line)
        raise Refused(f"tl.{name} of these arguments", line)

    def _see(self, block: Block) -> None:
        for dimension, length in enumerate(block.shape):
            at, on = (np.moveaxis(x, dimension, 0) for x in (block.at, block.known))
            moving = (at[1:] != at[:-1]) & (on[1:] & on[:-1])[..., None]
            axes = moving.reshape(-1, len(self.lanes.sizes)).any(0)
            self.blocked |= {(int(axis), length) for axis in np.flatnonzero(axes)}


def _kind(value: Any) -> str:
    if isinstance(value, Block):
        return f"a block of {value.dtype}"
    return "an integer" if is_index(value) else "a mask" if is_mask(value) else type(value).__name__
