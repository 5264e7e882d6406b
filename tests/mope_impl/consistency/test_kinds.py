"""Known traps in every kernel of their kind: those with a width, those with a phase."""
from __future__ import annotations

import math

import pytest
import sympy as sp
import torch
from torch import Tensor

import mope_theory as mt
from tests.mope_impl.consistency.cases import every_kernel
from tests.mope_impl.consistency.harness import (
    Case,
    forward_excess,
    generated,
    gradient_excess,
    gradients,
    outputs,
    upstream_for,
)
from tests.mope_impl.consistency.regimes import small


def having(name: str) -> list[str]:
    """The kernels with an input of that name."""
    return [spec.name for spec in mt.specs() if name in {x.name for x in spec.inputs}]


def turning() -> list[str]:
    """The kernels with a phase ω · number."""
    products = {spec.name: {x.symbol for x in spec.inputs if x.name == "omega" or x.kind == "number"} for spec in mt.specs()}
    return [
        spec.name
        for spec in mt.specs()
        if spec.numerical and sp.Mul(*products[spec.name]) in spec.numerical.bindings.values()
    ]


WIDTHS, PHASES = having("sigma"), turning()
ENVELOPES = [name for name in WIDTHS if name in PHASES]
"""The Gaussian itself, not its logarithm."""
PER_WIDTH = {"relative_kernel": 4}
"""The envelope is e^{−number²/(2σ²)}, or with another factor."""


def at(name: str, number: float, dtype: torch.dtype = torch.float32, **parameters: float) -> Case:
    """A call at one position or distance throughout."""
    case = small(name, dtype)
    (key,) = (x.name for x in case.spec.inputs if x.kind == "number")
    given = {k: torch.full_like(case.inputs[k], value) for k, value in parameters.items()}
    whole = torch.int64 if float(number).is_integer() else torch.float64
    return case.with_inputs(**given, **{key: torch.full(case.inputs[key].shape, number, dtype=whole)})


def values(case: Case) -> tuple[Tensor, ...]:
    return outputs(case, generated(case.name)(*case.inputs.values(), **case.options))


def test_every_kind_is_there() -> None:
    assert set(WIDTHS) | set(PHASES) < set(every_kernel())
    assert len(WIDTHS) >= 4
    assert len(PHASES) >= 6


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("number", [255, 256])
@pytest.mark.parametrize("name", WIDTHS)
def test_squares_of_sixteen_bits_do_not_overflow(name: str, number: int, dtype: torch.dtype) -> None:
    """b² and 2σ² overflow at σ = 512: 1.0 and NaN elsewhere."""
    case = at(name, number, dtype, sigma=512.0)
    (key,) = (x.name for x in case.spec.inputs if x.kind == "number")
    case = case.with_inputs(**{key: case.inputs[key].to(dtype)})
    assert forward_excess(case, generated(name)) <= 1
    assert max(gradient_excess(case, generated(name), upstream_for(case, torch.Generator().manual_seed(0))).values()) <= 1


@pytest.mark.parametrize("sigma, number, value", [(1e-23, 0, 1), (1e-20, 1, 0), (1e-10, 10**5, 0), (1e-3, 10**15, 0)])
@pytest.mark.parametrize("name", ENVELOPES)
def test_tiny_widths(name: str, sigma: float, number: int, value: int) -> None:
    case = at(name, number, sigma=sigma)
    assert forward_excess(case, generated(name)) <= 1
    assert all(bool(out.any()) <= value for out in values(case))
    slopes = gradients(case, generated(name), upstream_for(case, torch.Generator().manual_seed(0)))
    assert not slopes["sigma"].any()
    assert all(slope.isfinite().all() for slope in slopes.values())


@pytest.mark.parametrize("name", WIDTHS)
def test_an_infinite_width_is_the_limit_with_gradient_0(name: str) -> None:
    for number in (0, 3, -(10**6), 2**53):
        case = at(name, number, torch.float64, sigma=math.inf)
        assert forward_excess(case, generated(name)) <= 1
        slopes = gradients(case, generated(name), upstream_for(case, torch.Generator().manual_seed(0)))
        assert not slopes["sigma"].any()


@pytest.mark.parametrize("exponent", [87, 88, 103, 104, 200])
@pytest.mark.parametrize("name", ENVELOPES)
def test_subnormal_envelopes_of_float32(name: str, exponent: int) -> None:
    """Below the smallest normal number the bound is absolute."""
    case = at(name, 100, sigma=100 / math.sqrt(PER_WIDTH.get(name, 2) * exponent))
    assert forward_excess(case, generated(name)) <= 1
    assert all(bool((out.abs() <= 2.0**-120).all()) for out in values(case))


@pytest.mark.parametrize("name", PHASES)
def test_autocast_leaves_large_numbers_apart(name: str) -> None:
    """65536 … 65539 are one number in bfloat16, and one phase."""
    options = {"sigma": math.inf} if name in WIDTHS else {}
    rows = []
    for number in range(65536, 65540):
        case = at(name, number, omega=1.0, **options)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            rows.append(values(case))
        assert all(map(torch.equal, rows[-1], values(case)))
    for k, row in enumerate(rows):
        assert not any(torch.equal(row[0], other[0]) for other in rows[:k])


@pytest.mark.parametrize("number", [4095, 131071, 1048575, 2**24 + 1, 2**40 + 1])
@pytest.mark.parametrize("name", PHASES)
def test_phases_where_float32_fails(name: str, number: int) -> None:
    """Wrong by 1.4e-4, 1.5e-3, 2.5e-2 and 0.83 there; the rate of xPos is small enough that its scale stays about 1."""
    options = {"sigma": math.inf} if name in WIDTHS else {"rate": 2.0**-42} if name == "xpos_rotary" else {}
    case = at(name, number, omega=1.0, **options)
    assert forward_excess(case, generated(name)) <= 1
    size = float(max(v.abs().max() for v in values(case))) + 2.0
    exact = values(Case(case.name, {k: v.double() for k, v in case.inputs.items()}, torch.float64, case.layout))
    assert all(bool(((out - true).abs() <= 4 * 2.0**-24 * size).all()) for out, true in zip(values(case), exact, strict=True))

    def in_float32(*inputs: Tensor, **given: object) -> object:
        narrow = [v.float() for v in inputs]
        place = list(case.inputs).index("omega")
        turns = narrow[place] * number  # rounded to float32, as a table of float32 has it
        narrow[place] = turns.double() / number
        return generated(name)(*[v.double() if k != place else narrow[k] for k, v in enumerate(inputs)], **given)

    off = at(name, number, torch.float32, omega=0.3, **options)
    assert forward_excess(off, generated(name)) <= 1
    assert forward_excess(off, in_float32) > 1
