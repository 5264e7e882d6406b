"""One run of a grid: train, measure, and make the record."""
from __future__ import annotations

import math
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from mope_impl.nn import MorletEncoding
from mope_impl.results import Record
from mope_impl.training import Interrupted, Progress, RunResult, train
from mope_impl.training.measure.gradients import gradients
from mope_impl.training.measure.leak import leak
from mope_impl.training.measure.modes import evaluating
from mope_impl.training.measure.reach import mean_square_distance, reach
from mope_impl.training.measure.shape import rounded

from .grid import Task

Listener = Callable[[Task, Progress], None]

SLOPE_WINDOWS, WINDOWS, ATTENTION_WINDOWS = 512, 256, 64
"""Windows that slopes are measured on (of the training split), leak and reach, and attention."""
SOURCE = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Outcome:
    """What became of a run: its record, or why there is none in one line."""

    task: Task
    record: Record | None = None
    fault: str | None = None
    interrupted: bool = False


def make(task: Task, runs: Path, listener: Listener | None = None) -> Outcome:
    """Train a run, or go on with it, in its folder below ``runs``; a fault becomes an outcome, for the others shall go on."""
    folder = task.folder(runs)
    loaded_from()  # now: the checkout may be another by the time the run has ended

    def tell(progress: Progress) -> None:
        if listener is not None:
            listener(task, progress)

    try:
        result = train(task.config, folder, resume=True, progress=tell, pictures=False)
        return Outcome(task, record_of(task, result))
    except Interrupted as stop:
        return Outcome(task, fault=str(stop), interrupted=True)
    except (ValueError, ArithmeticError, OSError, MemoryError, RuntimeError) as fault:
        # The first two are written for users, one clear line each; the others need their names.
        name = "" if isinstance(fault, (ValueError, ArithmeticError)) else f"{type(fault).__name__}: "
        return Outcome(task, fault=name + " ".join(str(fault).split()))
    finally:
        # A compiled step is kept for each model, and there is a limit to how many of one kind are.
        torch.compiler.reset()


def tidy(task: Task, runs: Path) -> None:
    """Remove the checkpoints of a run, which take the room; log and curves stay."""
    for path in task.folder(runs).glob("*.safetensors"):
        path.unlink()


def record_of(task: Task, result: RunResult) -> Record:
    """The record of a finished run, with what is measured at its end."""
    evaluations = tuple(
        {name: line[name] for name in ("step", "train", "validation", "estimate")} for line in result.evaluations
    )
    return Record(
        preset=task.preset,
        variant=task.variant,
        label=task.label,
        seed=task.seed,
        config=task.config.to_dict(),
        config_hash=result.digest,
        recipe=result.recipe,
        source=loaded_from(),
        versions=versions(),
        device=device(result.device),
        finished=result.finished,
        seconds=result.seconds,
        parameters=result.parameters,
        evaluations=evaluations,
        validation=result.validation,
        validation_per_token=result.validation_per_token,
        tokens=result.tokens,
        characters=result.characters,
        measures=measures(result),
    )


def measures(result: RunResult) -> dict[str, Any]:
    """What is measured at the end of a run, each key where it means something; see :class:`mope_impl.results.Record`."""
    model, size = result.model, result.corpus.vocabulary.size
    found: dict[str, Any] = {}
    shapes = [{"step": line["step"], **line["shape"]} for line in result.evaluations if "shape" in line]
    if shapes:
        found["shape"] = shapes
    if isinstance(model.encoding, MorletEncoding):
        found["gradients"] = gradients(model, *windows(result, "train", SLOPE_WINDOWS)).to_dict()
    inputs, targets = windows(result, "validation", WINDOWS)
    if result.config.model.gate != "none":
        found["leak"] = leak(model, inputs, targets).to_dict()
    far = reach(model, inputs, vocabulary=size)
    if math.isfinite(far.reach):
        found["reach"] = far.reach
    found["influence"] = list(far.influence)
    with evaluating(model):
        attention = [mean_square_distance(layer) for layer in model.attention_weights(inputs[:ATTENTION_WINDOWS])]
    found["attention_distance"] = rounded(math.sqrt(float(torch.stack(attention).mean())))
    if result.best is not None:
        found["best_loss"] = result.best
    return found


def windows(result: RunResult, split: str, number: int) -> tuple[Tensor, Tensor]:
    """Inputs and targets of up to so many whole windows of a split, evenly spread over it: the same in every run of the data."""
    context = result.config.model.context
    pairs = [pair for pair in result.corpus.windows(context, split=split) if pair[0].shape[1] == context]
    if not pairs:  # a split shorter than one window: all there is of it
        pairs = list(result.corpus.windows(context, split=split))
    chosen = [pairs[place * len(pairs) // min(number, len(pairs))] for place in range(min(number, len(pairs)))]
    inputs, targets = (torch.cat([pair[side] for pair in chosen]).to(result.device) for side in range(2))
    return inputs, targets


@cache
def loaded_from() -> dict[str, Any]:
    """:func:`source` as it was when this process first asked: a process keeps the code that it has loaded."""
    return source()


def source() -> dict[str, Any]:
    """The commit of the tree that the package lies in, and whether the package was modified since; "" outside a checkout."""
    commit = _git("rev-parse", "HEAD")
    if not commit or _git("rev-parse", "--show-toplevel") != str(SOURCE):
        return {"commit": "", "modified": False}
    return {"commit": commit, "modified": bool(_git("status", "--porcelain", "--", "mope_impl"))}


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(SOURCE), *arguments], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def versions() -> dict[str, str]:
    """Versions of what decides the numbers of a run."""
    found = {"python": sys.version.split()[0]}
    for name in ("mope", "torch", "numpy", "tokenizers"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    if torch.version.cuda:
        found["cuda"] = torch.version.cuda
    return found


def device(used: torch.device) -> dict[str, Any]:
    """Name of the device that a run was trained on, and the number of threads that torch had."""
    name = torch.cuda.get_device_name(used) if used.type == "cuda" else processor()
    return {"name": name, "threads": torch.get_num_threads(), "cores": os.cpu_count() or 1}


def processor() -> str:
    """Name of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass  # another system
    return platform.processor() or platform.machine() or "unknown"
