"""The command run in this process: its exit code and what it wrote."""
from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from mope_impl.cli import main


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def mope(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run ``mope ARGUMENTS`` on a terminal of 80 columns without colour."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*arguments: object) -> Result:
        code = main([str(argument) for argument in arguments])
        return Result(code, *capsys.readouterr())

    return run
