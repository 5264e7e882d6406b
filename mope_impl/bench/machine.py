"""The machine that a measurement belongs to, its allocator, and the file that the measurement is kept in."""
from __future__ import annotations

import ctypes
import json
import os
import platform
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TRIM_THRESHOLD, MMAP_MAX = -1, -4
"""Parameters of ``mallopt``, as in malloc.h."""


def about(device: str, packages: Sequence[str] = ("torch", "numpy"), threads: int | None = None) -> dict[str, Any]:
    """Date, device, versions of those of the packages that are there, and the commit, if this is a checkout.

    ``threads``: those of torch, unless another process was measured.
    """
    import torch

    threads = torch.get_num_threads() if threads is None else threads
    name = torch.cuda.get_device_name(device) if device.startswith("cuda") else _processor()
    commit = _git("rev-parse", "HEAD")
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "device": {"kind": device.partition(":")[0], "name": name, "processors": os.cpu_count(), "threads": threads},
        "versions": {"python": platform.python_version(), **_versions(packages)},
        "source": {"commit": commit or None, "modified": bool(_git("status", "--porcelain", "mope_impl", "benchmarks"))},
    }


def _versions(packages: Sequence[str]) -> dict[str, str]:
    found = {}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:  # no git here
        return ""
    return done.stdout.strip()


def _processor() -> str:
    try:
        found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or platform.machine()


def slug(device: Mapping[str, Any]) -> str:
    """The device as a part of a file name."""
    return re.sub(r"[^a-z0-9]+", "-", f"{device['kind']} {device['name']}".lower()).strip("-")


def keep_memory() -> bool:
    """Have the C library keep freed memory, and say whether it does.

    It returns large blocks to the system otherwise, by rules that depend on what was freed before; fresh pages cost more than
    a rotation, and whoever is measured after a larger block was freed would pay for them.
    """
    try:
        tune = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError, TypeError):  # not the C library of GNU
        return False
    return bool(tune(MMAP_MAX, 0)) and bool(tune(TRIM_THRESHOLD, 2**31 - 1))


def write(document: Mapping[str, Any], path: Path) -> None:
    """Write JSON so that the file is there as a whole or as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".new", encoding="utf-8", delete=False) as file:
        try:
            json.dump(document, file, indent=1, ensure_ascii=False)
            file.write("\n")
            file.flush()
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
