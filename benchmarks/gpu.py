"""All that needs a CUDA GPU, in one command of some minutes: right results, times beside others, the tests of Triton's kernels.

    python -m benchmarks.gpu [--out results/benchmarks] [--minutes 6] [--dry]

Times are those of ``mope bench`` for bfloat16 at (4, 32, 8192, 128): each contender over the copy of q and k in the same rounds,
whose bandwidth stands beside it. What is done is written at once, so that a run that is cut short keeps what it has. ``--dry``
goes through the same steps on the CPU with small tensors, and collects the tests instead of running them.
"""
from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import torch
from rich.console import Console

from mope_impl import functional as F
from mope_impl.bench.contenders import CONTENDERS, PACKAGES, Setting, allowed, exact
from mope_impl.bench.machine import ROOT, about, slug, write
from mope_impl.bench.rotary import FLOOR, SIZES, Plan, run
from mope_impl.cli.bench import table
from mope_impl.cli.output import show

TESTS = "tests/mope_impl/generated/triton"


def results(at: Setting) -> list[dict[str, Any]]:
    """The functions on the device against float64 there: values, and gradients of q, within the bounds of the benchmark."""
    found = []
    for layout in ("half", "interleaved"):
        for damped in (False, True):
            x, upstream = at.drawn(1).requires_grad_(), at.drawn(2)
            sigma = at.sigma if damped else None
            out, _ = F.morlet_rotary(x, x.detach(), at.positions, at.omega, sigma, layout=layout)
            (slope,) = torch.autograd.grad(out, x, upstream)
            like = replace(CONTENDERS[0], layout=layout, kind="morlet" if damped else "rotary")
            back = F.rotary_table(-at.positions, at.omega, sigma, dtype=torch.float64)
            true = F.rotate(upstream.double(), back, layout=layout)
            gaps = {
                "value": (out.detach().double() - exact(like, at, x.detach())).abs() / allowed(like, at, x.detach()),
                "gradient": (slope.double() - true).abs() / allowed(like, at, upstream),
            }
            for what, gap in gaps.items():
                worst = float(gap.nan_to_num(float("inf")).max())
                found.append({"layout": layout, "envelope": damped, "what": what, "worst": worst, "right": worst <= 1.0})
    return found


def bandwidths(case: dict[str, Any], at: Setting) -> dict[str, Any]:
    """Bytes a second of the copy, and the share of them that each contender reaches where it moves as many."""
    size = 2 * 2 * at.batch * at.heads * at.tokens * at.channels * torch.empty((), dtype=at.dtype).element_size()
    size *= 1 if case["pass"] == "forward" else 2
    for row in case["rows"]:
        if "to_copy" in row:
            row["share_of_bandwidth"] = 1 / row["to_copy"]["median"]
    floor = next(row for row in case["rows"] if row["name"] == FLOOR)
    return {**case, "copy_bytes_per_second": size / floor["seconds"]["median"]}


def tests(seconds: float, dry: bool) -> dict[str, Any]:
    """The tests of Triton's kernels, on the device: how they end, and the last lines that they print."""
    call = [sys.executable, "-m", "pytest", "-q", "--no-header", "-x", TESTS, *(["--collect-only"] if dry else [])]
    try:
        done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return {"command": call[1:], "code": None, "last": [f"stopped after {seconds:.0f} s"]}
    return {"command": call[1:], "code": done.returncode, "last": done.stdout.splitlines()[-5:]}


def main(
    given: Sequence[str] | None = None, clock: Callable[[], float] = monotonic, tested: Callable[..., dict[str, Any]] = tests
) -> int:
    """Make the steps one after another, and write after each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "results" / "benchmarks")
    parser.add_argument("--minutes", type=float, default=6.0, help="in which it should end; the tests have what is left")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--dry", action="store_true", help="small tensors on the CPU, tests only collected")
    asked = parser.parse_args(given)
    if asked.rounds < 1 or asked.minutes <= 0:
        parser.error("--rounds and --minutes: expected positive numbers")
    if not asked.dry and not torch.cuda.is_available():
        parser.error("torch sees no CUDA GPU; --dry goes through the steps without one")
    start, console, device = clock(), Console(), "cpu" if asked.dry else "cuda"
    at = Setting(*SIZES["quick" if asked.dry else "cuda"], torch.bfloat16, device)
    document: dict[str, Any] = {
        "schema": 1, "benchmark": "gpu", "dry": asked.dry, **about(device, PACKAGES),
        "rounds": asked.rounds,
    }  # fmt: skip
    path = asked.out / f"{'dry-' if asked.dry else ''}gpu-{slug(document['device'])}.json"

    def keep(name: str, value: Any) -> None:
        document[name] = value
        document["seconds"] = round(clock() - start, 1)
        write(document, path)

    keep("results", results(replace(at, batch=1, tokens=min(at.tokens, 1000))))
    console.print(f"{sum(one['right'] for one in document['results'])} of {len(document['results'])} results right")
    cases = []
    plan = Plan((at,), asked.rounds, 1 if asked.dry else 10, modes=("eager",) if asked.dry else ("eager", "compiled"),
                aims=not asked.dry)  # fmt: skip
    for case in run(plan):
        cases.append(bandwidths(case, at))
        keep("cases", cases)
        show(console, table(case))
        console.print(f"the copy: {cases[-1]['copy_bytes_per_second'] / 1e9:.0f} GB/s", highlight=False)
    keep("tests", tested(max(10.0, 60 * asked.minutes - (clock() - start)), asked.dry))
    console.print(*document["tests"]["last"], sep="\n", markup=False)
    console.print(f"written: {path}", soft_wrap=True, markup=False)
    return 0 if all(one["right"] for one in document["results"]) and document["tests"]["code"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
