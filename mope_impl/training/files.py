"""Files that are whole or not there: written beside their place, forced to the disk, renamed."""
from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

UNFINISHED = ".unfinished"
"""Ending of a file that is being written."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that whoever looks, after a loss of power too, finds the old content or the new one, nothing between."""
    beside = path.with_name(f".{path.name}{UNFINISHED}")
    try:
        with open(beside, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    _sync_folder(path.parent)


def remove_unfinished(folder: Path) -> None:
    """Remove what a process that was killed while it wrote has left."""
    for path in folder.glob(f".*{UNFINISHED}"):
        path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Force a renaming to the disk; not every system lets a folder be opened for it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
