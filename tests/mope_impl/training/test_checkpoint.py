"""Checkpoints come back to the bit, and what is truncated, changed, foreign or renamed is refused by name."""
from __future__ import annotations

import json
import os
import random
import re

import pytest
import torch
from safetensors.torch import save, save_file

from mope_impl.training import CheckpointError
from mope_impl.training import checkpoint as checkpoints
from mope_impl.training.checkpoint import Checkpoint, in_folder, newest, path_of, read, write
from mope_impl.training.files import UNFINISHED, remove_unfinished, write_whole

DIGEST = "a" * 64


def example(step: int = 7, digest: str = DIGEST) -> Checkpoint:
    generator = torch.Generator().manual_seed(step)
    tensors = {
        "model/weight": torch.randn(3, 4, generator=generator),
        "model/wide": torch.randn(2, dtype=torch.float64, generator=generator),
        "model/transposed": torch.randn(3, 4, generator=generator).T,
        "optimizer/weight/step": torch.tensor(float(step)),
    }
    return Checkpoint(step, digest, tensors, {"log": {"bytes": 12, "sha256": "b" * 64}, "scaler": {}, "data": "é"})


def test_a_checkpoint_comes_back_to_the_bit(tmp_path):
    path = write(tmp_path, example())
    assert path.name == "step-00000007.safetensors"
    found = read(path, DIGEST)
    assert (found.step, found.digest, found.state) == (7, DIGEST, example().state)
    assert found.tensors.keys() == example().tensors.keys()
    for name, tensor in example().tensors.items():
        assert torch.equal(found.tensors[name], tensor)
        assert found.tensors[name].dtype == tensor.dtype


def test_the_same_state_makes_the_same_file(tmp_path):
    contents = set()
    for number in range(5):
        (tmp_path / str(number)).mkdir()
        contents.add(write(tmp_path / str(number), example()).read_bytes())
    assert len(contents) == 1


def test_the_last_two_are_kept(tmp_path):
    for step in (1, 5, 12, 100_000_000):
        write(tmp_path, example(step))
    assert [path.name for path in in_folder(tmp_path)] == ["step-00000012.safetensors", "step-100000000.safetensors"]


def test_every_truncation_is_refused_by_name(tmp_path):
    content = write(tmp_path, example()).read_bytes()
    for length in range(len(content)):
        path = tmp_path / "step-00000007.safetensors"
        path.write_bytes(content[:length])
        with pytest.raises(CheckpointError, match=re.escape(str(path))) as caught:
            read(path, DIGEST)
        assert "\n" not in str(caught.value)


def test_every_flipped_bit_is_refused_by_name(tmp_path):
    """A bit of every byte; the bits of white space in the head of the file too."""
    path = write(tmp_path, example())
    content, draw = path.read_bytes(), random.Random(1)
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 1 << draw.randrange(8)
        path.write_bytes(changed)
        with pytest.raises(CheckpointError, match=re.escape(str(path))) as caught:
            read(path, DIGEST)
        assert "\n" not in str(caught.value)


def test_without_the_hash_flipped_bits_would_pass(tmp_path, monkeypatch):
    """The fault that the test above would see: weights changed, and nobody notices."""
    path = write(tmp_path, example())
    changed = bytearray(path.read_bytes())
    changed[-20] ^= 16
    path.write_bytes(changed)
    known = json.loads(checkpoints.safe_open(path, "pt").metadata()["mope"])["sha256"]
    monkeypatch.setattr(checkpoints, "_hash", lambda *_: known)
    read(path, DIGEST)


@pytest.mark.parametrize(
    "content, message",
    [
        (b"", "is corrupt or no checkpoint"),
        (b"PK\x03\x04 a pickle in a zip", "is corrupt or no checkpoint"),
        (save({"weight": torch.zeros(2)}), "is a file of safetensors, but no checkpoint of mope"),
        (save({"weight": torch.zeros(2)}, {"format": "pt"}), "is a file of safetensors, but no checkpoint of mope"),
        (save({"weight": torch.zeros(2)}, {"mope": "{}"}), "is corrupt"),
        (save({"weight": torch.zeros(2)}, {"mope": "[1]"}), "is corrupt"),
    ],
)
def test_what_is_no_checkpoint_is_refused(tmp_path, content, message):
    path = tmp_path / "step-00000001.safetensors"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=message):
        read(path, DIGEST)


def test_what_is_not_there_is_refused(tmp_path):
    with pytest.raises(CheckpointError, match="cannot be read"):
        read(tmp_path / "step-00000001.safetensors", DIGEST)


def test_that_of_another_configuration_is_refused(tmp_path):
    path = write(tmp_path, example(digest="c" * 64))
    with pytest.raises(CheckpointError, match="belongs to another configuration"):
        read(path, DIGEST)


def test_that_of_a_newer_version_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "SCHEMA", 2)
    path = write(tmp_path, example())
    monkeypatch.undo()
    with pytest.raises(CheckpointError, match="is of schema 2, this mope reads up to 1; update mope"):
        read(path, DIGEST)


def test_that_of_another_recipe_is_refused(tmp_path, monkeypatch):
    path = write(tmp_path, example())
    monkeypatch.setattr(checkpoints, "RECIPE", checkpoints.RECIPE + 1)
    with pytest.raises(CheckpointError, match=r"is of recipe \d, this mope trains by recipe \d: begin the run anew"):
        read(path, DIGEST)


def test_one_that_was_renamed_is_refused(tmp_path):
    write(tmp_path, example(7)).rename(path_of(tmp_path, 9))
    with pytest.raises(CheckpointError, match="is of step 7: it was renamed"):
        read(path_of(tmp_path, 9), DIGEST)


def test_an_older_one_is_named_but_not_taken_silently(tmp_path):
    write(tmp_path, example(1))
    last = write(tmp_path, example(2))
    assert newest(tmp_path, DIGEST).step == 2
    last.write_bytes(last.read_bytes()[:-1])
    with pytest.raises(CheckpointError, match="remove it to continue from step-00000001"):
        newest(tmp_path, DIGEST)
    last.unlink()
    assert newest(tmp_path, DIGEST).step == 1


def test_other_files_are_no_checkpoints(tmp_path):
    save_file({"weight": torch.zeros(2)}, tmp_path / "model.safetensors")
    save_file({"weight": torch.zeros(2)}, tmp_path / "step-1.safetensors")
    assert in_folder(tmp_path) == []
    assert newest(tmp_path, DIGEST) is None


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch, call):
    path = tmp_path / "x"
    write_whole(path, b"before")

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, fails)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_left_unfinished_is_removed(tmp_path):
    (tmp_path / f".step-00000003.safetensors{UNFINISHED}").write_bytes(b"half")
    (tmp_path / "kept").write_bytes(b"")
    remove_unfinished(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
