"""The generated rotary kernels against mpmath: the accuracy that each header states, the edges, and each file alone."""
from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path

import mpmath
import pytest
import torch

from mope_impl.generated.torch import morlet_rotary, rotary, xpos_rotary
from mope_theory.specs import spec

KERNELS = {"rotary": rotary.rotary, "morlet_rotary": morlet_rotary.morlet_rotary, "xpos_rotary": xpos_rotary.xpos_rotary}
POSITIONS = torch.tensor([0.0, 1.0, -2.0, 37.0, 300.25, -999.0], dtype=torch.float64)
OMEGA = torch.tensor([1.0, 0.37, 2.9, 1e-3], dtype=torch.float64)
EXTRA = {
    "rotary": (),
    "morlet_rotary": (torch.tensor([1.49, 4.5, 500.0, math.inf], dtype=torch.float64),),
    "xpos_rotary": (torch.tensor([0.01, -0.3, 0.0, 1e-4], dtype=torch.float64),),
}
LAYOUTS = {"half": [(i, i + 4) for i in range(4)], "interleaved": [(2 * i, 2 * i + 1) for i in range(4)]}


def factor(name: str, b: float, w: float, extra: list[float]) -> tuple[mpmath.mpc, float]:
    """The complex factor to 60 digits, and the header's bound for a pair with |x₀| + |x₁| = 1, in units of 2⁻⁵³."""
    place, turn = mpmath.mpf(b), mpmath.mpf(w)
    rotation = mpmath.expj(turn * place)
    if name == "morlet_rotary":
        z = place / mpmath.mpf(extra[0])
        return rotation * mpmath.exp(-z * z / 2), abs(w * b) + 7
    if name == "xpos_rotary":
        growth = mpmath.exp(mpmath.mpf(extra[0]) * place)
        return rotation * growth, float(growth) * (abs(w * b) + abs(extra[0] * b) + 6)
    return rotation, abs(w * b) + 3


