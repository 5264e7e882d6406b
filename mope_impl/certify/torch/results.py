"""The scalars that a file gives, forward and every gradient, with the nodes that compute them in one dtype."""

from __future__ import annotations

from collections.abc import Iterator

from mope_theory.spec import KernelSpec

from ..proof import leaves
from ..rounding import Result
from .interpret import Interpreter, leaf
from .scenarios import scenarios


def results(source: bytes, spec: KernelSpec, dtype: str) -> list[Result]:
    """Every input, and the result, in one dtype; every gradient asked for. Raises Refused or Raised."""
    return list(_results(source, spec, dtype))


def _results(source: bytes, spec: KernelSpec, dtype: str) -> Iterator[Result]:
    own = Interpreter(source, len(spec.channels))
    scenario = next(iter(scenarios(spec)))
    count = len(spec.channels)
    given: dict[str, object] = {
        x.name: leaf(own.nodes, leaves(x.name, len(x.symbols)), scenario.given[x.name][0], dtype) for x in spec.inputs
    }
    if scenario.layout is not None:
        given["layout"] = scenario.layout
    run = own.forward(given)
    for k, node in enumerate(n for t in run.outputs for n in t.nodes):
        yield Result("forward" if count == 1 else f"channel {k}", dtype, node)
    names = leaves("grad", count)
    separate = spec.layout == "separate"
    incoming = [
        leaf(own.nodes, names[k : k + 1] if separate else names, scenario.outputs, dtype) for k in range(len(run.outputs))
    ]
    able = [any(x is t for t in given.values()) for x in run.given]
    gradients = own.backward(run, able, incoming)
    for x in spec.inputs:
        tensor = next(gradients[k] for k, one in enumerate(run.given) if one is given[x.name])
        if tensor is not None:
            for name, node in zip(leaves(f"d {x.name}", len(x.symbols)), tensor.nodes, strict=True):
                yield Result(name, dtype, node)
