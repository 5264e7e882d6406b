"""How far elementary functions of float32 are from the exact ones, over all 2³² inputs, beside what is assumed of them.

    python -m benchmarks.primitives [--device cuda] [--stride N] [--out results/benchmarks]

Each input is taken by its bits, every N-th of them; the exact value is that of float64 on the CPU or the device, which is off by
less than 2⁻²⁶ units of float32. An error is told in units in the last place of the exact value, a subnormal one in units of
2⁻¹⁴⁹.
An input whose value is not finite, or NaN, is counted apart, where both agree. On a GPU the whole takes seconds; on one core of
a CPU minutes for each function.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.table import Table

from mope_impl.bench.machine import ROOT, about, slug, write
from mope_impl.certify.rounding import PLATFORMS

CHUNK = 1 << 22
INPUTS = 1 << 32
LEAST, PRECISION = -149, 24


def units(name: str, bits: torch.Tensor, is_abrupt: bool) -> tuple[float, float, int]:
    """The largest error in units, the input where it is met, and how many inputs disagree on being finite.

    is_abrupt: 0 is allowed where the exact value is below the smallest normal number.
    """
    x = bits.to(torch.int32).view(torch.float32)
    own, exact = getattr(torch, name)(x).double(), getattr(torch, name)(x.double())
    overflows = exact.abs() >= (2 - 2.0**-PRECISION) * 2.0**127
    plain = exact.isfinite() & ~overflows
    strange = (plain != own.isfinite()) & ~(overflows & own.isinf())
    exponent = torch.frexp(exact)[1].clamp(min=LEAST + PRECISION)
    off = (own - exact).abs() * torch.exp2((PRECISION - exponent).double())
    if is_abrupt:
        off = off.where((own != 0) | (exact.abs() >= 2.0**-126), 0.0)
    off = off.where(plain & own.isfinite(), 0.0)
    place = int(off.argmax())
    return float(off[place]), float(x[place]), int(strange.sum())


def measured(name: str, device: str, stride: int, is_abrupt: bool) -> dict[str, Any]:
    """The largest error of a function over every stride-th input."""
    worst, at, strange = 0.0, 0.0, 0
    for first in range(0, INPUTS, CHUNK * stride):
        bits = torch.arange(first, min(first + CHUNK * stride, INPUTS), stride, dtype=torch.int64, device=device)
        error, where, apart = units(name, bits, is_abrupt)
        strange += apart
        if error > worst:
            worst, at = error, where
    return {"function": name, "inputs": -(-INPUTS // stride), "ulps": worst, "at": at, "not finite alike": strange}


def main(given: Sequence[str] | None = None) -> int:
    """Measure, print the table, write the file. The exit code is 1 where an error exceeds what is assumed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.primitives", description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--stride", type=int, default=1, metavar="N", help="Take every N-th input.")
    parser.add_argument("--out", type=Path, default=ROOT / "results" / "benchmarks", metavar="FOLDER")
    asked = parser.parse_args(given)
    if asked.stride < 1:
        parser.error(f"argument --stride: got {asked.stride}, expected at least 1")
    platform = PLATFORMS["torch" if asked.device == "cpu" else "torch on cuda"]
    document: dict[str, Any] = {"schema": 1, "benchmark": "primitives", **about(asked.device)}
    document |= {"stride": asked.stride, "rows": []}
    table = Table("function", "inputs", "largest error", "at", "assumed")
    for name, own in platform.table.items():
        row = measured(name, asked.device, asked.stride, own.is_abrupt) | {"hypothesis": own.name, "assumed": own.ulps["float32"]}
        document["rows"].append(row)
        table.add_row(name, str(row["inputs"]), f"{row['ulps']:.4f} ulp", f"{row['at']!r}", f"{row['assumed']:g} ulp")
    path = asked.out / f"primitives-{slug(document['device'])}.json"
    write(document, path)
    console = Console()
    console.print(table)
    console.print(f"written: {path}", highlight=False)
    holds = all(row["ulps"] <= row["assumed"] and not row["not finite alike"] for row in document["rows"])
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
