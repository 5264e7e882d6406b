"""Stdout and stderr where they may be full, closed or read by nobody."""
from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import Any, TextIO, cast


class OutputError(Exception):
    """Stdout or stderr takes no more. No OSError, so that no library in between makes an end of its own of it."""

    def __init__(self, problem: OSError) -> None:
        self.reader_gone = problem.errno == errno.EPIPE
        super().__init__(problem.strerror)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise OutputError(problem) from problem


class _Guarded:
    """A text stream whose failures are OutputErrors."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with _translated():
            return self._stream.write(text)

    def flush(self) -> None:
        with _translated():
            self._stream.flush()


@contextmanager
def guarded_output() -> Iterator[None]:
    """Make failures of stdout and stderr OutputErrors, those of the last flush too. A stream that is closed stays so."""
    out, err = (stream and cast(TextIO, _Guarded(stream)) for stream in (sys.stdout, sys.stderr))
    with redirect_stdout(out), redirect_stderr(err):
        yield
        for stream in (out, err):
            if stream is not None:
                stream.flush()


def write_utf8(stream: TextIO, text: str) -> None:
    """Write text as UTF-8 whatever the encoding of the terminal: documents are read by programs."""
    stream.flush()
    with _translated():
        stream.buffer.write(text.encode("utf-8"))
        stream.buffer.flush()


def silence() -> None:
    """Let go of what stdout and stderr hold and cannot write: else the interpreter, which flushes at its end, fails there."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            with suppress(OSError), open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())
