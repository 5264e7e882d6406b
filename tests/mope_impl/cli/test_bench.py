"""``mope bench``: the table and the file that it makes of measured cases."""
from __future__ import annotations

import json

import pytest
import torch

from mope_impl.bench import machine, rotary
from mope_impl.cli import main

WITH = {"median": 1.5, "low": 1.4, "high": 1.6}
CASE = {
    "batch": 1, "heads": 4, "tokens": 256, "channels": 64, "dtype": "float32", "mode": "eager", "pass": "forward",
    "rows": [
        {"name": "copy of q and k", "ours": False, "seconds": {"median": 0.001}, "to_copy": {"median": 1.0, "low": None}},
        {"name": "rotary", "ours": True, "kind": "rotary", "seconds": {"median": 0.0015}, "to_copy": WITH},
        {"name": "a peer", "ours": False, "missing": "peer: No module named 'peer'"},
    ],
    "goals": [{"name": "rotary", "goal": "to the copy", "value": 1.5, "limit": 1.4, "met": False}],
}  # fmt: skip


@pytest.fixture(autouse=True)
def made_up(monkeypatch):
    monkeypatch.setattr(rotary, "run", lambda plan, say: iter([CASE]))
    monkeypatch.setattr(machine, "keep_memory", lambda: True)


def test_the_table_names_what_is_missing_and_marks_the_goals(capsys, tmp_path):
    target = tmp_path / "out.json"
    assert main(["bench", "--quick", "--json", str(target)]) == 0
    out = capsys.readouterr().out
    for text in ("float32 (1, 4, 256, 64), eager, forward", "1.50 (1.40 to 1.60)", "missing: peer:", "0 of 1 goals met"):
        assert text in out
    assert "NOT met to the copy: 1.50" in " ".join(out.split())
    found = json.loads(target.read_text(encoding="utf-8"))
    assert found["cases"] == [CASE]
    assert {"date", "device", "versions", "source", "rounds", "memory_kept"} <= found.keys()
    assert found["device"]["threads"] == torch.get_num_threads()


def test_json_on_stdout_is_json_alone(capsys):
    assert main(["bench", "--quick", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["benchmark"] == "rotary"


@pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU is here")
@pytest.mark.parametrize(
    "call, says",
    [
        (["--device", "cuda"], "needs a CUDA GPU, and torch sees none"),
        (["--device", "tpu"], "unknown device"),
        (["--json", "no/such/folder/x.json"], "cannot write"),
        (["--rounds", "0"], ""),
    ],
)
def test_wrong_usage_is_one_line(call, says, capsys):
    assert main(["bench", "--quick", *call]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert "Traceback" not in error


def test_a_file_is_there_as_a_whole_or_as_it_was(tmp_path):
    path = tmp_path / "new" / "x.json"
    machine.write({"a": 1}, path)
    with pytest.raises(TypeError):
        machine.write({"a": object()}, path)
    assert json.loads(path.read_text(encoding="utf-8")) == {"a": 1}
    assert [one.name for one in path.parent.iterdir()] == ["x.json"]
