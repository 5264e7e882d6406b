"""Killed at any moment and resumed, a run leaves the same bits as one that was never interrupted."""
from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from mope_impl.training.files import UNFINISHED
from tests.mope_impl.training.tiny import FAULTS, outcome, process, run, tiny

STEPS = {"training": {"steps": 40, "evaluate_every": 10, "checkpoint_every": 2}}
PACE = 0.01
KILLED = -9


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory) -> dict[str, bytes]:
    """What a run of one sitting leaves."""
    folder = tmp_path_factory.mktemp("run") / "whole"
    assert run(folder, tiny(**STEPS)) == 0
    return outcome(folder)


def unfinished(folder: Path) -> bool:
    return any(folder.glob(f".step-*{UNFINISHED}"))


def lines(folder: Path) -> int:
    path = folder / "log.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_five_times_at_random_moments(tmp_path, uninterrupted, seed):
    """Three times after some steps of the log, at any moment of what follows, and twice while a checkpoint is being written."""
    draw = random.Random(seed)
    folder = tmp_path / "run"
    moments = [("steps", 5), ("checkpoint", 9), ("steps", 14), ("checkpoint", 19), ("steps", 25)]
    for kind, least in moments:
        one = process(folder, tiny(**STEPS), pace=PACE)
        while one.is_alive() and (lines(folder) < least or (kind == "checkpoint" and not unfinished(folder))):
            time.sleep(PACE / 10)
        time.sleep(draw.uniform(0, 4 * PACE) if kind == "steps" else 0)
        one.kill()
        one.join()
        assert one.exitcode == KILLED, "the run came to its end before it could be killed"
    assert run(folder, tiny(**STEPS)) == 0
    assert outcome(folder) == uninterrupted
    assert not unfinished(folder)


def test_killed_at_every_access_to_a_file(tmp_path):
    """Each opening, renaming, removal … of a file of the run is the last thing that one process does."""
    config = tiny(training={"steps": 4, "checkpoint_every": 1, "evaluate_every": 2})
    whole = tmp_path / "whole"
    assert run(whole, config) == 0
    folder, kills = tmp_path / "run", 0
    for number in range(1, 200):
        code = run(folder, config, kill_at=number)
        if code == 0:
            break
        assert code == KILLED
        kills += 1
    else:
        pytest.fail("the run never came to its end")
    assert kills > 10
    assert outcome(folder) == outcome(whole)


def test_a_fresh_run_killed_at_every_access_to_a_file(tmp_path):
    config = tiny(training={"steps": 2, "checkpoint_every": 1, "evaluate_every": 2})
    whole = tmp_path / "whole"
    assert run(whole, config) == 0
    for number in range(1, 200):
        folder = tmp_path / f"run-{number}"
        code = run(folder, config, kill_at=number)
        if code == 0:
            break
        assert code == KILLED
        assert run(folder, config) == 0
        assert outcome(folder) == outcome(whole), f"killed at access {number}"
    else:
        pytest.fail("the run never came to its end")
    assert number > 10


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_changes_the_bits(tmp_path, uninterrupted, fault):
    """What is not restored is seen: the same comparison fails for each fault."""
    folder = tmp_path / "run"
    one = process(folder, tiny(**STEPS), pace=PACE, fault=fault)
    while one.is_alive() and lines(folder) < 12:
        time.sleep(PACE / 10)
    one.kill()
    one.join()
    assert one.exitcode == KILLED
    run(folder, tiny(**STEPS), fault=fault)
    assert outcome(folder) != uninterrupted
