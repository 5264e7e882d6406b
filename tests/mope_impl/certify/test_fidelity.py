"""What is read from a file is what the file does when it is run: its recovered operations, carried out by torch, give the same.

Formulas are proved of the recovered operations, so this holds the meaning that the checker gives to torch's operations, axes,
layouts and sums against torch itself.
"""

from __future__ import annotations

import math

import pytest
import torch

import mope_theory as mt
from mope_impl.certify.proof import leaves
from mope_impl.certify.sampling.replay import DTYPES, below, replay
from mope_impl.certify.torch.interpret import Interpreter, leaf
from mope_impl.certify.torch.operations import DType
from mope_impl.certify.torch.scenarios import Scenario, scenarios
from mope_theory.spec import KernelSpec
from tests.mope_impl.certify.edits import GENERATED
from tests.mope_impl.codegen.toys import load

SIZES = {"b": 2, "h": 3, "t": 4, "n": 5, "q": 4, "k": 6}


def size(axis: object) -> int:
    if axis == 1:
        return 1
    return 2 * size(next(a for a in axis if a != "c")) if isinstance(axis, tuple) else SIZES[str(axis).rstrip("012")]


def spread(tensor: torch.Tensor, axes: tuple[object, ...], order: list[str]) -> list[torch.Tensor]:
    """One array for each channel, with every named axis in its place."""
    last = axes[-1] if axes else 1
    if isinstance(last, tuple):
        pairs = tensor.unflatten(-1, (2, -1) if last[0] == "c" else (-1, 2))
        channels = pairs.unbind(-2 if last[0] == "c" else -1)
        axes = (*axes[:-1], next(a for a in last if a != "c"))
    else:
        channels = (tensor,)
    shape = [SIZES[a.rstrip("012")] if a in axes else 1 for a in order]
    return [channel.reshape(shape) for channel in channels]


def cases() -> list[tuple[KernelSpec, Scenario]]:
    return [(spec, one) for spec in mt.specs() for one in scenarios(spec)]


@pytest.mark.parametrize("spec, scenario", cases(), ids=lambda x: x.name if isinstance(x, KernelSpec) else x.text)
def test_the_recovered_operations_are_those_of_the_file(spec, scenario):
    source = (GENERATED / f"{spec.name}.py").read_bytes()
    generator = torch.Generator().manual_seed(0)
    own = Interpreter(source, len(spec.channels))
    given, symbolic, values = {}, {}, {}
    order = [
        a for a in ("b0", "b1", "t0", "t1", "h", "t", "q", "n", "k") if any(a in _flat(x) for x, _ in scenario.given.values())
    ]
    for x in spec.inputs:
        if x.name not in scenario.given:
            continue
        axes, dtype = scenario.given[x.name]
        drawn = torch.rand([size(axis) for axis in axes], generator=generator, dtype=torch.float64) * 3 + 0.25
        given[x.name] = drawn.to(torch.int64) if dtype == "int64" else drawn.to(DTYPES[dtype]).requires_grad_()
        symbolic[x.name] = leaf(own.nodes, leaves(x.name, len(x.symbols)), axes, dtype)
        parts = spread(given[x.name].detach(), axes, order)
        values |= dict(zip(leaves(x.name, len(x.symbols)), parts, strict=True))
    options = {} if scenario.layout is None else {"layout": scenario.layout}
    chosen = {} if scenario.dtype is None else {"dtype": DTYPES[scenario.dtype]}
    run = own.forward(symbolic | options | ({} if scenario.dtype is None else {"dtype": DType(scenario.dtype)}))
    got = getattr(load(source.decode()), spec.name)(**given, **options, **chosen)
    results = got if isinstance(got, tuple) else (got,)
    incoming = [torch.randn(r.shape, generator=generator, dtype=torch.float64).to(r.dtype) for r in results]
    memo: dict[int, torch.Tensor] = {}
    for result, tensor in zip(results, run.outputs, strict=True):
        compare(result.detach(), tensor, values, order, memo)
    names = leaves("grad", len(spec.channels))
    parts = [part for g, t in zip(incoming, run.outputs, strict=True) for part in spread(g, t.axes, order)]
    values |= dict(zip(names, parts, strict=True))
    grads = [
        leaf(own.nodes, names if len(results) == 1 else names[k : k + 1], t.axes, t.dtype) for k, t in enumerate(run.outputs)
    ]
    needs = [any(one is symbolic[name] and given[name].requires_grad for name in symbolic) for one in run.given]
    torch.autograd.backward(results, incoming)
    recovered = own.backward(run, needs, grads)
    for name, tensor in given.items():
        if tensor.requires_grad:
            place = next(k for k, one in enumerate(run.given) if one is symbolic[name])
            compare(tensor.grad, recovered[place], values, order, memo)


def compare(real: torch.Tensor, tensor, values, order, memo) -> None:
    """Equal bit for bit; but for the order of the terms of a sum, which the file leaves to torch."""
    real_parts = spread(real, tensor.axes, order)
    for part, node in zip(real_parts, tensor.nodes, strict=True):
        value = replay(node, values, order, memo)
        assert value.dtype == part.dtype
        if all(one.op != "sum" for one in below(node)):
            assert torch.equal(value.expand_as(part), part)
            continue
        apart = of_two_orders(node, part, values, order, memo)
        assert ((value == part) | ((value - part).abs() <= apart)).all()  # equal where both overflow


def of_two_orders(node, part: torch.Tensor, values, order, memo) -> torch.Tensor:
    """How far two sums of the same n terms, in any order, are apart once rounded: 2(n − 1)u Σ|term|, and a unit of the result."""
    axes, term = [], node.args[0] if node.op == "cast" else node
    while term.op == "sum":
        axes, term = [*axes, *term.value], term.args[0]
    assert all(one.op != "sum" for one in below(term))
    terms = replay(term, values, order, memo)
    dims = [order.index(axis) for axis in axes]
    count = math.prod(terms.shape[dim] for dim in dims)
    total = terms.abs().double().sum(dims, keepdim=True) if dims else terms.abs().double()
    rounded = torch.finfo(part.dtype).eps * part.abs().double() if part.dtype != terms.dtype else 0
    return 1.01 * count * torch.finfo(terms.dtype).eps * total + 1.01 * rounded


def test_a_sum_of_other_terms_is_farther_apart_than_two_orders():
    nodes = Interpreter((GENERATED / "rotary.py").read_bytes(), 2).nodes
    term = nodes.make("leaf", dtype="float64", value="x")
    node = nodes.make("sum", [term], "float64", ("t",), [1])
    values = {"x": torch.rand(4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)}
    part = values["x"].flip(0).sum(0, keepdim=True)
    bound = of_two_orders(node, part, values, ["t"], {})
    assert (replay(node, values, ["t"]) - part).abs() <= bound < 2.0**-40
    assert (values["x"][:3].sum() - part).abs() > bound


def _flat(axes: tuple[object, ...]) -> set[object]:
    return {part for axis in axes for part in (axis if isinstance(axis, tuple) else (axis,))}
