"""The energy gate as a module: what it computes, whether it is causal, and how it behaves as a module."""
from __future__ import annotations

import copy
import math
from collections.abc import Callable

import mpmath
import pytest
import torch
from torch import Tensor, nn

from mope_impl import functional as F
from mope_impl.nn import EnergyGate, parameter_groups
from mope_impl.nn.gate import narrow_gate, of_all, up_to_each

U = 2.0**-53
STATISTICS = ("published", "causal")


def causal_weights(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float32) -> Tensor:
    """Softmax of random scores over the keys up to each query, (*b, H, T, T)."""
    scores = torch.randn(*shape, shape[-1], generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    seen = torch.ones(shape[-1], shape[-1], dtype=torch.bool).tril()
    return scores.masked_fill(~seen, -math.inf).softmax(-1).to(dtype)


def tokens(*shape: int, seed: int = 1, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


def gate(
    d_model: int = 8,
    n_heads: int = 3,
    statistics: str = "published",
    dtype: torch.dtype = torch.float32,
    projections: int = 1,
) -> EnergyGate:
    """With parameters away from where they start."""
    torch.manual_seed(2)
    module = EnergyGate(d_model, n_heads, statistics=statistics, projections=projections, dtype=dtype)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(0.25 * torch.randn_like(parameter))
    return module


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def exact_rows(module: EnergyGate, energy: Tensor, weights: Tensor) -> list[list[mpmath.mpf]]:
    """One head after the definition, from the exact binary values of the energies of (T,) tokens and weights (T, T)."""
    e, length = [mpmath.mpf(x) for x in energy.tolist()], len(energy)
    alpha, tau = mpmath.mpf(module.sharpness[0].item()), mpmath.mpf(module.threshold[0].item())
    rows = []
    for query, row in enumerate(weights.tolist()):
        seen = e[: query + 1] if module.statistics == "causal" else e
        mean = mpmath.fsum(seen) / len(seen)
        deviation = mpmath.sqrt(mpmath.fsum((x - mean) ** 2 for x in seen) / len(seen))
        scores = [(x - mean) / max(deviation, mpmath.mpf("1e-8")) for x in e]
        gated = [a / (1 + mpmath.exp(-alpha * (z - tau))) for a, z in zip(row, scores, strict=True)]
        total = max(mpmath.fsum(gated), mpmath.mpf("1e-8"))
        rows.append([g / total for g in gated] + [mpmath.mpf(0)] * (length - len(gated)))
    return rows


def relative_error(module: EnergyGate, x: Tensor) -> float:
    """Bound for the relative error of gated weights of tokens (…, T, d), in float64, given the energies that are computed.

    The mean of T energies of size M is off by 2TuM, their deviation by 2T(T + 2)u of itself at most (the factor T where the mean
    of squares and the square of the mean cancel), a score z by 3T(T + 2)u(1 + |z|)M/deviation, a gate by that times α, relative
    to itself; the sum and the quotient keep the largest relative error and add T + 2 roundings.
    """
    energy = module.energies(x).detach()
    length, largest = energy.shape[-1], energy.abs().max().item()
    deviation = min(energy[..., :k].std(-1, correction=0).min().item() for k in range(2, length + 1))
    score, alpha = 2 * largest / deviation, module.sharpness.abs().max().item()
    relative = 2 * (alpha * 3 * length * (length + 2) * U * largest / deviation * (1 + score) + 4 * U) + (length + 2) * U
    assert relative < 2.0**-25, "the spread is small against the energies: nothing would be tested"
    return relative


@pytest.mark.parametrize("statistics", STATISTICS)
def test_the_values_of_the_definition(statistics: str) -> None:
    module, x = gate(8, 1, statistics, torch.float64), tokens(9, 8, dtype=torch.float64)
    weights = causal_weights(1, 9, dtype=torch.float64)
    found = module(x, weights)[0]
    energy = module.energies(x)[0].detach()
    with mpmath.workdps(40):
        rows = exact_rows(module, energy, weights[0])
    relative = relative_error(module, x)
    for query, row in enumerate(rows):
        for key, value in enumerate(row):
            assert abs(found[query, key].item() - value) <= relative * value


def without_the_shift(energy: Tensor) -> tuple[Tensor, Tensor]:
    """The same formulas of the energies themselves."""
    count = torch.arange(1, energy.shape[-1] + 1)
    mean = energy.cumsum(-1) / count
    return mean, (energy.square().cumsum(-1) / count - mean.square()).clamp_min(0).sqrt()


@pytest.mark.parametrize("function, holds", [(up_to_each, True), (without_the_shift, False)])
def test_statistics_of_prefixes_do_not_cancel(function: Callable[[Tensor], tuple[Tensor, Tensor]], holds: bool) -> None:
    """Energies that differ by about 1 in 2³⁰, and an outlier in front; the bounds are those of ``relative_error``."""
    length = 64
    for energy in (2.0**30 + tokens(length, dtype=torch.float64), tokens(length, dtype=torch.float64).index_fill(
            0, torch.tensor(0), 2.0**30)):  # fmt: skip
        means, deviations = function(energy[None])
        worst = 0.0
        for k in range(2, length + 1):
            with mpmath.workdps(40):
                seen = [mpmath.mpf(x) for x in energy[:k].tolist()]
                mean = mpmath.fsum(seen) / k
                deviation = mpmath.sqrt(mpmath.fsum((x - mean) ** 2 for x in seen) / k)
                worst = max(worst, abs(deviations[0, k - 1].item() - deviation) / deviation / (2 * length * (length + 2) * U))
                assert abs(means[0, k - 1].item() - mean) <= 2 * length * U * 2**31
        if not holds and energy[1] > 100:
            assert worst > 1
        else:
            assert worst <= 1


@pytest.mark.parametrize("statistics", STATISTICS)
def test_the_rows_of_gated_weights_sum_to_1_and_keep_their_zeros(statistics: str) -> None:
    module, weights = gate(statistics=statistics), causal_weights(2, 3, 7)
    out = module(tokens(2, 7, 8), weights)
    assert out.shape == weights.shape
    assert torch.allclose(out.sum(-1), torch.ones(2, 3, 7), rtol=0, atol=2 * 7 * 2.0**-24)
    assert not out[weights == 0].any()


def test_where_every_gate_is_closed_the_rows_are_small_and_finite() -> None:
    """A sum of gated weights below 10⁻⁸ is not divided by."""
    module = gate(statistics="published")
    with torch.no_grad():
        module.sharpness.fill_(100.0)
        module.threshold.fill_(100.0)
    out = module(tokens(2, 7, 8), causal_weights(2, 3, 7))
    assert out.isfinite().all()
    assert (out.sum(-1) < 1e-8).all()


@pytest.mark.parametrize("total, slope", [(1e-8, 0.5e8), (math.nextafter(1e-8, 1), 0.0), (0.5e-8, 0.5e8)])
def test_at_a_tie_with_the_smallest_sum_the_sum_has_no_gradient(total: float, slope: float) -> None:
    """One token with gate 1/2: above the smallest sum the result is 1 whatever the weight, else it is weight/2 over 10⁻⁸."""
    weights = torch.full((1, 1, 1), 2 * total, dtype=torch.float64, requires_grad=True)
    out = EnergyGate(4, 1, dtype=torch.float64)(torch.ones(1, 4, dtype=torch.float64), weights)
    (found,) = torch.autograd.grad(out.sum(), weights)
    # above, two terms of 0.5e8 cancel, each with a few roundings
    assert found.item() == pytest.approx(slope, rel=4 * U, abs=8 * U * 0.5e8)


@pytest.mark.parametrize("statistics", STATISTICS)
def test_one_token_has_score_0(statistics: str) -> None:
    """The gate is ς(−ατ) whatever its energy, and cancels; no gradient is NaN."""
    module, x = gate(statistics=statistics), tokens(2, 1, 8).requires_grad_()
    out = module(x, torch.ones(2, 3, 1, 1))
    assert torch.allclose(out, torch.ones(2, 3, 1, 1), rtol=0, atol=2.0**-23)
    out.square().sum().backward()
    assert x.grad.isfinite().all()
    assert all(p.grad.isfinite().all() for p in module.parameters())


@pytest.mark.parametrize("statistics", STATISTICS)
def test_equal_energies_leave_the_weights_as_they_are(statistics: str) -> None:
    """The deviation is 0, with gradient 0: the clamp is what is divided by."""
    module, weights = gate(statistics=statistics), causal_weights(3, 5)
    with torch.no_grad():
        module.weight.zero_()
    x = tokens(5, 8).requires_grad_()
    out = module(x, weights)
    assert torch.allclose(out, weights, rtol=8 * 2.0**-24, atol=0)
    out.square().sum().backward()
    assert x.grad.isfinite().all()
    assert all(p.grad.isfinite().all() for p in module.parameters())


def test_no_tokens() -> None:
    for statistics in STATISTICS:
        assert gate(statistics=statistics)(torch.empty(2, 0, 8), torch.empty(2, 3, 0, 0)).shape == (2, 3, 0, 0)


@pytest.mark.parametrize("statistics", STATISTICS)
def test_first_and_second_derivatives(statistics: str) -> None:
    module = gate(4, 2, statistics, torch.float64)
    x, weights = tokens(5, 4, dtype=torch.float64).requires_grad_(), causal_weights(2, 5, dtype=torch.float64).requires_grad_()
    assert torch.autograd.gradcheck(module, (x, weights))
    assert torch.autograd.gradgradcheck(module, (x, weights))
    parameters = {name: p.detach().requires_grad_() for name, p in module.named_parameters()}

    def of_parameters(*values: Tensor) -> Tensor:
        given = dict(zip(parameters, values, strict=True))
        return torch.func.functional_call(module, given, (x.detach(), weights.detach()))

    assert torch.autograd.gradcheck(of_parameters, tuple(parameters.values()))


# ── several projections, and gates of float32 ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("statistics", STATISTICS)
@pytest.mark.parametrize("projections", [2, 4])
def test_several_projections_are_a_mean_of_gates_under_a_softmax(projections: int, statistics: str) -> None:
    """Each is the gate of one projection with its parameters; P products are summed, each with a few roundings of a gate ≤ 1."""
    module = gate(statistics=statistics, dtype=torch.float64, projections=projections)
    x = tokens(2, 7, 8, dtype=torch.float64)
    expected = torch.zeros(())
    for i in range(projections):
        one = EnergyGate(8, 3, statistics=statistics, dtype=torch.float64)
        with torch.no_grad():
            for name, parameter in one.named_parameters():
                parameter.copy_(getattr(module, name)[:, i])
            share = module.mixture[:, i].exp() / module.mixture.exp().sum(-1)
        expected = expected + one.gates(x, dtype=torch.float64) * share[:, None, None]
    found = module.gates(x, dtype=torch.float64)
    assert torch.allclose(found, expected, rtol=0, atol=16 * projections * U)
    assert found.shape == (2, 3, 7 if statistics == "causal" else 1, 7)
    with torch.no_grad():
        module.mixture[:, 0] += 0.01
    assert (module.gates(x, dtype=torch.float64) - expected).abs().max() > 1e-4


@pytest.mark.parametrize("projections", [2, 4])
def test_the_parameters_of_several_projections(projections: int) -> None:
    module = EnergyGate(256, 1, projections=projections)
    assert sum(p.numel() for p in module.parameters()) == projections * (256 + 3) + projections
    assert module.mixture.tolist() == [[0.0] * projections]
    spared = parameter_groups(module, 0.1)[1]["params"]
    assert {id(p) for p in spared} == {id(module.sharpness), id(module.threshold), id(module.mixture)}


@pytest.mark.parametrize("projections", [2, 4])
def test_several_projections_are_causal_with_causal_statistics(projections: int) -> None:
    x, weights = tokens(2, 9, 8), causal_weights(2, 3, 9)
    other = x.clone()
    other[:, 5] += 1
    for statistics in STATISTICS:
        module = gate(statistics=statistics, projections=projections)
        same = torch.equal(module(x, weights)[..., :5, :], module(other, weights)[..., :5, :])
        assert same is (statistics == "causal")


@pytest.mark.parametrize("statistics", [of_all, up_to_each])
def test_gates_of_float32_are_those_of_the_kernel_to_the_bound_of_their_docstring(
    statistics: Callable[[Tensor], tuple[Tensor, Tensor]],
) -> None:
    """For keys that are seen; energies far from 0, whose spread is small, and an outlier in front among them."""
    length, alpha, tau = 64, torch.tensor([2.0, -5.0, 0.5]), torch.tensor([0.0, 1.5, -3.0])
    unit = 2.0**-24
    for shift, outlier in ((0.0, 0.0), (1000.0, 0.0), (0.0, 1000.0)):
        energy = tokens(2, 3, length, dtype=torch.float64) + shift
        energy[..., 0] += outlier
        given = energy, *statistics(energy), alpha, tau
        exact = F.energy_gate(*given, dtype=torch.float64)
        found = narrow_gate(*given, dtype=torch.float32)
        assert found.dtype == torch.float32
        bound = alpha.abs() * (10 * length**0.5 + 2 * tau.abs()) * unit / 4 + 2 * unit
        gap = (found - exact).abs().tril() if found.shape[-2] > 1 else (found - exact).abs()
        assert (gap <= bound[:, None, None]).all()
    mean, deviation = given[1:3]
    assert ((narrow_gate(energy, mean, deviation * 1.01, alpha, tau, dtype=torch.float32) - exact).abs() > 1e-4).any()


def test_gradients_of_gates_of_float32_are_those_of_the_kernel() -> None:
    """Sums of 20·20 terms that are each off by the bound of a gate, relative to the largest; by the bias all of them cancel."""
    x, unit = tokens(20, 8, dtype=torch.float64), 2.0**-24
    for statistics in STATISTICS:
        slopes = []
        for dtype in (torch.float64, torch.float32):
            module = gate(statistics=statistics, dtype=torch.float64)
            module.gates(x, dtype=dtype)[..., 1:].double().square().sum().backward()
            slopes.append([p.grad for p in module.parameters()])
        largest = max(slope.abs().max().item() for slope in slopes[0])
        for one, other in zip(*slopes, strict=True):
            assert torch.allclose(one, other, rtol=0, atol=20 * 20 * 64 * unit * largest)


# ── causality ────────────────────────────────────────────────────────────────────────────────────────────────────────

ROOT = math.sqrt(2)
PREFIX = [[0, 0, ROOT, -ROOT], [1, -1, 1, -1]]


@pytest.mark.parametrize(
    "third, published, causal", [([1, 1, -1, -1], "0.9351", "0.8808"), ([-1, 1, 1, -1], "0.6480", "0.8808")]
)
def test_the_counterexample_to_the_causality_of_the_published_gate(third: list[float], published: str, causal: str) -> None:
    """Uniform attention, energies e = x₀, α = 2, τ = 0: channel 0 of the output at token 1 depends on token 2 as published.

    By hand: energies (0, 1, ±1). For (0, 1, 1) the scores are (−√2, 1/√2), for (0, 1, −1) they are (0, √(3/2)); of the first
    two alone (−1, 1). The output is g₁/(g₀ + g₁).
    """
    x = torch.tensor([*PREFIX, third], dtype=torch.float64)
    seen = torch.ones(3, 3, dtype=torch.float64).tril()
    weights = (seen / seen.sum(-1, keepdim=True))[None]
    for statistics, expected in (("published", published), ("causal", causal)):
        module = EnergyGate(4, 1, statistics=statistics, dtype=torch.float64)
        with torch.no_grad():
            module.weight.copy_(torch.tensor([[1.0, 0, 0, 0]]))
        out = (module(x, weights) @ x)[0, 1, 0].item()
        assert f"{out:.4f}" == expected
        scores = {"0.9351": (-ROOT, 1 / ROOT), "0.6480": (0, math.sqrt(1.5)), "0.8808": (-1, 1)}[expected]
        low, high = (1 / (1 + math.exp(-2 * z)) for z in scores)
        assert out == pytest.approx(high / (low + high), rel=64 * U)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("changed", range(1, 12))
def test_a_later_token_changes_no_bit_of_an_earlier_row_with_causal_statistics(changed: int, dtype: torch.dtype) -> None:
    x, weights = tokens(2, 12, 8, dtype=dtype), causal_weights(2, 3, 12, dtype=dtype)
    other = x.clone()
    other[:, changed] += 1
    causal, published = gate(statistics="causal", dtype=dtype), gate(statistics="published", dtype=dtype)
    assert torch.equal(causal(x, weights)[..., :changed, :], causal(other, weights)[..., :changed, :])
    assert not torch.equal(causal(x, weights)[..., changed:, :], causal(other, weights)[..., changed:, :])
    if changed > 1:  # the first row has one weight, which is 1 whatever its gate
        assert not torch.equal(published(x, weights)[..., 1:changed, :], published(other, weights)[..., 1:changed, :])


def test_gradients_of_earlier_rows_by_later_tokens_are_exactly_0_with_causal_statistics() -> None:
    for statistics in STATISTICS:
        x = tokens(9, 8).requires_grad_()
        row = gate(statistics=statistics)(x, causal_weights(3, 9))[:, 4]
        (slope,) = torch.autograd.grad((row * torch.arange(9)).sum(), x)
        assert bool(slope[5:].any()) is (statistics == "published")


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e30])
def test_a_spoilt_later_token_spoils_no_earlier_row_with_causal_statistics(value: float) -> None:
    module, x = gate(statistics="causal"), tokens(9, 8)
    plain = module(x, causal_weights(3, 9))
    spoilt = x.clone()
    spoilt[5] = value
    assert torch.equal(module(spoilt, causal_weights(3, 9))[:, :5], plain[:, :5])


