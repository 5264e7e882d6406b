"""The energy gate as a function: values where a sigmoid overflows, the clamp, and what is refused."""
from __future__ import annotations

import math

import pytest
import torch

from mope_impl import functional as F

E, MEAN, DEVIATION = torch.randn(2, 3, 5), torch.zeros(2, 3, 4), torch.ones(2, 3, 4)
SHARPNESS, THRESHOLD = torch.full((3,), 2.0), torch.zeros(3)


def one(energy: float, mean: float = 0.0, deviation: float = 1.0, sharpness: float = 1.0, threshold: float = 0.0):
    """A gate of one key, and the leaves that it is made of, float64."""
    values = ([[energy]], [[mean]], [[deviation]], [sharpness], [threshold])
    leaves = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in values]
    return F.energy_gate(*leaves), leaves


@pytest.mark.parametrize("x", [-745.0, -720.0, -709.8, -100.0, -1.0, 0.0, 1.0, 40.0, 100.0, 720.0])
def test_the_slope_is_right_where_the_formula_overflows(x: float) -> None:
    """Written with e^{−x} it is ∞/∞ from x = −709.8 on; as g(1 − g) it is 0 from x = 37 on. It is e^{−|x|}/(1 + e^{−|x|})²."""
    gate, leaves = one(x)
    slopes = torch.autograd.grad(gate.sum(), leaves)
    decay = math.exp(-abs(x))
    slope = decay / (1 + decay) ** 2
    # two sigmoids within 4u, or one that underflows; a product, and as much for what is expected
    assert slopes[0].item() == pytest.approx(slope, rel=20 * 2.0**-53, abs=2.0**-1021)
    assert slopes[1].item() == -slopes[0].item()
    assert slopes[4].item() == -slopes[0].item()
    assert slopes[3].item() == pytest.approx(x * slope, rel=24 * 2.0**-53, abs=2.0**-1010)
    assert gate.item() == pytest.approx(1 / (1 + decay) if x >= 0 else decay / (1 + decay), rel=8 * 2.0**-53, abs=2.0**-1021)


@pytest.mark.parametrize("x", [1e5, -1e5, 1e300, -1e300])
def test_far_out_the_gate_is_0_or_1_and_nothing_is_nan(x: float) -> None:
    gate, leaves = one(min(abs(x), 2.0**128) * math.copysign(1, x), sharpness=3.0)
    assert gate.item() == (1.0 if x > 0 else 0.0)
    slopes = torch.autograd.grad(gate.sum(), leaves, create_graph=True)
    assert [slope.abs().item() for slope in slopes] == [0.0] * 5
    again = torch.autograd.grad(sum(slope.sum() for slope in slopes), leaves)
    assert all(slope.isfinite().all() for slope in again)


FLOOR = 1e-8
ABOVE = math.nextafter(FLOOR, 1)


@pytest.mark.parametrize(
    "deviation, used, passes",
    [(0.0, FLOOR, 0), (1e-12, FLOOR, 0), (FLOOR, FLOOR, 0), (ABOVE, ABOVE, 1), (1e-3, 1e-3, 1)],
)
def test_the_clamp_and_its_tie(deviation: float, used: float, passes: int) -> None:
    """At the floor the floor is used and nothing passes, whatever a framework makes of a tie."""
    energy = 0.75 * used
    gate, leaves = one(energy, deviation=deviation)
    z = energy / used
    assert gate.item() == pytest.approx(1 / (1 + math.exp(-z)), rel=8 * 2.0**-53)
    slope = torch.autograd.grad(gate.sum(), leaves[2])[0].item()
    exact = -passes * z / used * math.exp(-z) / (1 + math.exp(-z)) ** 2
    assert slope == pytest.approx(exact, rel=24 * 2.0**-53, abs=0)


def test_shapes_and_dtypes() -> None:
    assert F.energy_gate(E, MEAN, DEVIATION, SHARPNESS, THRESHOLD).shape == (2, 3, 4, 5)
    assert F.energy_gate(E[0], MEAN[0], DEVIATION[0], SHARPNESS, THRESHOLD).shape == (3, 4, 5)
    assert F.energy_gate(E, MEAN[..., :1], DEVIATION[..., :1], SHARPNESS, THRESHOLD).shape == (2, 3, 1, 5)
    assert F.energy_gate(E, MEAN.double(), DEVIATION, SHARPNESS, THRESHOLD).dtype == torch.float64
    assert F.energy_gate(E, MEAN, DEVIATION, SHARPNESS, THRESHOLD, dtype=torch.bfloat16).dtype == torch.bfloat16


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"energy": 1.0}, "energy: got float, expected a torch.Tensor"),
        ({"energy": torch.arange(5)}, "energy: got torch.int64, expected float64"),
        ({"energy": E[0, 0]}, r"energy: got shape \(5,\), expected two dimensions or more, \(\*b, H, K\)"),
        ({"mean": MEAN[0]}, r"mean: got shape \(3, 4\), expected \(2, 3, Q\) for an energy \(2, 3, 5\)"),
        ({"deviation": DEVIATION[..., :1]}, r"deviation: got shape \(2, 3, 1\), expected \(2, 3, Q\) .* one Q for mean and dev"),
        ({"sharpness": SHARPNESS[:2]}, r"sharpness: got shape \(2,\), expected \(3,\), one for each head"),
        ({"threshold": THRESHOLD[0]}, r"threshold: got shape \(\), expected \(3,\), one for each head"),
        ({"threshold": THRESHOLD.to("meta")}, "threshold: got device meta, expected cpu as energy is on"),
        ({"dtype": torch.int8}, "dtype: got torch.int8, expected float64"),
    ],
)
def test_a_wrong_argument_is_one_clear_error(changed: dict[str, object], message: str) -> None:
    given = {"energy": E, "mean": MEAN, "deviation": DEVIATION, "sharpness": SHARPNESS, "threshold": THRESHOLD}
    with pytest.raises(ValueError, match=message):
        F.energy_gate(**(given | changed))


def test_a_device_without_float64_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(F.validation, "WITHOUT_FLOAT64", frozenset({"meta"}))
    given = (x.to("meta") for x in (E, MEAN, DEVIATION, SHARPNESS, THRESHOLD))
    with pytest.raises(ValueError, match="energy: got device meta, which has no float64"):
        F.energy_gate(*given)
