"""Grids are made into records: skipped, resumed, killed, stopped, by every launcher."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
import torch

from mope_impl.experiments import worker
from mope_impl.experiments.launch import here, processes
from mope_impl.experiments.reproduce import reproduce
from mope_impl.results import Record
from tests.mope_impl.experiments.conftest import task

ROOT = Path(__file__).resolve().parents[3]
LONG = {"training": {"steps": 100_000, "checkpoint_every": 5, "evaluate_every": 100_000}}


def names(outcomes) -> list[str]:
    return [outcome.task.name for outcome in outcomes]


def losses(record: Record) -> tuple:
    return record.evaluations, record.measures


def test_finished_runs_are_skipped(folders):
    first = reproduce([task(seed=1)], **folders)
    second = reproduce([task(seed=1), task(seed=2)], **folders)
    third = reproduce([task(seed=1), task(seed=2)], **folders)
    assert [names(tally.finished) for tally in (first, second, third)] == [["learned, seed 1"], ["learned, seed 2"], []]
    assert (first.faults, first.stopped) == ([], False)
    assert Record.read(folders["records"] / "smoke" / "learned" / "seed-2.json").seed == 2


def test_a_record_of_another_configuration_is_made_anew(folders):
    reproduce([task()], **folders)
    changed = task(optimizer={"rate": 1e-2})
    assert names(reproduce([changed], **folders).finished) == ["learned, seed 1"]
    assert changed.is_finished(folders["records"])
    assert not task().is_finished(folders["records"])


def test_a_record_that_is_damaged_is_made_anew(folders):
    reproduce([task()], **folders)
    path = folders["records"] / "smoke" / "learned" / "seed-1.json"
    text = path.read_text()
    path.write_text(text[: len(text) // 2])
    assert names(reproduce([task()], **folders).finished) == ["learned, seed 1"]
    assert Record.read(path)


def test_one_fault_stops_no_other(folders):
    bad = task("morlet", data={"source": str(folders["runs"] / "absent.txt")})
    tally = reproduce([bad, task()], **folders)
    assert names(tally.faults) == ["morlet, seed 1"]
    assert "absent.txt" in tally.faults[0].fault
    assert names(tally.finished) == ["learned, seed 1"]


@pytest.mark.parametrize("keep, left", [(False, 0), (True, 2)])
def test_checkpoints_of_finished_runs_are_removed_unless_asked(folders, keep, left):
    reproduce([task()], **folders, keep=keep)
    folder = task().folder(folders["runs"])
    assert len(list(folder.glob("*.safetensors"))) == left
    assert (folder / "log.jsonl").is_file()


def test_a_record_is_there_as_soon_as_its_run_has_ended(folders):
    there = []
    place = folders["records"] / "smoke" / "learned"
    reproduce([task(seed=1), task(seed=2)], **folders, on_outcome=lambda _: there.append(len(list(place.glob("*.json")))))
    assert there == [1, 2]


def test_threads_are_set_and_put_back(folders):
    before, seen = torch.get_num_threads(), []
    reproduce([task()], **folders, threads=before + 1, on_progress=lambda *_: seen.append(torch.get_num_threads()))
    assert set(seen) == {before + 1}
    assert torch.get_num_threads() == before


def test_worker_processes_give_the_records_of_this_one(folders, tmp_path):
    wanted = [task("learned"), task("gate-morlet")]
    reproduce(wanted, records=tmp_path / "one", runs=tmp_path / "one-runs", threads=1)
    seen = []
    tally = reproduce(
        wanted, **folders, launcher=processes, workers=2, threads=1, on_progress=lambda one, progress: seen.append(one.name)
    )
    assert sorted(names(tally.finished)) == sorted(one.name for one in wanted)
    assert seen
    for one in wanted:
        own, other = one.record(tmp_path / "one"), one.record(folders["records"])
        assert losses(own) == losses(other)
        assert other.device["threads"] == 1
    assert not list(folders["runs"].rglob("*.errors"))


def until(condition, seconds: float = 120) -> None:
    """Wait for what another process does. The limit is for a process that has died; nothing is measured by it."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def checkpoints(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.safetensors"))


