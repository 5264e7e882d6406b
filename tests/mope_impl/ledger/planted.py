"""Checks that misbehave as their kind says; another process finds them under their names."""
from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from mope_impl.ledger import Evidence


def check(id: str, kind: str) -> tuple[Evidence, ...]:
    """``id`` is the path of a file that gets the number of the process."""
    Path(id).write_text(str(os.getpid()), encoding="utf-8")
    if kind == "sleeps":
        time.sleep(3600)
    if kind == "spins":
        while True:
            pass
    if kind == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    if kind == "exits":
        os._exit(3)
    if kind == "raises":
        raise ArithmeticError("planted")
    return (Evidence(kind, "ours", True, "holds", "by hand", 0.0),)


def alive(process: int) -> bool:
    """Whether a process is there and does something; one that has ended and waits to be asked for its exit code does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")
