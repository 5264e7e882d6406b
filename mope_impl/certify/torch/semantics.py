"""Semantics of a file: what it computes, forward and every gradient, is the formula of its specification."""

from __future__ import annotations

from collections.abc import Sequence

from mope_theory.spec import KernelSpec

from ..autograd import Forward
from ..judgement import Judgement, judged
from ..nodes import Refused
from ..proof import Finding, Semantics, leaves
from ..structure import Axes, Summand
from .interpret import Interpreter, leaf
from .operations import DType
from .scenarios import Scenario, scenarios
from .tensors import Axis, Tensor, shown


def semantics(source: bytes, spec: KernelSpec) -> Semantics:
    """Check the text of a file against a specification; nothing of it is executed."""
    return judged(lambda: _Check(source, spec).findings())


class _Check(Judgement):
    def __init__(self, source: bytes, spec: KernelSpec) -> None:
        self.own = Interpreter(source, len(spec.channels))
        if self.own.function.name != spec.name:
            raise Refused(f"function {self.own.function.name}, which is not {spec.name}", self.own.function.lineno)
        super().__init__(spec, self.own.nodes)

    def findings(self) -> list[Finding]:
        for scenario in scenarios(self.spec):
            self._scenario(scenario)
        return self.settled()

    def _scenario(self, scenario: Scenario) -> None:
        tensors = {
            x.name: leaf(self.own.nodes, leaves(x.name, len(x.symbols)), *scenario.given[x.name])
            for x in self.spec.inputs
            if x.name in scenario.given
        }
        dtype = None if scenario.dtype is None else DType(scenario.dtype)
        run = self.own.forward(self.arguments(tensors, scenario.layout, dtype))
        along = {str(n.value): named(t) for t in tensors.values() for n in t.nodes}
        axes = frozenset(a for x in along.values() for a in x)
        along |= {name: axes for part in self.incoming() for name in part}
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
        incoming = [leaf(self.own.nodes, part, scenario.outputs, scenario.result) for part in self.incoming()]
        for needs in self.patterns(scenario.every_pattern, run, tensors):
            self._backward(scenario, run, tensors, incoming, needs, along, axes, memo, missing)

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
        line = self.own.methods["backward"].lineno
        for x, finding, wanted, own in self.each_gradient(run, results, needs, tensors, line):
            if self._fits(finding, own, wanted.axes, wanted.dtype, scenario.text):
                for k, node in enumerate(own.nodes):
                    self.prover.prove(finding, k, node, axes - named(wanted), along, memo, missing, x.symbols[k])
        for place, one in enumerate(run.given):
            if one not in tensors.values() and results[place] is not None and one is not None and not isinstance(one, Tensor):
                raise Refused(f"a gradient of argument {place} of apply, which is no tensor", line)

    def _fits(self, finding: Finding, tensor: Tensor, axes: tuple[Axis, ...], dtype: str, scenario: str) -> bool:
        lines = frozenset().union(*(node.lines for node in tensor.nodes))
        if tensor.axes != axes:
            found, wanted = (", ".join(map(shown, x)) for x in (tensor.axes, axes))
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
