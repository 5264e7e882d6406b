"""``mope reproduce``: what it asks for, what it says, and its exit code."""
from __future__ import annotations

import signal

import pytest

from mope_impl.cli import main
from mope_impl.cli import reproduce as command
from mope_impl.cli.tools import Tool
from mope_impl.experiments import presets
from mope_impl.experiments.presets import SMOKE, Preset, merged
from mope_impl.results.grid import Grid
from tests.mope_impl.experiments.conftest import TINY


@pytest.fixture
def tiny(monkeypatch) -> Preset:
    """The preset smoke, tinier still: two variants, two seeds."""
    preset = Preset("smoke", SMOKE.title, merged(SMOKE.base, TINY), {"learned": 2, "morlet": 2})
    monkeypatch.setitem(presets.PRESETS, "smoke", preset)
    return preset


@pytest.fixture
def call(tmp_path, capsys):
    """Call the command with folders of its own; exit code, stdout, stderr."""

    def call(*arguments: str) -> tuple[int, str, str]:
        folders = ["--out", str(tmp_path / "out"), "--runs", str(tmp_path / "runs")]
        code = main(["reproduce", *folders, "--threads", "1", *arguments])
        return (code, *capsys.readouterr())

    return call


def test_it_makes_the_grid_and_its_records(tiny, call, tmp_path):
    code, out, errors = call("--preset", "smoke")
    assert code == 0
    assert "4 of 4 runs have a record in" in out
    assert [line.split(":")[0] for line in errors.splitlines()] == [
        "1/4 learned, seed 1", "2/4 morlet, seed 1", "3/4 learned, seed 2", "4/4 morlet, seed 2",
    ]  # fmt: skip
    assert all("nats per character" in line for line in errors.splitlines())
    grid = Grid.read(tmp_path / "out" / "grids" / "smoke.json")
    assert grid.runs == 4
    assert len(list((tmp_path / "out" / "runs" / "smoke").glob("*/seed-*.json"))) == 4
    code, out, errors = call("--preset", "smoke")
    assert (code, errors) == (0, "")
    assert "4 of 4" in out


def test_some_of_it(tiny, call):
    code, out, errors = call("--only", "morlet", "--seeds", "2")
    assert code == 0
    assert "1 of 1" in out
    assert errors.startswith("1/1 morlet, seed 2: ")


def test_list_and_declare_train_nothing(tiny, call, tmp_path):
    call("--only", "morlet", "--seeds", "2")
    code, out, _ = call("--list")
    assert code == 0
    rows = [line.split() for line in out.splitlines()]
    assert ["learned", "baseline", "1,", "2"] in rows
    assert ["morlet", "MoPE", "1,", "2", "2"] in rows
    (tmp_path / "out" / "grids" / "smoke.json").unlink()
    code, out, _ = call("--declare")
    assert (code, "wrote" in out) == (0, True)
    assert (tmp_path / "out" / "grids" / "smoke.json").is_file()
    assert not (tmp_path / "out" / "runs" / "smoke" / "learned").exists()


def test_a_run_that_fails_is_named_and_the_others_go_on(tiny, call, monkeypatch):
    broken = merged(tiny.changes.get("morlet", {}), {"optimizer": {"rate": 1e30, "clip": 0.0, "warmup": 0}})
    monkeypatch.setitem(presets.PRESETS, "smoke", Preset("smoke", "", tiny.base, tiny.seeds, {"morlet": broken}))
    code, out, errors = call("--seeds", "1")
    assert code == 1
    assert "1 of 2 runs have a record" in out
    last = errors.splitlines()[-1]
    assert last.startswith("failed: morlet, seed 1: ")
    assert "step" in last


def test_ctrl_c_stops_and_the_next_call_goes_on(tiny, call, monkeypatch):
    original = command.grid_progress

    def interrupting(*arguments):
        progress = original(*arguments)
        monkeypatch.setattr(command, "grid_progress", original)  # once
        return _Interrupting(progress)

    monkeypatch.setattr(command, "grid_progress", interrupting)
    code, out, errors = call()
    assert code == 130
    assert "the same command goes on from here" in errors
    assert "0 of 4" in out
    code, out, _ = call()
    assert (code, "4 of 4" in out) == (0, True)


class _Interrupting:
    """Progress that sends Ctrl-C when it first hears of a run."""

    def __init__(self, progress) -> None:
        self.context, self.sent = progress, False

    def __enter__(self):
        self.progress = self.context.__enter__()
        return self

    def __exit__(self, *fault):
        return self.context.__exit__(*fault)

    def on_progress(self, *what):
        if not self.sent:
            self.sent = True
            signal.raise_signal(signal.SIGINT)

    def on_outcome(self, outcome):
        self.progress.on_outcome(outcome)


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--preset", "smok"], "unknown preset 'smok': did you mean smoke?"),
        (["--only", "morlt"], "unknown variant 'morlt': did you mean morlet?"),
        (["--launcher", "rai"], "unknown launcher 'rai'"),
        (["--seeds", "1,x"], "--seeds: got '1,x', expected numbers such as 1,2"),
        (["--seeds", "9" * 5000], "--seeds: got '999"),
        (["--seeds", "9"], "--seeds: got 9, preset smoke has seeds 1 to 2"),
        (["--seeds", "0"], "--seeds: got 0, preset smoke has seeds 1 to 2"),
        (["--out", ""], "--out needs the name of a folder"),
    ],
)
def test_wrong_usage_is_one_line(tiny, call, arguments, says):
    code, out, errors = call(*arguments)
    assert (code, out) == (2, "")
    assert says in errors
    assert errors.count("\n") == 1


def test_a_folder_that_cannot_be_written_is_one_line(tiny, call, tmp_path):
    (tmp_path / "out").write_text("a file")
    code, _, errors = call()
    assert code == 2
    assert errors.startswith("mope: cannot write ")
    assert errors.count("\n") == 1


def test_what_is_lacking_is_named(tiny, call, monkeypatch):
    lacking = Tool("ray", lambda: None, "", "pip: mope[sweep]")
    monkeypatch.setattr(command, "missing", lambda *names: (lacking,) if "ray" in names else ())
    code, _, errors = call("--launcher", "ray")
    assert (code, errors) == (2, "mope: mope reproduce needs ray (pip: mope[sweep])\n")


def test_a_wheel_asks_for_folders(tiny, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("mope_impl.cli.checkout.__file__", str(tmp_path / "a" / "b" / "c.py"))
    assert main(["reproduce"]) == 2
    assert "mope reproduce without --out needs the source checkout" in capsys.readouterr().err
