"""Records of runs: what is written is read again, and nothing else is."""
from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from mope_impl.results import Record, RecordError, config_hash
from tests.mope_impl.results.planted import edit, record, shape


def test_what_is_written_is_read_again(tmp_path: Path):
    own = record("MoPE", 3, 1.23456789, measures={**shape([5.0, 5.25]), "reach": 3.0, "influence": [0.1, 0.2]})
    path = own.write(tmp_path)
    assert path == tmp_path / "cpu" / own.variant / "seed-3.json"
    assert Record.read(path) == own
    assert own.validation == 1.234568  # seven digits
    assert [one.name for one in path.parent.iterdir()] == ["seed-3.json"]
    assert path.stat().st_mode & 0o777 == 0o644


def test_what_is_cut_is_never_the_configuration(tmp_path: Path):
    config = {"training": {"seed": 3, "rate": 0.123456789012}}
    own = record("MoPE", 3, 1.0, config=config, config_hash=config_hash(config, 7))
    assert Record.read(own.write(tmp_path)).config == config


def test_the_hash_is_that_of_the_canonical_json():
    config = {"b": {"y": 1.5, "x": None}, "a": {"β": [1, True, "ü"]}}
    text = '{"config":{"a":{"\\u03b2":[1,true,"\\u00fc"]},"b":{"x":null,"y":1.5}},"recipe":4}'
    assert config_hash(config, 4) == hashlib.sha256(text.encode("ascii")).hexdigest()
    assert config_hash(config, 5) != config_hash(config, 4)
    with pytest.raises(ValueError, match="plain types"):
        config_hash({"rate": float("nan")}, 4)


def test_a_loss_that_is_no_number_is_none():
    diverged = record("MoPE", 1, float("nan"))
    assert diverged.validation is None
    assert diverged.evaluations[0]["validation"] is None
    assert Record.from_json(json.loads(json.dumps(diverged.to_json()))) == diverged


def faults():
    """Name → (change of the file, words of the fault); the check sum is put right for all but the first ones."""

    def put(*keys, value):
        def change(data):
            for key in keys[:-1]:
                data = data[key]
            data[keys[-1]] = value

        return change

    return {
        "an edited loss": (put("validation", value=1.0), False, "check sum"),
        "an edited configuration": (put("config", "training", "steps", value=9), False, "check sum"),
        "a configuration edited by a forger": (put("config", "training", "steps", value=9), True, "config_hash is"),
        "another recipe": (put("recipe", value=8), True, "config_hash is"),
        "a swapped seed": (put("seed", value=2), True, "seed is 2, that of its configuration is 1"),
        "a key taken away": (lambda data: data.pop("tokens"), True, "unknown or missing: tokens"),
        "a key put in": (put("extra", value=1), True, "unknown or missing: extra"),
        "another schema": (put("schema", value=2), True, "schema 2, expected 1"),
        "a text for a number": (put("validation", value="1.0"), True, "validation is '1.0'"),
        "a truth for a number": (put("parameters", value=True), True, "parameters is True"),
        "a variant that leaves the folder": (put("variant", value="../up"), True, "expected a name of a folder"),
        "pairs of other numbers": (put("measures", "gradients", "omega", value=[1.0]), True, "the measure gradients"),
        "steps that fall": (put("evaluations", value=[{"step": s, "train": None, "validation": None, "estimate": None}
                                                     for s in (2, 1)]), True, "do not rise"),
        "a number for the evaluations": (put("evaluations", value=5), True, "evaluations is 5, expected a list"),
        "no evaluation": (put("evaluations", value=[]), True, "or there are none"),
        "a reach that is no number": (put("measures", "reach", value=None), True, "the measure reach"),
        "a leak without positions": (put("measures", "leak", value={"whole": 1.0, "prefix": 1.0, "standard_error": 0.1}), True,
                                     "the measure leak"),
        "a shape that is no list": (put("measures", "shape", value={}), True, "the measure shape"),
    }  # fmt: skip


@pytest.mark.parametrize("name", faults())
def test_a_record_that_is_not_what_was_written_is_refused_by_name(tmp_path: Path, name: str):
    change, resum, said = faults()[name]
    path = record("MoPE", 1, 1.5, measures=shape([5.0, 5.0])).write(tmp_path)
    Record.read(path)
    edit(path, change, resum)
    with pytest.raises(RecordError, match=r".*") as caught:
        Record.read(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_record_in_the_place_of_another_is_refused(tmp_path: Path):
    first, second = (record("MoPE", seed, 1.5).write(tmp_path) for seed in (1, 2))
    os.replace(first, second)
    with pytest.raises(RecordError, match="it is the record of cpu"):
        Record.read(second)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000], ids=repr)
def test_what_is_no_record_at_all_is_refused(tmp_path: Path, content: bytes):
    path = tmp_path / "seed-1.json"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=r"seed-1\.json: "):
        Record.read(path)


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "9" * 5000], ids=["NaN", "infinity", "overflow", "digits"])
def test_a_number_that_is_none_is_refused(tmp_path: Path, number: str):
    path = record("MoPE", 1, 1.5).write(tmp_path)
    text = path.read_text()
    edited = text.replace('"validation": 1.5,\n', f'"validation": {number},\n')
    assert edited != text
    path.write_text(edited)
    with pytest.raises(RecordError, match=r"seed-1\.json: [^\n]+$"):
        Record.read(path)


def test_every_cut_of_a_file_is_refused(tmp_path: Path):
    path = record("MoPE", 1, 1.5).write(tmp_path)
    whole = path.read_bytes()
    for length in range(0, len(whole.rstrip()) - 1, 37):
        path.write_bytes(whole[:length])
        with pytest.raises(RecordError):
            Record.read(path)


def test_a_missing_file_is_one_line(tmp_path: Path):
    with pytest.raises(RecordError, match="No such file"):
        Record.read(tmp_path / "seed-1.json")


def test_writing_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = record("MoPE", 1, 1.5).write(tmp_path)
    before = path.read_bytes()

    def fails(*_: object) -> None:
        raise OSError("planted")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="planted"):
        record("MoPE", 1, 1.6).write(tmp_path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_what_cannot_be_a_run_is_not_made():
    with pytest.raises(ValueError, match="seed is -1"):
        record("MoPE", -1, 1.5)
    with pytest.raises(ValueError, match="plain types"):
        record("MoPE", 1, 1.5, measures={"path": Path("x")}).to_json()
