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
    for name in ("verify", "derive", "generate", "check", "new-encoding", "book", "doctor"):
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
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(ledger, "verify", interrupted)
    assert mope("verify") == (130, "", "mope: stopped\n")


@pytest.mark.parametrize("passed_on", [True, False])
def test_an_interrupt_that_c_code_disguises_or_swallows_ends_cleanly_too(mope, monkeypatch, passed_on):
    def interrupted(*_, **__):
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
    def broken(*_, **__):
        raise SystemError("a fault")

    monkeypatch.setattr(ledger, "verify", broken)
    with pytest.raises(SystemError, match="a fault"):
        mope("verify")


def test_a_reader_that_goes_away_brings_no_traceback():
    # A level that nothing is computed for: what counts is that the ledger is more than a pipe holds.
    shell = f"'{sys.executable}' -m mope_impl.cli verify --level formal --json - | head -n 1"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout == "{\n"
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


@pytest.mark.parametrize("arguments", ["verify kernel.product", "derive kernel.product --format latex", "--version"])
def test_a_reader_that_is_gone_is_no_failed_check(arguments):
    """1 would say that a check failed; 141 is what a shell makes of SIGPIPE."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*COMMAND, *arguments.split()], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize(
    "arguments",
    [
        ["derive", "kernel.product"],
        ["derive", "kernel.product", "--format", "latex"],
        ["doctor", "--json", "-"],
        ["generate", "--list"],
        ["--version"],
        ["verify", "--help"],
    ],
    ids=" ".join,
)
def test_a_full_disk_is_one_line(arguments):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "mope: cannot write the output: No space left on device"
    assert done.stderr.count("mope: ") == 1
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_stderr_still_ends_with_its_code():
    for arguments in (["--version"], ["verify", "kernel.prodct"], ["doctor", "--json", "-"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=full, check=False)
        assert done.returncode == (0 if arguments == ["--version"] else 2)


def test_a_closed_stdout_is_left_alone():
    done = subprocess.run(["bash", "-c", f"'{sys.executable}' -m mope_impl.cli --version >&-"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("columns", ["0", "1", "19", "20", "", "wide"])
def test_a_width_that_cannot_be_meant_hides_nothing(mope, monkeypatch, columns):
    """Under COLUMNS=0 nothing was printed, with exit code 0."""
    expected = mope("generate", "--list")
    monkeypatch.setenv("COLUMNS", columns)
    result = mope("generate", "--list")
    assert (result.code, result.err) == (0, "")
    if columns == "20":
        assert max(map(len, result.out.splitlines())) <= 20
    else:
        assert result.out == expected.out


@pytest.mark.parametrize("id", ["kernel.product", "limit.sinusoidal"])
def test_a_terminal_without_the_letters_shows_what_it_can(id):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    call = [*COMMAND, "derive", id]
    done = subprocess.run(call, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert id in done.stdout
    assert "exp(?*" in done.stdout


def test_the_command_line_starts_without_the_heavy_libraries():
    code = "import sys, mope_impl.cli; print(*({'sympy', 'torch', 'mope_theory'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_the_console_script_is_the_module():
    script = os.path.join(os.path.dirname(sys.executable), "mope")
    answers = [subprocess.run([*call, "--version"], capture_output=True, check=True) for call in ([script], COMMAND)]
    assert answers[0].stdout == answers[1].stdout
