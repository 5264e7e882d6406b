"""Every bound seen failing: kernels with planted faults break it, and break no other."""
from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from mope_impl import functional as F
from tests.mope_impl.consistency.harness import Case, forward_excess, gradient_excess
from tests.mope_impl.consistency.planted import planted

FLOAT = torch.float32
PLAIN = Case(
    torch.tensor([1234.5, -77.25, 3.0, 4095.0]), torch.tensor([0.7, 2.9]), torch.tensor([400.0, 9.0]),
    torch.tensor([2.0, -70.0]), FLOAT,
)  # fmt: skip
UPSTREAM = torch.tensor([[1.0, -0.5, 0.25, 2.0]]).repeat(4, 1)
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
    "guard at 6": replace(PLAIN, sigma=torch.tensor([400.0, 1.0])),
    "b²/σ² for (b/σ)²": Case(
        torch.tensor([0, 1]), torch.tensor([1.0]), torch.tensor([1e-200], dtype=torch.float64), torch.zeros(1), FLOAT
    ),
    "b²/σ² in the dtype of the inputs": Case(
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
    assert max(gradient_excess(case, F.morlet_encoding, UPSTREAM.to(case.dtype)).values()) <= 1
    worst = gradient_excess(case, planted(fault), UPSTREAM.to(case.dtype))
    assert {k for k, v in worst.items() if v > 1} == GRADIENT_FAULTS[fault]