def test_each_causal_row_is_the_published_gate_on_the_tokens_up_to_it() -> None:
    """Two sums of the same numbers in different orders: each within the bound."""
    causal, published = gate(8, 3, "causal", torch.float64), gate(8, 3, "published", torch.float64)
    x, weights = tokens(9, 8, dtype=torch.float64), causal_weights(3, 9, dtype=torch.float64)
    whole = causal(x, weights)
    for length in range(1, 10):
        last = published(x[:length], weights[:, :length, :length])[:, -1]
        assert torch.allclose(whole[:, length - 1, :length], last, rtol=2 * relative_error(causal, x), atol=0)
        assert not whole[:, length - 1, length:].any()


def test_with_causal_statistics_the_gate_masks_later_keys_itself() -> None:
    out = gate(statistics="causal")(tokens(7, 8), torch.full((3, 7, 7), 1 / 7))
    assert torch.equal(out.triu(1), torch.zeros(3, 7, 7))


# ── as a module ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_parameters_of_six_layers_of_eight_heads() -> None:
    layers = nn.ModuleList(EnergyGate(256, 8) for _ in range(6))
    assert sum(p.numel() for p in layers.parameters()) == 12432
    assert sum(p.numel() for p in EnergyGate(256, 1).parameters()) == 259


def test_where_it_starts_and_starts_again() -> None:
    torch.manual_seed(0)
    module = EnergyGate(4096, 16)
    for _ in range(2):
        assert module.sharpness.tolist() == [2.0] * 16
        assert module.threshold.tolist() == module.bias.tolist() == [0.0] * 16
        assert abs(module.weight.std().item() / 0.02 - 1) < 0.02
        with torch.no_grad():
            for parameter in module.parameters():
                parameter.add_(1.0)
        module.reset_parameters()


