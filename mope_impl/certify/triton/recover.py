"""The scalars of a Triton file: the operations that it is found to do in one dtype, forward and backward."""

from __future__ import annotations

from dataclasses import replace

from mope_theory.spec import KernelSpec

from ..nodes import Node
from ..scalars import Scalar, scalar_names
from ..structure import Axes
from . import semantics
from .scenarios import cases


class _Collect(semantics.Check):
    """A check that keeps what it finds instead of proving it."""

    def __init__(self, source: bytes, spec: KernelSpec) -> None:
        super().__init__(source, spec)
        self.found: dict[tuple[str, int], tuple[semantics.Scalar, Node]] = {}

    def prove(self, scalar: semantics.Scalar, node: Node, along: dict[str, Axes], absent: frozenset[str]) -> None:
        self.found[scalar.finding.name, scalar.number] = (scalar, node)


def scalars(source: bytes, spec: KernelSpec, dtype: str) -> list[Scalar]:
    """Every channel and every gradient, with all inputs in one dtype, positions and distances too.

    Raises Refused for what is not on the allow-list, and ValueError for a dtype that is no floating-point one.
    """
    case = next((one for one in cases(spec) if one.scenario.text.startswith(f"all {dtype}")), None)
    if case is None:
        raise ValueError(f"dtype: got {dtype!r}, expected one of float16, bfloat16, float32, float64")
    given = {name: (axes, dtype) for name, (axes, _) in case.scenario.given.items()}
    own = _Collect(source, spec)
    own.case(replace(case, scenario=replace(case.scenario, given=given, every_pattern=False)))
    names = iter(scalar_names(spec))
    return [Scalar(spec, next(names), s.number, s.symbol, node, dtype, s.missing) for s, node in own.found.values()]
