"""The two halves of a ``torch.autograd.Function``, carried out as autograd does, and what it hands from one to the other."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .nodes import Refused, refuse
from .statements import Statements


@dataclass
class Context:
    """What autograd hands from one pass to the other."""

    needs_input_grad: tuple[bool, ...] = ()
    saved_tensors: tuple[Any, ...] | None = None
    kept: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Forward:
    """A run of the function: the results of the one ``apply``, as a tuple and as they came, and what it was given."""

    outputs: tuple[Any, ...]
    given: tuple[Any, ...]
    result: Any
    returned: Any
    """What the function returns."""


class Autograd(Statements):
    """A function that applies one class; ``kind`` is the class of tensors."""

    kind: type
    methods: Mapping[str, ast.FunctionDef]
    class_name: str
    function: ast.FunctionDef
    _applied: tuple[tuple[Any, ...], Any] | None = None

    def forward(self, given: Mapping[str, Any]) -> Forward:
        """Run the function. Raises Refused, or Raised where it raises an error."""
        self._applied = None
        returned = self._call(self.function, (), dict(given))
        applied = self._given()
        if applied is None or not self._is_result(returned, applied[1]):
            refuse(f"{self.function.name} that returns something else than the result of apply", self.function.lineno)
        arguments, result = applied
        outputs = result if isinstance(result, tuple) else (result,)
        if not all(self._is_new(one) for one in outputs):
            refuse("a result that is no new tensor", self.methods["forward"].lineno)
        return Forward(outputs, arguments, result, returned)

    def backward(self, run: Forward, needs: Sequence[bool], gradients: Sequence[Any]) -> tuple[Any, ...]:
        """Run the backward pass: one gradient, or None, for each argument of ``apply``. Raises Refused."""
        setup, own = self.methods["setup_context"], self.methods["backward"]
        context = Context(tuple(needs))
        if self._call(setup, (context, run.given, run.result), {}) is not None:
            refuse("setup_context that returns something", setup.lineno)
        for saved in context.saved_tensors or ():
            if not any(saved is x for x in run.given) and not self._is_unwritten(saved):
                refuse("a tensor saved that is neither an input nor without values", setup.lineno)
        results = self._call(own, (context, *gradients), {})
        if not isinstance(results, tuple) or len(results) != len(run.given):
            refuse("a backward pass with another number of gradients than apply has arguments", own.lineno)
        if any(one is not None and not isinstance(one, self.kind) for one in results):
            refuse("a gradient that is no tensor", own.lineno)
        return results

    @abstractmethod
    def _is_new(self, value: Any) -> bool:
        """Whether a value is a tensor that is not one of the inputs."""

    @abstractmethod
    def _is_unwritten(self, value: Any) -> bool:
        """Whether a value is a tensor that has a shape and a dtype alone: nothing has been written to it."""

    def _is_result(self, returned: Any, result: Any) -> bool:
        """Whether what the function returns is what apply gave."""
        return returned is result

    def _given(self) -> tuple[tuple[Any, ...], Any] | None:
        """What apply was given, and what it gave."""
        return self._applied

    def _apply(self, given: tuple[Any, ...], line: int) -> Any:
        if self._applied is not None:
            refuse("a second apply", line)
        self._applied = (given, None)
        self._applied = (given, self._call(self.methods["forward"], given, {}))
        return self._applied[1]

    def _save(self, context: Context, given: tuple[Any, ...], line: int) -> None:
        if context.saved_tensors is not None or not all(isinstance(one, self.kind) for one in given):
            refuse("tensors saved twice, or something saved that is no tensor", line)
        context.saved_tensors = given

    def _kept(self, context: Context, e: ast.Attribute) -> Any:
        """An attribute of the context."""
        if e.attr == "needs_input_grad":
            return context.needs_input_grad
        if e.attr == "saved_tensors" and context.saved_tensors is not None:
            return context.saved_tensors
        if e.attr in context.kept:
            return context.kept[e.attr]
        raise Refused(f"{ast.unparse(e)}, which was not kept", e.lineno)

    def _assigned(self, target: ast.Attribute, value: Any, names: dict[str, Any]) -> None:
        context = self._value(target.value, names)
        if target.attr != "layout" or not isinstance(context, Context) or not isinstance(value, str):
            refuse(f"assignment to {ast.unparse(target)}", target.lineno)
        context.kept["layout"] = value
