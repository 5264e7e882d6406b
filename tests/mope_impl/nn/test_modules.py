"""The encoding modules: values, dtypes that stay wide, state, copies, devices, and errors that say what is wrong."""
from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Iterator
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import torch
from flint import arb, ctx
from torch import Tensor, nn

from mope_impl import functional as F
from mope_impl.nn import Encoding, LearnedEncoding, MorletEncoding, SinusoidalEncoding
from mope_theory import symbols as s
from mope_theory.reference import rounding, to_acb
from mope_theory.reference.formats import FORMATS

MAKE = {
    "reference": lambda **kw: MorletEncoding(8, **kw),
    "free": lambda **kw: MorletEncoding(8, constraint="free", **kw),
    "bounded": lambda **kw: MorletEncoding(8, constraint="bounded", **kw),
    "centred": lambda **kw: MorletEncoding(8, center="learned", **kw),
    "sinusoidal": lambda **kw: SinusoidalEncoding(8, **kw),
    "learned": lambda **kw: LearnedEncoding(700, 8, **kw),
}
LEARNED_PARAMETERS = [k for k in MAKE if k != "sinusoidal"]
POSITIONS = torch.tensor([0, 1, 7, 599])


@pytest.fixture(autouse=True)
def working_precision() -> Iterator[None]:
    torch.manual_seed(0)
    old, ctx.prec = ctx.prec, 200
    yield
    ctx.prec = old


@pytest.fixture(params=MAKE)
def make(request: pytest.FixtureRequest):
    return MAKE[request.param]


def excess(module: MorletEncoding, positions: Tensor) -> float:
    """Worst error of a Morlet module, in units of the bound at the ω, σ and centre that it holds."""
    omega, sigma = (x.detach().numpy() for x in module.frequencies_and_widths())
    center = np.zeros_like(omega) if module.center is None else module.center.detach().to(torch.float64).numpy()
    out, name = module(positions), str(module.dtype).removeprefix("torch.")
    assert out.dtype == module.dtype
    worst = 0.0
    for position, row in zip(positions.tolist(), out.to(torch.float64).tolist(), strict=True):
        errors = rounding.forward_error(omega, sigma, position, center)
        for i, (w, width, c) in enumerate(zip(omega.tolist(), sigma.tolist(), center.tolist(), strict=True)):
            value = to_acb(
                s.psi(s.b, s.omega, s.sigma, s.center), {s.b: position, s.omega: w, s.sigma: width, s.center: c}
            )
            for channel, exact in enumerate((value.real, value.imag)):
                bound = rounding.rounded(errors[channel][i], float(exact.mid()), FORMATS[name])
                worst = max(worst, float(abs(arb(row[2 * i + channel]) - exact).upper()) / float(bound))
    return worst


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("shape", [(), (5,), (2, 3), (0,), (2, 1, 3)])
def test_shapes(make, shape: tuple[int, ...]) -> None:
    out = make()(torch.zeros(shape, dtype=torch.int64))
    assert out.shape == (*shape, 8)
    assert out.dtype == torch.float32


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("kind", ["reference", "free", "bounded", "centred"])
def test_morlet_values(kind: str, dtype: torch.dtype) -> None:
    module = MAKE[kind](dtype=dtype)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(torch.randn_like(parameter))
    assert 0 < excess(module, torch.tensor([-40, 0, 1, 3, 4095])) <= 1


def test_the_initial_pairs_of_the_reference() -> None:
    """ω log-spaced from 1 to 0.99π, capped at 0.95π; σ = 5/ω: ωσ = 5 to the rounding of float32, as published."""
    module = MorletEncoding(256)
    omega, sigma = module.frequencies_and_widths()
    spaced = torch.logspace(0, math.log10(0.99 * math.pi), 128, dtype=torch.float64)
    assert torch.allclose(module.log_omega.double().exp(), spaced, rtol=2.0**-22, atol=0)
    assert torch.allclose(sigma, 5 / spaced, rtol=2.0**-22, atol=0)
    assert (omega * sigma >= 5 * (1 - 2.0**-52)).all()
    below = spaced < 0.94 * math.pi
    assert torch.allclose((omega * sigma)[below], torch.tensor(5.0, dtype=torch.float64), rtol=2.0**-21, atol=0)
    assert sum(p.numel() for p in module.parameters()) == 256


