"""The generated Morlet encoding against mpmath at the exact binary inputs: envelope, phase, and the edges of the box."""
from __future__ import annotations

import math

import mpmath
import pytest
import torch

from mope_impl.generated.torch.morlet_encoding import morlet_encoding
from tests.mope_impl.codegen.toys import packet

U = 2.0**-53
INFINITY = float("inf")


def columns(*values: float, dtype: torch.dtype = torch.float64, grad: bool = False) -> torch.Tensor:
    return torch.tensor(values, dtype=dtype).requires_grad_(grad)


def worst_excess(out: torch.Tensor, positions, omega, sigma, center=None) -> float:
    """Largest error in units of the bound that the file's header states, with one rounding to the output's dtype."""
    unit = 0.0 if out.dtype == torch.float64 else torch.finfo(out.dtype).eps / 2
    through = 2.0**-24 if out.dtype in (torch.bfloat16, torch.float16) else 0.0
    subnormal = torch.finfo(out.dtype).smallest_normal * torch.finfo(out.dtype).eps / 2
    worst, exact_phase = 0.0, omega.dtype != torch.float64
    for t, b in enumerate(positions.tolist()):
        for i, (w, s) in enumerate(zip(omega.tolist(), sigma.tolist(), strict=True)):
            true = packet(b, w, s, 0.0 if center is None else center[i].item())
            bound = ((0 if exact_phase else abs(w * b)) + 5) * U
            for k in (0, 1):
                error = abs(mpmath.mpf(out[t, 2 * i + k].item()) - true[k])
                worst = max(worst, float(error / ((unit + through) * abs(true[k]) * (1 + 2**-20) + bound + subnormal)))
    return worst


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_values_stay_within_the_accuracy_that_the_header_states(dtype):
    omega = columns(1.0, 0.37, 2.9, 1e-3, -1.5, dtype=dtype)
    sigma = columns(1.49, 4.5, 50.0, 1e3, INFINITY, dtype=dtype)
    center = columns(0.0, 0.5, -3.0, 7.0, 1.0, dtype=dtype)
    positions = torch.tensor([0, 1, -2, 9, 64, -511, 4095])
    assert worst_excess(morlet_encoding(positions, omega, sigma, center), positions, omega, sigma, center) <= 1.0
    assert worst_excess(morlet_encoding(positions, omega, sigma), positions, omega, sigma) <= 1.0


@pytest.mark.parametrize("omega", [1e-4, 0.01, 1.0, math.pi, 100.0, 8192.0])
def test_phase_is_exact_to_four_units_at_positions_up_to_2_24(omega):
    """float32 angles are wrong by 1.4e-4, 1.5e-3, 2.5e-2 and 0.83 at b = 4095, 131071, 1048575 and 2²⁴ + 1."""
    frequency = columns(omega, dtype=torch.float32)
    positions = torch.tensor([0, 1, 4095, 131071, 1048575, 2**24 - 1, 2**24, 2**24 + 1, -(2**24)])
    out = morlet_encoding(positions, frequency, columns(INFINITY, dtype=torch.float32))
    assert out.dtype == torch.float32
    for row, b in zip(out.tolist(), positions.tolist(), strict=True):
        for value, true in zip(row, packet(b, frequency.item(), INFINITY), strict=True):
            assert abs(value - true) <= 4 * mpmath.mpf(2) ** -24


def test_int64_positions_above_2_24_keep_every_unit():
    """As float32, 2²⁴ and 2²⁴ + 1 are one position; up to 2⁵³/|ω| int64 positions stay apart."""
    positions = torch.tensor([2**24 + 1, 2**40 + 1, 2**53 - 1])
    omega, sigma = columns(1.0, dtype=torch.float32), columns(INFINITY, dtype=torch.float32)
    assert worst_excess(morlet_encoding(positions, omega, sigma), positions, omega, sigma) <= 1.0


@pytest.mark.parametrize("sigma, b", [(1e-23, 0.0), (1e-20, 1.0), (1e-10, 1e5), (1e-3, 1e18)])
def test_a_tiny_width_underflows_without_nan(sigma, b):
    """b²/σ² and σ³ overflow or vanish in float32: NaN in ∂σ elsewhere. Right: 1 at b = 0, else 0; ∂σ = 0."""
    omega, width = columns(0.5, dtype=torch.float32, grad=True), columns(sigma, dtype=torch.float32, grad=True)
    out = morlet_encoding(torch.tensor([b]), omega, width)
    assert out.tolist() == [[1.0 if b == 0 else 0.0, 0.0]]
    gradients = torch.autograd.grad(out.sum(), (omega, width), create_graph=True)
    assert [g.item() for g in gradients] == [0.0, 0.0]
    again = torch.autograd.grad(sum(g.sum() for g in gradients), (omega, width))
    assert all(torch.isfinite(g).all() for g in again)


