"""Runs of a second: a configuration of little models and few steps, and processes that train and can be killed."""
from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import torch
import torch._dynamo  # an optimiser would load it, in every process anew

from mope_impl.training import Config, Progress, train
from mope_impl.training import checkpoint as checkpoints
from mope_impl.training.data import Corpus
from mope_impl.training.log import Log
from mope_impl.training.trainer import Trainer

MODEL = {"layers": 1, "heads": 2, "width": 8, "context": 8, "dropout": 0.1, "encoding": "morlet"}
DATA = {"source": "synthetic", "size": 600, "symbols": 8, "length": 2.0}
OPTIMIZER = {"rate": 0.01, "warmup": 3}
TRAINING = {"steps": 12, "batch": 4, "evaluate_every": 5, "checkpoint_every": 3, "estimate_batches": 2, "device": "cpu"}


def tiny(**sections: dict[str, Any]) -> Config:
    """A configuration that trains in a fraction of a second, with changes by section."""
    base = {"model": MODEL, "data": DATA, "optimizer": OPTIMIZER, "training": TRAINING}
    return Config.from_dict({name: {**keys, **sections.get(name, {})} for name, keys in base.items()})


FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.mope_impl.training.tiny"])


def trained(folder: Path, config: Config, *, kill_at: int | None = None, pace: float = 0.0, fault: str | None = None) -> None:
    """Train in this process, on one thread: what a killed process and its successors run.

    ``kill_at``: the process kills itself at this access to a file of the run. ``pace``: seconds that each step, and each
    checkpoint between writing and renaming, take longer. ``fault``: one of FAULTS is planted.
    """
    torch.set_num_threads(1)
    if kill_at is not None:
        sys.addaudithook(killing(folder, kill_at))
    if pace:
        slow(pace)
    if fault is not None:
        FAULTS[fault]()
    train(config, folder, resume=True, progress=lambda _: time.sleep(pace), tensorboard=False, pictures=False)


def process(*arguments: Any, **keywords: Any) -> BaseProcess:
    """A process of its own that runs :func:`trained`."""
    found = FORKS.Process(target=trained, args=arguments, kwargs=keywords)
    found.start()
    return found


def run(*arguments: Any, **keywords: Any) -> int | None:
    """The exit code of a process that runs :func:`trained`; −9 if it was killed."""
    one = process(*arguments, **keywords)
    one.join()
    return one.exitcode


TOUCHING = {"open", "os.rename", "os.remove", "os.truncate", "os.mkdir", "os.listdir", "os.scandir"}


def killing(folder: Path, number: int) -> Callable[[str, tuple[Any, ...]], None]:
    """An audit hook that kills the process at the access of this number to a file below a folder."""
    count = 0

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal count
        if event in TOUCHING and str(arguments[0]).startswith(str(folder)):
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)

    return hook


def slow(pace: float) -> None:
    """Let a checkpoint lie there unfinished for a while."""
    fsync = os.fsync

    def slowly(handle: int) -> None:
        time.sleep(pace)
        fsync(handle)

    os.fsync = slowly


def outcome(folder: Path) -> dict[str, bytes]:
    """All bytes of a finished run that must not depend on how often it was killed."""
    last = checkpoints.in_folder(folder)[-1]
    paths = (last, *(folder / name for name in ("log.jsonl", "config.toml", "vocabulary.json")))
    return {path.name: path.read_bytes() for path in paths}


def forget_seeds() -> None:
    """Dropout goes on with whatever state the generator has."""
    import mope_impl.training.trainer as module

    module.torch = type("Torch", (), {"__getattr__": lambda _, name: getattr(torch, name)})()
    module.torch.manual_seed = lambda _: None


def count_batches() -> None:
    """The data go on where this process has left off."""
    batch, count = Corpus.batch, iter(range(10**6))
    Corpus.batch = lambda self, step, *rest, **more: batch(self, next(count), *rest, **more)


def drop_optimizer_state() -> None:
    """The means of the gradients start anew."""
    restore = Trainer.restore

    def without(self: Trainer, tensors: dict[str, torch.Tensor], scaler: dict[str, Any]) -> None:
        restore(self, {name: one for name, one in tensors.items() if name.startswith("model/")}, scaler)

    Trainer.restore = without


def warm_up_again() -> None:
    """The learning rate counts the steps of this process."""
    import mope_impl.training.trainer as module

    rate, first = module.rate, []

    def counted(step: int, *rest: Any) -> float:
        first.append(step)
        return rate(step - first[0], *rest)

    module.rate = counted


def keep_the_log() -> None:
    """Lines that were written after the checkpoint stay in the log."""
    cut = Log.cut_to

    def kept(self: Log, mark: Any) -> None:
        content = self.path.read_bytes() if self.path.exists() else b""
        cut(self, mark)
        self.path.write_bytes(content)

    Log.cut_to = kept


def load_nothing() -> None:
    """The parameters stay what they were initialised to."""
    Trainer.restore = lambda *_: None


FAULTS = {
    "random state": forget_seeds,
    "order of the data": count_batches,
    "state of the optimiser": drop_optimizer_state,
    "learning rate": warm_up_again,
    "log": keep_the_log,
    "weights": load_nothing,
}


def listen(seen: list[Progress]) -> Callable[[Progress], None]:
    """A listener that keeps what it is told."""
    return seen.append
