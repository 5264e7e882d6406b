"""The records of a run: ``log.jsonl``, which is the same whenever the run is the same, and curves for TensorBoard.

The log holds what the configuration decides, and no time of day and no speed: a run that was killed and resumed leaves the same
bytes as one that was not. Speeds are in ``speed.jsonl``.
"""
from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import FolderError

LOG, SPEED = "log.jsonl", "speed.jsonl"


class Log:
    """A file of JSON lines that is only ever appended to, and cut to what a checkpoint knows of when a run is resumed."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOG
        self._hash = hashlib.sha256()
        self._size = 0
        self.lines: list[dict[str, Any]] = []

    def append(self, line: Mapping[str, Any]) -> None:
        """Add a line. Numbers are written so that they are read back to the bit; NaN and infinities have no place here."""
        content = (json.dumps(line, allow_nan=False) + "\n").encode("utf-8")
        with open(self.path, "ab") as file:
            file.write(content)
        self._take(content)

    def mark(self) -> dict[str, Any]:
        """Force what there is to the disk, and say how much it is and what its hash is."""
        if self._size:
            with open(self.path, "ab") as file:
                os.fsync(file.fileno())
        return {"bytes": self._size, "sha256": self._hash.hexdigest()}

    def cut_to(self, mark: Mapping[str, Any] | None) -> None:
        """Begin anew, or go on from a mark. Raises FolderError where the file does not hold what it held at the mark."""
        content = self.path.read_bytes() if self.path.exists() else b""
        size = mark["bytes"] if mark else 0
        if mark and hashlib.sha256(content[:size]).hexdigest() != mark["sha256"]:
            raise FolderError(f"{self.path}: was changed: its first {size} bytes are not those of the last checkpoint")
        self._hash, self._size, self.lines = hashlib.sha256(), 0, []
        if content[size:] or not self.path.exists():
            with open(self.path, "ab") as file:
                file.truncate(size)
        if size:
            self._take(content[:size])

    def _take(self, content: bytes) -> None:
        self._hash.update(content)
        self._size += len(content)
        self.lines += [json.loads(line) for line in content.decode("utf-8").splitlines()]


class Speed:
    """Seconds since the first step, over all sittings, and tokens per second, by step."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / SPEED

    def append(self, step: int, seconds: float, tokens_per_second: float) -> None:
        line = {"step": step, "seconds": round(seconds, 3), "tokens_per_second": round(tokens_per_second, 1)}
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def seconds_until(self, step: int) -> float:
        """Seconds that the run had taken at a step; what was done twice counts once."""
        found = 0.0
        for text in self.path.read_text(encoding="utf-8", errors="replace").splitlines() if self.path.exists() else ():
            try:
                line = json.loads(text)
                if line["step"] <= step:
                    found = float(line["seconds"])
            except (ValueError, TypeError, KeyError):
                continue  # a line that was cut when the process was killed
        return found


class Curves:
    """The same numbers for TensorBoard, in the folder ``tensorboard``."""

    def __init__(self, folder: Path, step: int) -> None:
        from torch.utils.tensorboard import SummaryWriter

        # What a killed process wrote after its last checkpoint is taken off the curves.
        self._writer = SummaryWriter(str(folder / "tensorboard"), purge_step=step + 1 if step else None)

    def add(self, step: int, values: Mapping[str, float]) -> None:
        for name, value in values.items():
            self._writer.add_scalar(name, value, step)

    def close(self) -> None:
        self._writer.close()
