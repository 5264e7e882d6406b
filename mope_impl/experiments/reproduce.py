"""A grid made into records: what is finished is skipped, each record is written the moment its run ends, faults are gathered."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from mope_impl.training import Progress

from .grid import Task
from .launch import Launcher, here
from .run import Outcome, tidy


@dataclass
class Tally:
    """What became of the tasks."""

    finished: list[Outcome] = field(default_factory=list)
    faults: list[Outcome] = field(default_factory=list)
    stopped: bool = False
    """Whether somebody stopped it; all goes on where it was when it is called again."""


def reproduce(
    wanted: Sequence[Task],
    *,
    records: Path,
    runs: Path,
    launcher: Launcher = here,
    workers: int = 1,
    threads: int | None = None,
    keep: bool = False,
    on_progress: Callable[[Task, Progress], None] = lambda task, progress: None,
    on_outcome: Callable[[Outcome], None] = lambda outcome: None,
) -> Tally:
    """Make the runs that have no record yet.

    Args:
        wanted: the tasks in the order in which they are begun.
        records: folder of records; one is written as soon as its run has ended.
        runs: folder in which runs are trained. One that was begun there goes on from its last checkpoint.
        launcher, workers, threads: how, how many at a time, and with how many threads each.
        keep: keep the folder of a finished run with its checkpoints; else only the log and the curves stay.
        on_progress, on_outcome: told of what happens.
    """
    tally = Tally()
    left = [task for task in wanted if not task.is_finished(records)]
    with closing(launcher(left, runs, workers, threads, on_progress)) as outcomes:
        try:
            for outcome in outcomes:
                if outcome.record is not None:
                    outcome.record.write(records)
                    if not keep:
                        tidy(outcome.task, runs)
                    tally.finished.append(outcome)
                elif outcome.interrupted:
                    tally.stopped = True
                else:
                    tally.faults.append(outcome)
                on_outcome(outcome)
        except KeyboardInterrupt:
            tally.stopped = True
    return tally
