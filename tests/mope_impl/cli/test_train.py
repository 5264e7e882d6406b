"""``mope train``: what it takes, what it refuses, what it says."""
from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mope_impl.cli import train as command
from mope_impl.training import Interrupted, read
from tests.mope_impl.training.tiny import DATA, MODEL, OPTIMIZER, TRAINING, tiny

SETTINGS = [
    f"{section}.{key}={str(value).lower() if isinstance(value, bool) else value}"
    for section, keys in (("model", MODEL), ("data", DATA), ("optimizer", OPTIMIZER), ("training", TRAINING))
    for key, value in keys.items()
]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_it_trains_and_says_what_was_learned(mope):
    result = mope("train", *SETTINGS)
    assert result.code == 0, result.err
    assert re.search(r"validation loss +\d\.\d{4} nats per character, whole split", result.out)
    assert re.search(r"perplexity \d", result.out)
    assert re.search(r"best possible loss +\d\.\d{4} in windows of this length, \d\.\d{4} (below|above) the model's", result.out)
    assert re.search(r"learned reach +\d+\.\d\d tokens; the correlation length of the text is 2", result.out)
    assert "runs/train-1" in result.out
    assert max(map(len, result.out.splitlines())) <= 80
    assert read(Path("runs/train-1/config.toml")).to_dict()["training"]["steps"] == 12


def test_runs_are_numbered_and_the_last_one_is_resumed(mope):
    assert mope("train", *SETTINGS).code == 0
    assert mope("train", *SETTINGS, "training.seed=2").code == 0
    again = mope("train", "--resume")
    assert again.code == 0
    assert "runs/train-2" in again.out
    assert sorted(path.name for path in Path("runs").iterdir()) == ["train-1", "train-2"]


def test_a_file_of_settings_and_settings_over_it(mope):
    Path("config.toml").write_text(tiny().to_toml(), encoding="utf-8")
    result = mope("train", "config.toml", "training.steps=3", "optimizer.decay_all=true", "--out", "here")
    assert result.code == 0, result.err
    assert "on every parameter, frequencies and widths too, as published" in result.out
    held = read(Path("here/config.toml"))
    assert (held.training.steps, held.optimizer.decay_all, held.model.width) == (3, True, 8)


