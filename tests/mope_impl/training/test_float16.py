"""float16 with scaled gradients, tried on the CPU behind the check that asks for a GPU: skipped steps, and the scaler's state."""
from __future__ import annotations

import json
import os
import signal

import pytest
import torch

from mope_impl.training import Interrupted, train
from mope_impl.training import checkpoint as checkpoints
from mope_impl.training.trainer import Trainer
from tests.mope_impl.training.tiny import outcome, tiny

SCALER = torch.amp.GradScaler
CONFIG = tiny(training={"precision": "float16"})
OVERFLOWING = 2.0**40
"""A scale at which the gradients of the first steps are no numbers of float16; each skipped step lowers it."""


@pytest.fixture
def _on_the_cpu(monkeypatch):
    """Half precision where it is not asked for, from a scale that overflows, and doubled after three good steps."""

    def scaler(device: str, enabled: bool) -> torch.amp.GradScaler:
        return SCALER(device, enabled=enabled, init_scale=2.0**17, growth_interval=3)

    monkeypatch.setattr("mope_impl.training.trainer.check_precision", lambda *_: None)
    monkeypatch.setattr("mope_impl.training.trainer.torch.amp.GradScaler", scaler)


def stopped_at_seven(state) -> None:
    if state.step == 7:
        os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.usefixtures("_on_the_cpu")
def test_overflows_are_skipped_and_the_scale_is_found(tmp_path, monkeypatch):
    settings = {"init_scale": OVERFLOWING, "growth_interval": 100, "backoff_factor": 2.0**-8}
    monkeypatch.setattr(
        "mope_impl.training.trainer.torch.amp.GradScaler", lambda device, enabled: SCALER(device, enabled=enabled, **settings)
    )
    train(CONFIG, tmp_path / "run", tensorboard=False, pictures=False)
    lines = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    norms = [line["gradient_norm"] for line in lines if "loss" in line]
    skipped = norms.index(next(norm for norm in norms if norm is not None))
    assert 0 < skipped < 12
    assert None not in norms[skipped:]
    last = checkpoints.newest(tmp_path / "run", CONFIG.digest())
    assert last.state["scaler"]["scale"] == OVERFLOWING * 2.0 ** (-8 * skipped)
    assert last.tensors["optimizer/embedding.weight/step"] == 12 - skipped


@pytest.mark.usefixtures("_on_the_cpu")
@pytest.mark.parametrize("fault", [False, True])
def test_the_state_of_the_scaler_is_resumed(tmp_path, monkeypatch, fault):
    """And a scaler that starts anew is seen."""
    train(CONFIG, tmp_path / "whole", tensorboard=False, pictures=False)
    with pytest.raises(Interrupted):
        train(CONFIG, tmp_path / "run", progress=stopped_at_seven, tensorboard=False, pictures=False)
    if fault:
        restore = Trainer.restore
        monkeypatch.setattr(Trainer, "restore", lambda self, tensors, scaler: restore(self, tensors, {}))
    train(CONFIG, tmp_path / "run", resume=True, tensorboard=False, pictures=False)
    assert (outcome(tmp_path / "run") == outcome(tmp_path / "whole")) is not fault
