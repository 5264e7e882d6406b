"""The relative kernel and the biases of distances: shapes, meaning, edges, and what is refused."""
from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from mope_impl import functional as F
from mope_impl.generated.torch import alibi_bias, gaussian_bias, relative_kernel

D = torch.arange(5)[:, None] - torch.arange(7)
SLOPE = torch.tensor([0.5, 0.25, -1.0])
SIGMA = torch.tensor([1.5, 40.0, math.inf])
OMEGA = torch.tensor([0.5, 1.0, 2.25])
BIASES = {"alibi_bias": (F.alibi_bias, "slope", SLOPE), "gaussian_bias": (F.gaussian_bias, "sigma", SIGMA)}


@pytest.fixture(params=BIASES)
def bias(request: pytest.FixtureRequest):
    """(function, name of its parameter, parameters of three heads)."""
    return BIASES[request.param]


# ── meaning ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_linear_bias_is_minus_slope_times_distance() -> None:
    out = F.alibi_bias(torch.tensor([[3, -2, 0]]), torch.tensor([0.5, 0.125]))
    assert out.tolist() == [[[-1.5, -1.0, 0.0]], [[-0.375, -0.25, 0.0]]]


def test_the_gaussian_bias_multiplies_the_weights_by_the_kernel_at_frequency_0() -> None:
    """softmax(s + bias) = softmax(s)·K(d) normalised; the relative kernel at ω = 0 is that factor."""
    g = torch.Generator().manual_seed(0)
    scores, sigma = torch.randn(5, 7, generator=g, dtype=torch.float64), torch.tensor(2.5, dtype=torch.float64)
    biased = (scores + F.gaussian_bias(D, sigma)).softmax(-1)
    factor, zero = F.relative_kernel(D, torch.zeros(1, dtype=torch.float64), sigma[None])
    weights = scores.softmax(-1) * factor[..., 0]
    # scores and biases below 8 in size, so exponents are off by 8u a rounding; a dozen roundings on either side
    assert torch.allclose(biased, weights / weights.sum(-1, keepdim=True), rtol=2 * 12 * 8 * 2.0**-53, atol=0)
    assert not zero.any()


def test_the_relative_kernel_is_hermitian_and_1_at_0() -> None:
    sigma = torch.tensor([3.0, 0.5, math.inf])
    real, imag = F.relative_kernel(D, OMEGA, sigma)
    back = F.relative_kernel(-D, OMEGA, sigma)
    assert torch.equal(real, back[0])
    assert torch.equal(imag, -back[1])
    at_zero = F.relative_kernel(torch.tensor(0), OMEGA, sigma)
    assert at_zero[0].tolist() == [1.0] * 3
    assert at_zero[1].tolist() == [0.0] * 3


def test_the_relative_kernel_of_infinite_width_is_the_carrier() -> None:
    real, imag = F.relative_kernel(D, OMEGA, torch.full((3,), math.inf))
    waves = F.sinusoidal_encoding(D, OMEGA)
    assert torch.equal(real, waves[..., 1::2])
    assert torch.equal(imag, waves[..., 0::2])


# ── shapes ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("shape", [(), (4,), (2, 3), (2, 2, 3), (0,), (0, 3), (2, 0)])
def test_one_parameter_leaves_the_shape_and_three_put_heads_before_the_last_two_axes(bias, shape: tuple[int, ...]) -> None:
    function, _, parameters = bias
    distance = torch.arange(math.prod(shape)).reshape(shape) - 2
    each = [function(distance, one) for one in parameters]
    assert all(one.shape == shape for one in each)
    heads = max(0, len(shape) - 2)
    assert torch.equal(function(distance, parameters), torch.stack(each, heads))


@pytest.mark.parametrize("shape", [(), (4,), (2, 3), (0,)])
def test_the_relative_kernel_of_distances_of_any_shape(shape: tuple[int, ...]) -> None:
    distance = torch.arange(math.prod(shape)).reshape(shape) - 2
    assert [one.shape for one in F.relative_kernel(distance, OMEGA, SIGMA)] == [(*shape, 3)] * 2


