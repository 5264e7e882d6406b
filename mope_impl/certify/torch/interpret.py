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
from . import syntax
from .operations import DType, Kind, attribute, binary, call_of_torch, compared, method, subscript
from .tensors import FLOATS, Tensor

RESERVED_TYPES = {"Tensor": Kind("Tensor"), "torch.dtype": Kind("dtype")}


class Raised(Exception):
    """The file raises a ValueError, at a line of it."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}")
        self.line = line


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


class Interpreter:
    """One file; ``channels`` is how many its specification has."""

    def __init__(self, source: bytes, channels: int) -> None:
        self.nodes, self.channels = Nodes(), channels
        self.methods, self.class_name, self.function = syntax.module(syntax.parsed(source))
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

    # functions and statements

    def _call(self, own: ast.FunctionDef, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        a = own.args
        names = [one.arg for one in a.args]
        bound = dict(zip(names, given, strict=False))
        rest = tuple(given[len(names) :])
        if rest and a.vararg is None:
            refuse(f"{own.name} with {len(names)} arguments, given {len(given)}", own.lineno)
        defaults = dict(zip(names[len(names) - len(a.defaults) :], a.defaults, strict=True))
        defaults |= {one.arg: d for one, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None}
        for name in (*names, *(one.arg for one in a.kwonlyargs)):
            if name in named and name not in bound:
                bound[name] = named[name]
            elif name not in bound and name in defaults:
                bound[name] = self._value(defaults[name], {})
            elif name not in bound:
                refuse(f"argument {name} of {own.name}, for which nothing is given", own.lineno)
        if set(named) - set(bound) or {self.class_name, self.function.name} & set(bound):
            refuse(f"the names of the arguments of {own.name}", own.lineno)
        if a.vararg is not None:
            bound[a.vararg.arg] = rest
        _, value = self._block(own.body, bound)
        return value

    def _block(self, body: Sequence[ast.stmt], names: dict[str, Any]) -> tuple[bool, Any]:
        """Whether a return was met, and what it returns."""
        for statement in body:
            match statement:
                case ast.Expr(value=ast.Constant(value=str())):
                    pass
                case ast.Expr(value=ast.Call() as call):
                    if self._value(call, names) is not None:
                        refuse("a value that nothing takes", statement.lineno)
                case ast.Assign(targets=[target], value=value):
                    self._bind(target, self._value(value, names), names)
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    self._bind(target, self._value(value, names), names)
                case ast.If(test=test, body=then, orelse=otherwise):
                    done, result = self._block(then if self._truth(test, names) else otherwise, names)
                    if done:
                        return True, result
                case ast.Return(value=value):
                    return True, None if value is None else self._value(value, names)
                case ast.Raise():
                    raise Raised(statement.lineno)
                case _:
                    refuse(type(statement).__name__, statement.lineno)
        return False, None

    def _bind(self, target: ast.expr, value: Any, names: dict[str, Any]) -> None:
        match target:
            case ast.Name(id=name):
                names[name] = value
            case ast.Tuple(elts=parts):
                if not isinstance(value, tuple) or len(value) != len(parts):
                    refuse(f"{len(parts)} names for something else than as many values", target.lineno)
                for part, one in zip(parts, value, strict=True):
                    self._bind(part, one, names)
            case ast.Attribute(value=owner, attr="layout"):
                context = self._value(owner, names)
                if not isinstance(context, Context) or not isinstance(value, str):
                    refuse(f"assignment to {ast.unparse(target)}", target.lineno)
                context.kept["layout"] = value
            case ast.Subscript(value=owner, slice=place):
                held, at = self._value(owner, names), self._value(place, names)
                if type(held) is not list or type(at) is not int or not 0 <= at < len(held):
                    refuse(f"assignment to {ast.unparse(target)}", target.lineno)
                held[at] = value
            case _:
                refuse(f"assignment to {ast.unparse(target)}", target.lineno)

    def _truth(self, test: ast.expr, names: dict[str, Any]) -> bool:
        value = self._value(test, names)
        if value is not True and value is not False:
            refuse(f"a branch on {ast.unparse(test)}, which is known at run time only", test.lineno)
        return value

    # expressions

    def _value(self, e: ast.expr, names: dict[str, Any]) -> Any:
        match e:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return self._named(name, names, e.lineno)
            case ast.Tuple(elts=parts):
                return self._members(parts, names)
            case ast.List(elts=parts):
                return list(self._members(parts, names))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self._truth(operand, names)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                value = self._value(operand, names)
                if isinstance(value, Tensor):
                    return call_of_torch(self.nodes, "neg", (value,), e.lineno, self.channels)
                if type(value) in (int, float):
                    return -value
                raise Refused(ast.unparse(e), e.lineno)
            case ast.BinOp(left=left, op=op, right=right):
                return binary(self.nodes, type(op).__name__, self._value(left, names), self._value(right, names), e.lineno)
            case ast.BoolOp(op=op, values=values):
                enough = isinstance(op, ast.Or)
                return enough if any(self._truth(v, names) is enough for v in values) else not enough
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                one, two = self._value(left, names), self._value(right, names)
                return compared(self.nodes, type(op).__name__, one, two, e.lineno)
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                return self._value(then if self._truth(test, names) else otherwise, names)
            case ast.Attribute():
                return self._attribute(e, names)
            case ast.Subscript(value=owner, slice=place):
                return subscript(self._value(owner, names), self._place(place, names), e.lineno)
            case ast.Call():
                return self._called(e, names)
            case _:
                raise Refused(type(e).__name__, e.lineno)

    def _named(self, name: str, names: dict[str, Any], line: int) -> Any:
        if name in names:
            return names[name]
        raise Refused(f"name {name}, which is not bound here", line)

    def _members(self, parts: Sequence[ast.expr], names: dict[str, Any]) -> tuple[Any, ...]:
        found: list[Any] = []
        for part in parts:
            if isinstance(part, ast.Starred):
                value = self._value(part.value, names)
                if not isinstance(value, tuple):
                    refuse(f"{ast.unparse(part)}, which is no tuple", part.lineno)
                found += value
            else:
                found.append(self._value(part, names))
        return tuple(found)

    def _place(self, place: ast.expr, names: dict[str, Any]) -> Any:
        if isinstance(place, ast.Tuple):
            return tuple(self._place(one, names) for one in place.elts)
        if isinstance(place, ast.Slice):
            parts = (place.lower, place.upper, place.step)
            return slice(*(None if part is None else self._value(part, names) for part in parts))
        return self._value(place, names)

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
