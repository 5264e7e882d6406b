"""What is assumed of the platform holds wherever it is sampled, and half of it would not."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from flint import arb, ctx

from benchmarks import primitives
from mope_impl.certify.rounding import PLATFORMS
from mope_impl.certify.rounding.formats import FORMATS, half_ulp
from mope_impl.certify.rounding.intervals import FUNCTIONS

TABLE = PLATFORMS["torch"].table
EXACT = FUNCTIONS | {"cos": lambda x: x.cos(), "sin": lambda x: x.sin()}
RANGES = {
    "exp": (-760.0, 709.0), "exp2": (-1090.0, 1023.0), "cos": (-40_000.0, 40_000.0), "sin": (-40_000.0, 40_000.0),
    "sigmoid": (-720.0, 40.0),
}  # fmt: skip


def units(name: str, dtype: str, x: torch.Tensor, y: torch.Tensor) -> float:
    """The largest error of y in units of the exact value, by ball arithmetic."""
    form, worst = FORMATS[dtype], 0.0
    with ctx.workprec(160):
        for given, got in zip(x.tolist(), y.tolist(), strict=True):
            true = EXACT[name](arb(given))
            if TABLE[name].is_abrupt and got == 0 and abs(true) < form.normal:
                continue
            exponent = int(np.frexp(float(abs(true)))[1])
            worst = max(worst, float(abs(arb(got) - true) / arb(2.0 ** max(exponent - form.precision, form.least))))
    return worst


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("vector", [True, False], ids=["vector", "scalar"])
def test_float64(name, vector):
    low, high = RANGES[name]
    generator = torch.Generator().manual_seed(5)
    count = 6000 if vector else 1000
    wide = low + (high - low) * torch.rand(count, generator=generator, dtype=torch.float64)
    x = torch.cat([wide, 4 * torch.randn(count, generator=generator, dtype=torch.float64)])
    function = getattr(torch, name)
    y = function(x) if vector else torch.stack([function(one) for one in x])
    assert 0.45 < units(name, "float64", x, y) <= TABLE[name].ulps["float64"]


@pytest.mark.parametrize("name", TABLE)
def test_float32(name):
    row = primitives.measured(name, "cpu", 8191, TABLE[name].is_abrupt)
    assert row["inputs"] > 500_000
    assert row["not finite alike"] == 0
    # no function is correctly rounded: half a unit would be seen to be too little
    assert 0.5 < row["ulps"] <= TABLE[name].ulps["float32"]


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_16_bits(name, dtype):
    """Every value, with the exact one in 80 bits."""
    form = FORMATS[dtype]
    x = torch.arange(1 << 16).to(torch.int32).to(torch.int16).view(getattr(torch, dtype))
    x = x[x.isfinite() & (x.double().abs() < (80 if name.startswith(("exp", "sig")) else 1e5))]
    value = x.double().numpy().astype(np.longdouble)
    wave = {"cos": np.cos, "sin": np.sin, "exp": np.exp, "exp2": np.exp2, "sigmoid": lambda v: 1 / (1 + np.exp(-v))}[name]
    true, got = wave(value), getattr(torch, name)(x).double().numpy()
    held = np.abs(true) < form.largest
    unit = np.ldexp(1.0, np.maximum(np.frexp(np.abs(true))[1] - form.precision, form.least))
    abrupt = TABLE[name].is_abrupt & (got == 0) & (np.abs(true) < form.normal)
    off = np.where(held & ~abrupt, np.abs(got - true) / unit, 0)
    assert 0.45 < off.max() <= TABLE[name].ulps[dtype]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_error_of_a_sigmoid_is_that_of_an_exponential_a_sum_and_a_quotient(dtype):
    form, k = FORMATS[dtype], TABLE["sigmoid"].of_exp
    x = 6 * torch.randn(20_000, generator=torch.Generator().manual_seed(8), dtype=torch.float64).to(getattr(torch, dtype))
    worst = 0.0
    with ctx.workprec(160):
        for given, got in zip(x.tolist(), torch.sigmoid(x).tolist(), strict=True):
            true = EXACT["sigmoid"](arb(given))
            worst = max(worst, float(abs(arb(got) - true) / (true * (2 * k * (1 - true) + 2) * form.u)))
    assert 0.5 < worst <= 1


@pytest.mark.parametrize("op", ["add", "sub", "mul", "div"])
def test_arithmetic_in_float32_rounds_to_nearest(op):
    """Rounding float64 to float32 gives the rounded result of one operation on float32: 53 bits are at least 2·24 + 2."""
    generator = torch.Generator().manual_seed(6)
    x, y = (
        torch.randn(200_000, generator=generator) * 2.0 ** torch.randint(-60, 60, (200_000,), generator=generator) for _ in "xy"
    )
    function = getattr(torch, op)
    assert torch.equal(function(x, y), function(x.double(), y.double()).float())


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_a_conversion_to_16_bits_rounds_once_or_twice(dtype):
    form, to = FORMATS[dtype], getattr(torch, dtype)
    generator = torch.Generator().manual_seed(7)
    ties = torch.arange(1 << 15).to(torch.int16).view(to)
    ties = ties[ties.isfinite()].double()
    ties = (ties[:-1] + ties[1:]) / 2
    near = torch.cat([ties * (1 + k * 2.0**-e) for e in (26, 34, 40, 52) for k in (-1, 1)])
    x = torch.cat([near, torch.randn(100_000, generator=generator, dtype=torch.float64)])
    x = x[x.abs() < form.largest]
    assert torch.equal(x.to(to), x.float().to(to))  # and in a float64 that lies beside a tie it is not the nearest one
    off, size = (x.to(to).double() - x).abs().numpy(), x.abs().numpy()
    once, first = half_ulp(size, form), half_ulp(size, FORMATS["float32"])
    assert (off > once).any()
    assert (off <= first + half_ulp(size + first, form)).all()


def test_the_benchmark_writes_what_it_finds(tmp_path, capsys):
    assert primitives.main(["--stride", str(1 << 16), "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    assert '"benchmark": "primitives"' in path.read_text(encoding="utf-8")
    with pytest.raises(SystemExit):
        primitives.main(["--stride", "0"])


def test_an_error_beyond_what_is_assumed_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(TABLE["cos"].ulps, "float32", 0.5)
    assert primitives.main(["--stride", str(1 << 14), "--out", str(tmp_path)]) == 1
