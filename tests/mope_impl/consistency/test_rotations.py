"""Rotary encodings of queries and keys against Arb at the exact binary inputs, under the derived rounding bounds alone."""
from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from mope_theory.reference import rotation_rounding as bounds
from tests.mope_impl.consistency.harness import DTYPES
from tests.mope_impl.consistency.planted_rotations import planted
from tests.mope_impl.consistency.rotations import FUNCTIONS, Case, forward_excess, generator, gradient_excess, grid, single


@st.composite
def cases(draw: st.DrawFn, float_positions: bool = False) -> Case:
    """Grouped queries, partial width, heads of their own, either layout, every dtype; ω up to 8192, σ tiny, huge or ∞."""
    name, layout = draw(st.sampled_from(sorted(FUNCTIONS))), draw(st.sampled_from(["half", "interleaved"]))
    g = generator(draw(st.integers(0, 2**31)))
    heads, groups, tokens, pairs = (draw(st.integers(1, 2)) for _ in range(4))
    batch, rest = draw(st.integers(1, 2)), draw(st.integers(0, 3))
    dtypes = [DTYPES[draw(st.sampled_from(sorted(DTYPES)))] for _ in range(3)]

    def noise(*shape: int) -> Tensor:
        return torch.randn(shape, generator=g, dtype=torch.float64)

    width = 2 * pairs + rest
    q, k = noise(batch, heads * groups, tokens, width), noise(batch, heads, tokens, width)
    limit = draw(st.sampled_from([3, 300, 2**24]))
    positions = limit * (2 * torch.rand((batch, tokens) if draw(st.booleans()) else (tokens,), generator=g).double() - 1)
    positions = positions.to(draw(st.sampled_from([torch.float32, torch.float64]))) if float_positions else positions.long()
    shape = (heads, pairs) if draw(st.booleans()) else (pairs,)
    omega = (noise(*shape) * 10 ** draw(st.integers(-4, 3))).clamp(-8192, 8192).to(dtypes[2])
    extra = None
    if name == "morlet_rotary":
        z = 10 ** (2 * torch.rand(shape, generator=g, dtype=torch.float64) - 1) * draw(st.sampled_from([1, 1, 10]))
        extra = (positions.double().abs().max() + 1) / z
        extra = torch.where(torch.rand(shape, generator=g) < 0.2, math.inf, extra).clamp_min(2.0**-14).to(dtypes[2])
    if name == "xpos_rotary":
        decay = noise(*shape) * draw(st.sampled_from([0.1, 3.0])) / (positions.double().abs().max() + 1)
        extra = decay.exp().to(torch.promote_types(dtypes[2], torch.float32))
    return Case(name, q.to(dtypes[0]), k.to(dtypes[1]), positions, omega, extra, layout)


@settings(max_examples=100)
@given(cases())
def test_values_stay_under_the_bound(case: Case) -> None:
    assert forward_excess(case) <= 1


@settings(max_examples=60)
@given(cases(float_positions=True), st.integers(0, 2**31))
def test_gradients_stay_under_the_bound(case: Case, seed: int) -> None:
    g = generator(seed)
    upstream = tuple(torch.randn(x.shape, generator=g).to(x.dtype) for x in (case.q, case.k))
    worst = gradient_excess(case, upstream)
    assert set(worst) == {"q", "k", "positions", "omega"} | ({"extra"} if case.extra is not None else set())
    assert max(worst.values()) <= 1


@pytest.mark.requires("g++")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_code_stays_under_the_same_bounds(name: str) -> None:
    """Fused loops have their own exp, cos and sin, and may contract products and sums: one rounding less."""
    compiled = torch.compile(FUNCTIONS[name], fullgraph=True)
    for layout in ("half", "interleaved"):
        case, g = single(name, torch.float32, layout), generator(7)
        case = replace(case, positions=case.positions.double() / 2)
        assert forward_excess(case, compiled) <= 1
        upstream = tuple(torch.randn(x.shape, generator=g).to(x.dtype) for x in (case.q, case.k))
        assert max(gradient_excess(case, upstream, compiled).values()) <= 1


# ── faults are seen, and the bounds are tight ────────────────────────────────────────────────────────────────────────────


FAULTS = {
    "the other layout": "rotary",
    "float32 phase": "rotary",
    "float32 tables": "rotary",
    "products in float32": "rotary",
    "turned the other way": "rotary",
    "heads in turn": "rotary",
    "the last channels for the first": "rotary",
    "positions of the first row for all": "rotary",
    "the half is missing": "morlet_rotary",
    "b²/σ² for (b/σ)², in the dtype of σ": "morlet_rotary",
    "ζ for keys, its inverse for queries": "xpos_rotary",
}


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_encodings_written_by_hand_are_under_the_bounds(name: str, layout: str) -> None:
    case = single(name, layout=layout)
    assert forward_excess(case, planted(name)) <= 1
    assert forward_excess(case) <= 1


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_breaks_the_bounds(fault: str, layout: str) -> None:
    name = FAULTS[fault]
    assert forward_excess(single(name, layout=layout), planted(name, fault)) > 1


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_tables_in_the_dtype_of_the_queries_break_the_bounds(dtype: torch.dtype) -> None:
    case = single("rotary", dtype)
    assert forward_excess(case) <= 1
    assert forward_excess(case, planted("rotary", "tables in the dtype of x")) > 1


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_what_is_rounded_to_float32_is_four_units_from_the_value_at_most(dtype: torch.dtype, layout: str) -> None:
    """A factor, two products and their sum, of float32 each: below 4·2⁻²⁴(|x₀| + |x₁|); a second rounding of a factor is seen."""
    case = single("rotary", dtype, layout)
    at = grid(case, "q")
    size = np.abs(at.x[0]) + np.abs(at.x[1])
    error = bounds.turned_error(at.growth(), at.omega, at.b, *at.x, case.arithmetic) + size * 2.0**-24
    assert (error <= 4 * 2.0**-24 * size).all()
    assert forward_excess(case) <= 1
    if dtype == torch.float32:
        assert forward_excess(case, planted("rotary", "tables in ten bits")) > 1
        assert forward_excess(case, planted("rotary", "float32 phase")) > 1


@pytest.mark.parametrize("reach", [4, 4000, 2**24])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_bounds_are_within_fifty_times_the_worst_error(name: str, reach: int) -> None:
    """A loose bound would let faults through. Where 18 errors add up, the bound takes them all alike; as noise they are √18."""
    lowest: dict[str, float] = {}
    for seed in range(6):
        case, g = single(name, reach=reach, seed=seed), generator(seed)
        case = replace(case, positions=case.positions.double() + 0.3)
        upstream = tuple(torch.randn(x.shape, generator=g, dtype=x.dtype) for x in (case.q, case.k))
        found = gradient_excess(case, upstream) | {"value": forward_excess(case)}
        found["positions"] *= math.sqrt(18)
        lowest = {key: max(value, lowest.get(key, 0.0)) for key, value in found.items()}
    assert min(lowest.values()) > 1 / 50
