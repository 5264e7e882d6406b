"""Weight decay by name: the widths and frequencies stay, whatever their shape; everything else decays."""
from __future__ import annotations

import math

import pytest
import torch
from torch import nn

from mope_impl.nn import LearnedEncoding, MorletEncoding, parameter_groups


def thousand_steps(module: nn.Module, groups: list) -> None:
    """AdamW at lr 10⁻² with weight decay 0.1 and zero gradients: decay alone moves anything."""
    optimiser = torch.optim.AdamW(groups, lr=1e-2, weight_decay=0.1)
    for parameter in module.parameters():
        parameter.grad = torch.zeros_like(parameter)
    for _ in range(1000):
        optimiser.step()


def wide() -> MorletEncoding:
    module = MorletEncoding(4, constraint="free", center="learned")
    with torch.no_grad():
        module.log_sigma.fill_(math.log(512))
        module.center.fill_(3.0)
    return module


def test_sigma_512_stays_512() -> None:
    module = wide()
    before = {k: v.clone() for k, v in module.state_dict().items()}
    thousand_steps(module, parameter_groups(module, 0.1))
    assert all(torch.equal(v, before[k]) for k, v in module.state_dict().items())
    assert module.frequencies_and_widths()[1].tolist() == pytest.approx([512, 512], rel=2.0**-21)  # log in float32


def test_without_the_groups_it_decays_to_ten() -> None:
    module = wide()
    thousand_steps(module, [{"params": list(module.parameters()), "weight_decay": 0.1}])
    assert [round(x, 1) for x in module.frequencies_and_widths()[1].tolist()] == [9.9, 9.9]


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoding = MorletEncoding(4, constraint="bounded", center="learned")
        self.learned = LearnedEncoding(5, 4)
        self.head = nn.Linear(4, 4)
        self.blocks = nn.ModuleList([MorletEncoding(4), nn.LayerNorm(4)])


def names(model: nn.Module, group: dict) -> set[str]:
    chosen = {id(p) for p in group["params"]}
    return {name for name, p in model.named_parameters() if id(p) in chosen}


def test_groups_are_chosen_by_name_not_by_shape() -> None:
    model = Model()
    decayed, kept = parameter_groups(model, 0.1)
    assert (decayed["weight_decay"], kept["weight_decay"]) == (0.1, 0.0)
    assert names(model, kept) == {
        "encoding.logit_omega", "encoding.raw_product", "encoding.center", "blocks.0.log_omega", "blocks.0.log_sigma",
    }  # fmt: skip
    assert names(model, decayed) == {
        "learned.table", "head.weight", "head.bias", "blocks.1.weight", "blocks.1.bias",
    }  # fmt: skip


def test_a_two_dimensional_width_is_exempt_too_and_a_shared_one_once() -> None:
    module = MorletEncoding(4)
    module.log_sigma = nn.Parameter(torch.zeros(2, 2))
    module.extra = nn.Parameter(torch.zeros(2, 2))
    outer = nn.ModuleList([module, nn.Linear(2, 2)])
    outer[1].weight = module.log_sigma
    decayed, kept = parameter_groups(outer, 0.1)
    assert [id(p) for p in kept["params"]] == [id(module.log_omega), id(module.log_sigma)]
    assert {id(p) for p in decayed["params"]} == {id(module.extra), id(outer[1].bias)}


@pytest.mark.parametrize("value", [-0.1, math.nan])
def test_a_negative_decay_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="weight_decay: got"):
        parameter_groups(Model(), value)
