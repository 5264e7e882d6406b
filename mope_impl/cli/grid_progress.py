"""Progress over a grid of runs: bars on a terminal, a line for each run that ends elsewhere."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from .output import console

if TYPE_CHECKING:
    from mope_impl.experiments.grid import Task
    from mope_impl.experiments.run import Outcome
    from mope_impl.training import Progress as OfRun


class GridProgress:
    """Told of what happens in a grid, shows it: a bar for the grid, and one for each run at work."""

    def __init__(self, bars: Progress, screen: Console, total: int, finished: int) -> None:
        self.bars, self.screen, self.total, self.done = bars, screen, total, finished
        self.grid = bars.add_task("grid", total=total, completed=finished, note="")
        self.at_work: dict[str, TaskID] = {}

    def on_progress(self, task: Task, progress: OfRun) -> None:
        """A run has gone on."""
        loss = progress.validation if progress.validation is not None else progress.loss
        parts = [] if loss is None else [f"{loss:.4f} nats"]
        if progress.tokens_per_second is not None:
            parts.append(f"{progress.tokens_per_second:,.0f} tokens/s")
        if progress.seconds_left is not None:
            parts.append(f"{_clock(progress.seconds_left)} left")
        if task.name not in self.at_work:
            self.at_work[task.name] = self.bars.add_task(task.name, total=progress.steps, note="")
        self.bars.update(self.at_work[task.name], completed=progress.step, note=", ".join(parts))

    def on_outcome(self, outcome: Outcome) -> None:
        """A run has ended, somehow."""
        bar = self.at_work.pop(outcome.task.name, None)
        if bar is not None:
            self.bars.remove_task(bar)
        record = outcome.record
        if record is not None:
            self.done += 1
            self.bars.update(self.grid, completed=self.done)
            loss = "no finite loss" if record.validation is None else f"{record.validation:.4f} nats per character"
            line = f"{self.done}/{self.total} {outcome.task.name}: {loss}, {_clock(record.seconds)}"
        else:
            line = f"{outcome.task.name}: {'stopped' if outcome.interrupted else 'failed'}: {outcome.fault}"
        self.screen.print(line, markup=False, soft_wrap=True)


def _clock(seconds: float) -> str:
    """1:02:03, or 2:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def grid_progress(total: int, finished: int) -> Iterator[GridProgress]:
    """Progress on stderr; the bars are on a terminal only, and vanish when all is done."""
    screen = console(stderr=True)
    counts = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    columns = (TextColumn("{task.description:<28}"), *counts, TextColumn("{task.fields[note]}"))
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bars:
        yield GridProgress(bars, bars.console, total, finished)
