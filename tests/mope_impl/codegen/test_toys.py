"""Generated kernels of small specifications: values, dtypes, shapes and gradients."""
from __future__ import annotations

import math

import pytest
import torch

from mope_theory.spec import Input
from tests.mope_impl.codegen import toys
from tests.mope_impl.codegen.toys import kernel

X = torch.tensor([0.25, -1.5, 3.0, 0.0, 40.0], dtype=torch.float64)
ULP = 2.0**-52
"""Two roundings of float64, relative."""


def test_constants_beside_an_input_are_full_precision_literals():
    """sqrt(2)*x, sqrt(pi)*x, x*log(10000): SymPy's own torch printer calls torch functions on Python numbers."""
    out = kernel(toys.SCALED)(X)
    assert out.shape == (5, 5)
    for row, x in zip(out.tolist(), X.tolist(), strict=True):
        expected = [math.sqrt(2) * x, math.sqrt(math.pi) * x, x * math.log(10000), x / 3 + math.pi, x * math.exp(-18)]
        assert row == pytest.approx(expected, rel=2 * ULP, abs=0)


def test_a_third_is_a_division():
    """1/3 is no float: x/3 rounds once, x * 0.333… twice."""
    assert kernel(toys.SCALED)(torch.tensor([5.0], dtype=torch.float64))[0, 3].item() == 5.0 / 3 + math.pi


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("shape", [(), (5,), (2, 3)])
def test_a_rotation_matrix_keeps_dtype_and_gradient(dtype, shape):
    """A matrix as an output: elsewhere detached from autograd, forced to float64, or refused for a batch."""
    angle = torch.full(shape, 0.5, dtype=dtype, requires_grad=True)
    matrix = kernel(toys.ROTATION)(angle).unflatten(-1, (2, 2))
    assert matrix.dtype == dtype
    assert matrix.shape == (*shape, 2, 2)
    expected = torch.tensor([[math.cos(0.5), -math.sin(0.5)], [math.sin(0.5), math.cos(0.5)]], dtype=torch.float64).to(dtype)
    assert torch.equal(matrix.detach(), expected.expand(*shape, 2, 2))
    (gradient,) = torch.autograd.grad(matrix[..., 1, 0].sum(), angle)
    assert torch.equal(gradient, torch.full(shape, math.cos(0.5), dtype=torch.float64).to(dtype))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16])
@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_a_constant_output_has_shape_dtype_device_and_a_zero_gradient(dtype, device):
    """An output that does not depend on its input: elsewhere the Python int 1, with no gradient."""
    x = torch.zeros(5, dtype=dtype, device=device, requires_grad=True)
    out = kernel(toys.ONE)(x)
    assert (out.shape, out.dtype, out.device.type) == ((5,), dtype, device)
    (gradient,) = torch.autograd.grad(out.sum(), x)
    assert (gradient.shape, gradient.dtype, gradient.device.type) == ((5,), dtype, device)
    if device == "cpu":
        assert torch.equal(out.detach(), torch.ones(5, dtype=dtype))
        assert torch.equal(gradient, torch.zeros(5, dtype=dtype))


def test_an_output_constant_in_one_input_has_that_inputs_axis_and_a_zero_gradient():
    x, y = X.clone().requires_grad_(), torch.ones(3, dtype=torch.float64, requires_grad=True)
    out = kernel(toys.UNUSED)(x, y)
    assert torch.equal(out.detach(), torch.cos(X)[:, None].expand(5, 3))
    d_x, d_y = torch.autograd.grad(out.sum(), (x, y))
    assert torch.equal(d_y, torch.zeros(3, dtype=torch.float64))
    assert d_x.tolist() == pytest.approx((-3 * torch.sin(X)).tolist(), rel=2 * ULP)


def test_separate_channels_are_a_tuple_and_one_may_stay_unused():
    x = X.clone().requires_grad_()
    first, second = kernel(toys.PAIR)(x)
    assert torch.equal(first.detach(), torch.cos(X))
    assert torch.equal(second.detach(), torch.sin(X) * X)
    (gradient,) = torch.autograd.grad(second.sum(), x)
    assert gradient.tolist() == pytest.approx((torch.cos(X) * X + torch.sin(X)).tolist(), rel=4 * ULP)


def test_channels_go_where_the_output_says():
    x, y = torch.tensor([2.0, 3.0]), torch.tensor([5.0, 7.0, 11.0])
    product, total = x[:, None] * y, x[:, None] + y
    assert torch.equal(kernel(toys.HALVES)(x, y), torch.cat((product, total), -1))
    assert torch.equal(kernel(toys.INTERLEAVED)(x, y), torch.stack((product, total), -1).flatten(-2))


def test_named_axes_broadcast_by_name():
    """w "h d" and t "t" give "h t d": the axes are inserted where the name stands, and summed out again."""
    torch.manual_seed(0)
    t, w = torch.arange(4), torch.rand(2, 3, dtype=torch.float64, requires_grad=True)
    s = torch.rand(2, dtype=torch.float64, requires_grad=True)
    out = kernel(toys.HEADS)(t, w, s)
    assert torch.equal(out.detach(), torch.cos(torch.einsum("hd,t->htd", w, t.double())).detach() * s.detach()[:, None, None])
    d_w, d_s = torch.autograd.grad(out.sum(), (w, s))
    angle = torch.einsum("hd,t->htd", w.detach(), t.double())
    assert torch.allclose(d_w, -(torch.sin(angle) * t[:, None]).sum(1) * s.detach()[:, None], rtol=16 * ULP, atol=0)
    noise = 2 * (12 + 6 * 11) * ULP  # on either side 12 cosines within an ulp, summed in some order: 11 half ulps of at most 12
    assert torch.allclose(d_s, torch.cos(angle).sum((1, 2)), rtol=0, atol=noise)


