"""``mope bench``: rotary encodings timed side by side with those of other packages."""
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from .errors import UserError, check_names
from .output import STDOUT, check_json_target, console, plain_table, show, write_json


def bench(
    device: Annotated[str, typer.Option(metavar="DEVICE", help="cpu or cuda.")] = "cpu",
    json_file: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Write it there, - is stdout. [default: results/benchmarks in a checkout]"),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Small tensors and few rounds, to see that it works.")] = False,
    threads: Annotated[int | None, typer.Option(metavar="N", min=1, help="Threads. [default: as torch has it]")] = None,
    rounds: Annotated[int | None, typer.Option(metavar="N", min=1, help="Rounds in which each is timed once.")] = None,
) -> None:
    """Time our rotary encodings and those of other packages, eager and compiled, forward and with the backward pass.

    All take turns, and every ratio is taken within a round, to the copy of q and k. Each is checked against the exact rotation
    before it is timed. Packages that are not installed are named as missing. Give the machine to it alone.
    """
    check_names("device", [device], ("cpu", "cuda"))
    check_json_target(json_file)

    from mope_impl.bench import machine, rotary

    if not rotary.is_there(device):
        raise UserError("mope bench --device cuda needs a CUDA GPU, and torch sees none; --device cpu works everywhere")
    plan = rotary.planned(device, quick, rounds, threads)
    kept = machine.keep_memory() if device == "cpu" else False
    document: dict[str, Any] = {
        "schema": 1,
        "benchmark": "rotary",
        **machine.about(device, rotary.PACKAGES),
        "memory_kept": kept,
        "rounds": plan.rounds,
        "calls": plan.calls,
        "quick": quick,
        "cases": [],
    }
    screen, notes = console(stderr=json_file == STDOUT), console(stderr=True)
    for case in rotary.run(plan, say=lambda text: notes.print(text, style="dim") if notes.is_terminal else None):
        document["cases"].append(case)
        show(screen, table(case))
        screen.print()
    met = [goal["met"] for case in document["cases"] for goal in case["goals"]]
    if met:
        screen.print(f"{sum(met)} of {len(met)} goals met", markup=False)
    if json_file is not None:
        write_json(document, json_file)
    elif not quick and (machine.ROOT / "pyproject.toml").is_file():
        path = machine.ROOT / "results" / "benchmarks" / f"rotary-{machine.slug(document['device'])}.json"
        machine.write(document, path)
        screen.print(f"written: {Path(path)}", markup=False, soft_wrap=True)


def table(case: Mapping[str, Any]) -> Any:
    """The rows of a case; the goals of a row, met or not, beside it."""
    shape = ", ".join(str(case[name]) for name in ("batch", "heads", "tokens", "channels"))
    made = plain_table("", "ms", "to the copy", "goals", title=f"{case['dtype']} ({shape}), {case['mode']}, {case['pass']}")
    for row in case["rows"]:
        own = [goal for goal in case["goals"] if goal["name"] == row["name"]]
        texts = [f"{'met' if one['met'] else 'NOT met'} {one['goal']}: {one['value']:.2f} ≤ {one['limit']:.2f}" for one in own]
        if "to_copy" in row:
            ratio = row["to_copy"]
            spread = "" if ratio["low"] is None else f" ({ratio['low']:.2f} to {ratio['high']:.2f})"
            made.add_row(row["name"], f"{row['seconds']['median'] * 1e3:.2f}", f"{ratio['median']:.2f}{spread}", "\n".join(texts))
        else:
            reason = next(f"{key}: {row[key]}" for key in ("missing", "failed", "wrong") if key in row)
            made.add_row(row["name"], "–", "–", reason)
    return made
