"""The rotary kernels in Triton: values and gradients within derived bounds, whatever the shapes, layouts and dtypes."""
from __future__ import annotations

import importlib
import math
from types import ModuleType

import pytest
import torch
from torch import Tensor

from .harness import DEVICE, changed, guarded, placed, whole
from .reference import rotation

NAMES = ("rotary", "morlet_rotary", "xpos_rotary")


def module(name: str) -> ModuleType:
    return importlib.import_module(f"mope_impl.generated.triton.{name}")


def arguments(name: str, shape: tuple[int, ...], dtype=torch.float32, reach: float = 30.0, heads: bool = True) -> list[Tensor]:
    """x, positions by batch, and parameters by head or for all heads, without symmetry."""
    torch.manual_seed(0)
    batch, head, tokens, width = shape
    rows = (head,) if heads else (1,)
    x, positions = torch.randn(shape).to(dtype), (torch.rand(batch, tokens) - 0.5) * 2 * reach
    omega = torch.rand(*rows, width // 2) * 3
    if name == "morlet_rotary":
        return [x, positions, omega, torch.rand(*rows, width // 2) * reach + 0.5]
    rate = [(torch.rand(*rows, width // 2) - 0.5) / reach] if name == "xpos_rotary" else []
    return [x, positions, omega, *rate]


def verify(
    name: str,
    given: list[Tensor],
    monkeypatch: pytest.MonkeyPatch,
    *,
    layout: str = "half",
    dtype: torch.dtype | None = None,
    forms: tuple[str, str] = ("contiguous", "contiguous"),
    kernels: ModuleType | None = None,
) -> list[Tensor]:
    """Value and all gradients against the reference, inputs unwritten, memory around results untouched; the tensors found."""
    x_form, other_form = forms
    inputs = [placed(value, x_form if k == 0 else other_form) for k, value in enumerate(given)]
    leaves = [value.detach().requires_grad_(value.is_floating_point()) for value in inputs]
    before = [whole(value) for value in inputs]
    torch.manual_seed(1)
    with guarded(monkeypatch):
        out = getattr(kernels or module(name), name)(*leaves, layout=layout, dtype=dtype)
        incoming = placed(torch.randn(out.shape).to(out.dtype), x_form)
        wanted = [leaf for leaf in leaves if leaf.requires_grad]
        gradients = dict(zip(map(id, wanted), torch.autograd.grad(out, wanted, incoming), strict=True))
    assert all(torch.equal(one, whole(value)) for one, value in zip(before, inputs, strict=True))
    batch, heads, tokens = given[0].shape[:3]
    # positions (T,) and parameters (n,) or (1, n) serve all; their gradients are summed over what they serve
    spread = [given[1].expand(batch, tokens), *(value.expand(heads, value.shape[-1]) for value in given[2:])]
    true = rotation(name, given[0].expand(given[0].shape), incoming, spread, layout)
    true["out"].check(out)
    for leaf, key in zip(leaves, ("x", "positions", "omega", "parameter"), strict=False):
        if not leaf.requires_grad:
            continue
        expected = true[key]
        if key != "x" and tuple(leaf.shape) != expected.true.shape:
            expected.true, expected.error = (part.sum(0).reshape(leaf.shape) for part in (expected.true, expected.error))
        assert gradients[id(leaf)].dtype == leaf.dtype
        expected.check(gradients[id(leaf)])
    return [out, *gradients.values()]


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(2, 3, 17, 6), (1, 1, 1, 2), (1, 2, 33, 20)])
def test_values_and_gradients(name, shape, layout, monkeypatch):
    verify(name, arguments(name, shape), monkeypatch, layout=layout)


@pytest.mark.parametrize("width", [20, 80, 96, 160])
def test_head_sizes_that_are_no_powers_of_two(width, monkeypatch):
    verify("morlet_rotary", arguments("morlet_rotary", (1, 1, 17, width)), monkeypatch)


@pytest.mark.parametrize("tokens", [1, 15, 16, 17, 1000])
def test_lengths_beside_those_of_a_block(tokens, monkeypatch):
    verify("morlet_rotary", arguments("morlet_rotary", (1, 1, tokens, 8)), monkeypatch)


@pytest.mark.parametrize("heads", [True, False])
@pytest.mark.parametrize("form", ["transposed", "odd", "expanded"])
def test_any_strides_of_inputs_and_gradients(form, heads, monkeypatch):
    """Those of parameters and positions too; expanded is stride 0, of the incoming gradient as well."""
    given = arguments("morlet_rotary", (2, 3, 17, 8), heads=heads)
    if form == "expanded":
        given = [value[:1].expand(value.shape).contiguous() for value in given]
    verify("morlet_rotary", given, monkeypatch, forms=(form, form))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_dtypes(name, dtype, monkeypatch):
    """Products of bfloat16 are garbage in Triton's interpreter: what is loaded is cast before any arithmetic."""
    given = arguments(name, (1, 2, 17, 8), dtype)
    verify(name, given, monkeypatch)
    verify(name, [given[0], given[1].to(torch.int64), *(value.to(dtype) for value in given[2:])], monkeypatch)


def test_the_dtype_of_the_result_may_be_another(monkeypatch):
    given = arguments("morlet_rotary", (1, 2, 17, 8), torch.bfloat16)
    for dtype in (torch.float64, torch.float32, torch.float16):
        assert verify("morlet_rotary", given, monkeypatch, dtype=dtype)[0].dtype == dtype


@pytest.mark.parametrize("name", NAMES)
def test_part_of_the_channels(name, monkeypatch):
    """6 of 8: a view, the strides of which are those of the whole."""
    x, *rest = arguments(name, (2, 2, 17, 6))
    room = torch.zeros(2, 2, 17, 8, device=DEVICE)
    room[..., :6] = x
    f = getattr(module(name), name)
    rest = [value.to(DEVICE) for value in rest]
    assert torch.equal(f(room[..., :6], *rest), f(x.to(DEVICE), *rest))


@pytest.mark.parametrize("positions", [torch.int64, torch.int32, torch.float64])
def test_far_positions(positions, monkeypatch):
    """4·2⁻²⁴ where a float32 phase is off by whole radians: at |b| up to 2²⁴ + 1, and in int64 beyond."""
    x, _, omega, sigma = arguments("morlet_rotary", (1, 2, 5, 8))
    far = torch.tensor([[4095, -131071, 1048575, 2**24 - 1, 2**24 + 1]], dtype=positions)
    verify("morlet_rotary", [x, far, omega, torch.full_like(sigma, 1e30)], monkeypatch)
    verify("rotary", [x, far * 17 if positions != torch.int32 else far, omega.double()], monkeypatch)


def test_edges_of_the_width(monkeypatch):
    """∞ is the rotary encoding bit for bit, with gradient 0; tiny widths leave position 0 alone; nothing is NaN."""
    x, _, omega, _ = arguments("morlet_rotary", (1, 1, 5, 12))
    positions = torch.tensor([[0.0, 1.0, -3.0, 1e5, 1e18]])
    sigma = torch.tensor([[math.inf, 1e-10, 1e-20, 1e-38, 1.4e-45, 1e-3]])
    out, *_, d_sigma = verify("morlet_rotary", [x, positions, omega, sigma], monkeypatch)
    assert d_sigma[0, 0].item() == 0.0
    plain = module("rotary").rotary(*(value.to(DEVICE) for value in (x, positions, omega)))
    assert torch.equal(out[..., 0::6], plain[..., 0::6])
    verify("morlet_rotary", [x.double(), positions, omega, torch.full((1, 6), 1e-300, dtype=torch.float64)], monkeypatch)


@pytest.mark.parametrize("sigma", [0.0, -1.0, math.nan])
def test_a_wrong_width_gives_nan_in_its_own_channels(sigma):
    x, positions, omega, _ = (value.to(DEVICE) for value in arguments("morlet_rotary", (1, 1, 4, 4)))
    out = module("morlet_rotary").morlet_rotary(x, positions, omega, torch.tensor([[2.0, sigma]], device=DEVICE))
    assert out.isnan().flatten(0, 2).all(0).tolist() == [False, True, False, True]
    assert not out[..., 0::2].isnan().any()


@pytest.mark.parametrize("shape", [(0, 2, 5, 8), (2, 0, 5, 8), (2, 2, 0, 8), (2, 2, 5, 0)])
def test_sizes_of_zero(shape):
    """No element, and gradients of parameters are 0, not what was in the memory."""
    f = module("morlet_rotary").morlet_rotary
    for heads in (True, False):
        leaves = [value.to(DEVICE).requires_grad_() for value in arguments("morlet_rotary", shape, heads=heads)]
        out = f(*leaves)
        assert out.shape == shape
        for gradient, leaf in zip(torch.autograd.grad(out.sum(), leaves), leaves, strict=True):
            assert gradient.shape == leaf.shape
            assert not gradient.any()


def test_shapes_broadcast_as_in_the_torch_kernel():
    """Leading axes of any number, one head for all parameters' heads, parameters without heads."""
    from mope_impl.generated.torch.rotary import rotary as torch_rotary

    f = module("rotary").rotary
    for x, positions, omega in (
        (torch.randn(2, 3, 2, 5, 8), torch.rand(3, 5), torch.rand(4)),
        (torch.randn(2, 1, 1, 5, 8), torch.rand(2, 3, 5), torch.rand(4, 4)),
        (torch.randn(2, 5, 8), torch.rand(5), torch.rand(2, 4)),
        (torch.randn(5, 8), torch.rand(3, 5), torch.rand(4)),
    ):
        one = [value.to(DEVICE).double().requires_grad_() for value in (x, positions, omega)]
        two = [value.to(DEVICE).double().requires_grad_() for value in (x, positions, omega)]
        out, expected = f(*one), torch_rotary(*two)
        torch.testing.assert_close(out, expected, rtol=0, atol=2.0**-46)  # |x| < 8, |θ| < 4: 8·16·2⁻⁵³ on each side
        for p, q in zip(torch.autograd.grad(out.sum(), one), torch.autograd.grad(expected.sum(), two), strict=True):
            torch.testing.assert_close(p, q, rtol=0, atol=2.0**-40)  # 240 summands at most, below 8 each, 2⁻⁴⁹ off


@pytest.mark.parametrize("name", NAMES)
def test_a_repetition_gives_the_same_bits(name, monkeypatch):
    given = arguments(name, (2, 3, 70, 8), heads=False)
    one, two = (verify(name, given, monkeypatch) for _ in range(2))
    assert all(torch.equal(p, q) for p, q in zip(one, two, strict=True))


def test_each_gradient_alone_is_what_it_is_among_all():
    given = [value.to(DEVICE) for value in arguments("morlet_rotary", (2, 2, 17, 8))]
    f = module("morlet_rotary").morlet_rotary
    together = [value.clone().requires_grad_() for value in given]
    expected = torch.autograd.grad(f(*together).square().sum(), together)
    for k in range(4):
        alone = [value.clone().requires_grad_(place == k) for place, value in enumerate(given)]
        (gradient,) = torch.autograd.grad(f(*alone).square().sum(), alone[k])
        assert torch.equal(gradient, expected[k])


FAULTS = {
    "mask of a store lost": (".dtype.element_ty), mask=inside)", ".dtype.element_ty))"),
    "mask of a sum lost": ("tl.where(inside, d_positions.to(tl.float64), 0.0)", "d_positions.to(tl.float64)"),
    "mask of a column lost": ("keep_dims=True), mask=in_n)", "keep_dims=True))"),
    "stride of another axis": ("at_t * stride_x_t", "at_t * stride_x_h"),
    "stride of the incoming gradient": ("at_t * stride_incoming_t", "at_t * stride_incoming_n"),
    "row of another block": ("block_t * ROWS", "block_t * (ROWS + 1)"),
    "sum of another parameter": ("tl.sum(sum_omega, axis=0", "tl.sum(sum_sigma, axis=0"),
    "one place for the sums of all blocks": ("* blocks_t + block_t) * size_n", "* blocks_t) * size_n"),
    "first member alone": ("at_group * members + member", "at_group * members"),
    "phase in float32": ("theta = b * omega_", "theta = b.to(tl.float32) * omega_.to(tl.float32)"),
    "sine for cosine": ("tl.cos(theta)", "tl.sin(theta)"),
    "sums in float32": ("sum_omega += tl.where(inside, d_omega.to(tl.float64), 0.0)",
                        "sum_omega += tl.where(inside, d_omega.to(tl.bfloat16).to(tl.float64), 0.0)"),
    "channels exchanged": ("gradient_x + at_gradient_x + stride_gradient_x_c", "gradient_x + at_gradient_x"),
    "x written": ("tl.store(out + at_out,", "tl.store(x + at_x, x_0 * 2.0, mask=inside)\n        tl.store(out + at_out,"),
}  # fmt: skip


if DEVICE == "cpu":  # a fault may write anywhere, which a GPU does not survive; there test_gpu.py runs these in the interpreter

    @pytest.mark.parametrize("fault", FAULTS)
    def test_a_planted_fault_is_caught(fault, monkeypatch, tmp_path):
        kernels = changed("morlet_rotary", *FAULTS[fault], tmp_path)
        given = arguments("morlet_rotary", (2, 3, 17, 8), reach=3000.0, heads=False)
        with pytest.raises((AssertionError, IndexError)):
            verify("morlet_rotary", given, monkeypatch, forms=("transposed", "contiguous"), kernels=kernels)


def test_arithmetic_in_the_dtype_of_the_data_is_caught(monkeypatch, tmp_path):
    """In the interpreter a bfloat16 is its bit pattern, and a product of two is 2.5e-29, say; on a GPU it is coarse."""
    old = "work = tl.float64 if WIDE else tl.float32"
    kernels = changed("morlet_rotary", old, old.replace("tl.float32", "tl.bfloat16"), tmp_path)
    given = arguments("morlet_rotary", (1, 2, 17, 8), torch.bfloat16)
    with pytest.raises(AssertionError):
        verify("morlet_rotary", given, monkeypatch, kernels=kernels)
