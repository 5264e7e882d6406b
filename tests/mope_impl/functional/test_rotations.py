"""The rotary encodings of queries and keys as functions: what they mean, and how they behave under every transform of torch."""
from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad

from mope_impl import functional as F
from mope_theory.reference import rotation_rounding as bounds
from mope_theory.reference import rounding

LAYOUTS = ["half", "interleaved"]
U = 2.0**-53
P = torch.tensor([0, 3, -2, 70, 7])
OMEGA = torch.tensor([1.0, 0.37, 2.25])
SIGMA = torch.tensor([1.5, 40.0, 7.0])
ZETA = torch.tensor([0.99, 1.0, 1.02])
BAD = torch.tensor([0.0, 2.0, float("nan")])
ENCODE: dict[str, tuple[Callable[..., tuple[Tensor, Tensor]], tuple[Tensor, ...]]] = {
    "rotary": (F.rotary, (OMEGA,)),
    "morlet_rotary": (F.morlet_rotary, (OMEGA, SIGMA)),
    "xpos_rotary": (F.xpos_rotary, (OMEGA, ZETA)),
}


def content(seed: int = 0, batch: int = 2, heads: int = 4, groups: int = 2, channels: int = 6, **kw) -> tuple[Tensor, Tensor]:
    """q with twice the heads of k."""
    g = torch.Generator().manual_seed(seed)
    return (
        torch.randn(batch, heads, len(P), channels, generator=g, **kw),
        torch.randn(batch, heads // groups, len(P), channels, generator=g, **kw),
    )


@pytest.fixture(params=ENCODE)
def encode(request: pytest.FixtureRequest) -> tuple[Callable[..., tuple[Tensor, Tensor]], tuple[Tensor, ...]]:
    return ENCODE[request.param]


def score(q: Tensor, k: Tensor, m: int, n: int, encoding: Callable[..., tuple[Tensor, Tensor]]) -> float:
    """What a query at m and a key at n give; the positions of the other of the two do not matter."""
    at_m, at_n = (encoding(q, k, torch.tensor([place])) for place in (m, n))
    return float((at_m[0] * at_n[1]).sum())


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_pairs_are_turned_where_the_layout_says():
    """Channels i and i + D/2, or 2i and 2i + 1; counter-clockwise, by ω times the position."""
    q = torch.arange(1.0, 7.0, dtype=torch.float64).view(1, 1, 1, 6)
    for layout, places in (("half", [(0, 3), (1, 4), (2, 5)]), ("interleaved", [(0, 1), (2, 3), (4, 5)])):
        out, _ = F.rotary(q, q, torch.tensor([2]), OMEGA.double(), layout=layout)
        for w, (first, second) in zip(OMEGA.double().tolist(), places, strict=True):
            x, y = q[0, 0, 0, first].item(), q[0, 0, 0, second].item()
            c, s = math.cos(2 * w), math.sin(2 * w)
            noise = 2 * (x + y) * 5 * U  # at most five roundings and primitives within a unit on either side
            assert abs(out[0, 0, 0, first].item() - (x * c - y * s)) <= noise
            assert abs(out[0, 0, 0, second].item() - (x * s + y * c)) <= noise
    assert torch.equal(F.rotary(q, q, P[1:2], OMEGA)[0], F.rotary(q, q, P[1:2], OMEGA, layout="half")[0])


def test_the_layouts_are_related_by_a_permutation(encode):
    """Channels 0, n, 1, n + 1, … of the one are channels 0, 1, 2, 3, … of the other, bit for bit; the rest stays."""
    function, parameters = encode
    q, k = content(channels=7)
    order = torch.tensor([0, 3, 1, 4, 2, 5, 6])
    halves = function(q, k, P, *parameters, layout="half")
    sides = function(q[..., order], k[..., order], P, *parameters, layout="interleaved")
    for one, other in zip(halves, sides, strict=True):
        assert torch.equal(one[..., order], other)
        assert not torch.equal(one, other)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_infinite_width_is_the_rotary_encoding_bit_for_bit(layout, dtype):
    q, k = (x.to(dtype) for x in content())
    plain = F.rotary(q, k, P, OMEGA, layout=layout)
    for sigma in (None, torch.full((3,), math.inf), torch.full((2, 3), math.inf)):
        found = F.morlet_rotary(q, k, P, OMEGA, sigma, layout=layout)
        assert all(torch.equal(x, y) for x, y in zip(found, plain, strict=True))
    mixed = F.morlet_rotary(q, k, P, OMEGA, torch.tensor([math.inf, 3.0, math.inf]), layout="interleaved")
    plain = F.rotary(q, k, P, OMEGA, layout="interleaved")
    for x, y in zip(mixed, plain, strict=True):
        assert torch.equal(x[..., [0, 1, 4, 5]], y[..., [0, 1, 4, 5]])
        assert not torch.equal(x[..., 2:4], y[..., 2:4])


def test_an_infinite_width_has_the_gradients_of_the_rotary_encoding_and_none_of_its_own():
    leaves = [[x.clone().requires_grad_() for x in (*content(), OMEGA, torch.full((3,), math.inf))] for _ in range(2)]
    for (q, k, omega, sigma), function in zip(leaves, (F.rotary, F.morlet_rotary), strict=True):
        out = function(q, k, P, omega, *((sigma,) if function is F.morlet_rotary else ()))
        (out[0].sin().sum() + out[1].cos().sum()).backward()
    for one, other in zip(leaves[0][:3], leaves[1][:3], strict=True):
        assert torch.equal(one.grad, other.grad)
    assert leaves[1][3].grad.tolist() == [0.0, 0.0, 0.0]


def test_a_decay_of_one_is_the_rotary_encoding_bit_for_bit():
    q, k = content()
    plain, found = F.rotary(q, k, P, OMEGA), F.xpos_rotary(q, k, P, OMEGA, torch.ones(3))
    assert all(torch.equal(x, y) for x, y in zip(found, plain, strict=True))


def test_position_zero_changes_nothing(encode):
    function, parameters = encode
    q, k = content()
    for x, y in zip(function(q, k, torch.zeros(5), *parameters), (q, k), strict=True):
        assert torch.equal(x, y)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_rotary_score_sees_the_distance_alone_and_the_product_kernel_does_not(layout):
    """σ = 50 at (7, 3) and (107, 103): the score falls by e^{−(107² + 103² − 7² − 3²)/5000} = e^{−4.4}, expected equal by many.

    Each of the two vectors is off by 11u + |ωb|u of itself or less, a score by their sum and the roundings of ten products.
    """
    q, k = (x[:1, :1, :1].double() for x in content(4))
    omega, sigma = OMEGA.double(), torch.full((3,), 50.0, dtype=torch.float64)

    def plain(q, k, place):
        return F.rotary(q, k, place, omega, layout=layout)

    def damped(q, k, place):
        return F.morlet_rotary(q, k, place, omega, sigma, layout=layout)

    size = q.norm().item() * k.norm().item()
    noise = 2 * size * (2 * (11 + 107 * 2.25) + 2 * 10) * U
    near, far = score(q, k, 7, 3, plain), score(q, k, 107, 103, plain)
    assert abs(near - far) <= noise
    assert abs(score(q, k, 7, 3, damped) - near * math.exp(-58 / 5000)) <= noise
    assert abs(score(q, k, 107, 103, damped) - near * math.exp(-22058 / 5000)) <= noise
    assert abs(score(q, k, 7, 3, damped)) > 50 * abs(score(q, k, 107, 103, damped)) > 50 * noise


def test_the_relative_kernel_is_shift_invariant_where_the_product_is_not():
    """The product kernel is the relative one times e^{−(m+n)²/4σ²}: 0.990 at (7, 3), 0.012 at (107, 103)."""
    q, k = (x[:1, :1, :1, :2].double() for x in content(4))
    omega, sigma = OMEGA[:1].double(), torch.tensor([50.0], dtype=torch.float64)
    real, imag = F.relative_kernel(torch.tensor([4, 4]), omega, sigma)
    assert real[0] == real[1]
    assert imag[0] == imag[1]
    (a, b), (c, d) = q.flatten().tolist(), k.flatten().tolist()
    relative = (a * c + b * d) * real[0].item() - (b * c - a * d) * imag[0].item()
    for m, n in ((7, 3), (107, 103)):
        product = score(q, k, m, n, lambda q, k, place: F.morlet_rotary(q, k, place, omega, sigma))
        noise = 4 * (abs(a) + abs(b)) * (abs(c) + abs(d)) * (2 * (7 + 107) + 20) * U
        assert abs(product - relative * math.exp(-((m + n) ** 2) / 10000)) <= noise


def test_an_xpos_score_falls_by_its_decay_to_the_distance():
    q, k = (x[:1, :1, :1, :2].double() for x in content(4))
    omega, zeta = OMEGA[:1].double(), torch.tensor([0.97], dtype=torch.float64)
    for m, n in ((7, 3), (107, 103), (3, 7), (-50, -54)):
        plain = score(q, k, m, n, lambda q, k, place: F.rotary(q, k, place, omega))
        found = score(q, k, m, n, lambda q, k, place: F.xpos_rotary(q, k, place, omega, zeta))
        # each factor ζ^{±b} is off by 3|b ln ζ|u + 2u of itself, each rotation by (|b| + 5)u
        noise = 2 * q.abs().sum().item() * k.abs().sum().item() * (8 * 107 + 40) * U * max(1.0, 0.97 ** (m - n))
        assert abs(found - plain * 0.97 ** (m - n)) <= noise


# ── what others have measured ────────────────────────────────────────────────────────────────────────────────────────────


def llama(x: Tensor, positions: Tensor, inverse: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
    """The published formula of Llama's attention, cos and sin as tables of float32: x·cos + rotate_half(x)·sin."""
    angles = positions[:, None].float() * inverse.float()
    angles = torch.cat((angles, angles), -1)
    first, second = x.chunk(2, -1)
    return (x * angles.cos().to(dtype)) + (torch.cat((-second, first), -1) * angles.sin().to(dtype))


@pytest.mark.parametrize("base", [10000.0, 500000.0])
@pytest.mark.parametrize("reach", [64, 4096, 131072])
def test_the_difference_from_llama_is_within_both_bounds(reach, base):
    """Both against the exact rotation by the same float32 frequencies.

    Theirs, with u' = 2⁻²⁴ and float32 cos and sin within one unit in the last place: the angle is off by u'|θ|, a table by that
    and u', two products and the sum by u' each, in all A(|θ| + 3)u'. Ours: its own bound, and u' of the value for the rounding.
    """
    g = torch.Generator().manual_seed(1)
    q, k = torch.randn(1, 3, 40, 64, generator=g), torch.randn(1, 3, 40, 64, generator=g)
    positions = torch.randint(0, reach, (40,), generator=g)
    inverse = 1.0 / (base ** (torch.arange(0, 64, 2, dtype=torch.int64).float() / 64))
    unit, apart = 2.0**-24, 0.0
    for x, out in zip((q, k), F.rotary(q, k, positions, inverse), strict=True):
        first, second = (part.double().numpy() for part in x.chunk(2, -1))
        b, w = positions.double().numpy()[:, None], inverse.double().numpy()
        size = np.abs(first) + np.abs(second)
        ours = bounds.value_error(bounds.no_growth(), w, b, first, second)
        allowed = (ours + size * unit + size * (np.abs(b * w) + 3) * unit) * rounding.SECOND_ORDER
        allowed = np.concatenate((allowed, allowed), -1)
        gap = (out - llama(x, positions, inverse)).abs().double().numpy()
        assert (gap <= allowed).all()
        apart = max(apart, float(gap.max()))
        shifted = (out - llama(x, positions + 1, inverse)).abs().double().numpy()
        assert (shifted > allowed).any()
    assert apart > 0


def test_tables_of_sixteen_bits_are_what_that_bound_does_not_cover():
    """Llama's tables are cast to the dtype of q: in bfloat16 the values differ by up to 2⁻⁸ of a pair, ours by half of that."""
    q, _ = (x.bfloat16() for x in content(channels=64))
    inverse = 1.0 / (10000.0 ** (torch.arange(0, 64, 2).float() / 64))
    exact, _ = F.rotary(q.double(), q.double(), P, inverse)
    theirs, ours = (llama(q, P, inverse, torch.bfloat16) - exact).abs().max(), (F.rotary(q, q, P, inverse)[0] - exact).abs().max()
    assert ours < theirs


# ── dtypes ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("narrow", [torch.bfloat16, torch.float16])
def test_queries_and_keys_keep_their_dtypes(encode, narrow):
    """float32 parameters with bfloat16 queries give float32 elsewhere, and fall off the fused path of attention.

    A factor w, two products and their sum in float32, 4·2⁻²⁴(|x₀| + |x₁|)|w| from the value, then one rounding to 16 bits.
    """
    function, parameters = encode
    q, k = content()
    q = q.to(narrow)
    out = function(q, k, P, *parameters)
    assert [x.dtype for x in out] == [narrow, torch.float32]
    wide = function(q.double(), k.double(), P, *parameters)
    factors = function(torch.ones_like(q.double()), torch.ones_like(k.double()), P, *parameters)
    for x, found, true, w in zip((q, k), out, wide, factors, strict=True):
        first, second = x.double().chunk(2, -1)
        growth = torch.hypot(*w.chunk(2, -1)) / math.sqrt(2)  # of the pair 1 + i
        before = (4 * 2.0**-24 * (first.abs() + second.abs()) * growth).repeat(1, 1, 1, 2)
        unit = torch.finfo(found.dtype).eps / 2 if found.dtype == narrow else 0.0
        smallest = torch.finfo(torch.float32).smallest_normal + torch.finfo(found.dtype).smallest_normal * unit
        assert bool(((found.double() - true).abs() <= before + unit * (true.abs() + before) + smallest).all())
    same = function(q, k, P, *(x.double() for x in parameters))
    assert all(torch.equal(x, y) for x, y in zip(out, same, strict=True))


@pytest.mark.parametrize("dtype", [torch.int8, torch.int16, torch.int32, torch.int64, torch.float32, torch.bfloat16])
def test_the_dtype_of_the_positions_changes_no_bit(encode, dtype):
    function, parameters = encode
    q, k = content()
    expected = function(q, k, P, *parameters)
    assert all(torch.equal(x, y) for x, y in zip(function(q, k, P.to(dtype), *parameters), expected, strict=True))


@pytest.mark.parametrize("dtype", [torch.uint8, torch.uint16, torch.uint32, torch.uint64])
def test_unsigned_positions_are_not_negated_around_zero(dtype):
    q, k = content()
    places = P.abs()
    expected = F.xpos_rotary(q, k, places, OMEGA, ZETA)
    assert all(torch.equal(x, y) for x, y in zip(F.xpos_rotary(q, k, places.to(dtype), OMEGA, ZETA), expected, strict=True))


def test_positions_where_float32_phases_fail():
    """65536 … 65539 under bfloat16 autocast are one phase elsewhere; 2²⁴ and 2²⁴ + 1 are one float32."""
    q = torch.ones(1, 1, 4, 2)
    for positions in (torch.arange(65536, 65540), torch.arange(2**24, 2**24 + 4)):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out, _ = F.rotary(q, q, positions, torch.ones(1))
        assert torch.equal(out, F.rotary(q, q, positions, torch.ones(1))[0])
        assert len({tuple(row) for row in out[0, 0].tolist()}) == 4
        exact = torch.polar(torch.tensor(math.sqrt(2), dtype=torch.float64), positions.double() + math.pi / 4)
        # the angle of the reference is off by one rounding of it, the rest by a few units
        noise = 2.0**-24 + 2 * (2.0**24 + 8) * U
        assert (torch.view_as_real(exact) - out[0, 0]).abs().max().item() <= 2 * noise


# ── heads, batches, widths ───────────────────────────────────────────────────────────────────────────────────────────────


def test_heads_and_groups_are_what_their_rows_say(encode):
    """Head i of q goes with head i // 2 of k and its parameters, as in the attention of torch and of Llama."""
    function, shared = encode
    rows = tuple(torch.stack((x, x * 1.01)) for x in shared)
    q, k = content()
    out = function(q, k, P, *rows)
    for head in range(4):
        own = tuple(x[head // 2] for x in rows)
        alone = function(q[:, head : head + 1], k[:, head // 2 : head // 2 + 1], P, *own)
        assert torch.equal(out[0][:, head : head + 1], alone[0])
        assert torch.equal(out[1][:, head // 2 : head // 2 + 1], alone[1])
    same = function(q, k, P, *(x.expand(2, 3) for x in shared))
    assert all(torch.equal(x, y) for x, y in zip(same, function(q, k, P, *shared), strict=True))


def test_one_parameter_may_have_rows_and_the_other_none():
    q, k = content()
    found = F.morlet_rotary(q, k, P, OMEGA, torch.stack((SIGMA, 2 * SIGMA)))
    expected = F.morlet_rotary(q, k, P, torch.stack((OMEGA, OMEGA)), torch.stack((SIGMA, 2 * SIGMA)))
    assert all(torch.equal(x, y) for x, y in zip(found, expected, strict=True))


def test_a_single_head_of_keys_serves_every_query(encode):
    function, parameters = encode
    q, k = content()
    out = function(q, k[:, :1], P, *(x[None] for x in parameters))
    assert torch.equal(out[0], function(q, q, P, *parameters)[0])


def test_scores_of_grouped_heads_see_the_distance_alone():
    """With a row for each head of q instead, a query and its key would be turned by different frequencies."""
    q, k = (x[:1, :, :1].double() for x in content())
    omega = torch.stack((OMEGA, 2 * OMEGA)).double()
    scores = []
    for shift in (0, 100):
        rows = [F.rotary(q, k, torch.tensor([place + shift]), omega) for place in (7, 3)]
        scores.append((rows[0][0] * rows[1][1].repeat_interleave(2, 1)).sum(-1))
    noise = 2 * q.norm() * k.norm() * (2 * (5 + 107 * 4.5) + 20) * U
    assert bool(((scores[0] - scores[1]).abs() <= noise).all())


def test_positions_may_differ_between_batches(encode):
    function, parameters = encode
    q, k = content()
    positions = torch.stack((P, P + 11))
    out = function(q, k, positions, *parameters)
    for row in range(2):
        alone = function(q[row : row + 1], k[row : row + 1], positions[row], *parameters)
        assert all(torch.equal(x[row : row + 1], y) for x, y in zip(out, alone, strict=True))
    once = function(q, k, P[None], *parameters)
    assert all(torch.equal(x, y) for x, y in zip(once, function(q, k, P, *parameters), strict=True))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("channels", [7, 8, 20])
def test_what_is_beyond_the_rotary_width_passes_through(encode, layout, channels):
    """The first 2n channels are paired among themselves, as in GPT-NeoX: not i with i + D/2."""
    function, parameters = encode
    q, k = content(channels=channels)
    out = function(q, k, P, *parameters, layout=layout)
    inner = function(q[..., :6], k[..., :6], P, *parameters, layout=layout)
    for x, y, given in zip(out, inner, (q, k), strict=True):
        assert torch.equal(x[..., :6], y)
        assert torch.equal(x[..., 6:], given[..., 6:])


def test_nothing_to_encode_is_a_copy():
    q, k = content()
    empty = torch.empty(0)
    out = F.morlet_rotary(q, k, P, empty, empty)
    assert torch.equal(out[0], q)
    assert out[0].data_ptr() != q.data_ptr()
    for batch, tokens in ((0, 5), (2, 0)):
        shape = (batch, 2, tokens, 6)
        assert F.rotary(torch.empty(shape), torch.empty(shape), P[:tokens], OMEGA)[0].shape == shape


# ── inputs, strides, modes ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_one_tensor_as_queries_and_keys_is_turned_once_and_kept(encode, dtype, layout):
    """Turned in place, q = k = x is turned twice, and x is spoilt for what reads it again."""
    function, parameters = encode
    x = content()[0].to(dtype)
    kept, rest = x.clone(), [y.clone() for y in (P, *parameters)]
    q, k = function(x, x, P, *parameters, layout=layout)
    apart = function(x.clone(), x.clone(), P, *parameters, layout=layout)
    assert torch.equal(q, apart[0])
    assert torch.equal(k, apart[1])
    q.zero_()
    k.zero_()
    assert torch.equal(x, kept)
    assert all(torch.equal(a, b) for a, b in zip((P, *parameters), rest, strict=True))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("channels", [6, 8])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_results_may_be_written_in_place(encode, dtype, channels, layout):
    function, parameters = encode
    leaves = [x.to(dtype).requires_grad_() for x in content(channels=channels)]
    q, k = function(*leaves, P, *parameters, layout=layout)
    (q.mul_(2.0).sum() + k.mul_(2.0).sum()).backward()
    expected = torch.autograd.grad(2 * sum(x.sum() for x in function(*leaves, P, *parameters, layout=layout)), leaves)
    assert all(torch.equal(x.grad, y) for x, y in zip(leaves, expected, strict=True))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_strides_of_inputs_and_of_the_gradient(encode, layout):
    """q as attention holds it, (B, T, H, D) transposed; gradients expanded from one number (stride 0)."""
    function, parameters = encode
    q, k = (x.double() for x in content())
    strided = [x.transpose(1, 2).contiguous().transpose(1, 2).requires_grad_() for x in (q, k)]
    dense = [x.clone().requires_grad_() for x in (q, k)]
    gapped = torch.stack((P, P), 1)[:, 0]
    outs = function(*strided, gapped, *parameters, layout=layout), function(*dense, P, *parameters, layout=layout)
    assert all(torch.equal(x, y) for x, y in zip(*outs, strict=True))
    one = torch.ones((), dtype=torch.float64)
    found = torch.autograd.grad(outs[0], strided, [one.expand(x.shape) for x in outs[0]])
    expected = torch.autograd.grad(outs[1], dense, [torch.ones_like(x) for x in outs[1]])
    assert all(torch.equal(x, y) for x, y in zip(found, expected, strict=True))


def test_autocast_changes_no_bit(encode):
    function, parameters = encode
    leaves = [x.requires_grad_() for x in (*content(channels=7), *(y.clone() for y in parameters))]
    q, k, *rest = leaves
    plain = function(q, k, P, *rest)
    expected = torch.autograd.grad(sum(x.sum() for x in plain), leaves)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = function(q, k, P, *rest)
        found = torch.autograd.grad(sum(x.sum() for x in out), leaves)
    assert all(torch.equal(x, y) for x, y in zip((*out, *found), (*plain, *expected), strict=True))


def test_inference_mode_and_then_training(encode):
    function, parameters = encode
    q, k = (x.requires_grad_() for x in content())
    with torch.inference_mode():
        first = function(q, k, P, *parameters)
    second = function(q, k, P, *parameters)
    (second[0].sum() + second[1].sum()).backward()
    assert all(torch.equal(x, y.detach()) for x, y in zip(first, second, strict=True))


# ── edges of the envelope and of the scale ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("sigma, b", [(1e-23, 0.0), (1e-20, 1.0), (1e-10, 1e5), (1e-3, 1e18)])
def test_a_tiny_width_underflows_without_nan(sigma, b):
    q = torch.tensor([[[[2.0, -3.0]]]], requires_grad=True)
    omega, width = (torch.tensor([x], requires_grad=True) for x in (0.5, sigma))
    out, _ = F.morlet_rotary(q, q.detach(), torch.tensor([b]), omega, width)
    assert out.tolist() == [[[[2.0, -3.0] if b == 0 else [0.0, 0.0]]]]
    gradients = torch.autograd.grad(out.sum(), (q, omega, width), create_graph=True)
    assert gradients[2].item() == 0.0
    again = torch.autograd.grad(sum(x.sum() for x in gradients), (q, omega, width), allow_unused=True)
    assert all(x.isfinite().all() for x in (*gradients, *again) if x is not None)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_widths_of_sixteen_bits_do_not_overflow(dtype):
    """b² and 2σ² overflow at σ = 512, b = 255: 1.0 and NaN elsewhere, for 0.8834 and 0.8825."""
    q = torch.ones(1, 1, 2, 2, dtype=torch.float64)
    out, _ = F.morlet_rotary(q, q, torch.tensor([255.0, 256.0]), torch.zeros(1, dtype=dtype), torch.tensor([512.0], dtype=dtype))
    for found, b in zip(out[0, 0, :, 0].tolist(), (255, 256), strict=True):
        assert found == pytest.approx(math.exp(-((b / 512) ** 2) / 2), rel=8 * U, abs=0)


def test_a_wrong_width_or_decay_is_refused_where_it_can_be_read_and_nan_elsewhere():
    q, k = content()
    for function, name, range_ in ((F.morlet_rotary, "sigma", "widths in"), (F.xpos_rotary, "zeta", "decays in")):
        with pytest.raises(ValueError, match=f"{name}: got a value that is zero, negative or NaN, expected {range_}"):
            function(q, k, P, OMEGA, BAD)

        def pattern(out: Tensor) -> list[bool]:
            return out.isnan().flatten(0, -2).all(0).tolist()

        good = SIGMA if function is F.morlet_rotary else ZETA
        mapped = torch.vmap(function, in_dims=(None, None, None, None, 0))(q, k, P, OMEGA, torch.stack((BAD, good)))
        for out in mapped:
            assert pattern(out[0]) == [True, False, True] * 2
            assert not out[1].isnan().any()
        whole = torch.compile(function, fullgraph=True, backend="eager")(q, k, P, OMEGA, BAD)
        assert all(pattern(out) == [True, False, True] * 2 for out in whole)
        with FakeTensorMode():
            fake = function(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), torch.arange(2), torch.ones(1), torch.zeros(1))
            assert fake[0].shape == (1, 1, 2, 2)


def test_where_the_scale_of_xpos_underflows_gradients_are_zero():
    q = torch.tensor([[[[2.0, -3.0]]]], dtype=torch.float64, requires_grad=True)
    omega, zeta = (torch.tensor([x], dtype=torch.float64, requires_grad=True) for x in (0.5, 0.5))
    out, _ = F.xpos_rotary(q, q.detach(), torch.tensor([2000]), omega, zeta)
    assert out.tolist() == [[[[0.0, 0.0]]]]
    assert [x.abs().max().item() for x in torch.autograd.grad(out.sum(), (q, omega, zeta))] == [0.0, 0.0, 0.0]


def test_where_the_scale_of_xpos_overflows_the_result_says_so():
    """As the documentation states: beyond |b ln ζ| = 88 a float32 key is infinite, not wrong in silence."""
    x = torch.ones(1, 1, 2, 2)
    positions = torch.tensor([120, 140])
    _, k = F.xpos_rotary(x, x, positions, torch.zeros(1), torch.tensor([0.5]))
    assert k[0, 0].isfinite().tolist() == [[True, True], [False, False]]
    assert "beyond 88" in F.xpos_rotary.__doc__


# ── derivatives and transforms ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("positions", [P[:3], P[:3].double() / 2], ids=["integer", "float"])
def test_first_and_second_derivatives(encode, positions, rows, layout):
    function, shared = encode
    q, k = (x[:1, :, :3, :5].double().requires_grad_() for x in content(heads=2))
    parameters = [(torch.stack((x, x * 1.1))[:1] if rows else x)[..., :2].double().requires_grad_() for x in shared]
    places = positions.clone().requires_grad_(positions.dtype.is_floating_point)

    def encoded(*arguments):
        return function(*arguments, layout=layout)

    assert torch.autograd.gradcheck(encoded, (q, k, places, *parameters))
    assert torch.autograd.gradgradcheck(encoded, (q, k, places, *parameters))


def test_only_the_gradients_that_are_asked_for_are_given_and_each_is_the_same(encode):
    function, shared = encode
    values = [x.double() for x in (*content(), P, *shared)]

    def gradients(wanted: tuple[int, ...]) -> list[Tensor]:
        leaves = [x.clone().requires_grad_(k in wanted) for k, x in enumerate(values)]
        out = function(*leaves)
        (out[0].sin().sum() + out[1].cos().sum()).backward()
        assert [k for k, x in enumerate(leaves) if x.grad is not None] == list(wanted)
        return [leaves[k].grad for k in wanted]

    everything = tuple(range(len(values)))
    whole = gradients(everything)
    for size in (1, 2):
        for wanted in itertools.combinations(everything, size):
            assert all(torch.equal(x, whole[k]) for k, x in zip(wanted, gradients(wanted), strict=True))


def test_vmap_and_jacrev_equal_the_loop(encode):
    function, shared = encode
    q, k = content(heads=2)
    many = [torch.stack((x, x * 1.01, x * 0.99)) for x in shared]
    dims = (None, None, None, *(0 for _ in shared))
    mapped = torch.vmap(function, in_dims=dims)(q, k, P, *many)
    loop = [function(q, k, P, *(x[row] for x in many)) for row in range(3)]
    for place in (0, 1):
        assert torch.equal(mapped[place], torch.stack([one[place] for one in loop]))
    over_batches = torch.vmap(lambda a, b: function(a[None], b[None], P, *shared))(q, k)
    assert torch.equal(over_batches[0].squeeze(1), function(q, k, P, *shared)[0])

    def first(*arguments):
        return function(q[:1, :, :2], k[:1, :, :2], P[:2], *arguments)[0]

    leaves = [x.clone().requires_grad_() for x in shared]
    jacobians = torch.func.jacrev(first, argnums=tuple(range(len(shared))))(*shared)
    rows = [torch.autograd.grad(value, leaves, retain_graph=True) for value in first(*leaves).flatten()]
    for k_, jacobian in enumerate(jacobians):
        assert torch.equal(jacobian.reshape(-1, 3), torch.stack([row[k_] for row in rows]))


def test_forward_mode_is_refused_and_never_silently_zero(encode):
    function, parameters = encode
    q, k = content()
    with pytest.raises(NotImplementedError, match="implement the jvp function"), forward_ad.dual_level():
        function(forward_ad.make_dual(q, torch.ones_like(q)), k, P, *parameters)


# ── compilation and export ───────────────────────────────────────────────────────────────────────────────────────────────


def test_compilation_of_each_kind_of_argument_has_no_graph_break(encode):
    function, shared = encode
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    q, k = content(channels=7)
    rows = tuple(torch.stack((x, x)) for x in shared)
    for layout in LAYOUTS:
        for positions in (P, P.float(), torch.stack((P, P))):
            for parameters in (shared, rows):
                torch._dynamo.reset()
                expected = function(q, k, positions, *parameters, layout=layout)
                found = compiled(q, k, positions, *parameters, layout=layout)
                assert all(torch.equal(x, y) for x, y in zip(found, expected, strict=True))
    torch._dynamo.reset()


class Encoder(torch.nn.Module):
    def forward(self, q, k, positions, omega, sigma):
        return F.morlet_rotary(q, k, positions, omega, sigma, layout="interleaved")


@pytest.mark.parametrize("strict", [True, False])
def test_export_with_any_length(strict):
    q, k = content()
    length = torch.export.Dim("length", min=2, max=64)
    dynamic = ({2: length}, {2: length}, {0: length}, None, None)
    program = torch.export.export(Encoder(), (q, k, P, OMEGA, SIGMA), strict=strict, dynamic_shapes=dynamic)
    longer = [torch.cat((x, x), 2) for x in (q, k)]
    places = torch.cat((P, P + 3))
    expected = F.morlet_rotary(*longer, places, OMEGA, SIGMA, layout="interleaved")
    found = program.module()(*longer, places, OMEGA, SIGMA)
    assert all(torch.equal(x, y) for x, y in zip(found, expected, strict=True))


def test_meta_tensors_give_shapes_and_gradients_without_memory(encode):
    function, parameters = encode
    q, k = (x.to("meta", torch.bfloat16).requires_grad_() for x in content())
    out = function(q, k, P.to("meta"), *(x.to("meta") for x in parameters))
    assert [(x.shape, x.dtype, x.device.type) for x in out] == [(x.shape, torch.bfloat16, "meta") for x in (q, k)]
    (out[0].sum() + out[1].sum()).backward()
    assert q.grad.shape == q.shape
