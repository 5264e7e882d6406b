"""Two processes of torchrun over gloo train what one process trains."""
from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from mope_impl.training import checkpoint as checkpoints
from mope_impl.training import load, train
from mope_impl.training.distributed import Processes, chosen_device
from mope_impl.training.trainer import Trainer
from tests.mope_impl.training.tiny import tiny

ROOT = Path(__file__).resolve().parents[3]
SECTIONS = {
    "model": {"dropout": 0.0},
    "training": {"precision": "float64", "batch": 8, "steps": 12},
}
STEPS, TOKENS, PARAMETERS = 12, 64, 32
"""Steps, tokens of a batch, and the most numbers that a sum over channels adds up."""


def torchrun(folder: Path, sections: dict[str, Any], resume: str = "begin") -> subprocess.CompletedProcess[str]:
    """Run ``shared.py`` in two processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    launcher = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-addr", "127.0.0.1"]
    script = ["--master-port", str(port), "-m", "tests.mope_impl.training.shared", str(folder), json.dumps(sections), resume]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    call = [*launcher, *script]
    return subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture(scope="module")
def shared(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("shared") / "run"
    done = torchrun(folder, SECTIONS)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("alone") / "run"
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    train(tiny(**SECTIONS), folder, tensorboard=False, pictures=False)
    torch.set_num_threads(threads)
    return folder


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def tolerance() -> float:
    r"""How far the loss curves may lie apart, float64.

    One step: the two runs add up the same 64 contributions of tokens in another order, two halves first. That moves the
    gradient by at most δ = 2·(300 + 64·32)·2⁻⁵³ relative to the sum S of the sizes of its terms (300 roundings in a term, sums
    over 64 tokens and 32 channels). AdamW divides by the root of the mean square of the same gradient, and so turns δS into a
    difference of a parameter of at most η·2δS/|g|: for |g| above 10⁻⁴ S no more than η·2·10⁴ δ. (Gradients that cancel further
    are those of parameters that do not matter.) Over k steps the differences add up, and the losses lie within
    |∂L/∂θ|₁ · Σ η · 2·10⁴ δ ≤ L₁ · 12 · 0.01 · 2·10⁴ δ, with L₁ = 10³ for some thousand parameters with gradients below one.
    """
    delta = 2 * (300 + TOKENS * PARAMETERS) * 2.0**-53
    return 1e3 * STEPS * 0.01 * 2e4 * delta


def test_the_losses_are_those_of_one_process(shared, alone):
    mine, theirs = lines(alone), lines(shared)
    assert [line["step"] for line in mine] == [line["step"] for line in theirs]
    for one, other in zip(mine, theirs, strict=True):
        for name in ("loss", "validation", "estimate", "train"):
            if one.get(name) is not None:
                assert abs(one[name] - other[name]) <= tolerance(), (one["step"], name)
    assert tolerance() < 1e-5


def test_a_batch_that_is_not_shared_is_far_outside_the_tolerance(alone, tmp_path):
    """Both processes on the same half of the batch: what a wrong rank would do, seen in the losses of the first steps."""
    half = {**SECTIONS, "training": {**SECTIONS["training"], "batch": 4}}
    train(tiny(**half), tmp_path / "run", tensorboard=False, pictures=False)
    one, other = (next(line["loss"] for line in lines(folder) if "loss" in line) for folder in (alone, tmp_path / "run"))
    assert abs(one - other) > 100 * tolerance()


def test_all_processes_end_with_the_same_model(shared):
    one, other = (json.loads((shared / f"rank-{rank}.json").read_text()) for rank in (0, 1))
    for name in ("parameters", "buffers", "evaluations"):
        assert one[name] == other[name]


def test_the_files_are_whole_and_of_one_writer(shared, alone):
    names = lambda folder: {path.name for path in folder.iterdir()} - {"rank-0.json", "rank-1.json"}  # noqa: E731
    assert names(shared) == names(alone)
    mine, theirs = (load_file(checkpoints.in_folder(folder)[-1]) for folder in (alone, shared))
    assert mine.keys() == theirs.keys()


def test_a_shared_run_goes_on_from_its_checkpoint_bit_for_bit(shared, tmp_path):
    """A shared run that has lost its last checkpoint repeats itself to the bit."""
    folder = tmp_path / "run"
    folder.mkdir()
    for path in shared.iterdir():
        if path.name not in ("result.json", "step-00000012.safetensors") and path.is_file():
            (folder / path.name).write_bytes(path.read_bytes())
    done = torchrun(folder, SECTIONS, "resume")
    assert done.returncode == 0, done.stderr
    for name in ("log.jsonl", "step-00000012.safetensors"):
        assert (folder / name).read_bytes() == (shared / name).read_bytes()


def test_a_refusal_is_said_in_every_process_and_nothing_hangs(shared):
    before = {path.name: path.read_bytes() for path in shared.iterdir() if path.is_file()}
    done = torchrun(shared, SECTIONS)
    assert done.returncode != 0
    for rank in (0, 1):
        assert f"rank {rank}: {shared}: holds this run already" in done.stderr
    assert {path.name: path.read_bytes() for path in shared.iterdir() if path.is_file()} == before


def test_one_process_agrees_with_itself():
    alone = Processes(0, 1, torch.device("cpu"))
    assert alone.agree(lambda: 3) == 3
    with pytest.raises(ValueError, match="no"):
        alone.agree(lambda: (_ for _ in ()).throw(ValueError("no")))
    assert alone.in_turn(lambda: 4) == 4
    assert alone.any(True)
    assert not alone.any(False)


def test_devices_are_chosen_by_name():
    assert chosen_device("cpu") == torch.device("cpu")
    assert chosen_device("auto").type == ("cuda" if torch.cuda.is_available() else "cpu")


def test_what_ties_the_processes_together_is_let_go_while_they_are_there():
    """A reducer that is the last to hold the group can stop for ever when it is destroyed."""
    config = tiny(**SECTIONS)
    torch.distributed.init_process_group("gloo", store=torch.distributed.HashStore(), rank=0, world_size=1)
    try:
        trainer = Trainer(config, load(config.data), Processes(0, 2, torch.device("cpu")))
        shared = weakref.ref(trainer.forward)
        assert isinstance(shared(), torch.nn.parallel.DistributedDataParallel)
        trainer.release()
        assert shared() is None
    finally:
        torch.distributed.destroy_process_group()
