"""How the runs of a grid are made: in this process, or in several at once.

A launcher takes tasks and yields outcomes as they come. A fault of one run stops no other. Stopping the launcher (Ctrl-C, or
closing the generator) lets each run that is in progress write a checkpoint first.
"""
from __future__ import annotations

import json
import selectors
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import torch

from mope_impl.results import Record
from mope_impl.training import Progress

from . import worker
from .grid import Task
from .run import Listener, Outcome, make

Outcomes = Generator[Outcome, None, None]
"""What became of runs, as they end; to close it lets those in progress write a checkpoint."""
Launcher = Callable[[Sequence[Task], Path, int, int | None, Listener], Outcomes]
"""``launcher(tasks, runs, workers, threads, listener)``; ``threads`` for each worker, None for the default."""


def here(tasks: Sequence[Task], runs: Path, workers: int, threads: int | None, listener: Listener) -> Outcomes:
    """One run after another in this process."""
    before = torch.get_num_threads()
    if threads is not None:
        torch.set_num_threads(threads)
    try:
        for task in tasks:
            outcome = make(task, runs, listener)
            yield outcome
            if outcome.interrupted:
                return
    finally:
        torch.set_num_threads(before)


def processes(tasks: Sequence[Task], runs: Path, workers: int, threads: int | None, listener: Listener) -> Outcomes:
    """Each run in a new process, as many at a time as there are workers."""
    pool = _Pool(runs, threads, listener)
    waiting = deque(tasks)
    try:
        while waiting or pool:
            while waiting and len(pool) < workers:
                pool.start(waiting.popleft())
            yield from pool.outcomes()
    except KeyboardInterrupt:
        pool.stop()
        yield from pool.drained()
    finally:
        pool.stop()
        for _ in pool.drained():
            pass


class _Pool:
    """Processes at work, each with a run."""

    def __init__(self, runs: Path, threads: int | None, listener: Listener) -> None:
        self.runs, self.threads, self.listener = runs, threads, listener
        self.selector = selectors.DefaultSelector()
        self.at_work: dict[int, _AtWork] = {}
        self.stopping = False

    def __len__(self) -> int:
        return len(self.at_work)

    def start(self, task: Task) -> None:
        """Begin a run."""
        one = _AtWork(task, self.runs, self.threads)
        self.at_work[one.output.fileno()] = one
        self.selector.register(one.output, selectors.EVENT_READ)

    def outcomes(self) -> Iterator[Outcome]:
        """Wait until some process says something, and yield the outcomes that this brings."""
        for key, _ in self.selector.select():
            one = self.at_work[key.fd]
            line = one.output.readline()
            if line:
                said = json.loads(line)
                if "progress" in said:
                    self.listener(one.task, Progress(**said["progress"]))
                else:
                    one.said = said["outcome"]
                continue
            self.selector.unregister(one.output)
            del self.at_work[key.fd]
            yield one.outcome(self.stopping)

    def stop(self) -> None:
        """Ask every process to write a checkpoint and end; only the first call does."""
        if not self.stopping:
            self.stopping = True
            for one in self.at_work.values():
                one.process.send_signal(signal.SIGINT)

    def drained(self) -> Iterator[Outcome]:
        """The outcomes of the processes that are left."""
        try:
            while self.at_work:
                yield from self.outcomes()
        except BaseException:  # a second Ctrl-C: they have checkpoints of before
            for one in self.at_work.values():
                one.process.kill()
            raise


class _AtWork:
    """A process with its run."""

    said: dict[str, Any] | None = None

    def __init__(self, task: Task, runs: Path, threads: int | None) -> None:
        self.task = task
        folder = task.folder(runs)
        folder.parent.mkdir(parents=True, exist_ok=True)
        self.errors = folder.with_name(f"{folder.name}.errors")
        with self.errors.open("w", encoding="utf-8") as errors:
            self.process: subprocess.Popen[str] = worker.start(task.to_dict(), runs, threads, errors)
        assert self.process.stdout is not None
        self.output: IO[str] = self.process.stdout

    def outcome(self, stopping: bool) -> Outcome:
        """What became of it, once it has said all."""
        self.output.close()
        code = self.process.wait()
        if self.said is not None:
            self.errors.unlink(missing_ok=True)
            record = self.said["record"]
            return Outcome(
                self.task, record and Record.from_json(record), self.said["fault"], interrupted=self.said["interrupted"]
            )
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return Outcome(self.task, fault=f"its process {how}; {self._last_words()}", interrupted=stopping)

    def _last_words(self) -> str:
        lines = self.errors.read_text(encoding="utf-8", errors="replace").split("\n")
        words = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"its last words: {words}" if words else "it goes on from its last checkpoint when it is run again"
