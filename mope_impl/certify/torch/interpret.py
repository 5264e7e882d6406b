"""Interpretation of a file's tree on symbolic tensors: statements, names, and the two halves of a ``torch.autograd.Function``.

Nothing of the file is executed. What the allow-list of :mod:`.syntax` lets through has its meaning here and in
:mod:`.operations`; what has none is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..nodes import Node, Nodes, Refused, refuse
from ..statements import Statements
from ..syntax import parsed
from . import syntax
from .operations import DType, Kind, attribute, binary, call_of_torch, compared, method, subscript
from .tensors import FLOATS, Tensor

RESERVED_TYPES = {"Tensor": Kind("Tensor"), "torch.dtype": Kind("dtype")}


@dataclass
class Context:
    """What autograd hands from one pass to the other."""

    needs_input_grad: tuple[bool, ...] = ()
    saved_tensors: tuple[Tensor, ...] | None = None
    kept: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Forward:
    """A run of the function: its results, what the one ``apply`` was given, and the context that its backward pass gets."""

    outputs: tuple[Tensor, ...]
    given: tuple[Any, ...]
    context: Context


class Interpreter(Statements):
    """One file; ``channels`` is how many its specification has."""

    def __init__(self, source: bytes, channels: int) -> None:
        self.nodes, self.channels = Nodes(), channels
        self.methods, self.class_name, self.function = syntax.module(parsed(source))
        self.fixed = frozenset({self.class_name, self.function.name})
        self._applied: tuple[tuple[Any, ...], Any] | None = None

    def forward(self, given: Mapping[str, Any]) -> Forward:
        """Run the function. Raises Refused, or Raised where it raises an error."""
        self._applied = None
        result = self._call(self.function, (), dict(given))
        applied = self._given()
        if applied is None or result is not applied[1]:
            refuse(f"{self.function.name} that returns something else than the result of apply", self.function.lineno)
        outputs = result if isinstance(result, tuple) else (result,)
        line = self.methods["forward"].lineno
        for one in outputs:
            if not isinstance(one, Tensor) or any(node.op == "leaf" for node in one.nodes):
                refuse("a result that is no new tensor", line)
        given_to_apply, context = applied[0], Context()
        if self._call(self.methods["setup_context"], (context, given_to_apply, result), {}) is not None:
            refuse("setup_context that returns something", self.methods["setup_context"].lineno)
        for saved in context.saved_tensors or ():
            if not any(saved is x for x in given_to_apply):
                refuse("a tensor saved that is no input", self.methods["setup_context"].lineno)
        return Forward(outputs, given_to_apply, context)

    def backward(self, run: Forward, needs: Sequence[bool], gradients: Sequence[Tensor]) -> tuple[Tensor | None, ...]:
        """Run the backward pass: one gradient, or None, for each argument of ``apply``. Raises Refused."""
        context = Context(tuple(needs), run.context.saved_tensors, dict(run.context.kept))
        own = self.methods["backward"]
        results = self._call(own, (context, *gradients), {})
        if not isinstance(results, tuple) or len(results) != len(run.given):
            refuse("a backward pass with another number of gradients than apply has arguments", own.lineno)
        if any(one is not None and not isinstance(one, Tensor) for one in results):
            refuse("a gradient that is no tensor", own.lineno)
        return results

    def _given(self) -> tuple[tuple[Any, ...], Any] | None:
        """What apply was given, and what it gave."""
        return self._applied

    def _assigned(self, target: ast.Attribute, value: Any, names: dict[str, Any]) -> None:
        context = self._value(target.value, names)
        if target.attr != "layout" or not isinstance(context, Context) or not isinstance(value, str):
            refuse(f"assignment to {ast.unparse(target)}", target.lineno)
        context.kept["layout"] = value

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
            if e.attr == "needs_input_grad":
                return owner.needs_input_grad
            if e.attr == "saved_tensors" and owner.saved_tensors is not None:
                return owner.saved_tensors
            if e.attr in owner.kept:
                return owner.kept[e.attr]
            refuse(f"{ast.unparse(e)}, which was not kept", e.lineno)
        return attribute(owner, e.attr, e.lineno)

    def _called(self, e: ast.Call, names: dict[str, Any]) -> Any:
        if isinstance(e.func, ast.Name):
            return self._builtin(e, e.func.id, names)
        if not isinstance(e.func, ast.Attribute):
            refuse(f"call of {ast.unparse(e.func)}", e.lineno)
        given = self._members(e.args, names)
        options = {}
        for keyword in e.keywords:
            if keyword.arg is None or keyword.arg in options:
                refuse("arguments by a mapping", e.lineno)
            options[keyword.arg] = self._value(keyword.value, names)
        owner, name = e.func.value, e.func.attr
        if isinstance(owner, ast.Name) and owner.id == "torch":
            if options:
                refuse(f"{', '.join(options)} of torch.{name}", e.lineno)
            return call_of_torch(self.nodes, name, given, e.lineno, self.channels)
        if isinstance(owner, ast.Name) and owner.id == self.class_name and name == "apply":
            if self._applied is not None or options:
                refuse("a second apply", e.lineno)
            self._applied = (given, None)
            self._applied = (given, self._call(self.methods["forward"], given, {}))
            return self._applied[1]
        held = self._value(owner, names)
        if isinstance(held, Context):
            if name != "save_for_backward" or options or held.saved_tensors is not None:
                refuse(f"call of {ast.unparse(e.func)}", e.lineno)
            if not all(isinstance(one, Tensor) for one in given):
                refuse("something saved that is no tensor", e.lineno)
            held.saved_tensors = given
            return None
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
