"""What a trained model has learned of a source of known correlation length: two lengths are told apart."""
from __future__ import annotations

import pytest
import torch

from mope_impl.nn import GPT, GPTConfig
from mope_impl.training import Config, RunResult, train
from mope_impl.training.measure.leak import leak
from mope_impl.training.measure.reach import reach

LENGTHS = (2.0, 8.0)


def config(length: float) -> Config:
    return Config.from_dict(
        {
            "model": {
                "context": 32, "layers": 1, "heads": 2, "width": 32, "dropout": 0.0, "encoding": "morlet-relative", "sigma": 8.0,
            },
            "data": {"length": length, "size": 50_000, "symbols": 8, "copies": 0.9},
            "optimizer": {"rate": 3e-3, "warmup": 50, "weight_decay": 0.0},
            "training": {"steps": 300, "batch": 16, "evaluate_every": 300, "checkpoint_every": 300, "estimate_batches": 1},
        }
    )  # fmt: skip


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> dict[float, RunResult]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("runs")
    found = {
        length: train(config(length), folder / str(length), tensorboard=False, pictures=False) for length in LENGTHS
    }
    torch.set_num_threads(before)
    return found


def windows(result: RunResult) -> torch.Tensor:
    return next(result.corpus.windows(32, 100))[0]


def test_the_reach_follows_the_length(trained):
    for length, result in trained.items():
        assert length / 2 <= reach(result.model, windows(result), vocabulary=8).reach <= 2 * length


def test_it_was_learned(trained):
    """The same model before it has learned anything reaches as far on every source: what it says of a length is not built in."""
    torch.manual_seed(0)
    for result in trained.values():
        model = GPT(result.config.model)
        assert not LENGTHS[1] / 2 <= reach(model, windows(result), vocabulary=8).reach <= 2 * LENGTHS[1]


def test_a_trained_model_that_is_causal_does_not_leak(trained):
    """And one with the published gate does, as soon as it is there."""
    result = trained[LENGTHS[0]]
    inputs, targets = next(result.corpus.windows(32, 20))
    found = leak(result.model, inputs, targets)
    assert abs(found.gain) < 64 * 2**-24  # a few roundings of float32 in a loss near 1
    torch.manual_seed(0)
    gated = GPT(GPTConfig(vocabulary=8, context=32, layers=1, heads=2, width=32, gate="published"))
    with torch.no_grad():
        for parameter in gated.parameters():
            parameter.mul_(10)  # so that the gate has something to say
    assert abs(leak(gated, inputs, targets).gain) > 1e-3
