"""Claims checked in processes of their own: several at a time, each stopped when it runs over its time."""
from __future__ import annotations

import multiprocessing as mp
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, ForkServerContext, SpawnContext
from time import monotonic
from traceback import format_exc

from .evidence import Evidence

Task = tuple[str, tuple[str, ...]]
"""A claim's id, and the kinds of evidence that are computed for it."""

Context = ForkContext | ForkServerContext | SpawnContext

Check = Callable[[str, str], tuple[Evidence, ...]]
"""Compute the evidence of a kind for a claim; a function of a module, since other processes look it up."""


class CheckError(RuntimeError):
    """A check raised in its process; the message is its traceback."""


def in_processes(
    tasks: Sequence[Task], check: Check, jobs: int, limit: float | None
) -> Iterator[tuple[str, dict[str, tuple[Evidence, ...]]]]:
    """The evidence of each task by kind, as the tasks end; ``jobs`` run at a time, begun in the order that is given.

    A task that takes more than ``limit`` seconds, or whose process dies, ends with what it has found and one undecided piece
    for each kind that it has not. No process outlives the iterator.
    """
    todo, running, context = deque(tasks), list[_Process](), _context()
    try:
        while todo or running:
            while todo and len(running) < jobs:
                running.append(_Process(context, todo.popleft(), check, limit))
            for process in _ready(running):
                process.receive()
            for process in [one for one in running if one.over]:
                running.remove(process)
                process.stop()
                yield process.id, process.result()
    finally:
        for process in running:
            process.stop()


def _ready(running: Sequence[_Process]) -> list[_Process]:
    """Those that have something to say, as soon as one has or the first has run over its time."""
    seconds = min(process.deadline for process in running) - monotonic()
    ready = wait([process.pipe for process in running], None if seconds == float("inf") else max(seconds, 0))
    return [process for process in running if process.pipe in ready]


def _context() -> Context:
    """How processes start: as copies of this one where that is safe, which is when nothing else runs in it.

    Else a server is started that has loaded the ledger once, and is copied.
    """
    methods = mp.get_all_start_methods()
    if "fork" in methods and _threads() == 1:
        return mp.get_context("fork")
    if "forkserver" not in methods:
        return mp.get_context("spawn")
    context = mp.get_context("forkserver")
    context.set_forkserver_preload(["mope_impl.ledger"])
    return context


def _threads() -> int | None:
    """Threads of this process, those of libraries too; None where the system does not tell."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return None


class _Process:
    """A process that checks one claim, and says when it begins and what it has found of each kind."""

    def __init__(self, context: Context, task: Task, check: Check, limit: float | None) -> None:
        self.id, self._kinds = task
        self._limit = float("inf") if limit is None else limit
        self._start, self.deadline = monotonic(), float("inf")
        self._found: dict[str, tuple[Evidence, ...]] = {}
        self._ended = False
        self._code = 0
        self.pipe, end = context.Pipe(duplex=False)
        self._process = context.Process(target=_run, args=(end, check, self.id, self._kinds), daemon=True)
        self._process.start()
        end.close()  # so that the pipe ends when the process does

    def receive(self) -> None:
        """Take what the process has sent. Raises CheckError for a fault in the check."""
        try:
            message = self.pipe.recv()
        except (EOFError, OSError):
            self._ended = True
            return
        if message is None:  # it has begun: to start a process may take a while, which is not the claim's
            self._start = monotonic()
            self.deadline = self._start + self._limit
        elif isinstance(message, str):
            raise CheckError(f"{self.id}: {message}")
        else:
            kind, self._found[kind] = message

    @property
    def over(self) -> bool:
        """Whether it has found everything, has died, or has run over its time."""
        return self._complete or monotonic() >= self.deadline

    @property
    def _complete(self) -> bool:
        return self._ended or len(self._found) == len(self._kinds)

    def stop(self) -> None:
        """End the process, whatever it does."""
        self._process.join(1.0 if self._complete else 0.0)
        self._process.kill()
        self._process.join()
        self._code = self._process.exitcode or 0
        self._process.close()
        self.pipe.close()

    def result(self) -> dict[str, tuple[Evidence, ...]]:
        """The evidence by kind, once it is stopped."""
        how = f"signal {-self._code}" if self._code < 0 else f"exit code {self._code}"
        why = f"its process died ({how})" if self._ended else f"timed out after {self._limit:g} s"
        seconds = monotonic() - self._start
        undecided = (Evidence(kind, None, None, "unknown", why, seconds) for kind in self._kinds)
        return {piece.kind: self._found.get(piece.kind, (piece,)) for piece in undecided}


def _run(pipe: Connection, check: Check, id: str, kinds: Sequence[str]) -> None:
    """What a process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # sent to the whole group by a terminal; the parent ends its children itself
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        pipe.send(None)
        for kind in kinds:
            pipe.send((kind, check(id, kind)))
    except Exception:
        pipe.send(format_exc())


def _end_with_parent() -> None:
    parent = mp.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
