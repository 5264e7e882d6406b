"""The command as a whole: help, version, wrong usage, and how it ends."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.metadata import version

import pytest

from mope_impl import ledger

COMMAND = [sys.executable, "-m", "mope_impl.cli"]


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_names_every_command(mope, arguments):
    result = mope(*arguments)
    assert result.code == 0
    for name in ("verify", "derive", "generate", "book", "doctor"):
        assert f"\n  {name} " in result.out


def test_version(mope):
    assert mope("--version") == (0, f"mope {version('mope')}\n", "")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["dcotor"], "No such command 'dcotor'"),
        (["verify", "--strcit"], "No such option: --strcit"),
        (["verify", "--jobs", "many"], "Invalid value for '--jobs'"),
        (["verify", "--jobs", "0"], "Invalid value for '--jobs'"),
        (["derive"], "Missing argument 'CLAIM'"),
        (["derive", "kernel.product", "limit.alibi"], "unexpected extra argument"),
        (["verify", "kernel.prodct"], "unknown claim 'kernel.prodct': did you mean kernel.product?"),
        (["derive", "kernel.prodct"], "unknown claim 'kernel.prodct': did you mean kernel.product?"),
        (["verify", "--level", "derivation"], "unknown level 'derivation': did you mean derive?"),
        (["derive", "kernel.product", "--format", "latx"], "unknown format 'latx': did you mean latex?"),
        (["derive", "kernel.product", "--format", "x"], "unknown format 'x': one of text, latex, markdown"),
        (["generate", "morlet_encodin"], "unknown spec 'morlet_encodin': did you mean morlet_encoding?"),
        (["generate", "--backend", "toch"], "unknown backend 'toch': did you mean torch?"),
    ],
)
def test_wrong_usage_is_one_clear_line(mope, arguments, message):
    result = mope(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("mope: ")
    assert message in result.err
    assert result.err.count("\n") == 1


def test_every_wrong_name_is_named_at_once(mope):
    result = mope("verify", "kernel.prodct", "limit.sinusoidl")
    assert result.code == 2
    assert result.err == (
        "mope: unknown claim 'kernel.prodct': did you mean kernel.product?; "
        "unknown claim 'limit.sinusoidl': did you mean limit.sinusoidal?\n"
    )


def test_an_interrupt_ends_cleanly(mope, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(ledger, "verify", interrupted)
    assert mope("verify") == (130, "", "mope: stopped\n")


@pytest.mark.parametrize("passed_on", [True, False])
def test_an_interrupt_that_c_code_disguises_or_swallows_ends_cleanly_too(mope, monkeypatch, passed_on):
    def interrupted(*_):
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt as cause:
            if passed_on:
                raise SystemError("returned a result with an exception set") from cause
        return ledger.Ledger(())

    monkeypatch.setattr(ledger, "verify", interrupted)
    before = signal.getsignal(signal.SIGINT)
    result = mope("verify")
    assert (result.code, result.err) == (130, "mope: stopped\n")
    assert signal.getsignal(signal.SIGINT) is before


def test_a_fault_of_ours_is_not_hidden(mope, monkeypatch):
    def broken(*_):
        raise SystemError("a fault")

    monkeypatch.setattr(ledger, "verify", broken)
    with pytest.raises(SystemError, match="a fault"):
        mope("verify")


def test_a_reader_that_goes_away_brings_no_traceback():
    shell = f"'{sys.executable}' -m mope_impl.cli verify --json - | head -n 1"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout == "{\n"
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_a_terminal_without_the_letters_shows_what_it_can():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    call = [*COMMAND, "derive", "kernel.product"]
    done = subprocess.run(call, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "kernel.product" in done.stdout


def test_the_console_script_is_the_module():
    script = os.path.join(os.path.dirname(sys.executable), "mope")
    answers = [subprocess.run([*call, "--version"], capture_output=True, check=True) for call in ([script], COMMAND)]
    assert answers[0].stdout == answers[1].stdout
