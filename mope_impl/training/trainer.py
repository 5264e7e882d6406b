"""One step of training: the model, its optimiser, and the arithmetic of a step."""
from __future__ import annotations

import gc
import math
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from mope_impl.nn import GPT

from .config import Config
from .data import Corpus
from .distributed import Processes
from .errors import CheckpointError, ConfigError
from .initial import initialise
from .optimizer import adamw, load_state_tensors, set_rate, state_tensors
from .schedule import rate
from .seeds import seed_of

NARROW = {"bfloat16": torch.bfloat16, "float16": torch.float16}
"""What autocast computes in; parameters, their gradients and the optimiser stay float32."""
MODEL, OPTIMIZER = "model/", "optimizer/"


class Trainer:
    """A model at some step, on one of the processes that share its training.

    All that a step depends on is the parameters, the state of the optimiser (under float16 that of the scaler of gradients),
    and (seed, step): the data are those of the step, and dropout has a seed for each step, part and process. So there is no
    random state to be kept.

    ``model`` is the module itself; ``forward`` is what a step calls: compiled, and shared by the processes.

    Raises ConfigError where the batch cannot be shared by the processes, or the precision is not to be had on the device;
    DataError where a split of the data is shorter than a window.
    """

    def __init__(self, config: Config, corpus: Corpus, processes: Processes) -> None:
        settings = config.training
        check_sharing(config, processes)
        check_precision(config, processes.device)
        self.config, self.corpus, self.processes = config.with_vocabulary(corpus.vocabulary.size), corpus, processes
        for split in ("train", "validation"):  # data that are too short for one window are refused before anything is written
            corpus.batch(0, 0, 1, config.model.context, settings.seed, split=split)
        self.model = GPT(self.config.model)
        initialise(self.model, settings.seed)
        self.model.to(processes.device, torch.float64 if settings.precision == "float64" else torch.float32)
        self.model.train()
        self.optimizer = adamw(self.model, config.optimizer)
        self.scaler = torch.amp.GradScaler(processes.device.type, enabled=settings.precision == "float16")
        self.forward = self._forward()

    def _forward(self) -> nn.Module:
        forward: nn.Module = self.model
        if self.config.training.compile:
            forward = cast(nn.Module, torch.compile(forward, fullgraph=True))  # a module gives a module
        if self.processes.world > 1:
            cuda = self.processes.device.type == "cuda"
            # Buffers, where a model has any, are made equal to those of the first process before each pass.
            forward = DistributedDataParallel(forward, device_ids=[self.processes.device] if cuda else None)
        return forward

    def release(self) -> None:
        """Let go of what ties the model to the other processes, while they are still there.

        The reducer of gradients must not be the last to hold the group: it would wait for the threads of gloo with Python's lock
        in its hand, and one of them for the lock.
        """
        if isinstance(self.forward, DistributedDataParallel):
            self.forward = self.model
            gc.collect()

    def step(self, step: int) -> tuple[Tensor, Tensor]:
        """Make step s, and return its loss (mean over the tokens of the whole batch) and the norm of the gradient.

        Both are tensors on the device, so that nobody waits for them here.
        """
        settings, clip = self.config.training, self.config.optimizer.clip
        set_rate(self.optimizer, rate(step, settings.steps, self.config.optimizer))
        total = torch.zeros((), device=self.processes.device, dtype=torch.float64)
        for part in range(settings.accumulate):
            inputs, targets = self.batch(step, part)
            torch.manual_seed(seed_of("dropout", settings.seed, step, part, self.processes.rank))
            with self._gradients_travel(part == settings.accumulate - 1):
                with self._autocast():
                    loss = self.forward(inputs, targets)
                self.scaler.scale(loss / settings.accumulate).backward()
            total += loss.detach()
        self.scaler.unscale_(self.optimizer)
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), clip if clip > 0 else math.inf)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        return self.processes.total(total) / (settings.accumulate * self.processes.world), norm

    def batch(self, step: int, part: int) -> tuple[Tensor, Tensor]:
        """Inputs and targets of a part of a step that are this process's share, on its device."""
        settings, processes = self.config.training, self.processes
        pair = self.corpus.batch(
            step,
            part,
            settings.batch // settings.accumulate,
            self.config.model.context,
            settings.seed,
            processes.rank,
            processes.world,
        )
        if processes.device.type == "cuda":
            pair = pair[0].pin_memory(), pair[1].pin_memory()
        inputs, targets = (one.to(processes.device, non_blocking=True) for one in pair)
        return inputs, targets

    def _autocast(self) -> AbstractContextManager[Any]:
        narrow = NARROW.get(self.config.training.precision)
        return nullcontext() if narrow is None else torch.autocast(self.processes.device.type, dtype=narrow)

    def _gradients_travel(self, wanted: bool) -> AbstractContextManager[Any]:
        """Between processes once in a step, with the last part."""
        return self.forward.no_sync() if isinstance(self.forward, DistributedDataParallel) and not wanted else nullcontext()

    def tensors(self) -> dict[str, Tensor]:
        """Parameters, persistent buffers and the state of the optimiser by name; what is shared under two names once."""
        found: dict[str, Tensor] = {}
        seen: set[int] = set()
        for name, tensor in self.model.state_dict(keep_vars=True).items():
            if id(tensor) not in seen:
                seen.add(id(tensor))
                found[MODEL + name] = tensor.detach()
        return found | {OPTIMIZER + name: one for name, one in state_tensors(self.optimizer, self.model).items()}

    def scaler_state(self) -> dict[str, Any]:
        """State of the scaler of float16 gradients; empty elsewhere."""
        return dict(self.scaler.state_dict())

    def restore(self, tensors: dict[str, Tensor], scaler: dict[str, Any]) -> None:
        """Go back to what :meth:`tensors` and :meth:`scaler_state` were. Raises CheckpointError where they do not fit."""
        own = {name.removeprefix(MODEL): one for name, one in self.tensors().items() if name.startswith(MODEL)}
        saved = {name.removeprefix(MODEL): one for name, one in tensors.items() if name.startswith(MODEL)}
        if own.keys() != saved.keys():
            raise CheckpointError(f"other parameters than the model's: {', '.join(sorted(own.keys() ^ saved.keys())[:3])} …")
        try:
            with torch.no_grad():
                for name, tensor in own.items():
                    if tensor.shape != saved[name].shape or tensor.dtype != saved[name].dtype:
                        raise ValueError(f"{name}: got {saved[name].dtype} of shape {tuple(saved[name].shape)}")
                    tensor.copy_(saved[name])
            state = {name.removeprefix(OPTIMIZER): one for name, one in tensors.items() if name.startswith(OPTIMIZER)}
            load_state_tensors(self.optimizer, self.model, state)
        except ValueError as fault:
            raise CheckpointError(str(fault)) from None
        if scaler:
            self.scaler.load_state_dict(scaler)


def check_sharing(config: Config, processes: Processes) -> None:
    """Raise ConfigError unless the parts of the batch can be shared evenly by the processes."""
    parts = config.training.accumulate * processes.world
    if config.training.batch % parts:
        raise ConfigError(
            f"training.batch: got {config.training.batch}, expected a multiple of {parts}, which is "
            f"training.accumulate = {config.training.accumulate} times {processes.world} processes"
        )


def check_precision(config: Config, device: torch.device) -> None:
    """Raise ConfigError where the precision is not to be had on the device."""
    if config.training.precision == "float16" and device.type != "cuda":
        raise ConfigError("training.precision: float16 needs a CUDA device; bfloat16 runs on the CPU, too")


@contextmanager
def arithmetic(config: Config, device: torch.device) -> Iterator[None]:
    """The global settings of torch that a run needs, and afterwards those that there were, generators included."""
    wanted, before = config.training.deterministic, torch.are_deterministic_algorithms_enabled()
    if wanted and device.type == "cuda":
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without it cuBLAS is not deterministic
    with torch.random.fork_rng(devices=[device.index or 0] if device.type == "cuda" else []):
        torch.use_deterministic_algorithms(wanted or before)
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(before)