def test_functions_give_what_their_kernels_give() -> None:
    assert torch.equal(F.alibi_bias(D, SLOPE), alibi_bias.alibi_bias(D, SLOPE))
    assert torch.equal(F.gaussian_bias(D, SIGMA), gaussian_bias.gaussian_bias(D, SIGMA))
    expected = relative_kernel.relative_kernel(D, OMEGA, SIGMA)
    assert all(map(torch.equal, F.relative_kernel(D, OMEGA, SIGMA), expected))


def test_a_result_in_place_and_its_gradient(bias) -> None:
    """The result may be a view of what the kernel gives, never of its inputs."""
    function, _, parameters = bias
    for given in (parameters[:2].clone(), parameters[0].clone()):
        given.requires_grad_()
        function(torch.arange(4), given).mul_(2.0).sum().backward()
        expected = torch.autograd.grad(2 * function(torch.arange(4), given).sum(), given)[0]
        assert torch.equal(given.grad, expected)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.float16])
def test_the_dtype_of_the_result(bias, dtype: torch.dtype) -> None:
    function, _, parameters = bias
    assert function(D, parameters.to(dtype)).dtype == dtype
    assert function(D, parameters, dtype=dtype).dtype == dtype
    assert {one.dtype for one in F.relative_kernel(D, OMEGA, SIGMA, dtype=dtype)} == {dtype}


def test_whole_graphs(bias) -> None:
    function, _, parameters = bias
    torch._dynamo.reset()
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    for distance in (D, D.float(), D[0], D[None]):
        for given in (parameters, parameters[0]):
            assert torch.equal(compiled(distance, given), function(distance, given))
    torch._dynamo.reset()


# ── edges ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_modulus_has_gradient_0_at_distance_0() -> None:
    distance = torch.tensor([0.0, 3.0, -3.0], requires_grad=True)
    F.alibi_bias(distance, torch.tensor(0.5)).sum().backward()
    assert distance.grad.tolist() == [0.0, -0.5, 0.5]


def test_an_infinite_width_biases_nothing_and_has_gradient_0() -> None:
    sigma = torch.tensor([math.inf], requires_grad=True)
    out = F.gaussian_bias(torch.tensor([[0, 1, 2**53]]), sigma)
    assert out.tolist() == [[[0.0, 0.0, 0.0]]]
    assert torch.autograd.grad(out.sum(), sigma)[0].tolist() == [0.0]


@pytest.mark.parametrize("sigma", [2.0**-149, 2.0**-126, 1e-20])
def test_a_tiny_width_masks_all_but_distance_0(sigma: float) -> None:
    """The bias is −∞ in float32; in float64 it is finite, and so is each gradient: nothing a softmax would make NaN of."""
    distance, width = torch.tensor([[0, 1, 5]]), torch.tensor([sigma], requires_grad=True)
    out = F.gaussian_bias(distance, width)
    assert out.tolist() == [[[0.0, -math.inf, -math.inf]]]
    weights = (torch.zeros(3) + out).softmax(-1)
    assert weights.tolist() == [[[1.0, 0.0, 0.0]]]
    (slope,) = torch.autograd.grad(weights[..., 1].sum(), width)
    assert slope.item() == 0.0
    wide = F.gaussian_bias(distance, width.double())
    assert wide[0, 0, 1].item() == pytest.approx(-((1 / width.item()) ** 2) / 4, rel=4 * 2.0**-53)


def test_narrow_widths_do_not_overflow() -> None:
    """d² and 4σ² overflow in 16 bits at d = 256, σ = 512; the bias is −1/16."""
    for dtype in (torch.float16, torch.bfloat16):
        assert F.gaussian_bias(torch.tensor([256], dtype=dtype), torch.tensor(512.0, dtype=dtype)).item() == -1 / 16


@pytest.mark.parametrize("sigma, d, value", [(1e-23, 0.0, 1), (1e-20, 1.0, 0), (1e-10, 1e5, 0), (1e-3, 1e15, 0)])
def test_a_tiny_width_of_the_relative_kernel_underflows_without_nan(sigma: float, d: float, value: int) -> None:
    given = [torch.tensor([x], requires_grad=True) for x in (d, 0.5, sigma)]
    real, imag = F.relative_kernel(*given)
    assert (real.item(), imag.item()) == (value, 0.0)
    slopes = torch.autograd.grad((real + imag).sum(), given, create_graph=True)
    assert slopes[2].item() == 0.0
    assert all(slope.isfinite().all() for slope in slopes)
    again = torch.autograd.grad(slopes[1].sum(), given[1])
    assert again[0].isfinite().all()


