"""The run on a GPU goes through its steps on the CPU, and sees results that are wrong; no time is asserted."""
from __future__ import annotations

import json

import pytest
import torch

from benchmarks import gpu
from mope_impl import functional as F
from mope_impl.bench.contenders import Setting

AT = Setting(1, 2, 16, 32, torch.bfloat16, "cpu")


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setitem(gpu.SIZES, "quick", (1, 2, 16, 32))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("code", [0, 1, None])
def test_a_dry_run_writes_each_step(code, tmp_path, capsys):
    asked = {}

    def tested(seconds, dry):
        asked.update(seconds=seconds, dry=dry)
        return {"code": code, "last": ["the end"]}

    times = iter(range(0, 10**6, 7))
    call = ["--dry", "--rounds", "2", "--minutes", "5", "--out", str(tmp_path)]
    assert gpu.main(call, clock=lambda: next(times), tested=tested) == (0 if code == 0 else 1)
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("dry-gpu-cpu-")
    found = json.loads(path.read_text(encoding="utf-8"))
    assert all(one["right"] for one in found["results"])
    assert [case["pass"] for case in found["cases"]] == ["forward", "forward and backward"]
    assert all(case["copy_bytes_per_second"] > 0 for case in found["cases"])
    assert found["tests"]["code"] == code
    assert asked["dry"] is True
    assert 10.0 <= asked["seconds"] < 300.0
    assert "the end" in capsys.readouterr().out


def test_a_wrong_sign_is_seen(monkeypatch):
    assert all(one["right"] for one in gpu.results(AT))
    right = F.morlet_rotary
    monkeypatch.setattr(F, "morlet_rotary", lambda q, k, positions, *rest, **kw: right(q, k, -positions, *rest, **kw))
    assert not any(one["right"] for one in gpu.results(AT))


def test_shares_of_the_bandwidth_are_those_of_the_bytes_that_are_moved():
    floor = {"name": gpu.FLOOR, "seconds": {"median": 2.0}, "to_copy": {"median": 1.0}}
    rows = [floor, {"name": "x", "to_copy": {"median": 1.25}}]
    forward = gpu.bandwidths({"pass": "forward", "rows": [dict(one) for one in rows]}, AT)
    assert forward["copy_bytes_per_second"] == 2 * 2 * 2 * 1 * 2 * 16 * 32 / 2.0
    assert forward["rows"][1]["share_of_bandwidth"] == 0.8
    both = gpu.bandwidths({"pass": "forward and backward", "rows": [dict(one) for one in rows]}, AT)
    assert both["copy_bytes_per_second"] == 2 * forward["copy_bytes_per_second"]


@pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU is here")
def test_without_a_gpu_it_says_so(capsys):
    with pytest.raises(SystemExit) as caught:
        gpu.main([])
    assert caught.value.code == 2
    assert "no CUDA GPU" in capsys.readouterr().err
