"""Our training step beside nanoGPT's at the same sizes: tokens a second and peak memory, medians and ratios, in one run.

    python -m benchmarks.training_step --nanogpt FOLDER [--size cpu paper] [--rounds N] [--out results/benchmarks]

Each competitor lives in a process of its own. In each round each of them, one after another and in another order each time,
makes a few steps; so what the machine does besides falls on all alike, and a ratio is taken within a round. Where its memory
happens to lie makes a process faster or slower by up to a fifth, so all are launched several times over. A step is all of it:
the batch, forward, backward, clipping, the optimiser. The peer's model and optimiser are as it sets them up, loaded from its own
file; it gets our batches. Give the machine to it alone: the tables say what was, and assert nothing.

Memory is the most that one step takes: of tensors, by torch's own counts (parameters, state of the optimiser, and what the step
allocates), and of the whole process (on the CPU, where the system tells), which has torch's libraries in it, and the compiler's.
"""
from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from mope_impl.bench.machine import ROOT, about, slug, write
from mope_impl.bench.statistics import middle

from .competitors import OURS, PEER, PEERS, SIZES, Case, Told, peer_digest, peer_file, serve


class BenchmarkError(Exception):
    """A competitor that could not be built or did not answer; the message is one line."""


def compared(case: Case, told: Mapping[str, Told], seconds: Mapping[str, Sequence[float]]) -> list[dict[str, Any]]:
    """The rows of a comparison: each competitor's median step, tokens a second, and ratios to the peer and to rotary.

    ``seconds`` are those of one step, by rounds; ratios of speed are medians of the ratios within rounds, above 1 where the
    competitor is the faster one. Ratios of memory are of the peaks, below 1 where it takes less.
    """
    rows = []
    for name, own in seconds.items():
        step = middle(own)
        row: dict[str, Any] = {
            "name": name,
            **asdict(told[name]),
            "seconds": asdict(step),
            "tokens_per_second": case.size.batch * case.size.context / step.median,
        }
        for other, key in ((PEER, "peer"), ("rotary", "rotary")):
            if other in seconds:
                ratio = middle([theirs / ours for theirs, ours in zip(seconds[other], own, strict=True)])
                row[f"speed_to_{key}"] = asdict(ratio)
        if PEER in told:
            row["tensor_memory_to_peer"] = told[name].tensor_bytes / told[PEER].tensor_bytes
            theirs, ours = told[PEER].resident_bytes, told[name].resident_bytes
            row["resident_memory_to_peer"] = ours / theirs if ours is not None and theirs is not None else None
        row["rounds"] = [float(f"{one:.5g}") for one in own]
        rows.append(row)
    return rows


GOALS = (
    ("speed_to_peer", ("learned", "rotary"), 1.0, True, "tokens/s at least nanoGPT's"),
    ("speed_to_rotary", ("morlet", "morlet-rotary"), 0.97, True, "tokens/s within 3 % of rotary"),
    ("tensor_memory_to_peer", OURS, 1.05, False, "tensors at most 1.05 × nanoGPT's"),
    ("resident_memory_to_peer", OURS, 1.05, False, "process at most 1.05 × nanoGPT's"),
)


