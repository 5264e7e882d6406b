"""The functional Morlet encoding: what it refuses, and how it behaves under every transform of torch."""
from __future__ import annotations

import copy
import itertools
import math

import numpy as np
import pytest
import sympy as sp
import torch
from torch._dynamo.testing import CompileCounterWithBackend
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx

from mope_impl import functional as F
from mope_theory.reference import rounding
from mope_theory.reference.formats import FORMATS
from mope_theory.specs import spec

P = torch.arange(6)
OMEGA = torch.tensor([0.5, 1.0, 2.25])
SIGMA = torch.tensor([1.5, 40.0, float("inf")])
CENTER = torch.tensor([0.0, -2.0, 3.5])
BAD = torch.tensor([0.0, 2.0, float("nan")])


def leaves(dtype: torch.dtype = torch.float64) -> list[torch.Tensor]:
    """Fresh parameters that ask for gradients."""
    return [x.to(dtype).requires_grad_() for x in (OMEGA.clone(), torch.tensor([1.5, 40.0, 7.0]), CENTER.clone())]


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_even_channels_are_cosines_and_odd_channels_sines():
    out = F.morlet_encoding(torch.tensor([2]), OMEGA.double(), SIGMA.double(), CENTER.double())
    for i, (w, s, c) in enumerate(zip(OMEGA.tolist(), SIGMA.tolist(), CENTER.tolist(), strict=True)):
        g = math.exp(-(((2 - c) / s) ** 2) / 2)
        # at most 8 roundings and primitives within one unit in the last place on either side
        assert out[0, 2 * i].item() == pytest.approx(g * math.cos(2 * w), rel=16 * 2.0**-52)
        assert out[0, 2 * i + 1].item() == pytest.approx(g * math.sin(2 * w), rel=16 * 2.0**-52)


@pytest.mark.parametrize("shape", [(), (6,), (2, 3), (1, 3, 2), (0,), (2, 0)])
def test_positions_of_any_shape(shape):
    positions = torch.arange(math.prod(shape)).reshape(shape)
    out = F.morlet_encoding(positions, OMEGA, SIGMA)
    assert out.shape == (*shape, 6)
    for place in itertools.product(*map(range, shape)):
        assert torch.equal(out[place], F.morlet_encoding(positions[place], OMEGA, SIGMA))


def test_no_pairs_give_no_channels():
    empty = torch.empty(0)
    assert F.morlet_encoding(P, empty, empty).shape == (6, 0)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int16, torch.int32, torch.int64, torch.float32, torch.bfloat16])
def test_the_dtype_of_the_positions_changes_no_bit(dtype):
    expected = F.morlet_encoding(P, OMEGA, SIGMA, CENTER)
    assert torch.equal(F.morlet_encoding(P.to(dtype), OMEGA, SIGMA, CENTER), expected)


def test_the_result_has_the_promoted_dtype_of_the_parameters():
    half, single, double = torch.float16, torch.float32, torch.float64
    assert F.morlet_encoding(P.double(), OMEGA.half(), SIGMA.half()).dtype == half
    assert F.morlet_encoding(P, OMEGA.half(), SIGMA.bfloat16()).dtype == single
    assert F.morlet_encoding(P, OMEGA, SIGMA, CENTER.double()).dtype == double
    assert F.morlet_encoding(P, OMEGA, SIGMA, dtype=half).dtype == half


def test_a_result_in_less_precision_is_the_full_one_rounded_once():
    full = F.morlet_encoding(P, OMEGA, SIGMA, CENTER, dtype=torch.float64)
    assert torch.equal(F.morlet_encoding(P, OMEGA, SIGMA, CENTER), full.float())


