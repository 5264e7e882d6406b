"""Semantics of a file: what it computes, forward and every gradient, is the formula of its specification."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from mope_theory.spec import KernelSpec

from ..autograd import Forward
from ..nodes import Refused
from ..proof import Finding, Prover, Semantics, leaves
from ..statements import Raised
from ..structure import Axes, Summand
from .interpret import Interpreter, leaf
from .operations import DType
from .scenarios import Scenario, scenarios
from .tensors import Tensor, shown


def semantics(source: bytes, spec: KernelSpec) -> Semantics:
    """Check the text of a file against a specification; nothing of it is executed."""
    try:
        return Semantics(tuple(_Check(source, spec).findings()))
    except Refused as fault:
        return Semantics(refused=fault.what, line=fault.line)
    except Raised as fault:
        return Semantics(refused="a call that the specification allows raises a ValueError", line=fault.line)
    except RecursionError:
        return Semantics(refused="operations that nest too deep")


class _Check:
    def __init__(self, source: bytes, spec: KernelSpec) -> None:
        self.spec, self.own = spec, Interpreter(source, len(spec.channels))
        if self.own.function.name != spec.name:
            raise Refused(f"function {self.own.function.name}, which is not {spec.name}", self.own.function.lineno)
        self.prover = Prover(self.own.nodes, spec)
        count = len(spec.channels)
        self.outputs = [Finding("forward" if count == 1 else f"channel {k}") for k in range(count)]
        self.gradients = {x.name: Finding(f"d {x.name}") for x in spec.inputs}

    def findings(self) -> Iterator[Finding]:
        for scenario in scenarios(self.spec):
            self._scenario(scenario)
        every = [*self.outputs, *self.gradients.values()]
        for finding in every:
            if not finding.proofs:
                finding.fail("undecided", "nothing was found of it")
            apart = finding.lines - self.prover.proved_lines
            finding.lines = apart or finding.lines
        yield from every

    def _scenario(self, scenario: Scenario) -> None:
        given: dict[str, object] = {x.name: None for x in self.spec.inputs if x.default is not None}
        tensors = {
            x.name: leaf(self.own.nodes, leaves(x.name, len(x.symbols)), *scenario.given[x.name])
            for x in self.spec.inputs
            if x.name in scenario.given
        }
        given |= tensors
        if scenario.layout is not None:
            given["layout"] = scenario.layout
        if scenario.dtype is not None:
            given["dtype"] = DType(scenario.dtype)
        run = self.own.forward(given)
        along = {str(n.value): named(t) for t in tensors.values() for n in t.nodes}
        axes = frozenset(a for x in along.values() for a in x)
        along |= dict.fromkeys(leaves("grad", len(self.spec.channels)), axes)
        missing = frozenset(x.name for x in self.spec.inputs) - set(tensors)
        separate = self.spec.layout == "separate"
        count = len(self.spec.channels)
        sizes = [1] * count if separate else [count]
        if [len(t.nodes) for t in run.outputs] != sizes:
            raise Refused(f"{len(run.outputs)} results where {len(sizes)} are specified", self.own.methods["forward"].lineno)
        memo: dict[int, Summand] = {}
        for k, node in enumerate(n for t in run.outputs for n in t.nodes):
            tensor = run.outputs[k if separate else 0]
            if self._fits(self.outputs[k], tensor, scenario.outputs, scenario.result, scenario.text):
                self.prover.prove(self.outputs[k], k, node, frozenset(), along, memo, missing)
        names = leaves("grad", count)
        incoming = [
            leaf(self.own.nodes, names[k : k + 1] if separate else names, scenario.outputs, scenario.result)
            for k in range(len(run.outputs))
        ]
        for needs in self._patterns(scenario, run, tensors):
            self._backward(scenario, run, tensors, incoming, needs, along, axes, memo, missing)

    def _patterns(self, scenario: Scenario, run: Forward, tensors: dict[str, Tensor]) -> Iterator[tuple[bool, ...]]:
        """Which arguments of apply need gradients: inputs in floating point may."""
        able = [any(x is t and t.dtype != "int64" for t in tensors.values()) for x in run.given]
        if scenario.every_pattern:
            yield from product(*((True, False) if one else (False,) for one in able))
        else:
            yield tuple(able)

    def _backward(
        self,
        scenario: Scenario,
        run: Forward,
        tensors: dict[str, Tensor],
        incoming: Sequence[Tensor],
        needs: tuple[bool, ...],
        along: dict[str, Axes],
        axes: Axes,
        memo: dict[int, Summand],
        missing: frozenset[str],
    ) -> None:
        results = self.own.backward(run, needs, incoming)
        line = frozenset({self.own.methods["backward"].lineno})
        for x in self.spec.inputs:
            finding = self.gradients[x.name]
            if x.name not in tensors or tensors[x.name].dtype == "int64":
                continue
            places = [k for k, one in enumerate(run.given) if one is tensors[x.name]]
            if len(places) != 1:
                here = frozenset({self.own.function.lineno})
                finding.fail("wrong", f"apply is given {x.name} itself {len(places)} times", here)
                continue
            own = results[places[0]]
            if own is None:
                if needs[places[0]]:
                    asked = ", ".join(y.name for y in self.spec.inputs if any(
                        n and run.given[k] is tensors.get(y.name) for k, n in enumerate(needs)))  # fmt: skip
                    finding.fail("wrong", f"no gradient where those of {asked} are needed", line)
                continue
            wanted = tensors[x.name]
            if self._fits(finding, own, wanted.axes, wanted.dtype, scenario.text):
                for k, node in enumerate(own.nodes):
                    self.prover.prove(finding, k, node, axes - named(wanted), along, memo, missing, x.symbols[k])
        for place, one in enumerate(run.given):
            if one not in tensors.values() and results[place] is not None and one is not None and not isinstance(one, Tensor):
                raise Refused(f"a gradient of argument {place} of apply, which is no tensor", *line)

    def _fits(self, finding: Finding, tensor: Tensor, axes: tuple[object, ...], dtype: str, scenario: str) -> bool:
        lines = frozenset().union(*(node.lines for node in tensor.nodes))
        if tensor.axes != axes:
            found, wanted = (", ".join(map(shown, x)) for x in (tensor.axes, axes))  # type: ignore[arg-type]
            finding.fail("wrong", f"axes ({found}) where ({wanted}) are specified, with {scenario}", lines)
        elif tensor.dtype != dtype:
            finding.fail("wrong", f"dtype {tensor.dtype} where {dtype} is specified, with {scenario}", lines)
        else:
            return True
        return False


def named(tensor: Tensor) -> Axes:
    """The named axes of a tensor, those merged with channels too."""
    flat = [part for axis in tensor.axes for part in (axis if isinstance(axis, tuple) else (axis,))]
    return frozenset(axis for axis in flat if isinstance(axis, str) and axis != "c")
