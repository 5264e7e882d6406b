"""Statements of a file, carried out on what its expressions mean: functions, names, branches that are decided, and returns.

Nothing of the file is executed. A language of expressions is added to it: symbolic tensors of any size, or concrete views.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from .nodes import Refused, refuse


class Raised(Exception):
    """The file raises a ValueError, at a line of it."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}")
        self.line = line


class Statements(ABC):
    """The statements; ``fixed`` are the names of functions and classes, which no argument may have."""

    fixed: frozenset[str]
    failures: tuple[type[Exception], ...] = ()
    """What an operation raises that would fail."""

    @abstractmethod
    def _binary(self, op: str, one: Any, two: Any, line: int) -> Any:
        """An operation of two values."""

    @abstractmethod
    def _compared(self, op: str, one: Any, two: Any, line: int) -> Any:
        """A comparison of two values."""

    @abstractmethod
    def _negated(self, value: Any, line: int) -> Any:
        """Minus a value."""

    @abstractmethod
    def _subscript(self, owner: Any, place: Any, line: int) -> Any:
        """A member, or a part, of a value."""

    @abstractmethod
    def _attribute(self, e: ast.Attribute, names: dict[str, Any]) -> Any:
        """An attribute."""

    @abstractmethod
    def _called(self, e: ast.Call, names: dict[str, Any]) -> Any:
        """What a call gives."""

    def _assigned(self, target: ast.Attribute, value: Any, names: dict[str, Any]) -> None:
        """Assignment to an attribute; there is none but where this is overridden."""
        refuse(f"assignment to {ast.unparse(target)}", target.lineno)

    def _other(self, statement: ast.stmt, names: dict[str, Any]) -> None:
        """A statement of one language alone; there is none but where this is overridden."""
        refuse(type(statement).__name__, statement.lineno)

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
        if set(named) - set(bound) or self.fixed & set(bound):
            refuse(f"the names of the arguments of {own.name}", own.lineno)
        if a.vararg is not None:
            bound[a.vararg.arg] = rest
        _, value = self._block(own.body, bound)
        return value

    def _block(self, body: Sequence[ast.stmt], names: dict[str, Any]) -> tuple[bool, Any]:
        """Whether a return was met, and what it returns."""
        for statement in body:
            try:
                done, result = self._statement(statement, names)
            except self.failures as fault:
                raise Refused(f"an operation that fails: {fault}", statement.lineno) from fault
            if done:
                return True, result
        return False, None

    def _statement(self, statement: ast.stmt, names: dict[str, Any]) -> tuple[bool, Any]:
        match statement:
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case ast.Expr(value=ast.Call() as call):
                if self._value(call, names) is not None:
                    refuse("a value that nothing takes", statement.lineno)
            case ast.Assign(targets=[target], value=value):
                self._bind(target, self._value(value, names), names)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._bind(target, self._value(value, names), names)
            case ast.If(test=test, body=then, orelse=otherwise):
                return self._block(then if self._truth(test, names) else otherwise, names)
            case ast.Return(value=value):
                return True, None if value is None else self._value(value, names)
            case ast.Raise():
                raise Raised(statement.lineno)
            case _:
                self._other(statement, names)
        return False, None

    def _bind(self, target: ast.expr, value: Any, names: dict[str, Any]) -> None:
        match target:
            case ast.Name(id=name):
                names[name] = value
            case ast.Tuple(elts=parts):
                if not isinstance(value, (tuple, list)) or len(value) != len(parts):
                    refuse(f"{len(parts)} names for something else than as many values", target.lineno)
                for part, one in zip(parts, value, strict=True):
                    self._bind(part, one, names)
            case ast.Attribute():
                self._assigned(target, value, names)
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
                return self._negated(self._value(operand, names), e.lineno)
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(type(op).__name__, self._value(left, names), self._value(right, names), e.lineno)
            case ast.BoolOp(op=op, values=values):
                enough = isinstance(op, ast.Or)
                return enough if any(self._truth(v, names) is enough for v in values) else not enough
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(type(op).__name__, self._value(left, names), self._value(right, names), e.lineno)
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                return self._value(then if self._truth(test, names) else otherwise, names)
            case ast.Attribute():
                return self._attribute(e, names)
            case ast.Subscript(value=owner, slice=place):
                return self._subscript(self._value(owner, names), self._place(place, names), e.lineno)
            case ast.Call():
                return self._called(e, names)
            case _:
                raise Refused(type(e).__name__, e.lineno)

    def _named(self, name: str, names: dict[str, Any], line: int) -> Any:
        if name in names:
            return names[name]
        raise Refused(f"name {name}, which is not bound here", line)

    def _given_to(self, e: ast.Call, names: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a call, and those that are named."""
        named: dict[str, Any] = {}
        for keyword in e.keywords:
            if keyword.arg is None or keyword.arg in named:
                refuse("arguments by a mapping, or twice", e.lineno)
            named[keyword.arg] = self._value(keyword.value, names)
        return self._members(e.args, names), named

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
