"""The training steps that are compared: ours under several encodings, and that of nanoGPT, each in a process of its own."""
from __future__ import annotations

import contextlib
import gc
import hashlib
import importlib.util
import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter
from typing import Any

PEER = "nanoGPT"
PEER_WITH_BIASES = "nanoGPT, biases"
"""The peer with biases, which cost time; ours have them too, but for queries, keys and values."""
PEERS = (PEER, PEER_WITH_BIASES)
OURS = ("learned", "rotary", "morlet", "morlet-rotary")


@dataclass(frozen=True)
class Size:
    """The sizes of a model and of its batch, the same for all."""

    layers: int
    heads: int
    width: int
    context: int
    batch: int
    dropout: float


SIZES = {"cpu": Size(4, 4, 128, 128, 32, 0.0), "paper": Size(6, 8, 256, 256, 64, 0.1)}
"""Those of the presets of these names."""


@dataclass(frozen=True)
class Case:
    """What all competitors of one comparison share."""

    size: Size
    precision: str
    compiled: bool
    device: str
    threads: int

    def label(self) -> str:
        return f"{self.precision}, {'compiled' if self.compiled else 'eager'}"


@dataclass(frozen=True)
class Told:
    """What a competitor says of itself once it stands, its first steps made."""

    parameters: int
    tensor_bytes: int
    resident_bytes: int | None


def serve(connection: Connection, name: str, case: Case, peer: Path, settle: int) -> None:
    """Build a competitor, tell of it, then answer each number n by the seconds that n steps took; None ends it.

    What goes wrong is told as a text, and ends it too.
    """
    try:
        with contextlib.redirect_stdout(io.StringIO()):  # the peer prints
            step, objects, wait = built(name, case, peer)
            for _ in range(settle):
                step()
            wait()
        connection.send(measured(step, objects, wait, case))
        while (number := connection.recv()) is not None:
            step()  # what the others left in the caches is no one's
            wait()
            start = perf_counter()
            for _ in range(number):
                step()
            wait()
            connection.send(perf_counter() - start)
    except Exception as problem:
        connection.send(f"{name}: {type(problem).__name__}: {' '.join(str(problem).split())}")


def built(name: str, case: Case, peer: Path) -> tuple[Callable[[], object], tuple[Any, Any], Callable[[], None]]:
    """The step of a competitor, its model and optimiser, and what waits for the device."""
    import torch

    from mope_impl.training.config import Config
    from mope_impl.training.data import load
    from mope_impl.training.distributed import Processes
    from mope_impl.training.trainer import Trainer

    torch.set_num_threads(case.threads)
    device, size = torch.device(case.device), case.size
    wait = torch.cuda.synchronize if device.type == "cuda" else _nothing
    model = {key: getattr(size, key) for key in ("layers", "heads", "width", "context", "dropout")}
    training = {"batch": size.batch, "precision": case.precision, "compile": case.compiled, "device": case.device, "steps": 10**6}
    encoding = "learned" if name in PEERS else name
    config = Config.from_dict({"model": {**model, "encoding": encoding}, "training": training})
    corpus = load(config.data)
    if name in PEERS:
        step, objects = _peer_step(case, corpus, peer, device, biases=name == PEER_WITH_BIASES)
    else:
        trainer = Trainer(config, corpus, Processes(0, 1, device))
        step, objects = trainer.step, (trainer.model, trainer.optimizer)
    numbers = iter(range(10**6))
    return (lambda: step(next(numbers))), objects, wait