def exact_table(position: int, pair: int, size: int, base: int) -> tuple[mpmath.mpf, mpmath.mpf]:
    with mpmath.workdps(50):
        angle = position / mpmath.power(base, mpmath.mpf(2 * pair) / size)
        return mpmath.sin(angle), mpmath.cos(angle)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("base", [10000, 500000])
def test_sinusoidal_values(base: int, dtype: torch.dtype) -> None:
    """Against mpmath: the bound of the encoding, and |ωb| times the relative error of ω that the module states."""
    size, module = 64, SinusoidalEncoding(64, base).to(dtype)
    positions = torch.tensor([0, 1, 4095, 2**20, 2**24])
    out, output = module(positions), FORMATS[str(dtype).removeprefix("torch.")]
    relative = (math.log(base) + 2) * 2.0**-53
    frequencies = module.frequencies().tolist()
    assert out.dtype == dtype
    for position, row in zip(positions.tolist(), out.to(torch.float64).tolist(), strict=True):
        for pair, omega in enumerate(frequencies):
            with mpmath.workdps(50):
                true = mpmath.power(base, mpmath.mpf(-2 * pair) / size)
                assert abs(omega - true) <= relative * true
                errors = rounding.forward_error(omega, math.inf, position)
                for channel, exact in enumerate(exact_table(position, pair, size, base)):
                    before = float(errors[1 - channel]) + omega * position * relative * rounding.SECOND_ORDER
                    bound = rounding.rounded(before, float(exact), output)
                    assert abs(row[2 * pair + channel] - exact) <= float(bound)


@pytest.mark.parametrize("size, base", [(2, 10000.0), (8, 16.0), (64, 10000.0)])
def test_the_ratio_of_the_periods(size: int, base: float) -> None:
    """base^((d − 2)/d), each frequency within the relative error that the module states."""
    fastest, *_, slowest = [*SinusoidalEncoding(size, base).frequencies().tolist()] * 2
    assert fastest == 1
    assert fastest / slowest == pytest.approx(base ** ((size - 2) / size), rel=(2 * math.log(base) + 5) * 2.0**-53, abs=0)


def test_the_sinusoidal_module_is_the_table_of_the_theory() -> None:
    module = SinusoidalEncoding(16).double()
    for i, (sine, cosine) in enumerate(module(torch.tensor([37])).view(8, 2).tolist()):
        values = {s.b: 37, s.channel: i, s.dimension: 16}
        for got, head in ((sine, s.TableEven), (cosine, s.TableOdd)):
            exact = to_acb(head(s.b, s.channel, s.dimension), values).real
            assert abs(arb(got) - exact) < arb(37 * 2.0**-49)


def test_learned_rows() -> None:
    torch.manual_seed(1)
    module = LearnedEncoding(1000, 64)
    assert torch.equal(module(POSITIONS), module.table[POSITIONS])
    assert abs(module.table.std().item() / 0.02 - 1) < 0.02
    assert abs(module.table.mean().item()) < 0.02 * 5 / math.sqrt(64000)
    module(torch.tensor([3, 3])).sum().backward()
    assert module.table.grad[3].tolist() == [2.0] * 64
    assert module.table.grad.sum() == 128
    assert torch.equal(torch.vmap(module)(POSITIONS[:, None]), module(POSITIONS[:, None]))


# ── dtypes ───────────────────────────────────────────────────────────────────────────────────────────────────────────

NARROWING = {
    "to": lambda m: m.to(torch.bfloat16),
    "bfloat16": lambda m: m.bfloat16(),
    "half": lambda m: m.half(),
    "type": lambda m: m.type(torch.float16),
    "device and dtype": lambda m: m.to("cpu", torch.bfloat16),
    "parent": lambda m: nn.Sequential(nn.Linear(1, 1), m).bfloat16()[1],
}


@pytest.mark.parametrize("narrow", NARROWING.values(), ids=NARROWING)
def test_parameters_stay_wide_and_the_result_follows(make, narrow) -> None:
    module = make()
    before = copy.deepcopy(module.state_dict())
    wide = module(POSITIONS)
    narrow(module)
    assert module.dtype in (torch.bfloat16, torch.float16)
    assert all(torch.equal(v, before[k]) and v.dtype == torch.float32 for k, v in module.state_dict().items())
    assert torch.equal(module(POSITIONS), wide.to(module.dtype)), "values that reach float32 are rounded from there"
    module.float()
    assert torch.equal(module(POSITIONS), wide)


