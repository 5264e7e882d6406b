"""What is found of a file, one finding for each output and gradient, whatever language it is written in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from mope_theory.spec import Input, KernelSpec

from .autograd import Forward
from .nodes import Nodes, Refused
from .proof import Finding, Prover, Semantics, leaves
from .statements import Raised


def judged(findings: Callable[[], Iterable[Finding]]) -> Semantics:
    """The findings of a file, or why it is refused."""
    try:
        return Semantics(tuple(findings()))
    except Refused as fault:
        return Semantics(refused=fault.what, line=fault.line)
    except Raised as fault:
        return Semantics(refused="a call that the specification allows raises an error", line=fault.line)
    except RecursionError:
        return Semantics(refused="operations that nest too deep")


class Judgement:
    """Findings that are still open."""

    def __init__(self, spec: KernelSpec, nodes: Nodes) -> None:
        self.spec, self.prover = spec, Prover(nodes, spec)
        count = len(spec.channels)
        self.outputs = [Finding("forward" if count == 1 else f"channel {k}") for k in range(count)]
        self.gradients = {x.name: Finding(f"d {x.name}") for x in spec.inputs}

    def settled(self) -> list[Finding]:
        """All of them; the lines of a failure are those that no proof went through, if there are any."""
        every = [*self.outputs, *self.gradients.values()]
        for finding in every:
            if not finding.proofs:
                finding.fail("undecided", "nothing was found of it")
            finding.lines = finding.lines - self.prover.proved_lines or finding.lines
        return every

    def arguments(self, tensors: Mapping[str, Any], layout: str | None, dtype: Any) -> dict[str, Any]:
        """What the function is given: None for inputs that are left out."""
        given: dict[str, Any] = {x.name: tensors.get(x.name) for x in self.spec.inputs}
        return given | {name: value for name, value in (("layout", layout), ("dtype", dtype)) if value is not None}

    def incoming(self) -> list[list[str]]:
        """The leaves of the incoming gradient of each result."""
        names = leaves("grad", len(self.spec.channels))
        return [[name] for name in names] if self.spec.layout == "separate" else [names]

    def of(self, argument: Any) -> Any:
        """The input that an argument of apply is."""
        return argument

    def patterns(self, every: bool, run: Forward, tensors: Mapping[str, Any]) -> Iterator[tuple[bool, ...]]:
        """Which arguments of apply need gradients: inputs in floating point may."""
        able = [any(self.of(x) is t and t.dtype != "int64" for t in tensors.values()) for x in run.given]
        yield from product(*((True, False) if one else (False,) for one in able)) if every else [tuple(able)]

    def each_gradient(
        self, run: Forward, results: Sequence[Any], needs: Sequence[bool], tensors: Mapping[str, Any], line: int
    ) -> Iterator[tuple[Input, Finding, Any, Any]]:
        """Each input that has a gradient, its finding, its argument of apply and the gradient of that."""
        whose = [next((name for name, x in tensors.items() if self.of(one) is x), "") for one in run.given]
        for x in self.spec.inputs:
            finding = self.gradients[x.name]
            if x.name not in tensors or tensors[x.name].dtype == "int64":
                continue
            if whose.count(x.name) != 1:
                finding.fail("wrong", f"apply is given {x.name} itself {whose.count(x.name)} times", frozenset({line}))
                continue
            place = whose.index(x.name)
            if results[place] is not None:
                yield x, finding, run.given[place], results[place]
            elif needs[place]:
                asked = ", ".join(name for name, need in zip(whose, needs, strict=True) if need)
                finding.fail("wrong", f"no gradient where those of {asked} are needed", frozenset({line}))
