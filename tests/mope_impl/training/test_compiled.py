"""The compiled step: the losses of the step that is not compiled."""
from __future__ import annotations

import pytest

from mope_impl.training import train
from tests.mope_impl.training.tiny import tiny


@pytest.mark.requires("g++")
def test_compiled_training_is_the_same_training(tmp_path):
    """In float64, three steps. The compiler may reorder what is added up, as accumulation does: see the bound there; AdamW's
    moves of at most 0.01 a step are told apart by no more than the 10⁴-fold of it, over some thousand parameters."""
    steps = {"precision": "float64", "steps": 3, "device": "cpu"}
    dropless = {"dropout": 0.0}
    results = []
    for compiled in (False, True):
        config = tiny(model=dropless, training={**steps, "compile": compiled})
        results.append(train(config, tmp_path / str(compiled), tensorboard=False, pictures=False))
    bound = 1e3 * 3 * 0.01 * 2e4 * 2 * (300 + 64 * 32) * 2.0**-53
    for one, other in zip(*(result.evaluations for result in results), strict=True):
        assert abs(one["validation"] - other["validation"]) <= bound
    assert results[0].digest != results[1].digest