@pytest.mark.parametrize("statistics", STATISTICS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, torch.float64])
def test_the_result_has_the_dtype_of_the_weights(dtype: torch.dtype, statistics: str) -> None:
    module = gate(statistics=statistics)
    assert module(tokens(7, 8), causal_weights(3, 7, dtype=dtype)).dtype == dtype
    narrow = module.to(torch.bfloat16)(tokens(7, 8, dtype=torch.bfloat16), causal_weights(3, 7, dtype=torch.bfloat16))
    assert narrow.dtype == torch.bfloat16


@pytest.mark.parametrize("statistics", STATISTICS)
def test_autocast_changes_no_bit(statistics: str) -> None:
    module, x, weights = gate(statistics=statistics), tokens(2, 7, 8), causal_weights(2, 3, 7)
    plain = module(x, weights)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(module(x, weights), plain)


def test_inputs_are_never_written() -> None:
    module, x, weights = gate(), tokens(7, 8), causal_weights(3, 7)
    before = x.clone(), weights.clone()
    module(x, weights).zero_()
    assert torch.equal(x, before[0])
    assert torch.equal(weights, before[1])


@pytest.mark.parametrize("statistics", STATISTICS)
def test_vmap_over_a_batch_equals_the_batch(statistics: str) -> None:
    module = gate(statistics=statistics, dtype=torch.float64)
    x, weights = tokens(4, 7, 8, dtype=torch.float64), causal_weights(4, 3, 7, dtype=torch.float64)
    assert torch.allclose(torch.vmap(module)(x, weights), module(x, weights), rtol=2 * relative_error(module, x), atol=0)


