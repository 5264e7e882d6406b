"""A run in a process of its own: the task comes in as JSON, progress and outcome go out as lines of JSON.

Nothing of torch is loaded before the process has its number of threads, which the parent puts into the environment. The process
is the leader of its own group, so that a Ctrl-C on the terminal reaches the parent alone, which passes it on once. Where the
parent has gone, the next line cannot be written, and the run ends; its checkpoints are there.
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Any, TextIO

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
BETWEEN = 0.5
"""Seconds between two lines of progress."""


def start(task: Mapping[str, Any], runs: Path, threads: int | None, errors: TextIO) -> subprocess.Popen[str]:
    """A process that makes a run; its stdout gives lines for :func:`outcome_of` and progress, ``errors`` takes its stderr."""
    environment = os.environ | ({} if threads is None else {name: str(threads) for name in THREADS})
    process = subprocess.Popen(
        [sys.executable, "-m", __spec__.name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=environment | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    assert process.stdin is not None
    try:
        process.stdin.write(json.dumps({"task": task, "runs": str(runs), "threads": threads}))
        process.stdin.close()
    except BrokenPipeError:
        pass  # it died at once, which is found when it is read
    return process


def main() -> None:
    """What the process does."""
    order = json.loads(sys.stdin.read())
    # Whatever libraries print must not come between the lines.
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    import torch

    from mope_impl.training import Progress

    from .grid import Task
    from .run import make

    if order["threads"] is not None:
        torch.set_num_threads(order["threads"])
    last = 0.0

    def say(line: Mapping[str, Any]) -> None:
        lines.write(json.dumps(line) + "\n")
        lines.flush()

    def tell(_: Task, progress: Progress) -> None:
        nonlocal last
        if monotonic() - last >= BETWEEN:
            last = monotonic()
            try:
                say({"progress": vars(progress)})
            except BrokenPipeError:
                os._exit(1)  # the parent has gone

    outcome = make(Task.from_dict(order["task"]), Path(order["runs"]), tell)
    record = outcome.record.to_json() if outcome.record is not None else None
    say({"outcome": {"record": record, "fault": outcome.fault, "interrupted": outcome.interrupted}})


if __name__ == "__main__":
    main()