def test_a_parent_is_converted_as_ever() -> None:
    model = nn.Sequential(nn.Linear(2, 2), MorletEncoding(8)).to(torch.bfloat16)
    assert model[0].weight.dtype == torch.bfloat16
    assert model[1].log_omega.dtype == torch.float32


def test_float64_reaches_the_parameters(make) -> None:
    module = make().double()
    assert module(POSITIONS).dtype == torch.float64
    assert all(p.dtype == torch.float64 for p in module.parameters())
    module.float()
    assert all(p.dtype == torch.float32 for p in module.parameters())


def test_gradients_have_the_dtype_of_the_parameters_after_narrowing() -> None:
    module = MorletEncoding(8, center="learned").bfloat16()
    module(POSITIONS).float().sum().backward()
    module.to(torch.float16)
    assert all(p.grad.dtype == torch.float32 for p in module.parameters())


def test_a_narrow_default_dtype_leaves_the_parameters_wide(make) -> None:
    """Model loaders set the default dtype to bfloat16 while they build."""
    torch.set_default_dtype(torch.bfloat16)
    try:
        module = make()
    finally:
        torch.set_default_dtype(torch.float32)
    assert module(POSITIONS).dtype == torch.bfloat16
    assert all(p.dtype == torch.float32 for p in module.parameters())


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e8m0fnu, torch.complex64, torch.int64])
@pytest.mark.filterwarnings("ignore:Complex modules are a new feature")
def test_a_conversion_to_any_other_dtype_is_refused_and_changes_nothing(make, dtype: torch.dtype) -> None:
    module = make()
    before, wide = copy.deepcopy(module.state_dict()), module(POSITIONS)
    with pytest.raises(ValueError, match=f"conversion of [A-Za-z]+Encoding: got {dtype}, expected float64, float32"):
        module.type(dtype)
    if dtype.is_complex or dtype.is_floating_point:  # torch itself refuses the others here
        with pytest.raises(ValueError, match=f"conversion of [A-Za-z]+Encoding: got {dtype}, expected float64, float32"):
            nn.Sequential(module).to(dtype)
    assert module.dtype == torch.float32
    assert all(torch.equal(v, before[k]) and v.dtype == torch.float32 for k, v in module.state_dict().items())
    assert torch.equal(module(POSITIONS), wide)


def test_sixty_four_channels_at_position_4095_in_bfloat16() -> None:
    """Half a unit of bfloat16 and no more; a module whose parameters were cast errs by up to 1."""
    module = MorletEncoding(64, constraint="free").to(torch.bfloat16)
    with torch.no_grad():
        module.log_sigma.fill_(math.log(4000))
    assert excess(module, torch.tensor([4095])) <= 1
    cast = copy.deepcopy(module)
    with torch.no_grad():
        for parameter in cast.parameters():
            parameter.copy_(parameter.to(torch.bfloat16))
    assert (cast(torch.tensor([4095])) - module(torch.tensor([4095]))).abs().max() > 0.3


@pytest.mark.parametrize("kind", ["sinusoidal", "learned"])
def test_six_hundred_positions_stay_six_hundred(kind: str) -> None:
    torch.manual_seed(0)
    module = MAKE[kind]().to(torch.bfloat16)
    assert len({tuple(row) for row in module(torch.arange(600)).tolist()}) == 600


def test_positions_under_autocast(make) -> None:
    module = make()
    plain = module(POSITIONS)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        cast = module(POSITIONS)
    assert cast.dtype == torch.float32
    assert torch.equal(cast, plain)


# ── state ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", LEARNED_PARAMETERS)
def test_two_steps_of_one_length_see_new_parameters(kind: str) -> None:
    module = MAKE[kind]()
    optimiser = torch.optim.SGD(module.parameters(), lr=0.1)
    outputs = []
    for _ in range(2):
        optimiser.zero_grad()
        outputs.append(module(POSITIONS))
        outputs[-1].square().sum().mul(-1).sub(outputs[-1].sum()).backward()
        assert all(p.grad is not None and p.grad.isfinite().all() for p in module.parameters())
        optimiser.step()
    assert not torch.equal(*outputs)
    twin = copy.deepcopy(module)
    assert torch.equal(twin(POSITIONS), module(POSITIONS))
    next(twin.parameters()).data.add_(1.0)
    assert not torch.equal(twin(POSITIONS), module(POSITIONS))