def _peer_step(
    case: Case, corpus: Any, path: Path, device: Any, *, biases: bool
) -> tuple[Callable[[int], object], tuple[Any, Any]]:
    """A step of the peer: its model and its optimiser as it sets them up, the same batches, clipping and arithmetic."""
    import torch

    module, size = peer_module(path), case.size
    torch.manual_seed(1)
    config = module.GPTConfig(
        block_size=size.context,
        vocab_size=corpus.vocabulary.size,
        n_layer=size.layers,
        n_head=size.heads,
        n_embd=size.width,
        dropout=size.dropout,
        bias=biases,  # its training script has none, which is the faster one
    )
    model = module.GPT(config).to(device)
    optimizer = model.configure_optimizers(0.1, 3e-4, (0.9, 0.95), device.type)
    forward = torch.compile(model) if case.compiled else model
    narrow = {"bfloat16": torch.bfloat16, "float16": torch.float16}.get(case.precision)
    scaler = torch.amp.GradScaler(device.type, enabled=case.precision == "float16")

    def step(number: int) -> object:
        pair = corpus.batch(number, 0, size.batch, size.context, 1)
        if device.type == "cuda":
            pair = tuple(one.pin_memory() for one in pair)
        inputs, targets = (one.to(device, non_blocking=True) for one in pair)
        for group in optimizer.param_groups:
            group["lr"] = 3e-4
        with torch.autocast(device.type, dtype=narrow) if narrow else contextlib.nullcontext():
            loss = forward(inputs, targets)[1]
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        return loss

    return step, (model, optimizer)


def peer_file(path: Path) -> Path:
    """The file of the peer's model, which a path of it or of its folder names. Raises ValueError where there is none."""
    file = path / "model.py" if path.is_dir() else path
    if not file.is_file():
        raise ValueError(f"{file}: no such file; expected model.py of nanoGPT, or its folder")
    return file


def peer_module(path: Path) -> Any:
    """The peer's model as a module, loaded from its file. Raises ValueError for a file that is no such model."""
    file = peer_file(path)
    spec = importlib.util.spec_from_file_location("nanogpt_model", file)
    if spec is None or spec.loader is None:
        raise ValueError(f"{file}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclass looks itself up there
    spec.loader.exec_module(module)
    if not (hasattr(module, "GPT") and hasattr(module, "GPTConfig")):
        raise ValueError(f"{file}: has no GPT and GPTConfig; expected model.py of nanoGPT")
    return module


def peer_digest(path: Path) -> str:
    """SHA-256 of the peer's file."""
    return hashlib.sha256(peer_file(path).read_bytes()).hexdigest()


def measured(step: Callable[[], object], objects: tuple[Any, Any], wait: Callable[[], None], case: Case) -> Told:
    """The parameters of a competitor, and the most memory that a step takes: of its tensors, and of the process."""
    import torch

    model, optimizer = objects
    if case.device.startswith("cuda"):
        torch.cuda.reset_peak_memory_stats()
        step()
        wait()
        peak, resident = torch.cuda.max_memory_allocated(), None
    else:
        peak = standing_bytes(model, optimizer) + peak_bytes(step)
        resident = peak_resident(lambda: [step() for _ in range(3)])
    return Told(sum(one.numel() for one in model.parameters()), peak, resident)


def standing_bytes(model: Any, optimizer: Any) -> int:
    """Bytes of parameters, buffers and the state of the optimiser, each storage once."""
    import torch

    tensors = [*model.parameters(), *model.buffers(), *(one for state in optimizer.state.values() for one in state.values())]
    storages = {one.untyped_storage().data_ptr(): one.untyped_storage().nbytes() for one in tensors if torch.is_tensor(one)}
    return sum(storages.values())


def peak_bytes(step: Callable[[], object]) -> int:
    """The most bytes of CPU tensors that a step allocates above those there were before, from torch's own counts."""
    from torch.profiler import ProfilerActivity, profile

    with _silent_errors(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as record:
        step()
    found = [one for one in record.profiler.kineto_results.events() if one.name() == "[memory]"]
    total = peak = 0
    for one in sorted(found, key=lambda event: event.start_ns()):
        total += one.nbytes()
        peak = max(peak, total)
    return peak


def peak_resident(act: Callable[[], object]) -> int | None:
    """The most memory that the process holds while it acts, bytes; None where the system does not tell."""
    gc.collect()
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins anew
        act()
        found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    except OSError:
        act()
        return None
    return int(found[1]) * 1024 if found else None


@contextlib.contextmanager
def _silent_errors() -> Iterator[None]:
    """Without what the profiler's C++ writes to the standard error."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _nothing() -> None:
    pass
