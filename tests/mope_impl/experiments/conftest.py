"""Runs of a second: tiny models on the synthetic source, and the tasks that ask for them."""
from __future__ import annotations

import pytest
import torch

from mope_impl.experiments.grid import Task
from mope_impl.experiments.presets import SMOKE, merged
from mope_impl.experiments.variants import VARIANTS
from mope_impl.training import Config

TINY = {
    "model": {"context": 8, "layers": 1, "width": 8, "heads": 2},
    "data": {"size": 600, "symbols": 4, "length": 2.0},
    "training": {"steps": 4, "batch": 2, "evaluate_every": 2, "checkpoint_every": 2, "estimate_batches": 2},
    "optimizer": {"warmup": 1},
}


def task(variant: str = "learned", seed: int = 1, **changes) -> Task:
    """A task of the smoke preset, tiny, with further changes to its configuration."""
    sections = merged(SMOKE.configuration(variant, seed), TINY, changes)
    return Task("smoke", variant, VARIANTS[variant].label, seed, Config.from_dict(sections))


@pytest.fixture
def folders(tmp_path):
    """Where records and runs go."""
    return {"records": tmp_path / "records", "runs": tmp_path / "runs"}


@pytest.fixture(autouse=True)
def _one_thread():
    """Models this small gain nothing from a second thread, and wait for it where others work."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