@pytest.mark.parametrize("sigma", [5e-324, 1e-300, 1e-160])
def test_the_smallest_widths_of_float64_have_finite_derivatives(sigma):
    """1/σ is infinite for the smallest σ, and z away from the centre: a mask on the result alone leaves 0·∞.

    Of second order only where 1/σ is a float: the second derivative by b is −1/σ² itself.
    """
    b, omega = columns(0.0, 1.0, -3.0, grad=True), columns(0.5, grad=True)
    width, center = columns(sigma, grad=True), columns(1.0, grad=True)
    out = morlet_encoding(b, omega, width, center)
    expected = [[0.0, 0.0], [math.cos(0.5), math.sin(0.5)], [0.0, 0.0]]
    assert out.tolist() == [pytest.approx(row, rel=4 * U) for row in expected]
    gradients = torch.autograd.grad(out.sum(), (omega, width, center), create_graph=True)
    assert gradients[1].item() == 0.0
    assert gradients[2].item() == 0.0
    if sigma > 1e-308:
        assert torch.autograd.grad(sum(gradients), omega)[0].isfinite().all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_sixteen_bit_inputs_do_not_overflow(dtype):
    """b² and 2σ² overflow in 16 bits: 1.0 and NaN elsewhere, for e^{−b²/2σ²} = 0.8834 and 0.8825."""
    positions = torch.tensor([255.0, 256.0], dtype=dtype)
    out = morlet_encoding(positions, columns(0.0, dtype=dtype), columns(512.0, dtype=dtype), dtype=torch.float64)
    b = positions.tolist()
    assert out[:, 0].tolist() == pytest.approx([math.exp(-((x / 512) ** 2) / 2) for x in b], rel=8 * U)
    if dtype == torch.float16:
        assert out[:, 0].tolist() == pytest.approx([0.8834, 0.8825], abs=5e-5)


@pytest.mark.parametrize("exponent", [88.0, 103.0])
def test_values_below_the_normal_numbers_of_float32_have_an_absolute_bound(exponent):
    """e^{−88} and e^{−103} are subnormal in float32 and flushed by some devices: only an absolute bound is promised."""
    b = math.sqrt(2 * exponent)
    out = morlet_encoding(columns(b), columns(0.0, dtype=torch.float32), columns(1.0, dtype=torch.float32))
    assert abs(out[0, 0].item() - math.exp(-exponent)) <= 2.0**-126


def test_an_infinite_width_is_the_exact_limit_with_zero_gradients():
    b, omega = columns(0.0, 3.0, -1e6, 2.0**53, grad=True), columns(0.75, grad=True)
    sigma, center = columns(INFINITY, grad=True), columns(11.0, grad=True)
    out = morlet_encoding(b, omega, sigma, center)
    assert torch.equal(out[:, 0], torch.cos(0.75 * b))
    assert torch.equal(out[:, 1], torch.sin(0.75 * b))
    gradients = torch.autograd.grad(out.sum(), (sigma, center, omega, b), create_graph=True)
    assert [g.item() for g in gradients[:2]] == [0.0, 0.0]
    again = torch.autograd.grad(sum(g.sum() for g in gradients), (sigma, center))
    assert [g.item() for g in again] == [0.0, 0.0]


@pytest.mark.parametrize("sigma", [0.0, -0.0, -1.0, -INFINITY, float("nan")])
@pytest.mark.parametrize("b", [0.0, 1.0, 1e6])
def test_a_width_that_is_not_positive_gives_nan_in_its_channels_alone(sigma, b):
    """A guard written as |z| ≤ 40, negated, would turn the NaN into 0."""
    out = morlet_encoding(columns(b), columns(1.0, 1.0), columns(sigma, 2.0))
    assert out[0].isnan().tolist() == [True, True, False, False]


def test_the_guard_cuts_only_what_underflows():
    """At |z| = 40 the envelope is 10⁻³⁴⁸; the last positive value, at |z| ≈ 38.6, is kept."""
    edge = math.sqrt(2 * 1074 * math.log(2))
    out = morlet_encoding(columns(edge - 0.02, 39.999, 40.001, -edge + 0.02), columns(0.0), columns(1.0))
    assert (out[:, 0] > 0).tolist() == [True, False, False, True]