def test_scores_of_encodings_follow_the_product_kernel_and_are_not_shift_invariant():
    """Scores at (7, 3) and (107, 103), σ = 50, are expected equal by many: the product kernel is not a function of m − n."""
    omega, sigma = torch.tensor([0.3], dtype=torch.float64), torch.tensor([50.0], dtype=torch.float64)
    e = F.morlet_encoding(torch.tensor([7, 3, 107, 103]), omega, sigma)
    near, far = (e[0] @ e[1]).item(), (e[2] @ e[3]).item()
    assert near == pytest.approx(math.cos(1.2) * math.exp(-(7**2 + 3**2) / 5000), rel=1e-14)
    assert far == pytest.approx(math.cos(1.2) * math.exp(-(107**2 + 103**2) / 5000), rel=1e-14)
    assert near > 80 * far


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"positions": [1, 2]}, "positions: got list, expected a torch.Tensor"),
        ({"positions": P > 2}, "positions: got dtype torch.bool, expected integers of 8 to 64 bits, float64"),
        ({"positions": P.to(torch.complex64)}, "positions: got dtype torch.complex64, expected integers of 8 to 64 bits"),
        ({"omega": 0.5}, "omega: got float, expected a torch.Tensor"),
        ({"omega": P[:3]}, "omega: got torch.int64, expected float64, float32, bfloat16 or float16"),
        ({"sigma": SIGMA.to(torch.complex64)}, "sigma: got torch.complex64, expected float64"),
        ({"omega": OMEGA[None]}, r"omega: got shape \(1, 3\), expected one dimension, \(n,\)"),
        ({"sigma": SIGMA[0]}, r"sigma: got shape \(\), expected one dimension, \(n,\)"),
        ({"sigma": SIGMA[:1]}, r"sigma: got shape \(1,\), expected \(3,\) as omega has"),
        ({"center": CENTER[:2]}, r"center: got shape \(2,\), expected \(3,\) as omega has"),
        ({"center": CENTER.to("meta")}, "center: got device meta, expected cpu as positions are on"),
        ({"positions": P.to("meta")}, "omega: got device cpu, expected meta as positions are on"),
        ({"dtype": torch.int32}, "dtype: got torch.int32, expected float64, float32"),
        ({"dtype": "float32"}, "dtype: got 'float32', expected a torch.dtype: float64, float32, bfloat16"),
        ({"positions": P.to(torch.float8_e4m3fn)}, "positions: got dtype torch.float8_e4m3fn, expected integers of 8 to 64"),
        ({"positions": torch.empty(6, dtype=torch.int4)}, "positions: got dtype torch.int4, expected integers of 8 to 64"),
        ({"positions": P.float().to_sparse()}, "positions: got a tensor of layout torch.sparse_coo, expected torch.strided"),
        ({"omega": OMEGA.to_sparse()}, "omega: got a tensor of layout torch.sparse_coo, expected torch.strided"),
        ({"sigma": BAD}, r"sigma: got a value that is zero, negative or NaN, expected widths in \(0, ∞\]"),
        ({"sigma": -SIGMA}, "sigma: got a value that is zero, negative or NaN"),
    ],
)
def test_a_wrong_argument_is_one_clear_error(changed, message):
    arguments = {"positions": P, "omega": OMEGA, "sigma": SIGMA, "center": CENTER} | changed
    with pytest.raises(ValueError, match=message):
        F.morlet_encoding(**arguments)


EIGHT_BITS = [getattr(torch, name) for name in ("float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float4_e2m1fn_x2")]


