"""Interpretation of a file's tree on symbolic tensors: what expressions mean in a torch file.

Nothing of the file is executed. What the allow-list of :mod:`.syntax` lets through has its meaning here and in
:mod:`.operations`; what has none is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from ..autograd import Autograd, Context
from ..nodes import Node, Nodes, Refused, refuse
from ..syntax import parsed
from . import syntax
from .operations import DType, Kind, attribute, binary, call_of_torch, compared, method, subscript
from .tensors import FLOATS, Tensor

RESERVED_TYPES = {"Tensor": Kind("Tensor"), "torch.dtype": Kind("dtype")}


class Interpreter(Autograd):
    """One file; ``channels`` is how many its specification has."""

    kind = Tensor

    def __init__(self, source: bytes, channels: int) -> None:
        self.nodes, self.channels = Nodes(), channels
        self.methods, self.class_name, self.function = syntax.module(parsed(source))
        self.fixed = frozenset({self.class_name, self.function.name})

    def _is_new(self, value: Any) -> bool:
        return isinstance(value, Tensor) and not any(node.op == "leaf" for node in value.nodes)

    def _is_unwritten(self, value: Any) -> bool:
        return isinstance(value, Tensor) and all(node.op == "unwritten" for node in value.nodes)

    # expressions

    def _binary(self, op: str, one: Any, two: Any, line: int) -> Any:
        return binary(self.nodes, op, one, two, line)

    def _compared(self, op: str, one: Any, two: Any, line: int) -> Any:
        return compared(self.nodes, op, one, two, line)

    def _negated(self, value: Any, line: int) -> Any:
        if isinstance(value, Tensor):
            return call_of_torch(self.nodes, "neg", (value,), line, self.channels)
        if type(value) in (int, float):
            return -value
        raise Refused(f"minus {type(value).__name__}", line)

    def _subscript(self, owner: Any, place: Any, line: int) -> Any:
        return subscript(owner, place, line)

    def _attribute(self, e: ast.Attribute, names: dict[str, Any]) -> Any:
        if isinstance(e.value, ast.Name) and e.value.id == "torch":
            if e.attr in FLOATS:
                return DType(e.attr)
            refuse(f"torch.{e.attr}", e.lineno)
        owner = self._value(e.value, names)
        if isinstance(owner, Context):
            return self._kept(owner, e)
        return attribute(owner, e.attr, e.lineno)

    def _called(self, e: ast.Call, names: dict[str, Any]) -> Any:
        if isinstance(e.func, ast.Name):
            return self._builtin(e, e.func.id, names)
        if not isinstance(e.func, ast.Attribute):
            refuse(f"call of {ast.unparse(e.func)}", e.lineno)
        given, options = self._given_to(e, names)
        owner, name = e.func.value, e.func.attr
        if isinstance(owner, ast.Name) and owner.id == "torch":
            if options:
                refuse(f"{', '.join(options)} of torch.{name}", e.lineno)
            return call_of_torch(self.nodes, name, given, e.lineno, self.channels)
        if isinstance(owner, ast.Name) and owner.id == self.class_name and name == "apply" and not options:
            return self._apply(given, e.lineno)
        held = self._value(owner, names)
        if isinstance(held, Context) and name == "save_for_backward" and not options:
            return self._save(held, given, e.lineno)
        return method(self.nodes, held, name, given, options, e.lineno)

    def _builtin(self, e: ast.Call, name: str, names: dict[str, Any]) -> Any:
        if e.keywords:
            refuse(f"keywords of {name}", e.lineno)
        if name == "isinstance" and len(e.args) == 2 and ast.unparse(e.args[1]) in RESERVED_TYPES:
            value, kind = self._value(e.args[0], names), RESERVED_TYPES[ast.unparse(e.args[1])]
            return isinstance(value, DType if kind.name == "dtype" else Tensor)
        given = self._members(e.args, names)
        if name == "tuple" and len(given) == 1 and isinstance(given[0], (list, tuple)):
            return tuple(given[0])
        if name == "float" and len(given) == 1 and given[0] == "nan":
            return float("nan")
        raise Refused(f"call of {ast.unparse(e)}", e.lineno)


def leaf(nodes: Nodes, names: Sequence[str], axes: Sequence[Any], dtype: str) -> Tensor:
    """An input, or an incoming gradient: one symbol for each channel."""
    made: tuple[Node, ...] = tuple(nodes.make("leaf", dtype=dtype, value=name) for name in names)
    return Tensor(tuple(axes), made, dtype)
