"""The folder of a run: whose it is, whether a run may begin in it or go on, and that no two processes write it at once."""
from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import checkpoint
from .config import RECIPE, Config, read
from .errors import ConfigError, FolderError
from .files import remove_unfinished, write_whole
from .log import LOG

CONFIG, RESULT, VOCABULARY = "config.toml", "result.json", "vocabulary.json"


def configuration(folder: Path) -> Config:
    """The configuration of the run in a folder. Raises FolderError where there is none that can be read."""
    path = folder / CONFIG
    if not path.is_file():
        raise FolderError(f"{folder}: holds no run to resume ({CONFIG} is not there)")
    try:
        return read(path)
    except ConfigError as fault:
        raise FolderError(f"{path}: {fault}" if str(path) not in str(fault) else str(fault)) from None


def opened(folder: Path, config: Config, resume: bool) -> checkpoint.Checkpoint | None:
    """Make a folder ready for a run: new, or with ``resume`` to go on from the checkpoint that is returned.

    Raises FolderError or CheckpointError, before anything in the folder is changed, where it holds another run, or this one and
    it is not to be resumed, or files of a run and no configuration, or a last checkpoint that cannot be taken.
    """
    if (folder / CONFIG).exists():
        held = configuration(folder)
        if held.digest() != config.digest():
            raise FolderError(f"{folder}: holds another run ({difference(held, config)}); take another folder")
        if not resume:
            raise FolderError(f"{folder}: holds this run already, {_standing(folder, config)}; resume it, or take another folder")
        found = checkpoint.newest(folder, config.digest())
        remove_unfinished(folder)
        return found
    strangers = checkpoint.in_folder(folder) or [path for path in (folder / LOG, folder / RESULT) if path.exists()]
    if strangers:
        raise FolderError(f"{folder}: holds {strangers[0].name} of a run, but no {CONFIG}; take another folder")
    folder.mkdir(parents=True, exist_ok=True)
    remove_unfinished(folder)
    head = f"# A run of mope. Hash of the configuration: {config.digest()} (recipe {RECIPE}).\n\n"
    write_whole(folder / CONFIG, (head + config.to_toml()).encode("utf-8"))
    return None


def difference(held: Config, wanted: Config) -> str:
    """What sets two configurations apart, in words."""
    one, other = held.to_dict(), wanted.to_dict()
    keys = [(section, key) for section in one for key in one[section] if one[section][key] != other[section].get(key)]
    found = [f"{section}.{key} is {one[section][key]!r} there, {other[section].get(key)!r} here" for section, key in keys]
    return "; ".join(found[:3]) + (f"; and {len(found) - 3} more" if len(found) > 3 else "")


def write_json(path: Path, data: Any) -> None:
    """Write plain data, whole or not at all."""
    write_whole(path, (json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8"))


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep other processes out of a folder; a process that dies lets go of it. Raises FolderError where one is in it."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        yield
        return
    if folder.exists() and not folder.is_dir():
        raise FolderError(f"{folder}: is a file, expected a folder or a new name")
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # not passed on to forked processes, which may live on
        except OSError:
            raise FolderError(f"{folder}: another process is training in it") from None
        yield
    finally:
        os.close(handle)


def _standing(folder: Path, config: Config) -> str:
    paths = checkpoint.in_folder(folder)
    return f"at step {checkpoint.step_of(paths[-1]) if paths else 0} of {config.training.steps}"
