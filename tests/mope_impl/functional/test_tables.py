"""Tables of factors and rotations by them: values, who shares them, what is kept for the backward pass, what a compiler makes."""
from __future__ import annotations

import io
import re

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.autograd import forward_ad

from mope_impl import functional as F
from mope_impl.functional import products

LAYOUTS = ["half", "interleaved"]
T, N = 24, 32
OMEGA = 10000.0 ** (-torch.arange(N, dtype=torch.float64) / N)
SIGMA = torch.linspace(5.0, 60.0, N, dtype=torch.float64)
UNIT = 2.0**-24


def draws(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


def longdouble(positions: Tensor, omega: Tensor, sigma: Tensor | None) -> np.ndarray:
    """The factors in NumPy's extended precision, for parameters (n,)."""
    b = positions.numpy().astype(np.longdouble)[..., None]
    w = omega.double().numpy().astype(np.longdouble)
    growth = np.longdouble(1)
    if sigma is not None:
        growth = np.exp(-((b / sigma.double().numpy().astype(np.longdouble)) ** 2) / 2)
    return np.concatenate((np.cos(w * b) * growth, np.sin(w * b) * growth), -1)


# ── the table ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("shape", [(7,), (2, 7), (2, 3, 4), ()])
@pytest.mark.parametrize("sigma", [None, SIGMA])
def test_a_factor_is_rounded_once(shape, sigma):
    """In float64 it is off by (|ωb| + 7)2⁻⁵³ and 8 numbers of 2⁻¹⁰⁷⁴; then by half a unit of float32."""
    positions = torch.randint(-4000, 4000, shape, generator=torch.Generator().manual_seed(1))
    true = longdouble(positions, OMEGA, sigma)
    exact = F.rotary_table(positions, OMEGA, sigma, dtype=torch.float64)
    assert exact.shape == (*shape, 2 * N)
    angle = np.abs(positions.double().numpy()[..., None] * np.concatenate((OMEGA, OMEGA)))
    assert (np.abs(exact.numpy().astype(np.longdouble) - true) <= (angle + 7) * 2.0**-53).all()
    assert torch.equal(F.rotary_table(positions, OMEGA, sigma), exact.float())


def test_rows_of_parameters_are_tables_of_heads():
    positions = torch.stack((torch.arange(7), torch.arange(7) + 100))
    omega, sigma = torch.stack((OMEGA, OMEGA / 2)), torch.stack((SIGMA, 2 * SIGMA))
    found = F.rotary_table(positions, omega, sigma)
    assert found.shape == (2, 2, 7, 2 * N)
    for head in (0, 1):
        assert torch.equal(found[:, head], F.rotary_table(positions, omega[head], sigma[head]))
    assert torch.equal(F.rotary_table(positions, OMEGA, sigma), F.rotary_table(positions, torch.stack((OMEGA, OMEGA)), sigma))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: F.rotary_table(torch.arange(3), OMEGA[None, None]), r"omega: got shape \(1, 1, 32\), expected \(n,\), or"),
        (lambda: F.rotary_table(torch.tensor(3), OMEGA[None]), r"omega: got shape \(1, 32\), expected \(n,\), or"),
        (lambda: F.rotary_table(torch.arange(3), OMEGA, SIGMA[:3]), "sigma: got 3 pairs, expected 32 as omega has"),
        (lambda: F.rotary_table(torch.arange(3), OMEGA[None], SIGMA.expand(2, N)), "sigma: got 2 heads, expected 1 as omega has"),
        (lambda: F.rotary_table(torch.arange(3), OMEGA, -SIGMA), "sigma: got a value that is zero, negative or NaN"),
        (lambda: F.rotary_table([0], OMEGA), "positions: got list, expected a torch.Tensor"),
        (lambda: F.rotary_table(torch.arange(3), OMEGA.int()), "omega: got torch.int32, expected float64"),
        (lambda: F.rotary_table(torch.arange(3), OMEGA, dtype=torch.float16), "dtype: got torch.float16, expected torch.float32"),
    ],
)
def test_a_wrong_argument_of_a_table_is_one_clear_error(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# ── the rotation ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_a_channel_is_within_four_units(dtype, layout):
    """The composition's bound, 4·2⁻²⁴(|x₀| + |x₁|) where it is rounded to float32, and one rounding to the dtype of x."""
    x, positions = draws(2, 3, T, 2 * N, dtype=dtype), torch.arange(T) * 171
    wide = torch.promote_types(dtype, torch.float32)
    found = F.rotate(x, F.rotary_table(positions, OMEGA, dtype=wide), layout=layout).double().numpy().astype(np.longdouble)
    true = longdouble(positions, OMEGA, None)
    pairs = x.double().unflatten(-1, (2, N) if layout == "half" else (N, 2)).movedim(-2 if layout == "half" else -1, 0)
    one, two = pairs.numpy().astype(np.longdouble)
    cos, sin = true[:, :N], true[:, N:]
    turned = np.stack((one * cos - two * sin, one * sin + two * cos), -2 if layout == "half" else -1).reshape(found.shape)
    size = np.stack((np.abs(one) + np.abs(two),) * 2, -2 if layout == "half" else -1).reshape(found.shape)
    angle = np.abs(positions.double().numpy()[:, None] * OMEGA.numpy())
    angle = np.concatenate((angle, angle), -1) if layout == "half" else angle.repeat(2, -1)
    before = size * (angle + 8) * 2.0**-53 + (3 * UNIT * size if dtype != torch.float64 else 0)
    assert (before[..., :] <= 4 * UNIT * size).all()
    own = torch.finfo(dtype)
    after = (np.abs(turned) + before) * own.eps / 2 + own.smallest_normal * own.eps if dtype.itemsize == 2 else 0
    assert (np.abs(found - turned) <= before + after).all()
    assert (np.abs(found - turned) > before / 100).any()  # the bound is not idle


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("layout, channels", [("half", 2 * N), ("half", 6), ("interleaved", 2 * N)])
def test_operations_of_torch_have_the_bits_of_the_kernel(layout, channels, dtype, monkeypatch):
    """Where no compiler is at work, values and gradients alike; of complex numbers where rows are whole vectors."""
    table = F.rotary_table(torch.arange(T), OMEGA[: channels // 2], dtype=torch.promote_types(dtype, torch.float32))
    x, upstream = draws(2, 3, T, channels + 1, dtype=dtype)[..., :channels].clone(), draws(2, 3, T, channels, seed=1, dtype=dtype)
    x.requires_grad_()
    found = F.rotate(x, table, layout=layout)
    (slope,) = torch.autograd.grad(found, x, upstream)
    monkeypatch.setattr(products, "_is_plain", lambda _: False)
    kernel = F.rotate(x, table, layout=layout)
    assert "Turn" in kernel.grad_fn.name()
    assert "Turn" not in found.grad_fn.name()
    assert torch.equal(found, kernel)
    assert torch.equal(slope, torch.autograd.grad(kernel, x, upstream)[0])


DTYPES = ["float64 float64", "float32 float32", "float32 float64", "bfloat16 float32", "float16 float32"]
SHAPES = [((2, 3, T, 2 * N), (T,)), ((2, 3, T, 2 * N), (2, 1, T)), ((1, 3, T, 2 * N), (3, T)), ((T, 2 * N), (T,)), ((2 * N,), ())]


@pytest.mark.parametrize("dtypes", DTYPES)
@pytest.mark.parametrize("shape, rows", SHAPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_tensor_turned_in_pieces_has_the_bits_of_the_kernel(layout, shape, rows, dtypes, monkeypatch):
    """Values, gradients, and theirs: pieces of several rows, with a rest, in tensors of any strides."""
    dtype, of_table = (getattr(torch, name) for name in dtypes.split())
    real, imaginary = draws(*rows, N, dtype=of_table), draws(*rows, N, seed=1, dtype=of_table)
    x = draws(*shape[:-1], 2 * shape[-1], seed=2, dtype=dtype)[..., 1 : 1 + shape[-1]].requires_grad_()
    upstream, second = (draws(*shape, seed=seed, dtype=dtype) for seed in (3, 4))

    def derivatives():
        up = upstream.clone().requires_grad_()
        found = products.product(x, real, imaginary, layout)
        (slope,) = torch.autograd.grad(found, x, up, create_graph=True)
        return found.grad_fn.name(), (found, slope, *torch.autograd.grad(slope, up, second))

    monkeypatch.setattr(products, "PIECE", 5 * 2 * N)
    name, found = derivatives()
    monkeypatch.setattr(products, "_is_plain", lambda _: False)
    kernel, expected = derivatives()
    assert "Turn" in kernel
    assert "InPieces" in name or len(shape) == 1
    assert all(torch.equal(*pair) for pair in zip(found, expected, strict=True))


def test_a_piece_left_out_is_seen(monkeypatch):
    x, table = draws(2, 3, T, 2 * N), F.rotary_table(torch.arange(T), OMEGA)
    expected, pieces = F.rotate(x, table), products._pieces
    monkeypatch.setattr(products, "PIECE", 5 * 2 * N)
    assert torch.equal(F.rotate(x, table), expected)
    monkeypatch.setattr(products, "_pieces", lambda *given: list(pieces(*given))[:-1])
    monkeypatch.setattr(torch, "empty", torch.zeros)
    assert not torch.equal(F.rotate(x, table), expected)


@pytest.fixture
def in_pieces(monkeypatch):
    monkeypatch.setattr(products, "PIECE", 5 * 2 * N)


def kernel(x: Tensor, table: Tensor, layout: str) -> Tensor:
    return F.of_torch.turn(x, *table.chunk(2, -1), layout=layout)


@pytest.mark.usefixtures("in_pieces")
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_gradients_of_many_directions_at_once_and_with_a_tangent_pass_through_pieces(layout, dtype):
    x, table = draws(2, 3, T, 2 * N + 1, dtype=dtype)[..., 1:].requires_grad_(), F.rotary_table(torch.arange(T), OMEGA)
    found, directions = F.rotate(x, table, layout=layout), draws(4, 2, 3, T, 2 * N, dtype=dtype)
    assert "InPieces" in found.grad_fn.name()
    (slopes,) = torch.autograd.grad(found, x, directions, retain_graph=True, is_grads_batched=True)
    apart = [torch.autograd.grad(found, x, one, retain_graph=True)[0] for one in directions]
    assert torch.equal(slopes, torch.stack(apart))
    with forward_ad.dual_level():
        both = torch.autograd.grad(found, x, forward_ad.make_dual(directions[0], directions[1]))[0]
        assert all(torch.equal(*pair) for pair in zip(forward_ad.unpack_dual(both), apart, strict=False))


@pytest.mark.usefixtures("in_pieces")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_table_made_in_inference_mode_or_changed_afterwards_serves_a_backward_pass(layout):
    with torch.inference_mode():
        table = F.rotary_table(torch.arange(T), OMEGA)
    again = F.rotary_table(torch.arange(T), OMEGA)
    x, upstream = draws(2, 3, T, 2 * N + 1)[..., 1:].requires_grad_(), draws(2, 3, T, 2 * N, seed=1)
    one, other = F.rotate(x, table, layout=layout), F.rotate(x, again, layout=layout)
    again.zero_()
    slopes = [torch.autograd.grad(found, x, upstream)[0] for found in (one, other)]
    assert torch.equal(*slopes)
    assert slopes[0].abs().max() > 0


@pytest.mark.usefixtures("in_pieces")
def test_a_default_device_and_a_trace_change_nothing():
    x, table = draws(2, 3, T, 2 * N), F.rotary_table(torch.arange(T), OMEGA)
    expected = F.rotate(x, table)
    with torch.device("meta"):
        assert torch.equal(F.rotate(x, table), expected)
    traced = torch.jit.trace(lambda one: F.rotate(one, table), (x,), check_trace=False)
    torch.jit.save(traced, io.BytesIO())
    assert torch.equal(traced(x), expected)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_table_of_16_bits_is_multiplied_in_float32(layout, dtype):
    table = F.rotary_table(torch.arange(T), OMEGA).to(dtype)
    for x in (draws(2, 3, T, 2 * N), draws(2, 3, T, 2 * N, dtype=dtype)):
        assert torch.equal(F.rotate(x, table, layout=layout), kernel(x, table, layout))


@pytest.mark.parametrize("learned", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_autocast_to_the_other_16_bits_changes_nothing(layout, learned):
    x, table = draws(2, 3, T, 2 * N + 2, dtype=torch.float16), F.rotary_table(torch.arange(T), OMEGA).requires_grad_(learned)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = F.rotate(x, table, layout=layout)
    assert torch.equal(found, F.rotate(x, table, layout=layout))


def test_the_strides_of_a_table_change_no_bit():
    x, table = draws(2, 3, 5, 2 * N), draws(5, 2 * N)
    assert torch.equal(F.rotate(x, table.t().contiguous().t(), layout="interleaved"), kernel(x, table, "interleaved"))


def test_a_table_of_more_rows_than_x_is_not_cut(monkeypatch):
    table = F.rotary_table(torch.arange(T), OMEGA)
    x = draws(1, 3, 1, 2 * N)
    monkeypatch.setattr(products, "PIECE", 2 * N)
    found = F.rotate(x, table)
    assert torch.equal(found, F.rotate(x.expand(1, 3, T, 2 * N).contiguous(), table))


def test_the_gradient_of_a_table_by_complex_numbers_has_the_bits_of_the_kernel(monkeypatch):
    """With a row of the table for each row of x, so that nothing is added up in another order."""
    x = draws(2, 3, T, 2 * N)
    table = F.rotary_table(torch.arange(T), OMEGA).expand(2, 3, T, 2 * N).clone().requires_grad_()
    found = torch.autograd.grad(F.rotate(x, table, layout="interleaved"), table, x.flip(0))
    monkeypatch.setattr(products, "_is_plain", lambda _: False)
    assert torch.equal(found[0], torch.autograd.grad(F.rotate(x, table, layout="interleaved"), table, x.flip(0))[0])


@pytest.mark.parametrize("change", ["odd stride", "odd offset", "transposed", "gap"])
def test_pairs_that_do_not_lie_as_complex_numbers_are_turned_all_the_same(change):
    whole = draws(2, 3, T, 2 * N + 1)
    x = {
        "odd stride": whole[..., : 2 * N],
        "odd offset": draws(2, 3, T, 2 * N + 2).flatten()[1 : 1 + 2 * 3 * T * 2 * N].view(2, 3, T, 2 * N),
        "transposed": draws(2, T, 3, 2 * N).transpose(1, 2),
        "gap": draws(2, 3, T, 4 * N)[..., ::2],
    }[change]
    table = F.rotary_table(torch.arange(T), OMEGA)
    assert torch.equal(F.rotate(x, table, layout="interleaved"), F.rotate(x.clone(), table, layout="interleaved"))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_table_serves_all_layers_and_the_gradients_add_up(layout):
    """A table of learned parameters in two layers, two steps of one length: no second backward pass through anything."""
    omega, sigma = OMEGA.clone().requires_grad_(), SIGMA.clone().requires_grad_()
    x = draws(2, 3, T, 2 * N, dtype=torch.float64)
    for _ in range(2):
        table = F.rotary_table(torch.arange(T), omega, sigma, dtype=torch.float64)
        first = F.rotate(x, table, layout=layout).sin()
        F.rotate(first, table, layout=layout).sum().backward()
    apart = [value.detach().clone().requires_grad_() for value in (omega, sigma)]
    for _ in range(2):
        once, _ = F.morlet_rotary(x, x, torch.arange(T), *apart, layout=layout)
        F.morlet_rotary(once.sin(), x, torch.arange(T), *apart, layout=layout)[0].sum().backward()
    for one, other in zip((omega, sigma), apart, strict=True):
        assert torch.allclose(one.grad, other.grad, rtol=2.0**-40, atol=0)  # sums of some hundred terms, in another order
        assert one.grad.abs().min() > 0


@pytest.mark.parametrize("layout", LAYOUTS)
def test_derivatives_of_a_table_and_of_what_it_turns(layout):
    x, table = draws(2, 2, 3, 5, dtype=torch.float64).requires_grad_(), draws(3, 4, dtype=torch.float64).requires_grad_()

    def turned(x, table):
        return F.rotate(x, table, layout=layout)

    assert torch.autograd.gradcheck(turned, (x, table))
    assert torch.autograd.gradgradcheck(turned, (x, table))
    mapped = torch.vmap(turned, in_dims=(0, None))(x, table)
    assert torch.equal(mapped, torch.stack([turned(one, table) for one in x]))


@pytest.mark.parametrize("learned", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_kept_for_the_backward_pass_has_the_dtype_of_the_queries(layout, learned):
    """A float32 copy of bfloat16 queries and keys would take twice their memory in every layer."""
    x = draws(2, 3, T, 2 * N, dtype=torch.bfloat16).requires_grad_()
    table = F.rotary_table(torch.arange(T), OMEGA).requires_grad_(learned)
    kept: list[Tensor] = []

    def keep(tensor: Tensor) -> Tensor:
        kept.append(tensor)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        F.rotate(x, table, layout=layout)
    large = [one.untyped_storage() for one in kept if one.untyped_storage().nbytes() > table.untyped_storage().nbytes()]
    assert all(one.data_ptr() == x.untyped_storage().data_ptr() for one in large)
    assert bool(large) or not learned


# ── what a compiler makes of it ──────────────────────────────────────────────────────────────────────────────────────────


def iterations(code: str, call: str) -> list[int]:
    """How often a call in generated C++ is made at least: the lengths of the loops around each of its places, multiplied."""
    stack: list[tuple[int, int]] = []
    depth, found = 0, []
    for line in code.splitlines():
        loop = re.search(r"for\(int64_t \w+=\S+\(0L\); \w+<static_cast<int64_t>\((\d+)L\); \w+\+=\S+\((\d+)L\)", line)
        if loop:
            stack.append((depth, -(-int(loop[1]) // int(loop[2]))))
        found += [int(np.prod([length for _, length in stack]))] * line.count(call)
        depth += line.count("{") - line.count("}")
        while stack and "}" in line and depth <= stack[-1][0]:
            stack.pop()
    return found


def test_the_counter_of_iterations_sees_loops_around_a_call():
    code = (
        "for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(6L); x0+=static_cast<int64_t>(1L))\n{\n"
        "for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))\n{\n"
        "a.cos();\n}\nb.cos();\n}\nc.cos();\n"
    )
    assert iterations(code, ".cos()") == [12, 6, 1]


@pytest.mark.requires("g++")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_compiler_forms_the_table_once_and_not_for_each_pair(layout):
    """Fused into the loop over sequences and heads, cosines and sines in float64 would cost more than all the rest."""
    from torch._inductor.utils import run_fw_bw_and_get_code

    batch, heads = 5, 7
    q, k = (draws(batch, heads, T, 2 * N, seed=s).requires_grad_() for s in (0, 1))
    omega, sigma = OMEGA.float().requires_grad_(), SIGMA.float().requires_grad_()

    def turned(q, k, omega, sigma):
        return F.morlet_rotary(q, k, torch.arange(T), omega, sigma, layout=layout)

    compiled = torch.compile(turned, fullgraph=True, dynamic=False)
    _, codes = run_fw_bw_and_get_code(lambda: sum(x.sin().sum() for x in compiled(q, k, omega, sigma)))
    torch._dynamo.reset()
    counts = [count for code in codes for call in (".cos()", "std::cos(") for count in iterations(code, call)]
    assert counts
    assert max(counts) <= T * N < batch * heads * T
