"""Every kernel under compilation: fused loops stay under the same bounds, and no call breaks the graph."""
from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tests.mope_impl.consistency.cases import every_kernel
from tests.mope_impl.consistency.harness import Case, generated, leaves, outputs, slope_excess, upstream_for, value_excess
from tests.mope_impl.consistency.regimes import Regime, ordinary, small

KERNELS = {name: generated(name) for name in every_kernel()}


def all_of_them(inputs: dict[str, list[Tensor]], options: dict[str, dict[str, object]]) -> dict[str, object]:
    """Every kernel in one graph, so that one compilation serves them all."""
    return {name: kernel(*inputs[name], **options[name]) for name, kernel in KERNELS.items()}


@pytest.mark.requires("g++")
def test_compiled_code_stays_under_the_same_bounds() -> None:
    """Fused loops have their own exp, cos and sin, and may contract products and sums: one rounding less."""
    g = torch.Generator().manual_seed(9)
    cases = {name: ordinary(name, torch.float32, Regime((0.5, 2), (1e3, 1e5), g)) for name in KERNELS}
    upstream = {name: upstream_for(case, g) for name, case in cases.items()}
    given = {name: leaves(case) for name, case in cases.items()}
    compiled = torch.compile(all_of_them, fullgraph=True)
    results = compiled({k: list(v.values()) for k, v in given.items()}, {k: case.options for k, case in cases.items()})
    found = [channel for name, case in cases.items() for channel in outputs(case, results[name])]
    asked = [(name, k, leaf) for name, inputs in given.items() for k, leaf in inputs.items()]
    incoming = [one for name in cases for one in upstream[name]]
    slopes: dict[str, dict[str, Tensor]] = {name: {} for name in cases}
    for (name, k, _), slope in zip(asked, torch.autograd.grad(found, [leaf for *_, leaf in asked], incoming), strict=True):
        slopes[name][k] = slope
    torch._dynamo.reset()
    for name, case in cases.items():
        assert value_excess(case, results[name]) <= 1, name
        assert max(slope_excess(case, slopes[name], upstream[name]).values()) <= 1, name


@pytest.mark.parametrize("name", every_kernel())
def test_a_whole_graph_for_compilation_and_for_export(name: str) -> None:
    case = small(name, torch.float32)
    expected = outputs(case, KERNELS[name](*case.inputs.values(), **case.options))
    torch._dynamo.reset()
    whole = torch.compile(KERNELS[name], fullgraph=True, backend="aot_eager")
    assert all(map(torch.equal, outputs(case, whole(*case.inputs.values(), **case.options)), expected))
    torch._dynamo.reset()
    exported = torch.export.export(_Call(case), tuple(case.inputs.values())).module()
    assert all(map(torch.equal, outputs(case, exported(*case.inputs.values())), expected))


class _Call(torch.nn.Module):
    """A kernel with its options, as export wants it."""

    def __init__(self, case: Case) -> None:
        super().__init__()
        self.kernel, self.options = KERNELS[case.name], case.options

    def forward(self, *inputs: Tensor) -> object:
        return self.kernel(*inputs, **self.options)