@pytest.mark.parametrize("dtype", EIGHT_BITS)
def test_dtypes_narrower_than_sixteen_bits_are_refused(dtype):
    """Of float8_e8m0fnu, which has neither sign nor zero, a table would be all positive."""
    with pytest.raises(ValueError, match=f"dtype: got {dtype}, expected float64, float32, bfloat16 or float16"):
        F.morlet_encoding(P, OMEGA, SIGMA, dtype=dtype)
    for name in ("omega", "sigma", "center"):
        narrow = {"omega": OMEGA, "sigma": SIGMA, "center": CENTER} | {name: torch.empty(3, dtype=dtype)}
        with pytest.raises(ValueError, match=f"{name}: got {dtype}, expected float64, float32, bfloat16 or float16"):
            F.morlet_encoding(P, **narrow)


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support")
def test_layouts_without_strides_are_refused():
    pieces = [torch.arange(3.0), torch.arange(5.0)]
    nested = torch.nested.nested_tensor(pieces, layout=torch.strided)
    with pytest.raises(ValueError, match=r"got a nested tensor of layout torch\.strided, expected .* torch\.jagged if nested"):
        F.morlet_encoding(nested, OMEGA, SIGMA)
    for value in (torch.eye(3).to_sparse_csr(), torch.arange(3.0).to_mkldnn()):
        with pytest.raises(ValueError, match=f"positions: got a tensor of layout {value.layout}, expected torch.strided"):
            F.morlet_encoding(value, OMEGA, SIGMA)


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_jagged_positions_give_the_rows_of_each_length():
    pieces, others = [torch.arange(3), torch.arange(5) * 7], leaves()
    parameters = leaves()
    out = F.morlet_encoding(torch.nested.nested_tensor(pieces, layout=torch.jagged), *parameters)
    rows = [F.morlet_encoding(piece, *others) for piece in pieces]
    assert all(torch.equal(x, y) for x, y in zip(out.unbind(), rows, strict=True))
    out.values().sum().backward()
    torch.cat(rows).sum().backward()
    sizes = 16 * 28  # eight positions, at most 28, in two channels: 16 summands, each at most 28, in two orders
    for x, y in zip(parameters, others, strict=True):
        assert torch.allclose(x.grad, y.grad, rtol=0, atol=2 * 15 * sizes * 2.0**-53)


@pytest.mark.parametrize("position", [2**53, -(2**53)])
def test_the_ends_of_the_domain_are_right(position):
    """b − b₀ = ±2⁵⁴ and z = ±2 exactly: e⁻² at ω = 0."""
    one = torch.zeros(1, dtype=torch.float64)
    out = F.morlet_encoding(torch.tensor([position]), one, one + 2.0**53, one - position)
    assert out.tolist() == [[pytest.approx(math.exp(-2), rel=2 * 2.0**-52, abs=0), 0.0]]
    assert spec("morlet_encoding").input("positions").domain.contains(position) == sp.true
    assert "≤ 2^53" in F.morlet_encoding.__doc__


def test_a_device_without_float64_is_refused(monkeypatch):
    """Such a device (mps) would form the phase in float32, silently."""
    monkeypatch.setattr(F.validation, "WITHOUT_FLOAT64", frozenset({"meta"}))
    with pytest.raises(ValueError, match="positions: got device meta, which has no float64; expected a device with float64"):
        F.morlet_encoding(P.to("meta"), OMEGA.to("meta"), SIGMA.to("meta"))


def test_mps_is_known_to_lack_float64():
    assert "mps" in F.WITHOUT_FLOAT64


def test_a_wrong_width_comes_out_as_nan_where_values_cannot_be_read():
    """Under vmap, compilation and fake tensors no value is looked at: no host sync, no graph break, NaN instead."""
    mapped = torch.vmap(F.morlet_encoding, in_dims=(None, None, 0))(P, OMEGA, torch.stack((SIGMA, BAD)))
    assert mapped[1].isnan().any(0).tolist() == [True, True, False, False, True, True]
    assert torch.equal(mapped[0], F.morlet_encoding(P, OMEGA, SIGMA))
    over_positions = torch.vmap(lambda p: F.morlet_encoding(p, OMEGA, BAD))(P)
    assert over_positions.isnan().any(0).tolist() == [True, True, False, False, True, True]
    gradient = torch.func.grad(lambda w: F.morlet_encoding(P, w, BAD)[:, 2:4].sum())(OMEGA)
    assert gradient[1].isfinite()
    compiled = torch.compile(F.morlet_encoding, fullgraph=True, backend="eager")(P, OMEGA, BAD)
    assert compiled.isnan().any(0).tolist() == [True, True, False, False, True, True]
    with FakeTensorMode():
        assert F.morlet_encoding(torch.arange(4), torch.ones(2), torch.zeros(2)).shape == (4, 4)
    traced = make_fx(lambda p, w, s: F.morlet_encoding(p, w, s))(P, OMEGA, SIGMA)
    assert traced(P, OMEGA, BAD).isnan().any(0).tolist() == [True, True, False, False, True, True]


