"""Interpretation of host code at one choice of shapes and strides: views, new tensors, sums of partial sums, and launches."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from operator import add, eq, floordiv, gt, le, mul, ne, sub
from typing import Any

import numpy as np

from ..autograd import Autograd, Context, Forward
from ..lanes import Lanes
from ..memory import Tensor, empty, new, summed, viewed
from ..nodes import Nodes, Refused, refuse
from ..syntax import parsed
from ..torch.operations import DType, compared, constant
from ..torch.tensors import FLOATS, promoted
from .kernel import Kernel
from .syntax import module

ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {"Add": add, "Sub": sub, "Mult": mul, "FloorDiv": floordiv}
ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {"LtE": le, "Gt": gt, "Eq": eq, "NotEq": ne}
BUILTINS: Mapping[str, Callable[[Any], Any]] = {"tuple": tuple, "list": list, "len": len, "all": all}
VIEWS: Mapping[str, Callable[..., Any]] = {
    "expand": lambda a, *to: np.broadcast_to(a, to),
    "reshape": lambda a, *to: a.reshape(to),
    "flatten": lambda a, first, last: a.reshape(*a.shape[:first], int(np.prod(a.shape[first : last + 1])), *a.shape[last + 1 :]),
    "unflatten": lambda a, axis, to: a.reshape(*a.shape[:axis], *to),
    "transpose": lambda a, i, j: a.swapaxes(i, j),
}
"""What becomes of an array under a view; ``unflatten`` is of the last axis."""


class Host(Autograd):
    """One file, of which ``name`` is the function that is called."""

    kind = Tensor
    failures = (ValueError, TypeError, IndexError, ZeroDivisionError)

    def __init__(self, source: bytes, name: str) -> None:
        self.nodes, self.module = Nodes(), module(parsed(source))
        if name not in self.module.functions or name in self.module.operators:
            refuse(f"no function {name}")
        self.function = self.module.functions[name]
        plain = {n: c for n, c in self.module.classes.items() if [type(s) for s in c["backward"].body] != [ast.Raise]}
        if len(plain) != 1:
            refuse(f"{len(plain)} classes with a backward pass, where one is expected")
        ((self.class_name, self.methods),) = plain.items()
        self.fixed = frozenset({*self.module.kernels, *self.module.functions, *self.module.classes, *self.module.constants})
        self.lanes, self.launches = Lanes(self.nodes, ()), 0
        self.blocked: set[tuple[int, int]] = set()
        self.unused = {f.name: f.lineno for group in (self.module.kernels, self.module.functions) for f in group.values()}
        """Functions that nothing has called, and their lines."""

    def run(self, given: Mapping[str, Any], sizes: tuple[int, ...]) -> Forward:
        """Run the function where the axes have these sizes. Raises Refused, or Raised where it raises an error."""
        self.lanes, self.blocked = Lanes(self.nodes, sizes), set()
        return self.forward(given)

    def gradients(self, run: Forward, needs: Sequence[bool], incoming: Sequence[Tensor]) -> tuple[Tensor | None, ...]:
        """Run the backward pass, given the gradients of what the function returned."""
        line = self.function.lineno

        def laid(x: Tensor, own: Tensor) -> Tensor:
            return viewed(self.lanes, x, lambda a: a.reshape(own.shape), line)

        return self.backward(run, needs, [laid(*pair) for pair in zip(incoming, run.outputs, strict=True)])

    def _is_new(self, value: Any) -> bool:
        return isinstance(value, Tensor) and value.buffer.is_new

    def _is_unwritten(self, value: Any) -> bool:
        return isinstance(value, Tensor) and value.buffer.is_new and not value.buffer.expressions

    def _is_result(self, returned: Any, result: Any) -> bool:
        """Each result in its order, maybe in another shape; and no buffer twice."""
        some, others = (x if isinstance(x, tuple) else (x,) for x in (returned, result))
        if not all(isinstance(x, Tensor) for x in (*some, *others)) or len({id(x.buffer) for x in some}) != len(others):
            return False
        pairs = list(zip(some, others, strict=False))
        same = all(a.buffer is b.buffer and np.array_equal(a.view.reshape(-1), b.view.reshape(-1)) for a, b in pairs)
        return same and isinstance(returned, tuple) == isinstance(result, tuple) and len(some) == len(others)

    # expressions and statements

    def _call(self, own: ast.FunctionDef, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        self.unused.pop(own.name, None)
        return super()._call(own, given, named)

    def _value(self, e: ast.expr, names: dict[str, Any]) -> Any:
        match e:
            case ast.GeneratorExp(elt=own, generators=[ast.comprehension(target=target, iter=values, ifs=[], is_async=0)]):
                found = []
                for value in self._value(values, names):
                    inner = dict(names)
                    self._bind(target, value, inner)
                    found.append(self._value(own, inner))
                return tuple(found)
        return super()._value(e, names)

    def _named(self, name: str, names: dict[str, Any], line: int) -> Any:
        return self.module.constants[name] if name in self.module.constants else super()._named(name, names, line)

    def _binary(self, op: str, left: Any, right: Any, line: int) -> Any:
        whole = type(right) is int and (type(left) is int or (isinstance(left, tuple) and op == "Mult" and right < 64))
        if (whole or (op == "Add" and isinstance(left, tuple) and isinstance(right, tuple))) and op in ARITHMETIC:
            return ARITHMETIC[op](left, right)
        raise Refused(f"{op} of {type(left).__name__} and {type(right).__name__}", line)

    def _compared(self, op: str, left: Any, right: Any, line: int) -> Any:
        if op in ORDERS and type(left) is type(right) and (type(left) is int or (type(left) is tuple and op in ("Eq", "NotEq"))):
            return ORDERS[op](left, right)
        return compared(self.nodes, op, left, right, line)

    def _negated(self, value: Any, line: int) -> Any:
        return -value if type(value) is int else refuse("minus what is no integer", line)

    def _subscript(self, owner: Any, place: Any, line: int) -> Any:
        return owner[place] if isinstance(owner, (tuple, list)) else refuse(f"index of {type(owner).__name__}", line)

    def _attribute(self, e: ast.Attribute, names: dict[str, Any]) -> Any:
        if isinstance(e.value, ast.Name) and e.value.id == "torch" and e.attr in FLOATS:
            return DType(e.attr)
        match self._value(e.value, names), e.attr:
            case Context() as context, _:
                return self._kept(context, e)
            case Tensor(dtype=dtype), "dtype":
                return DType(dtype)
            case Tensor(shape=shape), "shape":
                return shape
            case DType(name=name), "is_floating_point":
                return name in FLOATS
        raise Refused(f"attribute {e.attr}", e.lineno)

    # calls

    def _called(self, e: ast.Call, names: dict[str, Any]) -> Any:
        line = e.lineno
        if ast.unparse(e.func) == "isinstance" and len(e.args) == 2 and ast.unparse(e.args[1]) == "torch.dtype":
            return isinstance(self._value(e.args[0], names), DType)
        given, named = self._given_to(e, names)
        match e.func:
            case ast.Subscript(value=ast.Call(args=[ast.Name(id=name)], keywords=[]), slice=grid) if name in self.module.kernels:
                return self._launched(self.module.kernels[name], self._value(grid, names), given, named, line)
            case ast.Name(id=name) if name in self.module.operators and not named:
                return self._operated(name, given, line)
            case ast.Name(id=name) if name in self.module.functions:
                return self._call(self.module.functions[name], given, named)
            case ast.Name(id="zip") if named == {"strict": True}:
                return tuple(zip(*given, strict=True))
            case ast.Name(id=name) if name in BUILTINS and len(given) == 1 and isinstance(given[0], (tuple, list)) and not named:
                return BUILTINS[name](given[0])
            case ast.Attribute(value=ast.Name(id=owner), attr="apply") if owner in self.module.classes and not named:
                main = owner == self.class_name
                return self._apply(given, line) if main else self._call(self.module.classes[owner]["forward"], given, {})
            case ast.Attribute(value=ast.Name(id="torch" | "triton"), attr=name) if not named:
                return self._function(name, given, line)
            case ast.Attribute(value=owner, attr=name):
                return self._method(self._value(owner, names), name, given, named, line)
        raise Refused(f"call of {ast.unparse(e.func)} with these arguments", line)

    def _operated(self, name: str, given: tuple[Any, ...], line: int) -> Any:
        """An operator, called by the class that its gradient is registered with; its results are like those announced."""
        result = self._call(self.module.functions[name], given, {})
        announced = self._call(self.module.fakes[name], given, {})
        like = [[(own.shape, own.dtype) for own in (x if isinstance(x, tuple) else (x,))] for x in (result, announced)]
        if like[0] != like[1]:
            refuse(f"results of {name} that are not like those announced", self.module.fakes[name].lineno)
        forward = self.module.classes[self.module.operators[name]]["forward"]
        if [ast.unparse(s) for s in forward.body] != [f"return {name}({', '.join(a.arg for a in forward.args.args)})"]:
            refuse(f"an operator that another class than {self.module.operators[name]} calls", line)
        return result

    def _launched(self, own: ast.FunctionDef, grid: Any, values: Sequence[Any], named: Mapping[str, Any], line: int) -> None:
        names = [argument.arg for argument in own.args.args]
        if not isinstance(grid, tuple) or len(grid) != 1 or type(grid[0]) is not int or grid[0] < 1:
            refuse("a grid of other than one positive integer", line)
        if len(values) > len(names) or set(names[: len(values)]) & set(named):
            refuse(f"arguments of {own.name}", line)
        self.launches += 1
        self.unused.pop(own.name, None)
        kernel = Kernel(own, self.nodes, self.lanes.sizes, self.launches)
        kernel.launch(grid[0], {**dict(zip(names, values, strict=False)), **named})
        self.blocked |= kernel.blocked

    def _function(self, name: str, given: tuple[Any, ...], line: int) -> Any:
        match name, given:
            case "cdiv", (int(count), int(step)):
                return -(-count // step)
            case "promote_types", (DType() as left, DType() as right):
                return DType(promoted(left.name, right.name))
            case "full_like", (Tensor() as x, float(value)) if x.dtype in FLOATS:
                return new(self.lanes, self.lanes.constant(constant(self.nodes, value, x.dtype, line)).spread(x.shape), line)
            case "broadcast_shapes", _:
                return tuple(map(int, np.broadcast_shapes(*given)))
        raise Refused(f"{name} of these arguments", line)

    def _method(self, x: Any, name: str, given: tuple[Any, ...], named: Mapping[str, Any], line: int) -> Any:
        match x, name, given:
            case Tensor(), "new_empty", (tuple() | int() as shape,) if set(named) <= {"dtype"}:
                dtype = named.get("dtype", DType(x.dtype)).name
                return empty(f"the tensor of line {line}", shape, dtype, len(self.lanes.sizes))
            case _ if named:
                pass
            case Context(), "save_for_backward", _:
                return self._save(x, given, line)
            case Tensor(strides=strides), "stride", ():
                return strides
            case Tensor(shape=shape), "dim", ():
                return len(shape)
            case Tensor(), ("expand" | "reshape"), _:
                given = given[0] if isinstance(given[0], tuple) else given
                return viewed(self.lanes, x, lambda a: VIEWS[name](a, *given), line)
            case (Tensor(), "flatten", (0, int(last))) | (Tensor(), "transpose", (-1, int(last))) if last < len(x.shape):
                return viewed(self.lanes, x, lambda a: VIEWS[name](a, *given), line)
            case Tensor(), "unflatten", (-1, tuple()):
                return viewed(self.lanes, x, lambda a: VIEWS[name](a, *given), line)
            case Tensor(), "to", (DType(name=dtype),):
                return x if dtype == x.dtype else new(self.lanes, self.lanes.cast(x.read(line), dtype, line), line)
            case Tensor(), "sum_to_size", (tuple() as shape,):
                return summed(self.lanes, x, shape, line)
        raise Refused(f"{name} of these arguments", line)
