"""Every bound seen failing: kernels with planted faults break it, and break no other."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from mope_impl import functional as F
from tests.mope_impl.consistency.cases import every_kernel, morlet
from tests.mope_impl.consistency.harness import DTYPES, Case, forward_excess, generated, gradient_excess, upstream_for
from tests.mope_impl.consistency.planted import planted
from tests.mope_impl.consistency.regimes import small

FLOAT = torch.float32
PLAIN = morlet(
    torch.tensor([1234.5, -77.25, 3.0, 4095.0]), torch.tensor([0.7, 2.9]), torch.tensor([400.0, 9.0]),
    torch.tensor([2.0, -70.0]), FLOAT,
)  # fmt: skip
UPSTREAM = tuple(torch.tensor([row]).repeat(4, 1) for row in ([1.0, 0.25], [-0.5, 2.0]))
FORWARD_FAULTS = {
    "float32 phase": PLAIN,
    "omega through bfloat16": PLAIN,
    "float32 cosine": PLAIN,
    "rounded through bfloat16": PLAIN,
    "the centre moves the carrier": PLAIN,
    "b + c for b − c": PLAIN,
    "the half is missing": PLAIN,
    "sine of the wrong sign": PLAIN,
    "channels swapped": PLAIN,
    "guard at 6": PLAIN.with_inputs(sigma=torch.tensor([400.0, 1.0])),
    "b²/σ² for (b/σ)²": morlet(
        torch.tensor([0, 1]), torch.tensor([1.0]), torch.tensor([1e-200], dtype=torch.float64), torch.zeros(1), FLOAT
    ),
    "b²/σ² in the dtype of the inputs": morlet(
        torch.tensor([255, 256]), *(torch.tensor([x], dtype=torch.bfloat16) for x in (1.0, 512.0, 0.0)), FLOAT
    ),
}
GRADIENT_FAULTS = {
    "gradient: z for z²": {"sigma"},
    "gradient: 1/σ forgotten": {"sigma"},
    "gradient: wrong sign": {"omega", "positions"},
    "gradient: a channel forgotten": {"sigma", "center", "positions"},
    "gradient: the envelope does not move": {"positions"},
    "gradient: summed in the dtype of the result": {"omega", "sigma", "center"},
    "float32 phase": {"omega", "sigma", "center", "positions"},
}


def test_the_plain_kernel_without_a_fault_passes() -> None:
    for case in FORWARD_FAULTS.values():
        if case is not FORWARD_FAULTS["b²/σ² for (b/σ)²"]:
            assert forward_excess(case, planted("none")) <= 1
    assert max(gradient_excess(PLAIN, planted("none"), UPSTREAM).values()) <= 1


@pytest.mark.parametrize("fault", FORWARD_FAULTS)
def test_the_forward_bound_rejects(fault: str) -> None:
    case = FORWARD_FAULTS[fault]
    assert forward_excess(case, F.morlet_encoding) <= 1
    assert forward_excess(case, planted(fault)) > 1


@pytest.mark.parametrize("fault", GRADIENT_FAULTS)
def test_the_gradient_bounds_reject(fault: str) -> None:
    case = replace(PLAIN, dtype=torch.bfloat16) if "summed" in fault else PLAIN
    upstream = tuple(one.to(case.dtype) for one in UPSTREAM)
    assert max(gradient_excess(case, F.morlet_encoding, upstream).values()) <= 1
    worst = gradient_excess(case, planted(fault), upstream)
    assert {k for k, v in worst.items() if v > 1} == GRADIENT_FAULTS[fault]


# ── the same few faults in every kernel ──────────────────────────────────────────────────────────────────────────────


def through(wrong: Callable[[Tensor], Tensor]) -> Callable[..., Callable[..., object]]:
    """A kernel whose results, with their gradients, are changed."""

    def wrap(kernel: Callable[..., object]) -> Callable[..., object]:
        def changed(*inputs: Tensor, **options: object) -> object:
            result = kernel(*inputs, **options)
            return tuple(map(wrong, result)) if isinstance(result, tuple) else wrong(result)

        return changed

    return wrap


def narrowed(dtype: torch.dtype) -> Callable[..., Callable[..., object]]:
    """A kernel that reads its inputs in a narrower format."""

    def wrap(kernel: Callable[..., object]) -> Callable[..., object]:
        return lambda *inputs, **options: kernel(*(x.to(dtype) for x in inputs), **options)

    return wrap


COMMON = {
    "a few units too large": through(lambda out: out * (1 + 2.0**-44)),
    "rounded through float32": through(lambda out: out.float().double()),
    "of the wrong sign": through(torch.neg),
    "inputs through float32": narrowed(torch.float32),
    "inputs through bfloat16": narrowed(torch.bfloat16),
}
VALUES_ALONE = {"rounded through float32"}
"""The incoming gradients of these tests are float32 numbers."""


@pytest.mark.parametrize("fault", COMMON)
@pytest.mark.parametrize("name", every_kernel())
def test_the_bounds_of_every_kernel_reject(name: str, fault: str) -> None:
    case = small(name)
    upstream = upstream_for(case, torch.Generator().manual_seed(1))  # not the seed of the inputs: x itself moves no phase
    assert forward_excess(case, generated(name)) <= 1
    assert max(gradient_excess(case, generated(name), upstream).values()) <= 1
    wrong = COMMON[fault](generated(name))
    assert forward_excess(case, wrong) > 1
    slopes = gradient_excess(case, wrong, upstream).values()
    assert max(slopes) <= 1 if fault in VALUES_ALONE else min(slopes) > 1


@pytest.mark.parametrize("name", every_kernel())
def test_the_bounds_of_a_narrow_result_reject_another_rounding(name: str) -> None:
    case: Case = small(name, DTYPES["float32"])
    assert forward_excess(case, generated(name)) <= 1
    assert forward_excess(case, through(lambda out: out.bfloat16().float())(generated(name))) > 1
