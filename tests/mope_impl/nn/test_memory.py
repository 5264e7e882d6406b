"""What a forward pass keeps for the gradient."""
from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from mope_impl import functional as F
from mope_impl.nn import GPT, GPTConfig
from mope_impl.nn.attention import Places, SelfAttention
from tests.mope_impl.saved import address, saved_by

CONFIG = GPTConfig(vocabulary=11, context=16, layers=2, heads=2, width=64, dropout=0.0)
BATCH = 32
PAIRS = 4 * BATCH * CONFIG.context * 2 * CONFIG.width
"""Bytes of the queries and keys of a layer, float32."""


def kept(config: GPTConfig) -> int:
    """Bytes of all storages that are kept, each once, without the parameters."""
    torch.manual_seed(0)
    model = GPT(config)
    tokens = torch.randint(config.vocabulary, (BATCH, config.context))
    loss, found = saved_by(lambda: model(tokens, tokens))
    assert loss.requires_grad
    own = {address(parameter) for parameter in model.parameters()}
    return sum(size for place, size in found.items() if place not in own)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_rotary_keeps_no_queries_and_keys_but_those_that_are_turned(layout: str) -> None:
    more = kept(replace(CONFIG, encoding="rotary", layout=layout)) - kept(replace(CONFIG, encoding="none"))
    assert 0 <= more < PAIRS / 2  # the factors, which are no larger than (T, D) a layer


def test_one_tensor_of_queries_keys_and_values_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_tensor(self: SelfAttention, x: Tensor, places: Places) -> tuple[Tensor, Tensor, Tensor]:
        qkv = self.project(x).unflatten(-1, (3, self.heads, self.head_dim))
        assert places.table is not None
        q, k = F.rotate(qkv[:, :, :2], places.table[:, None, None], layout=self.layout).transpose(1, 3).unbind(2)
        return q, k, qkv[:, :, 2].transpose(1, 2)

    plain = kept(replace(CONFIG, encoding="none"))
    monkeypatch.setattr(SelfAttention, "queries_keys_values", one_tensor)
    assert kept(replace(CONFIG, encoding="rotary")) - plain >= CONFIG.layers * PAIRS
