"""What counts of a folder of results: the declared grid decides, and what does not fit it is shown and not counted."""
from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from mope_impl.results import RecordError, config_hash
from mope_impl.results.grid import Grid, Planned
from mope_impl.results.store import Runs, load, load_preset
from tests.mope_impl.results.planted import RECIPE, edit, grid, record, variant, write


def three(preset: str = "cpu") -> list:
    return [record("MoPE", seed, 1.5 + 0.01 * seed, preset) for seed in (1, 2, 3)]


def only(faults: tuple) -> str:
    (fault,) = faults
    return str(fault)


def test_what_the_grid_declares_counts(tmp_path: Path):
    write(tmp_path, three())
    found = load(tmp_path)
    assert list(found) == ["cpu", "paper"]
    assert list(found["cpu"].of("MoPE")) == [1, 2, 3]
    assert found["cpu"].planned == {"MoPE": 3}
    assert found["cpu"].stale == found["cpu"].refused == ()
    assert found["paper"] == Runs("paper")


def test_nothing_there_is_no_fault(tmp_path: Path):
    assert load(tmp_path / "nowhere") == {"cpu": Runs("cpu"), "paper": Runs("paper")}


def test_a_smoke_run_counts_for_no_scope(tmp_path: Path):
    write(tmp_path, three("smoke"), "smoke")
    assert load(tmp_path) == {"cpu": Runs("cpu"), "paper": Runs("paper")}
    assert list(load_preset(tmp_path, "smoke").of("MoPE")) == [1, 2, 3]


def test_two_presets_of_one_size_share_a_scope(tmp_path: Path):
    write(tmp_path, [record("MoPE", seed, 1.5, "paper") for seed in (1, 2)], "paper")
    write(tmp_path, [record("MoPE", seed, 1.6, "full") for seed in (2, 3)], "full")
    found = load(tmp_path)["paper"]
    assert {seed: one.validation for seed, one in found.of("MoPE").items()} == {1: 1.5, 2: 1.5, 3: 1.6}


def test_without_a_grid_nothing_counts(tmp_path: Path):
    write(tmp_path, three())
    (tmp_path / "grids/cpu.json").unlink()
    found = load(tmp_path)["cpu"]
    assert found.records == {}
    assert {str(one) for one in found.stale} == {
        f"cpu/{variant('MoPE')}/seed-{seed}.json: no grid of preset cpu is declared" for seed in (1, 2, 3)
    }


OTHER_CONFIG = {"model": {"label": "MoPE", "width": 8}, "training": {"seed": 2, "steps": 2}}


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"config": OTHER_CONFIG, "config_hash": config_hash(OTHER_CONFIG, RECIPE)}, "its configuration is not that of the grid"),
        (
            {"recipe": RECIPE + 1, "config_hash": config_hash(record("MoPE", 2, 1.5).config, RECIPE + 1)},
            "it was made by recipe 8, the grid is of recipe 7",
        ),
        ({"label": "RoPE"}, "the grid calls v5 'MoPE', not 'RoPE'"),
    ],
    ids=["another configuration", "another recipe", "another label"],
)
def test_what_does_not_fit_the_grid_is_out_of_date(tmp_path: Path, changes: dict, said: str):
    write(tmp_path, three())
    replace(record("MoPE", 2, 1.4), **changes).write(tmp_path / "runs")
    found = load(tmp_path)["cpu"]
    assert list(found.of("MoPE")) == [1, 3]
    assert only(found.stale).endswith(said)


def test_a_seed_or_a_variant_that_is_not_declared_is_out_of_date(tmp_path: Path):
    write(tmp_path, three())
    for extra in (record("MoPE", 4, 1.4), record("RoPE", 1, 1.4)):
        extra.write(tmp_path / "runs")
    said = [one.why for one in load(tmp_path)["cpu"].stale]
    assert said == [f"the grid has no variant {variant('RoPE')}", f"the grid has no seed 4 for {variant('MoPE')}"]


def test_a_damaged_record_is_refused_by_name_and_attributed(tmp_path: Path):
    paths = write(tmp_path, [*three(), record("RoPE", 1, 1.4)])
    edit(paths[1], lambda data: data.update(validation=1.0))
    found = load(tmp_path)["cpu"]
    assert list(found.of("MoPE")) == [1, 3]
    assert only(found.refused) == f"cpu/{variant('MoPE')}/seed-2.json: its check sum is another: it was edited or damaged"
    assert [len(faults) for faults in found.about(["MoPE"])] == [0, 1]
    assert [len(faults) for faults in found.about(["RoPE"])] == [0, 0]


def test_a_file_that_cannot_be_attributed_concerns_every_model(tmp_path: Path):
    write(tmp_path, three())
    (tmp_path / "runs/cpu/unknown").mkdir()
    (tmp_path / "runs/cpu/unknown/seed-1.json").write_text("{")
    found = load(tmp_path)["cpu"]
    assert [len(faults) for faults in found.about(["RoPE"])] == [0, 1]


def test_a_record_that_was_moved_is_refused(tmp_path: Path):
    paths = write(tmp_path, three())
    shutil.move(paths[0], paths[2])
    assert "it is the record of" in only(load(tmp_path)["cpu"].refused)


# --- grids ---------------------------------------------------------------------------------------------------------------


def test_a_grid_is_read_as_it_was_written(tmp_path: Path):
    own = grid(three())
    assert Grid.read(own.write(tmp_path)) == own
    assert own.runs == 3


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda data: data.update(schema=2), "not a grid of schema 1"),
        (lambda data: data.pop("recipe"), "not a grid of schema 1"),
        (lambda data: data.update(variants=[]), "not a grid"),
        (lambda data: data.update(preset="paper"), "it is the grid of preset paper"),
        (lambda data: data["variants"].update(v5={"label": "MoPE", "seeds": {"one": ""}}), "invalid literal"),
    ],
)
def test_what_is_no_grid_is_refused(tmp_path: Path, change, said: str):
    path = grid(three()).write(tmp_path)
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    with pytest.raises(RecordError, match=said) as caught:
        Grid.read(path)
    assert str(path) in str(caught.value)


def test_a_damaged_grid_is_refused_and_nothing_counts(tmp_path: Path):
    write(tmp_path, three())
    (tmp_path / "grids/cpu.json").write_text("{")
    found = load(tmp_path)["cpu"]
    assert found.records == {}
    assert "cpu.json: not JSON" in only(found.refused)


def test_a_label_has_one_variant():
    with pytest.raises(ValueError, match="two variants of preset cpu have the label 'MoPE'"):
        Grid("cpu", 1, {"a": Planned("MoPE", {1: ""}), "b": Planned("MoPE", {1: ""})})