@pytest.mark.parametrize("sigma", [0.0, -1.0, math.nan])
def test_a_wrong_width_is_refused_where_it_can_be_read_and_nan_elsewhere(sigma: float) -> None:
    wrong = torch.tensor([sigma, 2.0])
    for call in (lambda s: F.gaussian_bias(D, s), lambda s: F.relative_kernel(D, OMEGA[:2], s)):
        with pytest.raises(ValueError, match=r"sigma: got a value that is zero, negative or NaN, expected widths in \(0, ∞\]"):
            call(wrong)
    bias = torch.vmap(lambda s: F.gaussian_bias(D, s))(wrong)
    assert bias.isnan().flatten(1).all(1).tolist() == [True, False]
    assert not bias[1].isnan().any()
    kernel = torch.vmap(lambda s: F.relative_kernel(D, OMEGA[:1], s[None])[0])(wrong)
    assert kernel.isnan().flatten(1).all(1).tolist() == [True, False]


@pytest.mark.parametrize("d", [4095, 131071, 1048575, 2**24 + 1])
def test_the_phase_of_the_relative_kernel_at_long_distances(d: int) -> None:
    """float32 phases are wrong by 1.4e-4, 1.5e-3, 2.5e-2 and 0.83 there."""
    real, imag = F.relative_kernel(torch.tensor([d]), torch.tensor([1.0]), torch.tensor([math.inf]))
    assert abs(real.item() - math.cos(d)) <= 4 * 2.0**-24
    assert abs(imag.item() - math.sin(d)) <= 4 * 2.0**-24


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"distance": [1, 2]}, "distance: got list, expected a torch.Tensor"),
        ({"distance": D > 2}, "distance: got dtype torch.bool, expected integers of 8 to 64 bits"),
        ({"parameter": 0.5}, "got float, expected a torch.Tensor"),
        ({"parameter": D[0]}, "got torch.int64, expected float64, float32, bfloat16 or float16"),
        ({"parameter": SLOPE[None]}, r"got shape \(1, 3\), expected \(\) or \(H,\)"),
        ({"parameter": SLOPE.to("meta")}, "got device meta, expected cpu as distance is on"),
        ({"dtype": torch.int32}, "dtype: got torch.int32, expected float64"),
    ],
)
def test_a_wrong_argument_of_a_bias_is_one_clear_error(bias, changed: dict[str, object], message: str) -> None:
    function, name, parameters = bias
    given = {"distance": D, "parameter": parameters, "dtype": None} | changed
    prefix = f"{name}: " if "parameter" in changed else ""
    with pytest.raises(ValueError, match=prefix + message):
        function(given["distance"], given["parameter"], dtype=given["dtype"])


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_nested_distances_have_no_bias(bias) -> None:
    function, _, parameters = bias
    nested = torch.nested.nested_tensor([torch.arange(3), torch.arange(5)], layout=torch.jagged)
    with pytest.raises(ValueError, match="distance: got a nested tensor, expected a plain one"):
        function(nested, parameters)


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"distance": None}, "distance: got NoneType, expected a torch.Tensor"),
        ({"omega": OMEGA[:2]}, r"sigma: got shape \(3,\), expected \(2,\) as omega has"),
        ({"sigma": SIGMA[0]}, r"sigma: got shape \(\), expected one dimension, \(n,\)"),
        ({"sigma": SIGMA.to("meta")}, "sigma: got device meta, expected cpu as distance is on"),
        ({"dtype": "float32"}, "dtype: got 'float32', expected a torch.dtype"),
    ],
)
def test_a_wrong_argument_of_the_relative_kernel_is_one_clear_error(changed: dict[str, object], message: str) -> None:
    given: dict[str, Tensor | None] = {"distance": D, "omega": OMEGA, "sigma": SIGMA, "dtype": None}
    with pytest.raises(ValueError, match=message):
        F.relative_kernel(**(given | changed))