def test_deepcopy_after_a_forward_and_inference_mode_before_training(make) -> None:
    module = make()
    with torch.inference_mode():
        seen = module(POSITIONS)
    kept = copy.deepcopy(module)
    out = kept(POSITIONS)
    assert torch.equal(out, seen)
    if out.requires_grad:
        out.sum().backward()
    assert all(p.grad is not None for p in kept.parameters())
    assert all(p.grad is None for p in module.parameters())


@pytest.mark.parametrize("kind", MAKE)
def test_meta_device_and_back(kind: str) -> None:
    with torch.device("meta"):
        module = MAKE[kind]()
    assert module(POSITIONS.to("meta")).shape == (4, 8)
    module.to_empty(device="cpu")
    torch.manual_seed(3)
    module.reset_parameters()
    torch.manual_seed(3)
    assert torch.equal(module(POSITIONS), MAKE[kind]()(POSITIONS))
    assert module.dtype == torch.float32


def test_the_sinusoidal_module_has_nothing_to_lose() -> None:
    with torch.device("meta"):
        module = SinusoidalEncoding(8)
    assert module.state_dict() == {}
    assert torch.equal(module.to_empty(device="cpu")(POSITIONS), SinusoidalEncoding(8)(POSITIONS))


@pytest.mark.parametrize("kind", MAKE)
def test_state_dict_round_trip_and_version(kind: str) -> None:
    source, target = MAKE[kind](), MAKE[kind]()
    with torch.no_grad():
        for parameter in source.parameters():
            parameter.add_(torch.rand_like(parameter))
    state = source.state_dict()
    assert state._metadata[""]["version"] == 1
    target.load_state_dict(state)
    assert torch.equal(target(POSITIONS), source(POSITIONS))
    target.load_state_dict(dict(state))  # a plain dictionary, as safetensors gives, states no version
    outer, newer = nn.Sequential(MAKE[kind]()), nn.Sequential(source).state_dict()
    newer._metadata["0"]["version"] = 2
    before = outer(POSITIONS)
    with pytest.raises(RuntimeError, match=r"0: the state is of version 2 of [A-Za-z]+Encoding, this code"):
        outer.load_state_dict(newer)
    assert torch.equal(outer(POSITIONS), before)


@pytest.mark.parametrize("saved, own", [("reference", "free"), ("free", "reference"), ("bounded", "free")])
@pytest.mark.parametrize("strict", [True, False])
def test_a_state_of_another_constraint_is_refused(tmp_path, saved: str, own: str, strict: bool) -> None:
    """log ω and log σ mean other pairs under another constraint; also behind a prefix, and from a file of plain tensors."""
    source, target = (nn.Sequential(MorletEncoding(8, constraint=name)) for name in (saved, own))
    torch.save(source.state_dict(), tmp_path / "state.pt")
    state = torch.load(tmp_path / "state.pt", weights_only=True)
    assert all(isinstance(value, Tensor) for value in state.values())
    before = target(POSITIONS)
    with pytest.raises(RuntimeError, match=rf"0: the state is of MorletEncoding\(constraint='{saved}'\), .*='{own}'; load it"):
        target.load_state_dict(state, strict=strict)
    assert torch.equal(target(POSITIONS), before)
    again = nn.Sequential(MorletEncoding(8, constraint=saved))
    again.load_state_dict(state)
    assert torch.equal(again(POSITIONS), source(POSITIONS))


def test_without_the_settings_another_constraint_would_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MorletEncoding, "settings", ())
    source, target = MorletEncoding(8), MorletEncoding(8, constraint="free")
    with torch.no_grad():
        source.log_sigma.sub_(1.0)
    target.load_state_dict(source.state_dict())
    assert not torch.equal(target(POSITIONS), source(POSITIONS))


def test_a_state_that_names_no_constraint_is_read() -> None:
    """One that was saved before constraints were named, or whose metadata is lost."""
    state = MorletEncoding(8).state_dict()
    del state._metadata[""]["constraint"]
    module = MorletEncoding(8, constraint="free")
    assert "All keys matched" in str(module.load_state_dict(state))
    assert "All keys matched" in str(module.load_state_dict(dict(MorletEncoding(8).state_dict())))