@pytest.mark.parametrize("statistics", STATISTICS)
def test_whole_graphs_for_compilation_and_export(statistics: str) -> None:
    module, x, weights = gate(statistics=statistics), tokens(7, 8), causal_weights(3, 7)
    expected = module(x, weights)
    torch._dynamo.reset()
    assert torch.equal(torch.compile(module, fullgraph=True, backend="aot_eager")(x, weights), expected)
    torch._dynamo.reset()
    length = torch.export.Dim("length", min=2, max=64)
    program = torch.export.export(module, (x, weights), dynamic_shapes=({0: length}, {1: length, 2: length}))
    for size in (7, 12):
        given = tokens(size, 8), causal_weights(3, size)
        assert torch.equal(program.module()(*given), module(*given))


def test_state_copies_and_the_meta_device() -> None:
    module, other = gate(), EnergyGate(8, 3, statistics="causal")
    other.load_state_dict(module.state_dict())
    assert all(map(torch.equal, other.parameters(), module.parameters()))
    assert module.state_dict()._metadata[""]["version"] == 1
    newer = copy.deepcopy(module.state_dict())
    newer._metadata[""]["version"] = 2
    with pytest.raises(RuntimeError, match="EnergyGate: the state is of version 2 of EnergyGate, this code reads"):
        other.load_state_dict(newer)
    twin = copy.deepcopy(module)
    assert torch.equal(twin(tokens(7, 8), causal_weights(3, 7)), module(tokens(7, 8), causal_weights(3, 7)))
    with torch.device("meta"):
        empty = EnergyGate(8, 3)
    assert empty(torch.empty(7, 8, device="meta"), torch.empty(3, 7, 7, device="meta")).shape == (3, 7, 7)
    empty.to_empty(device="cpu")
    empty.reset_parameters()
    assert empty.sharpness.tolist() == [2.0] * 3


