"""The processes that share a run: one by default, or those that ``torchrun`` has started, on one machine or on many."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import Tensor
from torch import distributed as dist

from .errors import ConfigError

T = TypeVar("T")


@dataclass(frozen=True)
class Processes:
    """Which of how many processes this one is, and its device."""

    rank: int
    world: int
    device: torch.device

    @property
    def first(self) -> bool:
        """Whether this is the process that reads checkpoints and writes all files."""
        return self.rank == 0

    def agree(self, act: Callable[[], T]) -> T:
        """What the first process finds by ``act``, in every process; its ValueError or OSError is raised in all of them.

        So a run folder need not be shared by the machines, and none waits for one that has given up.
        """
        outcome: list[Any] = [None, None]
        if self.first:
            try:
                outcome[0] = act()
            except (ValueError, OSError) as fault:
                outcome[1] = fault
        if self.world > 1:
            dist.broadcast_object_list(outcome, src=0, device=self.device)
        if outcome[1] is not None:
            raise outcome[1]
        return outcome[0]

    def in_turn(self, act: Callable[[], T]) -> T:
        """Do something in the first process before the others do it: it may fill a cache for those on its machine."""
        if self.first:
            found = act()
            self.wait()
            return found
        self.wait()
        return act()

    def wait(self) -> None:
        """Go on when all processes have come here."""
        if self.world > 1:
            dist.barrier()

    def total(self, values: Tensor) -> Tensor:
        """The sum of a tensor over the processes."""
        if self.world > 1:
            values = values.clone()
            dist.all_reduce(values)
        return values

    def any(self, flag: bool) -> bool:
        """Whether it is so in any process."""
        if self.world == 1:
            return flag
        return bool(self.total(torch.tensor(float(flag), device=self.device)) > 0)


@contextmanager
def processes(device: str = "auto") -> Iterator[Processes]:
    """Join the processes that torchrun has started, by the variables RANK, WORLD_SIZE and LOCAL_RANK; else be the only one.

    Gradients travel by NCCL between GPUs, by gloo otherwise. A group that is there already is used and left as it is.
    Raises ConfigError for a device that is not there.
    """
    rank, world, local = (int(os.environ.get(name, default)) for name, default in VARIABLES)
    chosen = chosen_device(device, local)
    if world == 1:
        yield Processes(0, 1, chosen)
        return
    started = not dist.is_initialized()
    if chosen.type == "cuda":
        torch.cuda.set_device(chosen)
    if started:
        dist.init_process_group("nccl" if chosen.type == "cuda" else "gloo")
    try:
        yield Processes(rank, world, chosen)
    finally:
        if started:
            dist.destroy_process_group()


VARIABLES = (("RANK", "0"), ("WORLD_SIZE", "1"), ("LOCAL_RANK", "0"))


def chosen_device(name: str, local: int = 0) -> torch.device:
    """The device of a name; "auto" and "cuda" are the GPU of this process's number on its machine, "auto" else the CPU."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        if name == "cuda":
            device = torch.device("cuda", local)
        torch.zeros((), dtype=torch.float64, device=device).item()
    except (RuntimeError, AssertionError, NotImplementedError, TypeError) as fault:
        reason = " ".join(str(fault).split(".")[0].split())
        raise ConfigError(f"training.device: got {name!r}, which this machine does not have ({reason})") from None
    return device
