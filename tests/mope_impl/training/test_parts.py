"""Schedule, seeds, initial values, AdamW and its groups, each against arithmetic of its own."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from mope_impl.nn import GPT
from mope_impl.training import OptimizerConfig
from mope_impl.training.initial import initialise
from mope_impl.training.optimizer import STATE, adamw, load_state_tensors, set_rate, state_tensors
from mope_impl.training.schedule import rate
from mope_impl.training.seeds import seed_of
from tests.mope_impl.training.tiny import tiny

ROUNDING = 2.0**-53


def test_the_schedule_is_a_ramp_from_0_and_half_a_cosine():
    """Against half-angle form, cos² (πp/2): 8 roundings in all on either side, each relative to at most the largest rate."""
    settings = OptimizerConfig(rate=3e-4, final_rate=1e-5, warmup=300)
    steps = np.arange(5000)
    share = (steps - 300) / 4700
    expected = np.where(steps < 300, 3e-4 * (steps / 300), 1e-5 + (3e-4 - 1e-5) * np.cos(np.pi * share / 2) ** 2)
    found = np.array([rate(int(step), 5000, settings) for step in steps])
    assert np.abs(found - expected).max() <= 16 * 3e-4 * ROUNDING
    assert found[0] == 0
    assert found.argmax() == 300
    assert found[300] == 3e-4
    assert rate(5000, 5000, settings) == pytest.approx(1e-5, abs=1e-5 * 8 * ROUNDING + 3e-4 * ROUNDING)


def test_without_warm_up_the_first_rate_is_the_largest():
    assert rate(0, 10, OptimizerConfig(rate=0.5, warmup=0)) == 0.5


def test_a_run_shorter_than_its_warm_up_stays_on_the_ramp():
    assert [rate(step, 3, OptimizerConfig(rate=1.0, warmup=4)) for step in range(3)] == [0, 0.25, 0.5]


def test_purposes_have_seeds_of_their_own():
    purposes = [("a", 12), ("a", 1, 2), ("a", "12"), ("a1", 2), ("b", 12), ("a", 12, 0)]
    seeds = {seed_of(*parts) for parts in purposes}
    assert len(seeds) == len(purposes)
    assert all(0 <= seed < 2**63 for seed in seeds)


def model(**changes: object) -> GPT:
    return GPT(tiny(model=changes).with_vocabulary(8).model)


def test_variants_share_the_initial_values_that_they_can():
    one, other = model(encoding="morlet", gate="causal"), model(encoding="rotary+learned", layers=2)
    initialise(one, 3)
    torch.rand(5)  # whatever else was drawn
    initialise(other, 3)
    first, second = dict(one.named_parameters()), dict(other.named_parameters())
    shared = first.keys() & second.keys()
    assert {"embedding.weight", "blocks.0.attention.project.weight", "blocks.0.feed_forward.expand.weight"} <= shared
    assert all(torch.equal(first[name], second[name]) for name in shared)
    alike = second["blocks.0.attention.project.weight"], second["blocks.1.attention.project.weight"]
    assert not torch.equal(*alike)


def test_another_seed_gives_other_values_and_the_generator_is_left_alone():
    one, other = model(), model()
    state = torch.get_rng_state()
    initialise(one, 3)
    initialise(other, 4)
    assert torch.equal(torch.get_rng_state(), state)
    assert not torch.equal(one.embedding.weight, other.embedding.weight)


def test_initial_values_from_the_global_generator_are_caught(monkeypatch):
    """What a variant without the table draws first would shift all that follows: the fault that names prevent."""
    monkeypatch.setattr("mope_impl.training.initial.torch.manual_seed", lambda _: None)
    one, other = model(encoding="none"), model(encoding="learned")
    for each in (one, other):
        torch.default_generator.manual_seed(3)
        initialise(each, 3)
    assert not torch.equal(one.blocks[0].attention.project.weight, other.blocks[0].attention.project.weight)


def test_a_module_that_the_seed_would_miss_is_refused():
    class Loose(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.zeros(2))

    with pytest.raises(TypeError, match="Loose has parameters and no reset_parameters"):
        initialise(nn.Sequential(Loose()), 1)


def test_frequencies_and_widths_do_not_decay_by_name():
    found = model(encoding="morlet", gate="causal")
    groups = {group["name"]: group for group in adamw(found, OptimizerConfig(weight_decay=0.3)).param_groups}
    assert groups["decay"]["weight_decay"] == 0.3
    assert groups["no decay"]["weight_decay"] == 0
    names = {id(parameter): name for name, parameter in found.named_parameters()}
    exempt = {names[id(parameter)] for parameter in groups["no decay"]["params"]}
    assert {"encoding.log_omega", "encoding.log_sigma", "blocks.0.attention.gate.sharpness"} <= exempt
    assert "embedding.weight" not in exempt
    assert sum(len(group["params"]) for group in groups.values()) == len(names)


def test_as_published_everything_decays_and_says_so():
    found = model(encoding="morlet")
    (group,) = adamw(found, OptimizerConfig(weight_decay=0.3, decay_all=True)).param_groups
    assert group["name"] == "all decay (as published)"
    assert group["weight_decay"] == 0.3
    assert len(group["params"]) == len(list(found.parameters()))


@pytest.mark.parametrize("decay_all", [False, True])
def test_adamw_is_adamw(decay_all):
    """Three steps in float64 against the formulas in NumPy. A step is at most 30 roundings of numbers no larger than those it
    adds up: parameters below 4, and moves far below; twice, for the two computations."""
    found = model(encoding="morlet").double()
    settings = OptimizerConfig(rate=0.01, weight_decay=0.1, decay_all=decay_all)
    optimizer = adamw(found, settings)
    generator = np.random.default_rng(5)
    values = {name: one.detach().numpy().copy() for name, one in found.named_parameters()}
    means, squares = ({name: np.zeros_like(one) for name, one in values.items()} for _ in range(2))
    for step in range(1, 4):
        eta = 0.01 / step
        set_rate(optimizer, eta)
        for name, parameter in found.named_parameters():
            gradient = generator.normal(size=parameter.shape)
            parameter.grad = torch.from_numpy(gradient.copy())
            means[name] = 0.9 * means[name] + 0.1 * gradient
            squares[name] = 0.95 * squares[name] + 0.05 * gradient**2
            decay = 0.1 if decay_all or not name.startswith("encoding.") else 0.0
            move = (means[name] / (1 - 0.9**step)) / (np.sqrt(squares[name] / (1 - 0.95**step)) + 1e-8)
            values[name] = values[name] * (1 - eta * decay) - eta * move
        optimizer.step()
    for name, parameter in found.named_parameters():
        assert np.abs(parameter.detach().numpy() - values[name]).max() <= 3 * 2 * 30 * 4 * ROUNDING, name


def stepped(encoding: str = "morlet") -> tuple[GPT, torch.optim.AdamW]:
    found = model(encoding=encoding)
    optimizer = adamw(found, OptimizerConfig())
    found(torch.zeros(1, 4, dtype=torch.int64), torch.ones(1, 4, dtype=torch.int64)).backward()
    optimizer.step()
    return found, optimizer


def test_the_state_of_the_optimiser_goes_out_and_in_by_name():
    found, optimizer = stepped()
    tensors = {name: one.clone() for name, one in state_tensors(optimizer, found).items()}
    assert set(tensors) == {f"{name}/{quantity}" for name, _ in found.named_parameters() for quantity in STATE}
    other = model()
    fresh = adamw(other, OptimizerConfig())
    assert state_tensors(fresh, other) == {}
    load_state_tensors(fresh, other, tensors)
    again = state_tensors(fresh, other)
    assert all(torch.equal(again[name], one) for name, one in tensors.items())
    assert all(again[name].data_ptr() != one.data_ptr() for name, one in tensors.items())
    load_state_tensors(fresh, other, {})
    assert state_tensors(fresh, other) == {}


@pytest.mark.parametrize("fault", ["missing", "more", "shape"])
def test_a_state_that_does_not_fit_is_refused(fault):
    found, optimizer = stepped()
    tensors = dict(state_tensors(optimizer, found))
    name = "embedding.weight/exp_avg"
    if fault == "missing":
        del tensors[name]
    elif fault == "more":
        tensors["x/exp_avg"] = tensors[name]
    else:
        tensors[name] = tensors[name][:-1]
    with pytest.raises(ValueError, match="optimiser state"):
        load_state_tensors(optimizer, found, tensors)