# ── inputs, strides, modes ───────────────────────────────────────────────────────────────────────────────────────────


def test_inputs_are_never_written_and_nothing_is_aliased():
    before = [x.clone() for x in (P, OMEGA, SIGMA, CENTER)]
    out = F.morlet_encoding(P, OMEGA, SIGMA, CENTER)
    out.zero_()
    assert all(torch.equal(x, y) for x, y in zip((P, OMEGA, SIGMA, CENTER), before, strict=True))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_result_may_be_written_in_place(dtype):
    """A result that is a view of an intermediate of the Function cannot be."""
    omega, sigma, center = leaves(dtype)
    F.morlet_encoding(P, omega, sigma, center).mul_(2.0).sum().backward()
    doubled = omega.grad
    omega, sigma, center = leaves(dtype)
    (2 * F.morlet_encoding(P, omega, sigma, center)).sum().backward()
    assert torch.equal(doubled, omega.grad)


def test_any_strides_of_inputs_and_of_the_gradient():
    """Gradients arrive expanded (stride 0), transposed or with gaps."""
    wide = torch.stack((OMEGA, OMEGA, OMEGA), 1).double()[:, 1].requires_grad_()
    one = torch.tensor([3.0], dtype=torch.float64).expand(3)
    positions = torch.arange(12).view(2, 6).t()[::2]
    out = F.morlet_encoding(positions, wide, one)
    same = F.morlet_encoding(positions.contiguous(), wide.detach().contiguous(), one.contiguous())
    assert torch.equal(out.detach(), same)
    expanded = torch.autograd.grad(out, wide, torch.ones((), dtype=torch.float64).expand(3, 2, 6), retain_graph=True)[0]
    transposed = torch.autograd.grad(out, wide, torch.ones(6, 2, 3, dtype=torch.float64).permute(2, 1, 0))[0]
    assert torch.equal(expanded, transposed)
    again = wide.detach().contiguous().requires_grad_()
    (expected,) = torch.autograd.grad(F.morlet_encoding(positions.contiguous(), again, one.contiguous()).sum(), again)
    summands = 2 * 12 * 11  # two channels, twelve positions of at most 11: a sum in another order, in float64
    assert torch.allclose(expanded, expected, rtol=0, atol=12 * summands * 2.0**-53)


def test_autocast_changes_no_bit():
    """Under bf16 autocast the positions 65536…65539 are one and the same phase elsewhere: here four."""
    positions, one = torch.arange(65536, 65540), torch.ones(1)
    omega, sigma = one.clone().requires_grad_(), torch.full((1,), 1e5).requires_grad_()
    plain = F.morlet_encoding(positions, omega, sigma)
    expected = torch.autograd.grad(plain.sum(), (omega, sigma))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = F.morlet_encoding(positions, omega, sigma)
        found = torch.autograd.grad(out.sum(), (omega, sigma))
    assert torch.equal(out, plain)
    assert all(torch.equal(a, b) for a, b in zip(found, expected, strict=True))
    assert len({tuple(row) for row in out.tolist()}) == 4


def test_inference_mode_and_then_training():
    """Tensors made in inference mode must not come back in training, as those of a cache would."""
    omega, sigma, center = leaves()
    with torch.inference_mode():
        first = F.morlet_encoding(P, omega, sigma, center)
    second = F.morlet_encoding(P, omega, sigma, center)
    second.sum().backward()
    assert torch.equal(first, second.detach())
    assert omega.grad is not None