def test_the_carrier_does_not_move_with_the_centre():
    out = morlet_encoding(columns(7.0), columns(0.5), columns(3.0), columns(7.0))
    assert out[0].tolist() == [math.cos(3.5), math.sin(3.5)]


@pytest.mark.parametrize("case", ["no mask", "masked"])
def test_gradients_of_first_and_second_order_in_float64(case):
    """A Function that saves an intermediate passes gradcheck and is silently wrong in the second order."""
    b = columns(0.0, 1.5, -3.0, 100.0 if case == "masked" else 4.0, grad=True)
    inputs = (b, columns(0.5, 1.0, -2.0, grad=True), columns(1.0, 3.0, 2.0, grad=True), columns(0.0, 0.5, 1.0, grad=True))
    assert torch.autograd.gradcheck(morlet_encoding, inputs)
    assert torch.autograd.gradgradcheck(morlet_encoding, inputs)


def test_known_gradients():
    """∂ψ/∂ω = ibψ, ∂ψ/∂σ = (b²/σ³)ψ, ∂ψ/∂b₀ = (b/σ²)ψ, ∂ψ/∂b = (iω − b/σ²)ψ at ω = 0.5, σ = 2, b = 3, b₀ = 0."""
    inputs = [columns(v, grad=True) for v in (3.0, 0.5, 2.0, 0.0)]
    real, imag = morlet_encoding(*inputs)[0]
    c, s = math.cos(1.5) * math.exp(-9 / 8), math.sin(1.5) * math.exp(-9 / 8)
    found = [g.item() for g in torch.autograd.grad(real, inputs, retain_graph=True)]
    assert found == pytest.approx([-0.5 * s - 0.75 * c, -3 * s, 9 / 8 * c, 0.75 * c], rel=32 * U)
    found = [g.item() for g in torch.autograd.grad(imag, inputs)]
    assert found == pytest.approx([0.5 * c - 0.75 * s, 3 * c, 9 / 8 * s, 0.75 * s], rel=32 * U)


def test_gradients_are_summed_in_float64_and_rounded_once():
    """257 + 257 + 257 is 771, in bfloat16 772; each rounded first is 256, and their sum 768."""
    omega, positions = columns(0.0, dtype=torch.bfloat16, grad=True), torch.full((3,), 257)
    out = morlet_encoding(positions, omega, columns(INFINITY, dtype=torch.bfloat16), dtype=torch.float64)
    (gradient,) = torch.autograd.grad(out[:, 1].sum(), omega)
    assert gradient.dtype == torch.bfloat16
    assert gradient.item() == 772.0


def test_only_needed_gradients_are_given():
    omega, sigma = columns(1.0), columns(2.0, grad=True)
    morlet_encoding(torch.arange(3), omega, sigma).sum().backward()
    assert omega.grad is None
    assert sigma.grad is not None


def test_the_checks_of_dtypes_neither_read_values_nor_break_a_graph():
    """On the meta device there are no values; in a graph made for export and in one under vmap the refusals are as ever."""
    b, w = torch.arange(4), torch.rand(3)
    assert morlet_encoding(b.to("meta"), w.to("meta"), w.to("meta")).shape == (4, 6)

    class Module(torch.nn.Module):
        def forward(self, positions, omega, sigma, center):
            return morlet_encoding(positions, omega, sigma, center, dtype=torch.float64)

    exported = torch.export.export(Module(), (b, w, w, w))
    assert torch.equal(exported.module()(b, w, w, w), morlet_encoding(b, w, w, w, dtype=torch.float64))
    whole = torch.compile(Module(), backend="eager", fullgraph=True)
    assert torch.equal(whole(b, w, w, w), morlet_encoding(b, w, w, w, dtype=torch.float64))
    with pytest.raises(ValueError, match=r"omega: got torch\.int64, expected a floating-point dtype"):
        torch.vmap(morlet_encoding, in_dims=(None, 0, None))(b, torch.ones(2, 3, dtype=torch.int64), w)


def test_the_file_imports_nothing_but_torch_and_its_own_annotations():
    with open(morlet_encoding.__code__.co_filename, encoding="utf-8") as file:
        imports = [line for line in file if line.lstrip().startswith(("import", "from"))]
    assert imports == ["from __future__ import annotations\n", "import torch\n", "from torch import Tensor\n"]