@pytest.mark.parametrize("assign", [True, False])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("kind", LEARNED_PARAMETERS)
def test_a_narrow_state_is_widened(kind: str, dtype: torch.dtype, assign: bool) -> None:
    """Assigned as they are, parameters of 16 bits would be learned in 16 bits."""
    module = nn.Sequential(MAKE[kind]())
    state = {name: value.to(dtype) for name, value in module.state_dict().items()}
    given = {name: value.clone() for name, value in state.items()}
    module.load_state_dict(state, assign=assign)
    expected = torch.float64 if assign and dtype == torch.float64 else torch.float32
    for name, parameter in module.named_parameters():
        assert (parameter.dtype, parameter.requires_grad) == (expected, True)
        assert torch.equal(parameter.detach(), given[name].to(expected))
    assert all(torch.equal(value, given[name]) and value.dtype == dtype for name, value in state.items())


@pytest.mark.parametrize("dtype", [torch.complex64, torch.float8_e4m3fn, torch.int64])
@pytest.mark.parametrize("assign", [True, False])
def test_a_state_of_any_other_dtype_is_refused(assign: bool, dtype: torch.dtype) -> None:
    module = nn.Sequential(MorletEncoding(8))
    state = module.state_dict()
    with pytest.raises(RuntimeError, match=rf"0\.log_sigma: got {dtype}, expected float64, float32, bfloat16 or float16"):
        module.load_state_dict(state | {"0.log_sigma": state["0.log_sigma"].to(dtype)}, assign=assign)
    with pytest.raises(RuntimeError, match="Missing key"):
        module.load_state_dict({"0.log_omega": state["0.log_omega"]})
    with pytest.raises(RuntimeError, match=r"0\.log_sigma"):
        module.load_state_dict(state | {"0.log_sigma": [0.0] * 4})
    assert all(p.dtype == torch.float32 for p in module.parameters())


def test_an_infinite_width_is_for_the_function_and_not_for_a_parameter() -> None:
    """As the documentation of the module says: right values, and a gradient ∞·0."""
    module = MorletEncoding(4, constraint="free", dtype=torch.float64)
    with torch.no_grad():
        module.log_sigma[1] = math.inf
    omega, sigma = (x.detach().requires_grad_() for x in module.frequencies_and_widths())
    out, same = module(POSITIONS), F.morlet_encoding(POSITIONS, omega, sigma)
    assert sigma[1].item() == math.inf
    assert torch.equal(out, same)
    out.sum().backward()
    same.sum().backward()
    assert module.log_sigma.grad.isnan().tolist() == [False, True]
    assert module.log_omega.grad.isfinite().all()
    assert sigma.grad[1].item() == 0
    assert "∞·0 = NaN" in MorletEncoding.__doc__


def test_pickle_round_trip(make) -> None:
    module = make().to(torch.bfloat16)
    twin = pickle.loads(pickle.dumps(module))
    assert torch.equal(twin(POSITIONS), module(POSITIONS))


def test_reset_parameters_restores_the_start(make) -> None:
    module = make()
    torch.manual_seed(5)
    module.reset_parameters()
    start = copy.deepcopy(module.state_dict())
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.fill_(9.0)
    torch.manual_seed(5)
    module.reset_parameters()
    assert all(torch.equal(v, start[k]) for k, v in module.state_dict().items())


def test_inputs_are_not_written(make) -> None:
    positions = POSITIONS.clone()
    make()(positions)
    assert torch.equal(positions, POSITIONS)


@pytest.mark.parametrize(
    "kind, parts",
    [
        ("reference", ["MorletEncoding(8", "'reference'", "'origin'", "torch.float32"]),
        ("centred", ["'learned'"]),
        ("sinusoidal", ["SinusoidalEncoding(8", "base=10000"]),
        ("learned", ["LearnedEncoding(700, 8"]),
    ],
)
def test_repr_says_what_it_is(kind: str, parts: list[str]) -> None:
    assert all(part in repr(MAKE[kind]()) for part in parts)


