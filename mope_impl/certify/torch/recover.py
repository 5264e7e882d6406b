"""The scalars of a torch file: one run of the interpreter for each dtype, forward and backward."""

from __future__ import annotations

from collections.abc import Iterator

from mope_theory.spec import KernelSpec

from ..proof import leaves
from ..scalars import Scalar, scalar_names
from ..structure import Axes
from .interpret import Interpreter, leaf
from .scenarios import Scenario, scenarios
from .semantics import named


def scalars(source: bytes, spec: KernelSpec, dtype: str) -> list[Scalar]:
    """Every channel and every gradient, with all inputs in one dtype, positions and distances too.

    Raises Refused for what is not on the allow-list, and ValueError for a dtype that is no floating-point one.
    """
    scenario = next((one for one in scenarios(spec) if one.text.startswith(f"all {dtype}")), None)
    if scenario is None:
        raise ValueError(f"dtype: got {dtype!r}, expected one of float16, bfloat16, float32, float64")
    own = Interpreter(source, len(spec.channels))
    return list(_scalars(own, spec, dtype, scenario))


def _scalars(own: Interpreter, spec: KernelSpec, dtype: str, scenario: Scenario) -> Iterator[Scalar]:
    given = {x.name: leaf(own.nodes, leaves(x.name, len(x.symbols)), scenario.given[x.name][0], dtype) for x in spec.inputs}
    run = own.forward(given if scenario.layout is None else {**given, "layout": scenario.layout})
    found = iter(scalar_names(spec))
    for number, node in enumerate(node for output in run.outputs for node in output.nodes):
        yield Scalar(spec, next(found), number, None, node, dtype, frozenset())
    grads = leaves("grad", len(spec.channels))
    parts = [grads] if len(run.outputs) == 1 else [[one] for one in grads]
    incoming = [leaf(own.nodes, part, scenario.outputs, dtype) for part in parts]
    results = own.backward(run, [any(one is tensor for tensor in given.values()) for one in run.given], incoming)
    axes: Axes = frozenset().union(*(named(tensor) for tensor in given.values()))
    for x in spec.inputs:
        result = next(results[place] for place, one in enumerate(run.given) if one is given[x.name])
        assert result is not None
        for number, (node, symbol) in enumerate(zip(result.nodes, x.symbols, strict=True)):
            yield Scalar(spec, next(found), number, symbol, node, dtype, axes - named(given[x.name]))