def test_a_parameter_without_axes():
    x, s = torch.tensor([-3, 0, 5]), torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    out = kernel(toys.DISTANCE)(x, s)
    assert out.tolist() == pytest.approx([-1.5 - 27 / 1.25, 0.0, -2.5 + 125 / 1.25], rel=4 * ULP)
    (gradient,) = torch.autograd.grad(out.sum(), s)
    assert gradient.item() == pytest.approx(-8 - 98 * 2 * 0.5 / 1.25**2, rel=8 * ULP)


@pytest.mark.parametrize("spec", toys.TOYS, ids=lambda spec: spec.name)
def test_gradients_of_first_and_second_order(spec):
    sizes = {"*t": (3,), "t": (3,), "n": (2,), "h": (2,), "d": (2,)}

    def shape(one: Input) -> list[int]:
        lead = [n for axis in one.own for n in sizes[axis]]
        count = len(one.symbols)
        return lead if not one.has_channels else [*lead, count] if one.layout == "stacked" else [*lead[:-1], lead[-1] * count]

    inputs = [torch.rand(shape(one), dtype=torch.float64).add_(0.5).requires_grad_() for one in spec.inputs]
    assert torch.autograd.gradcheck(kernel(spec), inputs)
    assert torch.autograd.gradgradcheck(kernel(spec), inputs)


def test_sizes_that_broadcast_get_gradients_of_their_own_shape():
    """An input of size 1 along a shared axis is broadcast; its gradient is summed back to size 1."""
    x, y = X.clone().requires_grad_(), torch.ones(1, dtype=torch.float64, requires_grad=True)
    out = kernel(toys.HALVES)(x, y)
    d_x, d_y = torch.autograd.grad(out[:, 0].sum(), (x, y))
    assert torch.equal(d_y, X.sum().reshape(1))
    assert torch.equal(d_x, torch.ones(5, dtype=torch.float64))


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_channels_of_an_input_are_taken_where_its_axes_say(layout):
    x, t, w = torch.arange(12.0).reshape(2, 6), torch.tensor([0, 3]), torch.tensor([0.5, 1.0, 2.0])
    first, second = x.chunk(2, -1) if layout == "half" else (x[:, 0::2], x[:, 1::2])
    turned = torch.complex(first, second).to(torch.complex128) * torch.exp(1j * t[:, None] * w.double())
    channels = (turned.real, turned.imag)
    expected = torch.cat(channels, -1) if layout == "half" else torch.stack(channels, -1).flatten(-2)
    out = kernel(toys.TURNED)(x, t, w, layout=layout)
    assert out.dtype == torch.float32
    assert torch.allclose(out, expected.float(), rtol=2.0**-23, atol=12 * 8 * 2.0**-53)
    if layout == "half":
        assert torch.equal(kernel(toys.TURNED)(x, t, w), out)


def test_fixed_layouts_of_inputs():
    x = torch.arange(12.0).reshape(2, 6)
    assert torch.equal(kernel(toys.SWAPPED)(x), torch.stack((x[:, 3:], x[:, :3]), -1).flatten(-2))
    w = torch.tensor([2.0, 3.0])
    rows = x.reshape(2, 2, 3)
    expected = torch.stack((rows[..., 0] * rows[..., 1] * w[:, None], rows[..., 0]), -1).flatten(-2)
    assert torch.equal(kernel(toys.ROWS)(rows, w), expected)


def test_a_channel_that_does_not_matter_gets_zeros():
    rows, w = torch.rand(2, 2, 3, requires_grad=True), torch.tensor([2.0, 3.0])
    (gradient,) = torch.autograd.grad(kernel(toys.ROWS)(rows, w).sum(), rows)
    assert torch.equal(gradient[..., 2], torch.zeros(2, 2))
    assert torch.equal(gradient[..., 1], (rows[..., 0] * w[:, None]).detach())


def test_an_input_with_channels_that_is_broadcast_gets_its_gradient_summed():
    x, w = torch.rand(1, 6, dtype=torch.float64, requires_grad=True), torch.zeros(3)
    (gradient,) = torch.autograd.grad(kernel(toys.TURNED)(x, torch.arange(4), w).sum(), x)
    assert torch.equal(gradient, torch.full((1, 6), 4.0, dtype=torch.float64))


def test_an_unknown_layout_is_refused_and_parameters_do_not_decide_the_dtype():
    x, t, w = torch.rand(2, 6, dtype=torch.bfloat16), torch.arange(2), torch.rand(3, dtype=torch.float64)
    for layout in ("halves", "interleave", None, 1):
        with pytest.raises(ValueError, match=f"layout: got {layout!r}, expected 'half' or 'interleaved'"):
            kernel(toys.TURNED)(x, t, w, layout=layout)
    assert kernel(toys.TURNED)(x, t, w).dtype == torch.bfloat16
    assert kernel(toys.TURNED)(x, t, w, dtype=torch.float32).dtype == torch.float32
    with pytest.raises(ValueError, match=r"w: got torch\.int64, expected a floating-point dtype"):
        kernel(toys.TURNED)(x, t, torch.ones(3, dtype=torch.int64))