# ── errors ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", [0, -2, 7, 8.0, True, "8", None])
def test_sizes_that_make_no_pairs(size: object) -> None:
    for build in (MorletEncoding, SinusoidalEncoding):
        with pytest.raises(ValueError, match=r"d_model: got .*, expected a positive even integer") as caught:
            build(size)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "build, message",
    [
        (lambda: MorletEncoding(8, constraint="clamped"), "constraint: got 'clamped', expected one of 'reference'"),
        (lambda: MorletEncoding(8, center="free"), "center: got 'free', expected one of 'origin', 'learned'"),
        (lambda: MorletEncoding(8, dtype=torch.int64), "dtype: got torch.int64, expected float64"),
        (lambda: MorletEncoding(8, dtype="float32"), "dtype: got 'float32', expected a torch.dtype: float64, float32, bfloat16"),
        (lambda: MorletEncoding(8, dtype=torch.float8_e4m3fn), "dtype: got torch.float8_e4m3fn, expected float64, float32"),
        (lambda: LearnedEncoding(8, 8, dtype=torch.float8_e5m2), "dtype: got torch.float8_e5m2, expected float64, float32"),
        (lambda: SinusoidalEncoding(8, dtype=torch.float8_e8m0fnu), "dtype: got torch.float8_e8m0fnu, expected float64"),
        (lambda: SinusoidalEncoding(8, 0.0), "base: got 0.0"),
        (lambda: SinusoidalEncoding(8, 10**400), "base: got inf, expected a positive finite number"),
        (lambda: SinusoidalEncoding(8, -(10**400)), "base: got inf, expected a positive finite number"),
        (lambda: SinusoidalEncoding(8, Fraction(1, 10**400)), "base: got 0.0, expected a positive finite number"),
        (lambda: SinusoidalEncoding(8, True), "base: got True, expected a positive finite number"),
        (lambda: SinusoidalEncoding(8, np.True_), "base: got np.True_, expected a positive finite number"),
        (lambda: SinusoidalEncoding(8, "10000"), "base: got '10000', expected a positive finite number"),
        (lambda: SinusoidalEncoding(8, 1j), "base: got 1j, expected a positive finite number"),
        (lambda: SinusoidalEncoding(8, math.inf), "base: got inf"),
        (lambda: SinusoidalEncoding(8, math.nan), "base: got nan"),
        (lambda: LearnedEncoding(0, 8), "max_length: got 0"),
        (lambda: LearnedEncoding(8, -1), "d_model: got -1"),
        (lambda: LearnedEncoding(8, 8)(torch.tensor([0, 8])), "got a value outside 0 … 7, the rows of the table"),
        (lambda: LearnedEncoding(8, 8)(torch.tensor([-1])), "got a value outside 0 … 7, the rows of the table"),
        (lambda: LearnedEncoding(8, 8)(torch.tensor([0.5])), "positions: got dtype torch.float32, expected integers"),
        (lambda: LearnedEncoding(8, 8)([0]), "positions: got list, expected a torch.Tensor"),
        (lambda: SinusoidalEncoding(8)([0]), "positions: got list, expected a torch.Tensor"),
        (lambda: LearnedEncoding(8, 8)(torch.tensor([1]).to_sparse()), "positions: got a tensor of layout torch.sparse_coo"),
        (lambda: MorletEncoding(8)(torch.tensor([True])), "positions: got dtype torch.bool"),
    ],
)
def test_errors_are_one_clear_line(build, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        build()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("base", [np.float64(100), np.float32(100), np.int64(100), Fraction(100), 100])
def test_a_base_may_be_any_real_number(base: object) -> None:
    assert torch.equal(SinusoidalEncoding(8, base)(POSITIONS), SinusoidalEncoding(8, 100.0)(POSITIONS))
    assert type(SinusoidalEncoding(8, base).base) is float


def test_every_module_declares_the_names_of_its_parameters() -> None:
    for kind, build in MAKE.items():
        module = build()
        assert isinstance(module, Encoding)
        names = {name for name, _ in module.named_parameters()}
        if kind != "learned":
            assert names <= module.no_decay


# ── the wide parameters seen failing ─────────────────────────────────────────────────────────────────────────────────


def test_without_the_override_the_checks_above_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Encoding, "_apply", nn.Module._apply)
    module = MorletEncoding(8)
    before = module(POSITIONS)
    module.to(torch.bfloat16)
    assert module.log_omega.dtype == torch.bfloat16
    assert not torch.equal(module(POSITIONS), before)