def test_a_text_of_ones_own(mope):
    Path("text.txt").write_text("Grüße, " * 200, encoding="utf-8")
    result = mope("train", *SETTINGS, "--data", "text.txt", "--out", "here")
    assert result.code == 0, result.err
    assert "correlation length" not in result.out
    assert read(Path("here/config.toml")).data.source == os.path.abspath("text.txt")
    symbols = json.loads(Path("here/vocabulary.json").read_text(encoding="utf-8"))
    assert "ü" in symbols["symbols"]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["training.step=5"], "unknown key training.step (did you mean training.steps?)"),
        (["modl.width=8"], "unknown section modl (did you mean model?)"),
        (["training.steps=soon"], "training.steps: got 'soon', expected an integer"),
        (["missing.toml"], "cannot read missing.toml: No such file or directory"),
        (["a.toml", "b.toml"], "got two configuration files, a.toml and b.toml; settings are written KEY=VALUE"),
        (["--data", ""], "--data needs the name of a file"),
        (["--out", ""], "--out needs the name of a folder"),
        (["--data", "missing.txt"], "missing.txt: no such file"),
        (["--data", "empty.txt"], "empty.txt: the text is empty"),
        (["--data", "one.txt"], "one.txt: the text is too short"),
        (["--data", "short.txt"], "short.txt: the train split is too short: 18 tokens, a window of 128 takes 129"),
        (["--data", "latin.txt"], "latin.txt: not UTF-8"),
        (["data.source=tinyshakespeare"], "SHA-256"),
        (["--resume"], "there is no run to resume in runs; --out DIR says where it is"),
        (["--resume", "--out", "nowhere"], "nowhere: holds no run to resume"),
        (["training.precision=float16", "training.device=cpu"], "float16 needs a CUDA device"),
        (["training.device=warp"], "training.device: got 'warp'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_and_nothing_is_made(mope, monkeypatch, arguments, message):
    texts = {"empty": b"", "one": b"a", "short": b"abcdefghijklmnopqrst", "latin": "\xe9t\xe9 ".encode("latin-1") * 99}
    for name, content in texts.items():
        Path(f"{name}.txt").write_bytes(content)
    Path("wrong").mkdir()
    Path("wrong/tinyshakespeare.txt").write_bytes(b"First Citizen")
    monkeypatch.setenv("MOPE_DATA", "wrong")
    before = sorted(Path().rglob("*"))
    result = mope("train", *arguments)
    assert result.code == 2
    assert message in result.err
    assert result.err.count("\n") == 1
    assert result.out == ""
    assert sorted(Path().rglob("*")) == before


def test_a_folder_that_is_taken_is_refused_with_the_option_that_helps(mope):
    assert mope("train", *SETTINGS, "--out", "here").code == 0
    before = {path: path.read_bytes() for path in Path("here").rglob("*") if path.is_file()}
    result = mope("train", *SETTINGS, "--out", "here")
    assert result.code == 2
    assert "holds this run already, at step 12 of 12: go on with --resume, or give another --out" in result.err
    result = mope("train", *SETTINGS, "training.seed=9", "--out", "here", "--resume")
    assert result.code == 2
    assert "holds another run (training.seed is 1 there, 9 here); give another --out" in result.err
    assert {path: path.read_bytes() for path in Path("here").rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("spoil", [lambda content: content[:-7], lambda content: content[:-7] + b"?" + content[-6:]])
def test_a_corrupt_checkpoint_is_named(mope, spoil):
    assert mope("train", *SETTINGS, "--out", "here").code == 0
    path = Path("here/step-00000012.safetensors")
    path.write_bytes(spoil(path.read_bytes()))
    result = mope("train", "--resume", "--out", "here")
    assert result.code == 2
    assert "here/step-00000012.safetensors: is corrupt" in result.err
    assert "remove it to continue from step-00000009.safetensors" in result.err
    path.unlink()
    assert mope("train", "--resume", "--out", "here").code == 0


def test_a_diverging_run_fails_in_one_line(mope, monkeypatch):
    result = mope("train", *SETTINGS, "optimizer.rate=1e30", "optimizer.clip=0", "--out", "here")
    assert result.code == 1
    assert "try a smaller optimizer.rate" in result.err
    assert result.err.count("\n") == 1


def test_a_stopped_run_says_how_to_go_on(mope, monkeypatch):
    import mope_impl.training as training

    def stopped(config, folder, **_: object) -> None:
        raise Interrupted(folder, 7)

    monkeypatch.setattr(training, "train", stopped)
    result = mope("train", *SETTINGS, "--out", "here")
    assert result.code == 130
    assert "stopped at step 7; a checkpoint is in here; go on with: mope train --resume --out here" in result.err


def test_control_c_in_a_process_of_its_own_then_resume(mope):
    """The real thing: an interrupt from outside, exit code 130, and the same end as without it."""
    settings = [*SETTINGS, "training.steps=4000", "training.evaluate_every=4000"]
    call = [sys.executable, "-m", "mope_impl.cli", "train", *settings, "--out", "here"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path(__file__).parents[3])}
    process = subprocess.Popen(call, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    log = Path("here/log.jsonl")
    while process.poll() is None and not (log.exists() and log.stat().st_size > 2000):
        pass
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130, err
    step = int(re.search(r"stopped at step (\d+)", err)[1])
    assert f"step-{step:08d}.safetensors" in {path.name for path in Path("here").iterdir()}


def test_a_missing_package_is_named_with_the_way_to_get_it(mope, monkeypatch):
    find = importlib.util.find_spec
    lacking = ("safetensors", "tokenizers")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name in lacking else find(name, *rest))
    result = mope("train")
    assert result.code == 2
    assert result.err == "mope: mope train needs safetensors, tokenizers: pip install 'mope[train]'\n"


def test_under_torchrun_the_folder_is_asked_for(mope, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    result = mope("train")
    assert result.code == 2
    assert "--out DIR" in result.err


def test_the_help_loads_no_torch():
    code = "import sys; from mope_impl.cli import main; main(['train', '--help']); assert 'torch' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--resume" in done.stdout


def test_the_first_run_is_a_configuration_on_the_embedded_source():
    config = command.configuration(None, [], None)
    assert config.data.source == "synthetic"
    assert config.data.length == 8
    assert command.configuration(None, ["training.steps=9"], None).model == config.model


def test_times_are_shown_in_minutes():
    assert [command.duration(seconds) for seconds in (0.4, 59.6, 125, 3723)] == ["0:00", "1:00", "2:05", "1:02:03"]


@pytest.mark.parametrize("setting", ["training.batch=2147483648", f"training.batch={10**22}", f"model.width={10**12}"])
def test_what_no_memory_holds_is_one_line(mope, monkeypatch, setting):
    def draw(*_: object, **__: object) -> None:
        raise MemoryError("planted")  # where memory is promised that is not there, asking for it would be answered later

    if setting.startswith("training"):
        monkeypatch.setattr("mope_impl.training.data.corpus.Corpus.batch", draw)
    result = mope("train", *SETTINGS, setting, "--out", "here")
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert "not enough memory" in result.err or "at most 2³¹" in result.err