def goals(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What was aimed at, and whether the medians meet it: the competitor, the ratio, the limit."""
    found = []
    for key, names, limit, above, text in GOALS:
        for row in rows:
            value = row.get(key)
            value = value["median"] if isinstance(value, Mapping) else value
            if row["name"] in names and value is not None:
                met = value >= limit if above else value <= limit
                found.append({"name": row["name"], "goal": text, "value": value, "limit": limit, "met": met})
    return found


def tables(label: str, rows: Sequence[Mapping[str, Any]]) -> list[Table]:
    """Speed and memory of the rows, as wide as a terminal of 80 columns; below a ratio the interval of its median."""
    speed = Table("step", title=f"{label}: speed", title_justify="left")
    for column in ("ms", "tokens/s", f"to {PEER}", "to rotary"):
        speed.add_column(column, justify="right")
    memory = Table("step", title=f"{label}: peak memory", title_justify="left")
    for column in ("tensors, MiB", f"to {PEER}", "process, MiB", f"to {PEER}"):
        memory.add_column(column, justify="right")
    for row in rows:
        speed.add_row(
            row["name"],
            f"{1e3 * row['seconds']['median']:.1f}",
            f"{row['tokens_per_second']:,.0f}",
            _ratio(row.get("speed_to_peer")),
            _ratio(row.get("speed_to_rotary")),
        )
        resident = row["resident_bytes"]
        memory.add_row(
            row["name"],
            f"{row['tensor_bytes'] / 2**20:.1f}",
            _ratio(row.get("tensor_memory_to_peer")),
            "–" if resident is None else f"{resident / 2**20:.0f}",
            _ratio(row.get("resident_memory_to_peer")),
        )
    return [speed, memory]


def _ratio(value: Mapping[str, float | None] | float | None) -> str:
    if value is None:
        return "–"
    if not isinstance(value, Mapping):
        return f"{value:.3f}"
    exact = value["low"] is None or value["low"] == value["high"]  # too few rounds, or of a competitor to itself
    interval = "" if exact else f"\n{value['low']:.3f} to {value['high']:.3f}"
    return f"{value['median']:.3f}{interval}"


def run(
    case: Case, names: Sequence[str], peer: Path, rounds: int, steps: int, settle: int
) -> tuple[dict[str, Told], dict[str, list[float]]]:
    """Build the competitors one after another, then let them take turns; seconds a step of each, by rounds.

    Raises BenchmarkError, naming the competitor, where one fails.
    """
    context = multiprocessing.get_context("spawn")
    lines: dict[str, Any] = {}
    processes = []
    told: dict[str, Told] = {}
    seconds: dict[str, list[float]] = {name: [] for name in names}
    try:
        for name in names:
            lines[name], theirs = context.Pipe()
            process = context.Process(target=serve, args=(theirs, name, case, peer, settle), daemon=True)
            process.start()
            theirs.close()
            processes.append(process)
            told[name] = _answer(lines[name], name)
        for turn in range(rounds):
            for place in range(len(names)):
                name = names[(turn + place) % len(names)] if turn % 2 else names[(turn - place) % len(names)]
                lines[name].send(steps)
                seconds[name].append(_answer(lines[name], name) / steps)
    finally:
        for line in lines.values():
            with suppress(OSError):
                line.send(None)
        for process in processes:
            process.join(10)
            if process.is_alive():
                process.kill()
    return told, seconds


def _answer(line: Any, name: str) -> Any:
    try:
        found = line.recv()
    except EOFError:
        raise BenchmarkError(f"{name}: its process ended without an answer") from None
    if isinstance(found, str):
        raise BenchmarkError(found)
    return found


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training_step", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--nanogpt", type=Path, required=True, help="model.py of nanoGPT, or its folder")
    parser.add_argument("--size", nargs="+", choices=[*SIZES], default=["cpu"])
    parser.add_argument("--precision", nargs="+", choices=["float32", "bfloat16", "float16"], default=["float32", "bfloat16"])
    parser.add_argument("--mode", nargs="+", choices=["eager", "compiled"], default=["eager", "compiled"])
    parser.add_argument("--competitors", nargs="+", choices=[*PEERS, *OURS], default=[*PEERS, *OURS])
    parser.add_argument("--launches", type=int, default=3, help="processes of each, one after another")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of a launch")
    parser.add_argument("--steps", type=int, default=5, help="steps of each in a round")
    parser.add_argument("--settle", type=int, default=3, help="steps of each before any is timed")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=Path, default=ROOT / "results" / "benchmarks")
    found = parser.parse_args(given)
    for name in ("launches", "rounds", "steps", "settle", "threads"):
        if getattr(found, name) < 1:
            parser.error(f"--{name}: got {getattr(found, name)}, expected 1 or more")
    try:
        peer_file(found.nanogpt)
    except ValueError as problem:
        parser.error(str(problem))
    return found


def main(given: Sequence[str] | None = None) -> int:
    """Measure, print the tables, write the file."""
    asked, console = arguments(given), Console()
    document: dict[str, Any] = {
        "schema": 1,
        "benchmark": "training-step",
        **about(asked.device, threads=asked.threads),
        "peer": {"name": PEER, "sha256": peer_digest(asked.nanogpt)},
        "launches": asked.launches,
        "rounds": asked.rounds,
        "steps": asked.steps,
        "cases": [],
    }
    path = asked.out / f"training_step-{slug(document['device'])}.json"
    try:
        for size in asked.size:
            for precision in asked.precision:
                for mode in asked.mode:
                    case = Case(SIZES[size], precision, mode == "compiled", asked.device, asked.threads)
                    seconds: dict[str, list[float]] = {name: [] for name in asked.competitors}
                    for _ in range(asked.launches):
                        told, more = run(case, asked.competitors, asked.nanogpt, asked.rounds, asked.steps, asked.settle)
                        for name, values in more.items():
                            seconds[name] += values
                    rows = compared(case, told, seconds)
                    sizes = asdict(case.size)
                    document["cases"].append(
                        {"size": size, **sizes, "precision": precision, "mode": mode, "rows": rows, "goals": goals(rows)}
                    )
                    for one in tables(f"{size}, {case.label()}", rows):
                        console.print(one)
                    for goal in document["cases"][-1]["goals"]:
                        sign = "met    " if goal["met"] else "not met"
                        console.print(f"{sign} {goal['value']:.3f} {goal['name']}: {goal['goal']}", highlight=False)
                    write(document, path)  # each case at once: what is measured is kept
    except BenchmarkError as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    console.print(f"written: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
