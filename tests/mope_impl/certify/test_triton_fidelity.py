"""What is read from a Triton file is what it does: its recovered operations, carried out by torch, give what the file gives.

The file runs in Triton's interpreter. Formulas are proved of the recovered operations, so this holds the meaning that the checker
gives to the language, to strides, blocks and sums against Triton itself.
"""

from __future__ import annotations

import importlib

import pytest
import torch

from mope_impl.certify.proof import leaves
from mope_impl.certify.sampling.replay import DTYPES, replay
from mope_impl.certify.torch.scenarios import scenarios
from mope_impl.certify.triton.recover import scalars
from mope_theory.specs import spec
from tests.mope_impl.certify.edits_triton import GENERATED
from tests.mope_impl.certify.test_fidelity import of_two_orders, size, spread

FILES = sorted(path.stem for path in GENERATED.glob("*.py") if path.name != "__init__.py")


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", FILES)
def test_the_recovered_operations_are_those_of_the_file(name, dtype):
    kernel = spec(name)
    source = GENERATED / f"{name}.py"
    scenario = next(one for one in scenarios(kernel) if one.text.startswith(f"all {dtype}"))
    found = scalars(source.read_bytes(), kernel, dtype)
    order = [a for a in ("b0", "t0", "h", "t", "q", "n", "k") if any(a in str(axes) for axes, _ in scenario.given.values())]
    generator = torch.Generator().manual_seed(0)
    given, values = {}, {}
    for x in kernel.inputs:
        axes = scenario.given[x.name][0]
        drawn = torch.rand([size(axis) for axis in axes], generator=generator, dtype=torch.float64) * 3 + 0.25
        given[x.name] = drawn.to(DTYPES[dtype]).requires_grad_()
        values |= dict(zip(leaves(x.name, len(x.symbols)), spread(given[x.name].detach(), axes, order), strict=True))
    options = {} if scenario.layout is None else {"layout": scenario.layout}
    got = getattr(importlib.import_module(f"mope_impl.generated.triton.{name}"), name)(**given, **options)
    results = got if isinstance(got, tuple) else (got,)
    incoming = [torch.randn(r.shape, generator=generator, dtype=torch.float64).to(r.dtype) for r in results]
    parts = [part for g in incoming for part in spread(g, scenario.outputs, order)]
    values |= dict(zip(leaves("grad", len(kernel.channels)), parts, strict=True))
    torch.autograd.backward(results, incoming)
    real = [part for r in results for part in spread(r.detach(), scenario.outputs, order)]
    for x in kernel.inputs:
        real += spread(given[x.name].grad, scenario.given[x.name][0], order)
    memo: dict[int, torch.Tensor] = {}
    for scalar, part in zip(found, real, strict=True):
        value = replay(scalar.node, values, order, memo)
        assert value.dtype == part.dtype == DTYPES[dtype]
        if scalar.summed:
            apart = of_two_orders(scalar.node, part, values, order, memo)  # the order of the terms is left to Triton
            assert ((value.expand_as(part) - part).abs() <= apart).all(), scalar.name
        else:
            ulps = torch.nextafter(part.abs(), torch.full_like(part, torch.inf)) - part.abs()
            assert ((value.expand_as(part) - part).abs() <= 4 * ulps).all(), scalar.name