def test_a_killed_worker_loses_nothing(folders):
    """The worker is killed after a checkpoint; the others go on; the next call resumes it, and gives what an uncut run gives."""
    wanted = task("morlet", training={"steps": 60, "checkpoint_every": 1})
    folder = wanted.folder(folders["runs"])
    started = []

    def start(*arguments):
        started.append(original(*arguments))
        return started[-1]

    original, worker.start = worker.start, start
    killer = threading.Thread(target=lambda: (until(lambda: len(checkpoints(folder)) == 2), started[0].kill()))
    try:
        killer.start()
        tally = reproduce([wanted, task()], **folders, launcher=processes, workers=1, threads=1)
        killer.join()
    finally:
        worker.start = original
    assert names(tally.faults) == ["morlet, seed 1"]
    assert "was killed by SIGKILL" in tally.faults[0].fault
    assert names(tally.finished) == ["learned, seed 1"]
    reached = int(checkpoints(folder)[-1].stem.partition("-")[2])
    assert 0 < reached < 60

    steps = []
    again = reproduce([wanted, task()], **folders, threads=1, on_progress=lambda _, progress: steps.append(progress.step))
    assert names(again.finished) == ["morlet, seed 1"]
    assert min(steps) > reached  # from the checkpoint on
    whole = reproduce([wanted], records=folders["records"] / "whole", runs=folders["runs"] / "whole", threads=1)
    assert losses(again.finished[0].record) == losses(whole.finished[0].record)


def test_a_worker_that_cannot_start_has_last_words(folders, monkeypatch):
    monkeypatch.setattr(worker.sys, "executable", "/bin/false")
    (outcome,) = processes([task()], folders["runs"], 1, 1, lambda *_: None)
    assert "ended with exit code 1" in outcome.fault


def test_stopping_a_launcher_lets_runs_write_a_checkpoint(folders):
    wanted = task(**LONG)
    with closing(processes([wanted], folders["runs"], 1, 1, lambda *_: stop())) as outcomes:

        def stop():
            raise KeyboardInterrupt

        (outcome,) = outcomes
    assert outcome.interrupted
    folder = wanted.folder(folders["runs"])
    assert checkpoints(folder)
    assert f"stopped at step {int(checkpoints(folder)[-1].stem.partition('-')[2])}" in outcome.fault


def test_ctrl_c_in_this_process_leaves_all_resumable(folders):
    wanted = [task(**LONG), task("morlet")]

    def once(*_):
        if not stopped:
            stopped.append(True)
            signal.raise_signal(signal.SIGINT)

    stopped: list[bool] = []
    tally = reproduce(wanted, **folders, launcher=here, on_progress=once)
    assert tally.stopped
    assert not tally.finished
    assert checkpoints(wanted[0].folder(folders["runs"]))
    assert not wanted[1].folder(folders["runs"]).exists()


def test_ctrl_c_between_runs_stops(folders):
    def stop(_):
        raise KeyboardInterrupt

    tally = reproduce([task(), task("morlet")], **folders, on_outcome=stop)
    assert tally.stopped
    assert names(tally.finished) == ["learned, seed 1"]
    assert task().is_finished(folders["records"])


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals of POSIX")
def test_a_worker_whose_parent_is_gone_ends(folders, tmp_path):
    wanted = task(**LONG)
    process = worker.start(wanted.to_dict(), folders["runs"], 1, open(tmp_path / "errors", "w"))  # noqa: SIM115
    until(lambda: checkpoints(wanted.folder(folders["runs"])))
    process.stdout.close()
    assert process.wait(120) == 1


@pytest.mark.requires("ray")
def test_a_cluster_of_two_workers(folders, tmp_path):
    """In a process of its own, which takes the cluster with it when it ends."""
    script = tmp_path / "driver.py"
    script.write_text(
        "import sys\n"
        "from pathlib import Path\n"
        "from tests.mope_impl.experiments.conftest import task\n"
        "from mope_impl.experiments.ray_launcher import ray_cluster\n"
        "from mope_impl.experiments.reproduce import reproduce\n"
        "bad = task('morlet', seed=2, data={'source': 'absent.txt'})\n"
        "tally = reproduce([task(), bad], records=Path(sys.argv[1]), runs=Path(sys.argv[2]),\n"
        "                  launcher=ray_cluster, workers=2, threads=1)\n"
        "assert len(tally.finished) == 1, tally.faults\n"
        "assert 'absent.txt' in tally.faults[0].fault, tally.faults\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    environment.pop("RAY_ADDRESS", None)
    call = [sys.executable, str(script), str(folders["records"]), str(folders["runs"])]
    done = subprocess.run(call, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    reproduce([task()], records=tmp_path / "one", runs=tmp_path / "one-runs", threads=1)
    found = task().record(folders["records"])
    assert losses(found) == losses(task().record(tmp_path / "one"))
    assert found.device["threads"] == 1
