"""Claims in processes of their own: over time, dead, at fault; and none is left behind."""
from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mope_impl.ledger import gather, processes, verify
from mope_impl.ledger.evidence import Evidence
from mope_impl.ledger.processes import CheckError, in_processes
from tests.mope_impl.ledger.planted import alive, check

ROOT = Path(__file__).resolve().parents[3]


def outcome(pieces: tuple[Evidence, ...]) -> tuple[str, str]:
    (piece,) = pieces
    return piece.status, piece.detail


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("threads", [1, 2], ids=["copied", "served"])
def test_what_misbehaves_is_undecided_and_the_others_go_on(tmp_path, monkeypatch, jobs, threads):
    monkeypatch.setattr(processes, "_threads", lambda: threads)
    kinds = {"a": ("works", "sleeps"), "b": ("spins",), "c": ("dies", "works"), "d": ("exits",), "e": ("works",)}
    tasks = [(str(tmp_path / name), given) for name, given in kinds.items()]
    found = {Path(id).name: pieces for id, pieces in in_processes(tasks, check, jobs, 4.0)}
    assert {name: {kind: outcome(one) for kind, one in pieces.items()} for name, pieces in found.items()} == {
        "a": {"works": ("holds", "by hand"), "sleeps": ("unknown", "timed out after 4 s")},
        "b": {"spins": ("unknown", "timed out after 4 s")},
        "c": dict.fromkeys(("dies", "works"), ("unknown", "its process died (signal 9)")),
        "d": {"exits": ("unknown", "its process died (exit code 3)")},
        "e": {"works": ("holds", "by hand")},
    }
    (late,) = found["a"]["sleeps"]
    assert (late.side, late.establishes, late.seconds >= 4) == (None, None, True)
    assert multiprocessing.active_children() == []
    assert [name for name in kinds if alive(int((tmp_path / name).read_text()))] == []


def test_a_fault_in_a_check_is_raised_and_ends_the_others(tmp_path):
    names = [str(tmp_path / name) for name in "ab"]
    with pytest.raises(CheckError, match="planted"):
        # The one that sleeps has begun: its number is waited for.
        list(in_processes([(names[0], ("sleeps",)), (names[1], ("raises",))], check, 2, None))
    assert multiprocessing.active_children() == []


def test_a_caller_that_looks_no_further_leaves_no_process(tmp_path):
    tasks = [(str(tmp_path / "a"), ("works",)), (str(tmp_path / "b"), ("sleeps",))]
    found = in_processes(tasks, check, 2, None)
    assert Path(next(found)[0]).name == "a"
    found.close()
    assert multiprocessing.active_children() == []


def begun(command: subprocess.Popen[str], place: Path) -> int:
    """The number of the process that a command has begun, once it has written it."""
    while not (place.exists() and place.read_text()):
        assert command.poll() is None
        time.sleep(0.05)
    return int(place.read_text())


def test_a_check_ends_when_the_command_is_killed(tmp_path):
    place = tmp_path / "number"
    code = (
        "from mope_impl.ledger.processes import in_processes; from tests.mope_impl.ledger.planted import check\n"
        f"list(in_processes([({str(place)!r}, ('sleeps',))], check, 1, None))"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, text=True) as command:
        number = begun(command, place)
        assert alive(number)
        os.kill(command.pid, signal.SIGKILL)
    while alive(number):  # ends at once; were it left, this would not
        time.sleep(0.05)


COMMAND = """
import sys, time
from mope_impl.cli import main
from mope_impl.ledger import gather
from mope_impl.ledger.providers import PROVIDERS

def late(claim):
    if claim.id == "phase.rope-angle":
        time.sleep(3600)
    return real(claim)

real = PROVIDERS["derivation"]
PROVIDERS["derivation"] = late
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_command_survives_a_claim_that_sleeps_forever(jobs):
    call = ["verify", "kernel.product", "phase", "report", "--timeout", "3", "--jobs", str(jobs), "--table"]
    done = subprocess.run([sys.executable, "-c", COMMAND, *call], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "phase.rope-angle: derivation undecided: timed out after 3 s\n")
    rows = {line.split()[0]: line.split()[1:4] for line in done.stdout.splitlines() if line.startswith("  ")}
    assert rows["phase.rope-angle"] == ["open", "proved", "D"]
    assert rows["kernel.product"][:2] == ["proved", "proved"]
    assert rows["report.units"][:2] == ["corrected", "corrected"]


def test_an_interrupt_stops_the_command_and_what_it_began(tmp_path):
    place = tmp_path / "number"
    tells = f"import os, pathlib; pathlib.Path({str(place)!r}).write_text(str(os.getpid())); time.sleep(3600)"
    code = COMMAND.replace("time.sleep(3600)", tells)
    call = [sys.executable, "-c", code, "verify", "phase", "--timeout", "0", "--jobs", "2"]
    with subprocess.Popen(call, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as command:
        number = begun(command, place)
        command.send_signal(signal.SIGINT)
        assert (*command.communicate(), command.returncode) == ("", "mope: stopped\n", 130)
    assert not alive(number)


@pytest.mark.parametrize("threads", [1, 2], ids=["copied", "served"])
def test_processes_give_the_ledger_that_this_one_gives(monkeypatch, threads):
    monkeypatch.setattr(processes, "_threads", lambda: threads)

    def bare(**options):
        rows = verify(["kernel.product", "report.units", "limit.no-position"], ["derive"], **options)
        return [(row.claim.id, row.verdict, [(e.side, e.status, e.detail) for e in row.evidence]) for row in rows]

    assert bare(jobs=2, limit=600.0) == bare(jobs=1, limit=600.0) == bare()


def test_the_longest_is_begun_first(monkeypatch):
    begun = []

    def record(tasks, *_):
        begun.append([id for id, _ in tasks])
        yield from ((id, {}) for id, _ in tasks)

    class Times:
        """A cache that knows how long one claim took."""

        def recall(self, *_):
            return None

        def seconds(self, claim, kind):
            return 100.0 if claim.id == "report.units" else None

    monkeypatch.setattr(gather, "in_processes", record)
    ids = ["kernel.product", "kernel.cross-correlation", "report.units"]
    rows = verify(ids, jobs=2, cache=Times())
    assert [row.claim.id for row in rows] == ids
    verify(ids, jobs=1, limit=9.0)
    assert begun == [["report.units", "kernel.cross-correlation", "kernel.product"], ids]


@pytest.mark.parametrize("limit", [0.0, -1.0, float("nan")])
def test_a_limit_that_is_none_is_refused(limit):
    with pytest.raises(ValueError, match="limit must be positive"):
        verify(["kernel.product"], limit=limit)
