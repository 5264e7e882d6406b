"""Checkpoints: one file of safetensors each, with plain-type state beside the tensors and a SHA-256 over both.

Such a file holds no code. It is written whole or not at all, so that a process may be killed at any moment; whatever is then
wrong with one was done to it by others, and it is refused by name.
"""
from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from .config import RECIPE
from .errors import CheckpointError
from .files import write_whole

SCHEMA = 1
KIND = "mope checkpoint"
KEPT = 2
"""Checkpoints that are left of a run: the last one and, should the disk spoil it, the one before."""


@dataclass(frozen=True)
class Checkpoint:
    """What training goes on from: tensors by name, and a state of plain types."""

    step: int
    digest: str
    """Hash of the configuration."""
    tensors: dict[str, Tensor]
    state: dict[str, Any]
    """Whatever else there is, as JSON has it."""


def path_of(folder: Path, step: int) -> Path:
    return folder / f"step-{step:08d}.safetensors"


def in_folder(folder: Path) -> list[Path]:
    """The checkpoints of a folder, oldest first."""
    found = [(step, path) for path in folder.glob("step-*.safetensors") if (step := step_of(path)) is not None]
    return [path for _, path in sorted(found)]


def step_of(path: Path) -> int | None:
    """The step that a checkpoint's name tells; None for another name."""
    match = re.fullmatch(r"step-(\d{8,})\.safetensors", path.name)
    return None if match is None else int(match[1])


def write(folder: Path, checkpoint: Checkpoint) -> Path:
    """Write a checkpoint, and remove all but the last two up to it."""
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in checkpoint.tensors.items()}
    header = {
        "kind": KIND,
        "schema": SCHEMA,
        "step": checkpoint.step,
        "recipe": RECIPE,
        "digest": checkpoint.digest,
        "state": checkpoint.state,
    }
    text = json.dumps(header, sort_keys=True)
    path = path_of(folder, checkpoint.step)
    # In one entry: of several, the library decides the order anew each time, and so other bytes.
    write_whole(path, save(tensors, {"mope": json.dumps({"header": text, "sha256": _hash(text, tensors)}, sort_keys=True)}))
    for old in in_folder(folder)[:-KEPT]:
        old.unlink(missing_ok=True)
    return path


def read(path: Path, digest: str) -> Checkpoint:
    """Read a checkpoint of the configuration with this hash.

    Raises CheckpointError for a file that is truncated, was changed, is no checkpoint, is of another version of mope or another
    recipe, or belongs to another configuration.
    """
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except OSError as fault:
        raise CheckpointError(f"{path}: cannot be read: {fault.strerror or fault}") from None
    except (SafetensorError, ValueError, RuntimeError) as fault:
        raise CheckpointError(f"{path}: is corrupt or no checkpoint: {_line(fault)}") from None
    if "mope" not in metadata:
        raise CheckpointError(f"{path}: is a file of safetensors, but no checkpoint of mope")
    try:
        outer = json.loads(metadata["mope"])
        text, known = outer["header"], outer["sha256"]
        sound = _hash(text, tensors) == known
    except (ValueError, TypeError, KeyError, AttributeError):
        sound = False
    if not sound:
        raise CheckpointError(f"{path}: is corrupt: its content does not have the SHA-256 that it was written with")
    header = json.loads(text)
    if header.get("kind") != KIND:
        raise CheckpointError(f"{path}: is {header.get('kind')!r}, expected {KIND!r}")
    if header["schema"] > SCHEMA:
        raise CheckpointError(f"{path}: is of schema {header['schema']}, this mope reads up to {SCHEMA}; update mope")
    if step_of(path) not in (None, header["step"]):
        raise CheckpointError(f"{path}: is of step {header['step']}: it was renamed")
    if header["recipe"] != RECIPE:
        raise CheckpointError(f"{path}: is of recipe {header['recipe']}, this mope trains by recipe {RECIPE}: begin the run anew")
    if header["digest"] != digest:
        raise CheckpointError(
            f"{path}: belongs to another configuration ({header['digest'][:12]}…, expected {digest[:12]}…)"
        )
    return Checkpoint(header["step"], header["digest"], tensors, header["state"])


def newest(folder: Path, digest: str) -> Checkpoint | None:
    """The last checkpoint of a folder; None where there is none.

    Raises CheckpointError where the last one is refused: an older one is never taken silently in its place, but named.
    """
    paths = in_folder(folder)
    if not paths:
        return None
    try:
        return read(paths[-1], digest)
    except CheckpointError as fault:
        older = f"; remove it to continue from {paths[-2].name}" if len(paths) > 1 else ""
        raise CheckpointError(f"{fault}{older}") from None


def _hash(text: str, tensors: Mapping[str, Tensor]) -> str:
    """SHA-256 of the state and of each tensor's name, dtype, shape and bytes."""
    found = hashlib.sha256(text.encode("utf-8"))
    for name in sorted(tensors):
        tensor = tensors[name].contiguous()
        found.update(json.dumps([name, str(tensor.dtype), list(tensor.shape)]).encode("utf-8"))
        found.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return found.hexdigest()


def _line(fault: Exception) -> str:
    return " ".join(str(fault).split())
