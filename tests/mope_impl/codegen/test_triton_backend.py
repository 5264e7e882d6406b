"""The Triton backend on small specifications: generality of shapes and layouts, number formats, names, and refusals."""
from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp
import torch

from mope_impl import codegen
from mope_impl.codegen.backends.triton.printer import literal
from mope_impl.codegen.generate import compile_spec
from mope_impl.codegen.ir import Node
from mope_impl.codegen.passes import BLOCK_PASSES
from mope_impl.codegen.passes.precision import is_work, roundings
from mope_theory.spec import Input, KernelSpec, SpecError
from mope_theory.specs import spec
from tests.mope_impl.codegen import toys
from tests.mope_impl.generated.triton.harness import DEVICE, loaded

TOYS = {one.name: one for one in (toys.HALVES, toys.INTERLEAVED, toys.UNUSED, toys.HEADS, toys.SWAPPED, toys.TURNED)}
SIZES = {"t": 5, "n": 3, "h": 2, "d": 3}


def inputs(one: KernelSpec) -> list[torch.Tensor]:
    torch.manual_seed(0)
    shapes = [[SIZES[axis.removeprefix("*")] for axis in x.own] for x in one.inputs]
    for x, shape in zip(one.inputs, shapes, strict=True):
        shape[-1] *= len(x.symbols)
    return [torch.rand(shape, dtype=torch.float64, device=DEVICE).requires_grad_() for shape in shapes]


@pytest.mark.parametrize("name", TOYS)
def test_a_toy_equals_its_torch_kernel(name, tmp_path: Path):
    """Layouts, an output that is constant along an axis, axes in the middle, separate results: to 2⁻⁴⁶, some 30 roundings."""
    one = TOYS[name]
    f = getattr(loaded(codegen.generate(one, "triton"), tmp_path), name)
    given, others = inputs(one), inputs(one)
    out, expected = f(*given), toys.kernel(one)(*others)
    assert (out.shape, out.dtype) == (expected.shape, expected.dtype)
    torch.testing.assert_close(out, expected, rtol=2.0**-46, atol=2.0**-46)
    incoming = torch.rand_like(out)
    for p, q in zip(torch.autograd.grad(out, given, incoming), torch.autograd.grad(expected, others, incoming), strict=True):
        torch.testing.assert_close(p, q, rtol=2.0**-46, atol=2.0**-46)


@pytest.mark.parametrize("one, message", [
    (toys.SCALED, "two axes or more"), (toys.ONE, "two axes or more"), (toys.ROWS, "pairs of channels at most"),
])  # fmt: skip
def test_what_does_not_fit_into_blocks_is_refused(one, message):
    with pytest.raises(SpecError, match=message):
        codegen.generate(one, "triton")


@pytest.mark.parametrize("name", ["tl", "inside", "at_t", "size_n", "stride_w_n", "in_t", "sum_w"])
def test_a_name_that_the_kernel_uses_itself_is_refused(name):
    """As an input; as a symbol alone it would be the name of a variable."""
    x, w = sp.symbols("x w", real=True)
    for one in (
        (Input(name, x, "t"), Input("w", w, "n")),
        (Input("x", sp.Symbol(name, real=True), "t"), Input("w", w, "n")),
    ):
        channel = sp.cos(one[0].symbol) * w + one[0].symbol
        with pytest.raises(SpecError, match="a name that a Triton kernel uses itself"):
            codegen.generate(KernelSpec("toy", "A toy", "none", one, (channel,), "t n"), "triton")


def test_constants_that_float32_does_not_hold_are_float64():
    """A literal by itself may be a float32 in Triton."""
    assert [literal(value) for value in (0.25, -0.5, 56.0, 2.0**-140)] == ["0.25", "-0.5", "56.0", repr(2.0**-140)]
    for value in (0.1, 1e-08, 1e300, 2.0**53 + 2, 2.0**-160):
        assert literal(value) == f"tl.full((1, 1), {value!r}, tl.float64)"
    assert "tl.full((1, 1), 1e-08, tl.float64)" in codegen.generate(spec("energy_gate"), "triton")


def casts(name: str, backward: bool = False) -> dict[str, Node]:
    """The statements of a kernel, by name."""
    done = compile_spec(spec(name), BLOCK_PASSES)
    sections = [*(one for _, one in done.shared), *done.gradients] if backward else [done.forward]
    return {label: node for one in sections for label, node in one.statements}


def test_coefficients_are_float64_and_data_are_multiplied_in_the_format_of_data():
    forward = casts("morlet_rotary")
    assert forward["theta"].op == "mul"
    assert [forward[name].op for name in ("work_cos", "work_sin", "work_exp", "x_0")] == ["work"] * 4
    assert forward["b"].op == "wide"
    backward = casts("morlet_rotary", backward=True)
    assert backward["wide_grad_theta"] == Node("wide", (Node("variable", data="grad_theta"),))
    assert casts("gaussian_bias", backward=True)["wide_grad_0"].op == "wide"  # d/σ is no coefficient below 1


def test_what_may_exceed_1_is_not_cast_to_the_format_of_data():
    """e^{κb} overflows in float32 where the product with x does not: 0·∞ = NaN for padding."""
    assert "work_exp" not in casts("xpos_rotary")
    assert any(name.startswith("wide_") for name in casts("xpos_rotary"))


def test_the_roundings_of_a_value_are_counted():
    """By hand: cosine, product, difference, envelope, product."""
    x_0, x_1 = (Node("work", (Node("take_chosen", (Node("input", data=0),), (k, 2)),)) for k in (0, 1))
    c, s, e = (Node("work", (Node("variable", data=name),)) for name in "cse")
    difference = Node("sub", (Node("mul", (c, x_0)), Node("mul", (s, x_1))))
    assert roundings(difference) == 3
    assert roundings(Node("mul", (difference, e))) == 5
    assert is_work(difference)
    assert not is_work(Node("wide", (difference,)))
    for name, count in (("morlet_rotary", "5"), ("rotary", "3"), ("xpos_rotary", "3")):
        header = " ".join(codegen.generate(spec(name), "triton").replace("#", " ").split())
        assert f"which adds at most {count} * 2**-24" in header


def test_the_name_of_an_operator_follows_the_text():
    one = spec("gaussian_bias")
    texts = [codegen.generate(version, "triton") for version in (one, replace(one, title="Another title"))]
    hashes = [set(re.findall(r"mope::gaussian_bias(?:_backward)?_([0-9a-f]{12})", text)) for text in texts]
    assert [len(some) for some in hashes] == [1, 1]
    assert hashes[0] != hashes[1]
    assert codegen.generate(one, "triton") == texts[0]


def test_the_passes_say_what_they_guarantee():
    assert [one.__name__ for one in BLOCK_PASSES[-4:]] == ["summands", "layout", "precision", "schedule"]
    assert all("Guarantees:" in one.__doc__ for one in BLOCK_PASSES)
