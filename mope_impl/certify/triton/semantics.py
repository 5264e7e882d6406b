"""Semantics of a Triton file: at each of the shapes that are tried it computes the formula, forward and every gradient.

Every element of a result is written once, and holds one expression, the same for all of them, of the inputs at its own place; in
a gradient it is a sum over just the places that the input's element is spread to. What remains is one expression, to be proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sp

from mope_theory.spec import KernelSpec

from ..judgement import Judgement, judged
from ..lanes import EMPTY, FREE, Bags, Places, is_zero
from ..memory import Tensor, elements, flat, shape, tensor, through_view
from ..nodes import Node, Refused, lines_below
from ..proof import Finding, Semantics, leaves
from ..structure import Axes, summand
from ..torch.operations import DType
from ..torch.tensors import Axis
from .host import Host
from .scenarios import Case, around, cases


def semantics(source: bytes, spec: KernelSpec) -> Semantics:
    """Check the text of a file against a specification; nothing of it is executed."""
    return judged(lambda: Check(source, spec).findings())


@dataclass(frozen=True)
class Scalar:
    """One channel of a result, or of a gradient by a symbol: its number, and the axes that the input lacks."""

    finding: Finding
    number: int
    symbol: sp.Symbol | None
    missing: Axes


class Check(Judgement):
    """The check of one file."""

    def __init__(self, source: bytes, spec: KernelSpec) -> None:
        self.host = Host(source, spec.name)
        self.nodes = self.host.nodes
        super().__init__(spec, self.nodes)
        self.known: dict[tuple[str, int, Axes], set[Node]] = {}
        """What was proved of each scalar."""
        self.tried = 0
        self.blocked: dict[str, set[int]] = {}
        """Axes that the lanes of a block go along, and how many these are."""

    def findings(self) -> list[Finding]:
        """Try the cases, until one fails. Raises Refused."""
        for case in self._cases():
            self.case(case)
            if any(finding.status != "proved" for finding in (*self.outputs, *self.gradients.values())):
                return self.settled()
        for name, line in self.host.unused.items():
            raise Refused(f"{name}, which nothing calls", line)
        every = self.settled()
        for finding in every:
            if finding.status == "proved":
                finding.status, finding.notes = "validated", [*finding.notes, f"at {self.tried} shapes and strides"]
        return every

    def _cases(self) -> Iterator[Case]:
        first: dict[str | None, Case] = {}
        for case in cases(self.spec):
            yield case
            first.setdefault(case.scenario.layout, replace(case, scenario=replace(case.scenario, every_pattern=False)))
        for place, base in enumerate(first.values()):
            done: list[Case] = []
            while left := [case for case in around(base, self.blocked, place == 0) if case not in done]:
                yield left[0]
                done.append(left[0])

    def case(self, case: Case) -> None:
        """Run one case. Raises Refused."""
        try:
            self._tried(case)
        except Refused as fault:
            raise Refused(f"{fault.what}; {case.text}", fault.line) from fault
        self.tried += 1
        for axis, lanes in self.host.blocked:
            self.blocked.setdefault(list(case.sizes)[axis], set()).add(lanes)

    def _tried(self, case: Case) -> None:
        scenario, spec, line = case.scenario, self.spec, self.host.function.lineno
        lying = (case.sizes, case.memory)
        given = {
            x.name: (leaves(x.name, len(x.symbols)), *scenario.given[x.name]) for x in spec.inputs if x.name in scenario.given
        }
        tensors = {name: tensor(self.nodes, name, *own, *lying) for name, own in given.items()}
        dtype = None if scenario.dtype is None else DType(scenario.dtype)
        run = self.host.run(self.arguments(tensors, scenario.layout, dtype), tuple(case.sizes.values()))
        results = run.returned if isinstance(run.returned, tuple) else (run.returned,)
        if len(results) != len(self.incoming()):
            raise Refused(f"{len(results)} results where {len(self.incoming())} are specified", line)
        scalars = [Scalar(finding, k, None, frozenset()) for k, finding in enumerate(self.outputs)]
        for k, result in enumerate(results):
            own = scalars if len(results) == 1 else scalars[k : k + 1]
            self._holds(own, result, scenario.outputs, scenario.result, case)
        incoming = [tensor(self.nodes, "grad", part, scenario.outputs, scenario.result, *lying) for part in self.incoming()]
        for needs in self.patterns(scenario.every_pattern, run, tensors):
            found, line = self.host.gradients(run, needs, incoming), self.host.methods["backward"].lineno
            for x, finding, argument, gradient in self.each_gradient(run, found, needs, tensors, line):
                if (gradient.shape, gradient.dtype) != (argument.shape, argument.dtype):
                    what = (
                        f"{gradient.dtype}, {gradient.shape} where {argument.dtype}, {argument.shape} is specified; {case.text}"
                    )
                    finding.fail("wrong", what, frozenset({line}))
                    continue
                result = through_view(self.host.lanes, tensors[x.name], argument, gradient, line)
                axes, kind = scenario.given[x.name]
                missing = frozenset(case.sizes) - set(flat(axes))
                self._holds([Scalar(finding, k, s, missing) for k, s in enumerate(x.symbols)], result, axes, kind, case)

    def of(self, argument: Any) -> Any:
        return argument.origin if isinstance(argument, Tensor) else argument

    def _holds(self, scalars: Sequence[Scalar], result: Tensor, axes: Sequence[Axis], dtype: str, case: Case) -> None:
        """Each element of a tensor, channel by channel, holds what it should."""
        line, wanted = self.host.function.lineno, shape(axes, case.sizes, len(scalars))
        if (result.shape, result.dtype) != (wanted, dtype):
            what = f"{result.dtype}, {result.shape} where {dtype}, {wanted} is specified; {case.text}"
            scalars[0].finding.fail("wrong", what, frozenset({line}))
            return
        places, channel = elements(axes, case.sizes, len(scalars))
        block = result.read(line)
        bags = self.host.lanes.bags(block)
        for k, scalar in enumerate(scalars):
            for node, lanes in block.parts.items():
                here = lanes & (channel == k)
                if here.any():
                    self._scalar(scalar, node, places[here], bags[here], case)

    def _scalar(self, scalar: Scalar, node: Node, places: Places, bags: Bags, case: Case) -> None:
        """Some elements that hold one expression: it stands at their places, and is the formula."""
        casts: list[Node] = []
        while node.op == "cast" and (node.args[0].op in ("cast", "sum") or is_zero(node.args[0])):
            casts.append(node)
            (node,) = node.args
        term = node.args[0] if node.op == "sum" else node
        names = _leaves(term)
        expected = self._expected(scalar, names, places, case)
        if is_zero(node) and not expected.size:
            return
        found = np.sort(bags, -1)
        found = found[:, int((found == EMPTY).sum(-1).min()) :]
        if not is_zero(node) and not np.array_equal(found, expected):
            what = "summed over other places than the input is spread to" if scalar.missing else "of another place than its own"
            scalar.finding.fail("wrong", f"{what}; {case.text}", lines_below(node))
            return
        node = self.nodes.make("sum", [term], node.dtype, tuple(sorted(scalar.missing)), node.lines) if scalar.missing else term
        for own in reversed(casts):
            node = self.nodes.make("cast", [node], own.dtype, lines=own.lines)
        along = {name: frozenset(flat(self._axes(name, case))) for name in names}
        absent = frozenset(x.name for x in self.spec.inputs) - set(case.scenario.given)
        known = self.known.setdefault((scalar.finding.name, scalar.number, absent), set())
        erased = summand(self.nodes, node, along, {}).node
        if any(name.endswith(".*") for name in names):
            if erased not in {self._merged(one) for one in known}:
                scalar.finding.fail("undecided", f"another expression; {case.text}", lines_below(node))
            return
        self.prove(scalar, node, along, absent)
        known.add(erased)

    def prove(self, scalar: Scalar, node: Node, along: dict[str, Axes], absent: frozenset[str]) -> None:
        """Prove the expression of a scalar; ``absent`` are inputs that are left out."""
        self.prover.prove(scalar.finding, scalar.number, node, scalar.missing, along, {}, absent, scalar.symbol)

    def _expected(self, scalar: Scalar, names: set[str], places: Places, case: Case) -> Bags:
        """Where the terms of each element should stand, FREE along axes that their leaves do not move along."""
        moving = {axis for name in names for axis in flat([a for a in self._axes(name, case) if a != case.memory])}
        if case.memory == "all":
            moving = {axis for name in names if not name.startswith("grad") for axis in flat(self._axes(name, case))}
        lacks = [axis in scalar.missing for axis in case.sizes]
        counts = [size if lack else 1 for size, lack in zip(case.sizes.values(), lacks, strict=True)]
        fibre = np.indices(counts).reshape(len(counts), -1).T
        spread = np.where(lacks, fibre[None], places[:, None])
        spread = np.where([axis in moving for axis in case.sizes], spread, FREE)
        return np.sort(self.host.lanes.codes(spread), -1)

    def _axes(self, name: str, case: Case) -> Sequence[Axis]:
        """The axes of a leaf's tensor."""
        own = name.partition(".")[0]
        return case.scenario.given[own][0] if own in case.scenario.given else case.scenario.outputs

    def _merged(self, node: Node) -> Node:
        """A node in which all channels of the incoming gradient are one."""
        if node.op == "leaf" and str(node.value).startswith("grad."):
            return self.nodes.make("leaf", value="grad.*")
        return self.nodes.make(node.op, [self._merged(arg) for arg in node.args], value=node.value)


def _leaves(node: Node) -> set[str]:
    own = {str(node.value)} if node.op == "leaf" else set()
    return own.union(*(_leaves(arg) for arg in node.args))
