"""Runs on a cluster through Ray.

Where the driver is to join a cluster, RAY_ADDRESS names it, as always with Ray; else a cluster is started on this machine. The
folder of runs should be one that all machines share: a run that is cut off then goes on wherever it is placed. Records travel
back to the driver, which alone writes them.
"""
from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mope_impl.results import Record

from .grid import Task
from .launch import Outcomes
from .run import Listener, Outcome
from .worker import THREADS


def ray_cluster(tasks: Sequence[Task], runs: Path, workers: int, threads: int | None, listener: Listener) -> Outcomes:
    """Each run as a task of Ray, as many at a time as there are workers; each asks for ``threads`` processors, at least one.

    Progress within a run is not shown. A run whose process dies is begun again once by Ray, and goes on from its checkpoint.
    """
    import ray

    processors = max(1, threads or 1)
    own = not ray.is_initialized()
    if own:
        address = os.environ.get("RAY_ADDRESS")
        local: dict[str, Any] = {} if address else {"num_cpus": workers * processors, "include_dashboard": False}
        ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False, **local)
    variables = {name: str(processors) for name in THREADS}
    remote = ray.remote(num_cpus=processors, max_retries=1, runtime_env={"env_vars": variables})(_make)
    begun: dict[Any, Task] = {}
    waiting = list(reversed(tasks))
    try:
        while waiting or begun:
            while waiting and len(begun) < workers:
                task = waiting.pop()
                begun[remote.remote(task.to_dict(), str(runs.resolve()), processors)] = task
            (ready,), _ = ray.wait(list(begun))
            yield _outcome(ray, ready, begun.pop(ready))
    finally:
        for reference in begun:
            ray.cancel(reference)  # which reaches the run as Ctrl-C does: it writes a checkpoint
        if begun:
            ray.wait(list(begun), num_returns=len(begun), timeout=60)
        if own:
            ray.shutdown()


def _make(task: dict[str, Any], runs: str, threads: int) -> dict[str, Any]:
    """A run, in a process of Ray; plain types in and out."""
    import torch

    from .run import make

    torch.set_num_threads(threads)
    outcome = make(Task.from_dict(task), Path(runs))
    record = outcome.record.to_json() if outcome.record is not None else None
    return {"record": record, "fault": outcome.fault, "interrupted": outcome.interrupted}


def _outcome(ray: Any, reference: Any, task: Task) -> Outcome:
    try:
        said = ray.get(reference)
    except ray.exceptions.RayError as fault:
        return Outcome(task, fault=f"{type(fault).__name__}: {' '.join(str(fault).split())}")
    return Outcome(task, said["record"] and Record.from_json(said["record"]), said["fault"], said["interrupted"])