STATED = {
    "rotary": "(|x_0| + |x_1|) * (|omega*b| + 3) * 2**-53",
    "morlet_rotary": "(|x_0| + |x_1|) * (|omega*b| + 7) * 2**-53",
    "xpos_rotary": "exp(rate*b) * (|x_0| + |x_1|) * (|omega*b| + |rate*b| + 6) * 2**-53",
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", KERNELS)
def test_values_stay_within_the_accuracy_that_the_header_states(name, layout):
    assert spec(name).accuracy.startswith(STATED[name] + ", without |omega*b| if")
    x = torch.randn(1, 1, 6, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    out = KERNELS[name](x, POSITIONS, OMEGA, *EXTRA[name], layout=layout)
    worst = 0.0
    with mpmath.workdps(60):
        for t, b in enumerate(POSITIONS.tolist()):
            for i, (first, second) in enumerate(LAYOUTS[layout]):
                times, bound = factor(name, b, OMEGA[i].item(), [value[i].item() for value in EXTRA[name]])
                pair = x[0, 0, t, first].item(), x[0, 0, t, second].item()
                exact = mpmath.mpc(*pair) * times
                allowed = (abs(pair[0]) + abs(pair[1])) * (bound * 2.0**-53 * (1 + 2.0**-20) + 2.0**-1074)
                for found, true in ((out[0, 0, t, first], exact.real), (out[0, 0, t, second], exact.imag)):
                    worst = max(worst, float(abs(mpmath.mpf(found.item()) - true) / allowed))
    assert 1 / 50 < worst <= 1


@pytest.mark.parametrize("omega", [1e-4, 1.0, math.pi, 8192.0])
def test_phase_is_exact_to_four_units_at_positions_up_to_2_24(omega):
    """float32 angles are wrong by 1.4e-4, 1.5e-3, 2.5e-2 and 0.83 at b = 4095, 131071, 1048575 and 2²⁴ + 1."""
    frequency = torch.tensor([omega])
    positions = torch.tensor([0, 1, 4095, 131071, 1048575, 2**24 - 1, 2**24, 2**24 + 1, -(2**24)])
    x = torch.tensor([1.0, 0.0]).expand(1, 1, 9, 2)
    for row, b in zip(rotary.rotary(x, positions, frequency)[0, 0].tolist(), positions.tolist(), strict=True):
        with mpmath.workdps(60):
            true = mpmath.expj(mpmath.mpf(frequency.item()) * b)
            assert max(abs(row[0] - true.real), abs(row[1] - true.imag)) <= 4 * mpmath.mpf(2) ** -24


def test_the_guard_cuts_only_what_underflows():
    """The envelope is subnormal up to |z| = 38.6; what is beyond |z| = 56 is 0 for every x."""
    edge = math.sqrt(2 * 1074 * math.log(2))
    x = torch.tensor([2.0**1000, 0.0], dtype=torch.float64).expand(1, 1, 4, 2)
    positions = torch.tensor([edge - 0.02, 55.9, 56.1, 1e300], dtype=torch.float64)
    zero, one = torch.zeros(1, dtype=torch.float64), torch.ones(1, dtype=torch.float64)
    out = morlet_rotary.morlet_rotary(x, positions, zero, one)[0, 0, :, 0]
    assert (out > 0).tolist() == [True, False, False, False]


def test_known_gradients():
    """At ω = 0.5, b = 3 of (x₀, x₁) = (2, −1): ∂x is the turn back, ∂ω = 3·(−c₁, c₀), for upstream (1, 0) and (0, 1)."""
    x = torch.tensor([[[[2.0, -1.0]]]], dtype=torch.float64, requires_grad=True)
    omega = torch.tensor([0.5], dtype=torch.float64, requires_grad=True)
    out = rotary.rotary(x, torch.tensor([3]), omega)
    c, s = math.cos(1.5), math.sin(1.5)
    values = 2 * c + s, 2 * s - c
    noise = 3 * 12 * 2.0**-53 * 3  # sums of at most three terms up to 3, a dozen roundings on either side
    assert out.flatten().tolist() == pytest.approx(values, rel=0, abs=noise)
    first = torch.autograd.grad(out[..., 0].sum(), (x, omega), retain_graph=True)
    second = torch.autograd.grad(out[..., 1].sum(), (x, omega))
    assert first[0].flatten().tolist() == pytest.approx([c, -s], rel=0, abs=noise)
    assert second[0].flatten().tolist() == pytest.approx([s, c], rel=0, abs=noise)
    assert (first[1].item(), second[1].item()) == pytest.approx((-3 * values[1], 3 * values[0]), rel=0, abs=noise)


def source(name: str) -> str:
    return Path(KERNELS[name].__code__.co_filename).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", KERNELS)
def test_one_file_alone_in_an_empty_folder_works(name, tmp_path):
    (tmp_path / f"{name}.py").write_text(source(name), encoding="utf-8")
    code = (
        f"import sys, torch; sys.path.insert(0, {str(tmp_path)!r}); from {name} import {name}\n"
        "assert not any(module.startswith(('mope', 'sympy')) for module in sys.modules)\n"
        "x = torch.ones(1, 2, 3, 4, requires_grad=True)\n"
        f"out = {name}(x, torch.arange(3), torch.ones(2), *[torch.ones(2)] * {len(EXTRA[name])}, layout='interleaved')\n"
        "out.sum().backward(); print(tuple(x.grad.shape))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "(1, 2, 3, 4)\n", done.stderr


@pytest.mark.parametrize("name", KERNELS)
def test_the_file_says_what_it_takes_and_gives(name):
    text = source(name)
    assert re.search(r"# Symbols +x_0, x_1 = channels of x, b = positions", text)
    for line in (
        "x: (*b, h, t, 2n) pairs of channels, to be turned.",
        "omega: (h, n) frequencies in radians per token, |omega| <= 8192, (n,) for all heads.",
        'layout: "half" for one channel after the other, "interleaved" for the channels of a pair side by side.',
        "dtype: of the result; by default that of x.",
        "(*b, h, t, 2n), in the layout asked for.",
    ):
        assert line in text