def test_two_training_steps_of_one_length_see_the_new_width():
    """A table kept from learned ω, σ: "backward a second time", or a stale σ."""
    parameters = torch.nn.ParameterList(leaves())
    for _ in range(2):
        F.morlet_encoding(P, *parameters).sum().backward()
        grads = [p.grad.clone() for p in parameters]
        with torch.no_grad():
            for p in parameters:
                p.add_(0.125)
        parameters.zero_grad()
        other = copy.deepcopy(parameters)
    fresh = [(x.detach() + 0.125).requires_grad_() for x in leaves()]
    F.morlet_encoding(P, *fresh).sum().backward()
    assert all(torch.equal(a, b.grad) for a, b in zip(grads, fresh, strict=True))
    assert torch.equal(F.morlet_encoding(P, *other), F.morlet_encoding(P, *parameters))


def test_meta_tensors_give_shapes_and_gradients_without_memory():
    omega = OMEGA.to("meta").requires_grad_()
    out = F.morlet_encoding(P.to("meta"), omega, SIGMA.to("meta"), dtype=torch.bfloat16)
    assert (out.shape, out.dtype, out.device.type) == ((6, 6), torch.bfloat16, "meta")
    out.sum().backward()
    assert (omega.grad.shape, omega.grad.device.type) == ((3,), "meta")


# ── derivatives and transforms ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("positions", [P, P.double().view(2, 3).requires_grad_()], ids=["integer", "float"])
def test_first_and_second_derivatives(positions):
    inputs = (positions, *leaves())
    assert torch.autograd.gradcheck(F.morlet_encoding, inputs)
    assert torch.autograd.gradgradcheck(F.morlet_encoding, inputs)


def test_float_positions_get_a_gradient_and_integer_positions_none():
    positions = P.float().requires_grad_()
    out = F.morlet_encoding(positions, *leaves())
    (gradient,) = torch.autograd.grad(out.sum(), positions)
    assert (gradient.shape, gradient.dtype) == ((6,), torch.float32)
    assert F.morlet_encoding(P, *leaves()).grad_fn.next_functions[0][0] is None


def test_vmap_equals_the_loop():
    positions = torch.arange(12).view(4, 3)
    omega = torch.stack([OMEGA * k for k in (1, 2, 3, 4)])
    mapped = torch.vmap(F.morlet_encoding, in_dims=(0, 0, None, None))(positions, omega, SIGMA, CENTER)
    loop = torch.stack([F.morlet_encoding(p, w, SIGMA, CENTER) for p, w in zip(positions, omega, strict=True)])
    assert torch.equal(mapped, loop)
    inner = torch.vmap(lambda s: F.morlet_encoding(P, OMEGA, s.expand(3)))(SIGMA)
    assert torch.equal(inner, torch.stack([F.morlet_encoding(P, OMEGA, s.expand(3)) for s in SIGMA]))


def test_per_sample_gradients_equal_the_loop():
    omega, sigma, center = (x.detach() for x in leaves())
    positions = torch.arange(12).view(4, 3)

    def loss(p, w, s, c):
        return F.morlet_encoding(p, w, s, c).square().sum()

    mapped = torch.vmap(torch.func.grad(loss, argnums=(1, 2, 3)), in_dims=(0, None, None, None))(positions, omega, sigma, center)
    loop = [torch.func.grad(loss, argnums=(1, 2, 3))(p, omega, sigma, center) for p in positions]
    for k in range(3):
        assert torch.equal(mapped[k], torch.stack([one[k] for one in loop]))


def test_jacrev_equals_the_loop():
    omega, sigma, center = leaves()
    jacobians = torch.func.jacrev(F.morlet_encoding, argnums=(1, 2, 3))(P, *(x.detach() for x in (omega, sigma, center)))
    out = F.morlet_encoding(P, omega, sigma, center)
    rows = [torch.autograd.grad(value, (omega, sigma, center), retain_graph=True) for value in out.flatten()]
    for k, jacobian in enumerate(jacobians):
        assert torch.equal(jacobian.flatten(0, 1), torch.stack([row[k] for row in rows]))


