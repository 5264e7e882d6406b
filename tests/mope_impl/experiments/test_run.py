"""A run and its record: every measure where it means something, faults as one line, nothing lost."""
from __future__ import annotations

import json
import math
import subprocess

import pytest

from mope_impl.experiments import run as module
from mope_impl.experiments.run import make, source
from mope_impl.results import Record, config_hash
from mope_impl.training.measure.reach import reach_of
from tests.mope_impl.experiments.conftest import task


@pytest.fixture(scope="module")
def records(tmp_path_factory) -> dict[str, Record]:
    """One run of each kind."""
    runs = tmp_path_factory.mktemp("runs")
    found = {}
    for variant in ("learned", "morlet", "gate-morlet", "causal-gate-learned", "morlet-relative"):
        outcome = make(task(variant), runs)
        assert outcome.fault is None
        found[variant] = outcome.record
    return found


def test_a_record_says_what_the_run_was(records):
    record, wanted = records["morlet"], task("morlet")
    assert (record.preset, record.variant, record.label, record.seed) == ("smoke", "morlet", "MoPE", 1)
    assert record.config == wanted.config.to_dict()
    assert record.config_hash == wanted.digest == config_hash(record.config, record.recipe)
    assert [one["step"] for one in record.evaluations] == [0, 2, 4]
    assert record.validation == record.evaluations[-1]["validation"] == record.validation_per_token  # characters are tokens
    assert record.tokens == record.characters == 59
    assert record.parameters > 0
    assert {"python", "torch", "mope"} <= set(record.versions)
    assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record


def test_measures_are_there_where_they_mean_something(records):
    always = {"influence", "attention_distance", "best_loss", "reach"}
    assert {name: set(record.measures) - always for name, record in records.items()} == {
        "learned": set(),
        "morlet": {"shape", "gradients"},
        "gate-morlet": {"shape", "gradients", "leak"},
        "causal-gate-learned": {"leak"},
        "morlet-relative": {"shape"},
    }


def test_shapes_and_gradients_are_of_all_pairs(records):
    measures = records["morlet"].measures
    assert [one["step"] for one in measures["shape"]] == [0, 2, 4]
    assert {len(one[name]) for one in measures["shape"] for name in one if name != "step"} == {4}
    assert len(measures["gradients"]["omega"]) == len(measures["gradients"]["sigma"]) == 4
    assert measures["shape"][0] != measures["shape"][-1]
    # One head of two pairs each, two heads: the ladder of each, and its widths.
    assert len(records["morlet-relative"].measures["shape"][0]["omega"]) == 4


def test_the_published_gate_leaks_and_the_causal_one_does_not(records):
    leak = records["gate-morlet"].measures["leak"]
    assert leak["whole"] != leak["prefix"]
    causal = records["causal-gate-learned"].measures["leak"]
    # Sums over another number of keys are other sums: a few roundings of float32 in losses near ln 4.
    assert abs(causal["whole"] - causal["prefix"]) < 64 * 2**-24
    assert leak["positions"] == causal["positions"] == 7 * 8


def test_the_reach_is_that_of_the_influence(records):
    measures = records["learned"].measures
    assert math.isclose(measures["reach"], reach_of(measures["influence"]), rel_tol=1e-5)  # seven digits
    assert len(measures["influence"]) == 6


def test_a_run_that_fails_says_so_in_one_line(tmp_path):
    outcome = make(task(data={"source": str(tmp_path / "absent.txt")}), tmp_path / "runs")
    assert outcome.record is None
    assert "absent.txt" in outcome.fault
    assert "\n" not in outcome.fault
    assert not outcome.interrupted


def test_a_run_that_diverges_says_so(tmp_path):
    outcome = make(task(optimizer={"rate": 1e30, "clip": 0.0, "warmup": 0}), tmp_path)
    assert outcome.record is None
    assert "is nan" in outcome.fault or "is inf" in outcome.fault


def test_a_fault_of_the_machine_is_named(tmp_path, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("out of\nmemory")

    monkeypatch.setattr(module, "train", broken)
    assert make(task(), tmp_path).fault == "RuntimeError: out of memory"


def test_a_finished_run_is_measured_without_training_again(tmp_path):
    first = make(task("morlet"), tmp_path).record
    before = (task("morlet").folder(tmp_path) / "log.jsonl").read_bytes()
    steps = []
    second = make(task("morlet"), tmp_path, lambda _, progress: steps.append(progress.step)).record
    assert (task("morlet").folder(tmp_path) / "log.jsonl").read_bytes() == before
    assert set(steps) <= {4}
    assert (second.evaluations, second.measures) == (first.evaluations, first.measures)


def test_source_is_that_of_the_checkout(tmp_path, monkeypatch):
    def git(*arguments):
        call = ["git", "-C", str(tmp_path), "-c", "user.name=n", "-c", "user.email=e", *arguments]
        subprocess.run(call, check=True, capture_output=True)

    monkeypatch.setattr(module, "SOURCE", tmp_path.resolve())
    assert source() == {"commit": "", "modified": False}
    git("init", "-q")
    (tmp_path / "mope_impl").mkdir()
    code, other = tmp_path / "mope_impl" / "code.py", tmp_path / "README"
    code.write_text("1")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    found = source()
    assert len(found["commit"]) == 40
    assert not found["modified"]
    other.write_text("2")
    assert not source()["modified"]
    code.write_text("2")
    assert source() == {"commit": found["commit"], "modified": True}


def test_a_checkout_that_moves_on_while_a_run_is_made_is_not_what_made_it(tmp_path, monkeypatch):
    heads = iter(["a" * 40, "b" * 40, "c" * 40])
    monkeypatch.setattr(module, "source", lambda: {"commit": next(heads), "modified": False})
    module.loaded_from.cache_clear()
    try:
        made = make(task("learned"), tmp_path, lambda *_: next(heads, None))
    finally:
        module.loaded_from.cache_clear()
    assert made.record.source == {"commit": "a" * 40, "modified": False}


def test_a_package_below_another_checkout_has_no_commit_of_its_own(tmp_path, monkeypatch):
    subprocess.run(["git", "-C", str(tmp_path), "init", "-q"], check=True)
    (tmp_path / "inner").mkdir()
    monkeypatch.setattr(module, "SOURCE", (tmp_path / "inner").resolve())
    assert source() == {"commit": "", "modified": False}