def test_what_shapes_the_gate_does_not_decay() -> None:
    decays, spared = parameter_groups(nn.Sequential(EnergyGate(8, 3)), 0.1)
    assert {tuple(p.shape) for p in decays["params"]} == {(3, 8), (3,)}
    assert len(spared["params"]) == 2
    assert spared["weight_decay"] == 0


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"d_model": 0}, "d_model: got 0, expected a positive integer"),
        ({"n_heads": True}, "n_heads: got True, expected a positive integer"),
        ({"statistics": "future"}, "statistics: got 'future', expected one of 'published', 'causal'"),
        ({"projections": 3}, "projections: got 3, expected one of 1, 2, 4"),
        ({"projections": True}, "projections: got True, expected one of 1, 2, 4"),
    ],
)
def test_a_wrong_option_is_one_clear_error(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        EnergyGate(**({"d_model": 8, "n_heads": 3} | arguments))


@pytest.mark.parametrize(
    "x, weights, message",
    [
        (1.0, torch.ones(3, 7, 7), "x: got float, expected a torch.Tensor"),
        (torch.arange(7), torch.ones(3, 7, 7), "x: got torch.int64, expected float64"),
        (torch.ones(7, 4), torch.ones(3, 7, 7), r"x: got shape \(7, 4\), expected \(\*b, T, 8\)"),
        (torch.ones(8), torch.ones(3, 7, 7), r"x: got shape \(8,\), expected \(\*b, T, 8\)"),
        (torch.ones(7, 8), torch.ones(2, 7, 7), r"weights: got shape \(2, 7, 7\), expected \(3, 7, 7\) for x of shape \(7, 8\)"),
        (torch.ones(2, 7, 8), torch.ones(3, 7, 7), r"weights: got shape \(3, 7, 7\), expected \(2, 3, 7, 7\)"),
        (torch.ones(7, 8), torch.ones(3, 7, 7).long(), "weights: got torch.int64, expected float64"),
    ],
)
def test_a_wrong_argument_is_one_clear_error(x: object, weights: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gate()(x, weights)