def test_forward_mode_is_refused_and_never_silently_zero():
    omega, sigma, center = (x.detach() for x in leaves())
    with pytest.raises(NotImplementedError, match="implement the jvp function"):
        torch.func.jacfwd(lambda w: F.morlet_encoding(P, w, sigma, center))(omega)
    with pytest.raises(NotImplementedError, match="implement the jvp function"), forward_ad.dual_level():
        F.morlet_encoding(P, forward_ad.make_dual(omega, torch.ones_like(omega)), sigma, center)


# ── compilation and export ───────────────────────────────────────────────────────────────────────────────────────────


def gradient_bound(name: str, positions: torch.Tensor, *parameters: torch.Tensor) -> torch.Tensor:
    """Bound for the error of a gradient of the sum of the outputs, in the dtype of the parameters (reference.rounding)."""
    output = FORMATS[str(parameters[0].dtype).removeprefix("torch.")]
    omega, sigma, center = (x.detach().double().numpy()[None, :] for x in parameters)
    terms = rounding.gradient_terms(*np.broadcast_arrays(omega, sigma, positions.double().numpy()[:, None], center))[name]
    return torch.from_numpy(rounding.rounded(rounding.sum_error(terms), terms.size.sum(0), output))


@pytest.mark.requires("g++")
def test_inductor_compiles_at_most_twice_for_lengths_4_to_15():
    """Values and gradients of both lie within the derived bound of the exact ones, so within twice that of each other."""
    torch._dynamo.reset()
    counter = CompileCounterWithBackend("inductor")
    compiled = torch.compile(F.morlet_encoding, fullgraph=True, backend=counter)
    for length in range(4, 16):
        positions, parameters, others = torch.arange(length) * 997, leaves(torch.float32), leaves(torch.float32)
        eager, fused = F.morlet_encoding(positions, *parameters), compiled(positions, *others)
        unit = 2.0**-24
        assert (eager - fused).abs().max().item() <= 2 * unit
        eager.sum().backward()
        fused.sum().backward()
        for name, a, b in zip(("omega", "sigma", "center"), parameters, others, strict=True):
            assert bool(((a.grad - b.grad).abs() <= 2 * gradient_bound(name, positions, *parameters)).all()), name
    assert counter.frame_count <= 2
    torch._dynamo.reset()


def test_compilation_of_each_kind_of_argument_has_no_graph_break():
    compiled = torch.compile(F.morlet_encoding, fullgraph=True, backend="aot_eager")
    for positions in (P, P.float(), P.view(2, 3)):
        for center in (None, CENTER):
            for dtype in (None, torch.bfloat16):
                torch._dynamo.reset()
                expected = F.morlet_encoding(positions, OMEGA, SIGMA, center, dtype=dtype)
                assert torch.equal(compiled(positions, OMEGA, SIGMA, center, dtype=dtype), expected)
    torch._dynamo.reset()


class Encoder(torch.nn.Module):
    def forward(self, positions, omega, sigma, center):
        return F.morlet_encoding(positions, omega, sigma, center)


@pytest.mark.parametrize("strict", [True, False])
def test_export_with_any_length(strict, tmp_path):
    dynamic = ({0: torch.export.Dim("length")}, None, None, None)
    program = torch.export.export(Encoder(), (P, OMEGA, SIGMA, CENTER), strict=strict, dynamic_shapes=dynamic)
    torch.export.save(program, tmp_path / "encoder.pt2")
    loaded = torch.export.load(tmp_path / "encoder.pt2").module()
    longer = torch.arange(11)
    assert torch.equal(loaded(longer, OMEGA, SIGMA, CENTER), F.morlet_encoding(longer, OMEGA, SIGMA, CENTER))
    parameters, others = leaves(), leaves()
    program = torch.export.export(Encoder(), (P, *(x.detach() for x in parameters)), strict=strict)
    program.module()(P, *parameters).sum().backward()
    F.morlet_encoding(P, *others).sum().backward()
    for name, a, b in zip(("omega", "sigma", "center"), parameters, others, strict=True):
        # The exported program differentiates the operations of the forward pass: at most twice the roundings of our adjoint.
        assert bool(((a.grad - b.grad).abs() <= 3 * gradient_bound(name, P, *parameters)).all()), name
