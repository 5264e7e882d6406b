"""Being asked to stop: a run that is interrupted finishes its step and writes a checkpoint first."""
from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ASKED = (signal.SIGINT, signal.SIGTERM)


class Stop:
    """Whether somebody has asked to stop."""

    asked = False


@contextmanager
def asked_to_stop() -> Iterator[Stop]:
    """Take note of the first Ctrl-C or SIGTERM; the second one acts at once, as it did before.

    Outside the main thread, which alone may handle signals, nothing is noted.
    """
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.getsignal(number) for number in ASKED}

    def note(number: int, frame: FrameType | None) -> None:
        stop.asked = True
        signal.signal(number, before[signal.Signals(number)])

    for number in ASKED:
        signal.signal(number, note)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
