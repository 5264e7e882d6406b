"""The rotary modules: frequencies that nothing can spoil, widths that stay wide, state, and errors that say what is wrong."""
from __future__ import annotations

import copy
import math
import pickle

import mpmath
import numpy as np
import pytest
import torch
from torch import Tensor, nn

from mope_impl import functional as F
from mope_impl.nn import MorletRotary, RotaryEncoding, parameter_groups
from mope_theory.reference import rotation_rounding as bounds
from mope_theory.reference import rounding

MAKE = {"rotary": lambda **kw: RotaryEncoding(8, **kw), "morlet": lambda **kw: MorletRotary(8, sigma_init=300.0, **kw)}
POSITIONS = torch.tensor([0, 1, 7, 599])


def content(channels: int = 8, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
    g = torch.Generator().manual_seed(0)
    return tuple(torch.randn(2, heads, 4, channels, generator=g).to(dtype) for heads in (4, 2))


def same(found: tuple[Tensor, Tensor], expected: tuple[Tensor, Tensor]) -> bool:
    return all(torch.equal(x, y) for x, y in zip(found, expected, strict=True))


@pytest.fixture(params=MAKE)
def make(request: pytest.FixtureRequest):
    return MAKE[request.param]


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("base", [10000.0, 500000.0, 2.5])
@pytest.mark.parametrize("size, width", [(8, None), (128, None), (80, 32), (7, 6)])
def test_frequencies_are_the_geometric_ladder_of_the_rotary_width(size: int, width: int | None, base: float) -> None:
    """base^(−2i/d), off by (ln base + 2)·2⁻⁵³ of itself at most."""
    module = RotaryEncoding(size, rotary_dim=width, base=base)
    omega, d = module.frequencies(), width or size
    assert (omega.dtype, omega.shape) == (torch.float64, (d // 2,))
    with mpmath.workdps(40):
        for i, found in enumerate(omega.tolist()):
            exact = mpmath.mpf(base) ** (-mpmath.mpf(2 * i) / d)
            assert abs(mpmath.mpf(found) - exact) <= exact * (math.log(base) + 2) * 2.0**-53


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("width", [None, 6])
def test_modules_call_the_functions(layout: str, width: int | None) -> None:
    q, k = content()
    module = RotaryEncoding(8, rotary_dim=width, layout=layout)
    assert same(module(q, k, POSITIONS), F.rotary(q, k, POSITIONS, module.frequencies(), layout=layout))
    morlet = MorletRotary(8, rotary_dim=width, layout=layout, sigma_init=200.0)
    sigma = torch.full(((width or 8) // 2,), float(torch.tensor(math.log(200.0))), dtype=torch.float64).exp()
    expected = F.morlet_rotary(q, k, POSITIONS, morlet.frequencies(), sigma, layout=layout)
    assert same(morlet(q, k, POSITIONS), expected)
    assert morlet(q, k, POSITIONS.expand(2, 4))[0].shape == q.shape


def test_a_wide_start_is_near_the_rotary_encoding_and_a_narrow_one_is_not() -> None:
    """|difference| ≤ (|x₀| + |x₁|) b²/2σ² before the rounding to float32."""
    q, k = content()
    plain = RotaryEncoding(8)(q, k, POSITIONS)[0]
    for sigma, near in ((1e5, True), (100.0, False)):
        gap = (MorletRotary(8, sigma_init=sigma)(q, k, POSITIONS)[0] - plain).abs()
        size = 2 * q.abs().max() * (599 / sigma) ** 2 / 2 + 2 * 2 * q.abs().max() * 2.0**-24
        assert bool((gap <= size).all())
        assert (gap.max().item() < 1e-3) == near


@pytest.mark.parametrize("position", [4095, 131072, 2**20])
def test_frequencies_in_float32_as_llama_keeps_them_cost_what_the_bounds_say(position: int) -> None:
    """Ours against the rotation by float32 frequencies in exact arithmetic: within |b||ω − ω₃₂| of a pair, and really apart."""
    q, _ = (x.double() for x in content(64))
    module, places = RotaryEncoding(64), torch.full((4,), position)
    exact = module.frequencies().numpy()
    narrow = (1.0 / (10000.0 ** (torch.arange(0, 64, 2).float() / 64))).double().numpy()
    first, second = (x.numpy() for x in q.chunk(2, -1))
    turned = (first + 1j * second) * np.exp(1j * narrow * position)
    found = module(q, q, places)[0].numpy()
    gap = np.abs(found[..., :32] + 1j * found[..., 32:] - turned)
    size = np.abs(first) + np.abs(second)
    error = bounds.value_error(bounds.no_growth(), exact, float(position), first, second)
    noise = 4 * error + size * (np.abs(narrow * position) + 6) * rounding.U
    assert (gap <= size * position * np.abs(exact - narrow) + noise).all()
    assert gap.max() > 2.0**-24 * position / 50


# ── dtypes and devices ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.float16])
def test_results_follow_the_queries_and_keys_and_never_the_module(make, dtype) -> None:
    q, k = content()
    module = make()
    expected = module(q, k, POSITIONS)
    converted = nn.Sequential(module).to(dtype)[0]
    assert same(converted(q, k, POSITIONS), expected)
    narrow = converted(q.bfloat16(), k, POSITIONS)
    assert [x.dtype for x in narrow] == [torch.bfloat16, torch.float32]
    assert converted.frequencies().dtype == torch.float64
    wanted = torch.float64 if dtype == torch.float64 else torch.float32
    assert all(p.dtype == wanted for p in converted.parameters())


def test_without_wide_parameters_the_width_would_be_narrowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MorletRotary, "_apply", nn.Module._apply)
    module = MAKE["morlet"]()
    before = module.widths()
    assert not torch.equal(module.to(torch.bfloat16).widths(), before)


@pytest.mark.parametrize("dtype", [torch.complex64, torch.float8_e4m3fn])
def test_a_conversion_to_any_other_dtype_is_refused_and_changes_nothing(dtype: torch.dtype) -> None:
    module = MAKE["morlet"]()
    with pytest.raises(ValueError, match=f"conversion of MorletRotary: got {dtype}, expected float64, float32, bfloat16"):
        module.to(dtype)
    assert module.log_sigma.dtype == torch.float32


def test_the_dtype_of_the_parameter() -> None:
    assert MAKE["morlet"](dtype=torch.float64).log_sigma.dtype == torch.float64
    assert MAKE["morlet"](dtype=torch.bfloat16).log_sigma.dtype == torch.float32


def test_meta_device_and_back(make) -> None:
    q, k = content()
    with torch.device("meta"):
        module = make()
    assert module(q.to("meta"), k.to("meta"), POSITIONS.to("meta"))[0].shape == q.shape
    module.to_empty(device="cpu")
    module.reset_parameters()
    assert same(module(q, k, POSITIONS), make()(q, k, POSITIONS))


# ── learning, state, copies ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_width_is_learned_and_the_gradient_is_that_of_log_sigma() -> None:
    q, k = content()
    module = MorletRotary(8, sigma_init=300.0, dtype=torch.float64)
    sigma = module.widths().detach().requires_grad_()
    out = F.morlet_rotary(q, k, POSITIONS, module.frequencies(), sigma)
    (out[0].sum() + 2 * out[1].sum()).backward()
    found = module(q, k, POSITIONS)
    (found[0].sum() + 2 * found[1].sum()).backward()
    assert torch.equal(module.log_sigma.grad, sigma.grad * module.widths().detach())
    assert bool((module.log_sigma.grad != 0).all())


def test_the_width_is_excluded_from_decay_by_name() -> None:
    """A thousand steps of decay alone would take σ = 512 to 9.9."""
    module = nn.ModuleDict({"rotary": MorletRotary(8, sigma_init=512.0), "linear": nn.Linear(2, 2)})
    optimizer = torch.optim.AdamW(parameter_groups(module, 0.1), lr=1e-2)
    weight = module["linear"].weight.detach().clone()
    for _ in range(1000):
        for parameter in module.parameters():
            parameter.grad = torch.zeros_like(parameter)
        optimizer.step()
    assert module["rotary"].widths().tolist() == MorletRotary(8, sigma_init=512.0).widths().tolist()
    assert module["linear"].weight.abs().sum() < 0.5 * weight.abs().sum()
    assert set(dict(MorletRotary(8).named_parameters())) == MorletRotary.no_decay


def test_two_steps_of_one_length_see_the_new_width_and_copies_work() -> None:
    q, k = content()
    module = MAKE["morlet"]()
    first = module(q, k, POSITIONS)
    first[0].sum().backward()
    with torch.no_grad():
        module.log_sigma.sub_(1.0)
    second = copy.deepcopy(module)(q, k, POSITIONS)
    assert not torch.equal(first[0], second[0])
    assert same(second, module(q, k, POSITIONS))
    second[0].sum().backward()
    assert same(pickle.loads(pickle.dumps(module))(q, k, POSITIONS), second)


def test_reset_parameters_restores_the_start() -> None:
    module = MAKE["morlet"]()
    with torch.no_grad():
        module.log_sigma.fill_(9.0)
    module.reset_parameters()
    assert torch.equal(module.log_sigma, torch.full((4,), math.log(300.0)))


@pytest.mark.parametrize("kind", MAKE)
def test_state_dict_round_trip_and_version(kind: str) -> None:
    q, k = content()
    source, target = nn.Sequential(MAKE[kind]()), nn.Sequential(MAKE[kind]())
    with torch.no_grad():
        for parameter in source.parameters():
            parameter.sub_(1.0)
    state = source.state_dict()
    assert (state._metadata["0"]["version"], state._metadata["0"]["layout"]) == (1, "half")
    target.load_state_dict(state)
    assert same(target[0](q, k, POSITIONS), source[0](q, k, POSITIONS))
    target.load_state_dict(dict(state))
    state._metadata["0"]["version"] = 2
    with pytest.raises(RuntimeError, match=r"0: the state is of version 2 of (RotaryEncoding|MorletRotary), this code"):
        target.load_state_dict(state)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("kind", MAKE)
def test_a_state_of_the_other_layout_is_refused(kind: str, strict: bool) -> None:
    """The projections around it are made for one layout; in the other they give wrong scores and no error."""
    state = nn.Sequential(MAKE[kind]()).state_dict()
    other = nn.Sequential(MAKE[kind](layout="interleaved"))
    with pytest.raises(RuntimeError, match=r"0: the state is of \w+\(layout='half'\), .*layout='interleaved'"):
        other.load_state_dict(state, strict=strict)


def test_a_narrow_state_is_widened() -> None:
    module = nn.Sequential(MAKE["morlet"]())
    state = {name: value.bfloat16() for name, value in module.state_dict().items()}
    module.load_state_dict(state, assign=True)
    assert module[0].log_sigma.dtype == torch.float32
    with pytest.raises(RuntimeError, match=r"0\.log_sigma: got torch\.int64, expected float64"):
        module.load_state_dict({"0.log_sigma": torch.zeros(4, dtype=torch.int64)})


def test_the_rotary_module_has_nothing_to_lose() -> None:
    assert RotaryEncoding(8).state_dict() == {}
    assert list(RotaryEncoding(8).buffers()) == []


# ── compilation ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class Both(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.plain, self.morlet = RotaryEncoding(8, rotary_dim=6), MorletRotary(8, layout="interleaved", sigma_init=300.0)

    def forward(self, q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        return self.morlet(*self.plain(q, k, positions), positions)


def test_compiled_without_graph_breaks_and_exported_with_a_free_length() -> None:
    module, (q, k) = Both(), content()
    expected = module(q, k, POSITIONS)
    assert same(torch.compile(module, fullgraph=True, backend="aot_eager")(q, k, POSITIONS), expected)
    length = torch.export.Dim("length", min=2, max=64)
    dynamic = ({2: length}, {2: length}, {0: length})
    program = torch.export.export(module, (q, k, POSITIONS), dynamic_shapes=dynamic).module()
    longer = [torch.cat((x, x), 2) for x in (q, k)]
    places = torch.cat((POSITIONS, POSITIONS + 2))
    assert same(program(q, k, POSITIONS), expected)
    assert same(program(*longer, places), module(*longer, places))


# ── errors ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "arguments, options, message",
    [
        ((7,), {}, "head_dim: got 7, expected a positive even integer"),
        ((0,), {}, "head_dim: got 0, expected a positive integer"),
        ((True,), {}, "head_dim: got True, expected a positive integer"),
        ((8.0,), {}, "head_dim: got 8.0, expected a positive integer"),
        ((8,), {"rotary_dim": 3}, "rotary_dim: got 3, expected a positive even integer"),
        ((8,), {"rotary_dim": 0}, "rotary_dim: got 0, expected a positive even integer"),
        ((8,), {"rotary_dim": 10}, "rotary_dim: got 10, expected at most 8 as head_dim is"),
        ((8,), {"base": 0.0}, "base: got 0.0, expected a positive finite number"),
        ((8,), {"base": "10000"}, "base: got '10000', expected a positive finite number"),
        ((8,), {"layout": "halves"}, "layout: got 'halves', expected one of 'half', 'interleaved'"),
    ],
)
@pytest.mark.parametrize("build", [RotaryEncoding, MorletRotary])
def test_errors_are_one_clear_line(build, arguments, options, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        build(*arguments, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [0.0, -1.0, math.inf, math.nan, "wide", True, None])
def test_a_width_that_is_none_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"sigma_init: got .*, expected a positive finite number"):
        MorletRotary(8, sigma_init=value)


def test_queries_of_another_size_are_refused(make) -> None:
    """A narrower head would be encoded at other frequencies than it was made for, and a wider one in part."""
    for channels in (6, 10):
        q, k = content(channels)
        with pytest.raises(ValueError, match=f"q: got {channels} channels, expected 8 as head_dim is"):
            make()(q, k, POSITIONS)
    with pytest.raises(ValueError, match=r"q: got list, expected a torch.Tensor"):
        make()([1.0], *content())
    with pytest.raises(ValueError, match=r"q: got shape \(4, 4, 8\), expected \(batch, heads, tokens, channels\)"):
        make()(content()[0][0], content()[1], POSITIONS)


def test_repr_says_what_it_is(make) -> None:
    text = repr(make(rotary_dim=6, layout="interleaved"))
    assert "(8, rotary_dim=6, base=10000, layout='interleaved'" in text
    assert ("sigma_init=300" in text) == isinstance(make(), MorletRotary)
