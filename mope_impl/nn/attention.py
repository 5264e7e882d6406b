r"""Causal self-attention of all heads at once, under any encoding and gate."""
from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from mope_impl import functional as F

from .config import GPTConfig
from .gate import EnergyGate
from .layers import Linear
from .relative import MorletAttention
from .rotary import MorletRotary

SHORT = 512
"""Tokens up to which, compiled for a CPU in 16 bits, attention with weights of size T² is faster than the framework's own."""


class Places(NamedTuple):
    """What a layer knows of positions; it is formed once in a forward pass, for all layers.

    ``table``, the factors (T, D) that queries and keys are turned by, or None; ``bias``, (H, T, T), which is added to the
    scores, or None.
    """

    table: Tensor | None = None
    bias: Tensor | None = None


class SelfAttention(nn.Module):
    """Causal self-attention: queries, keys and values in one projection without bias, all heads side by side.

    Args:
        config: sizes, encoding and gate.

    Shapes: x (B, T, width), which also feeds the gate → (B, T, width).

    Source: the reference implementation, described in :class:`mope_impl.nn.GPTConfig`; claims ``gate.causal-form``,
    ``limit.rope-score``.
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.heads, self.head_dim, self.layout = config.heads, config.head_dim, config.layout
        self.dropout = config.weight_dropout
        self.project = Linear(config.width, 3 * config.width, bias=False)
        self.output = Linear(config.width, config.width)
        self.rotation = (
            MorletRotary(self.head_dim, base=config.base, layout=config.layout, sigma_init=config.sigma)
            if config.encoding == "morlet-rotary"
            else None
        )
        self.relative = (
            MorletAttention(
                self.head_dim, self.heads, base=config.base, layout=config.layout, sigma_init=config.sigma
            )
            if config.encoding == "morlet-relative"
            else None
        )
        self.gate = (
            None
            if config.gate == "none"
            else EnergyGate(config.width, config.heads, statistics=config.gate, projections=config.projections)
        )

    def forward(self, x: Tensor, places: Places) -> Tensor:
        q, k, v = self.queries_keys_values(x, places)
        rate = self.dropout if self.training else 0.0
        if self.relative is not None or (self.gate is not None and rate):
            y = self._weights(x, q, k, places) @ v
        elif self.gate is not None or (rate == 0 and written_out_is_faster(q)):
            gates = None if self.gate is None else self.gate.gates(x, dtype=torch.promote_types(x.dtype, torch.float32))
            y = F.causal_attention(q, k, v, gates=gates, bias=places.bias)
        else:
            mask = None if places.bias is None else places.bias.masked_fill(~seen(x), -math.inf)
            y = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=rate, is_causal=mask is None)
        return self.output(y.transpose(1, 2).flatten(-2))

    def weights(self, x: Tensor, places: Places) -> Tensor:
        """The weights (B, H, T, T) that the values are summed with, 0 for keys that are not seen."""
        q, k, _ = self.queries_keys_values(x, places)
        return self._weights(x, q, k, places)

    def queries_keys_values(self, x: Tensor, places: Places) -> tuple[Tensor, Tensor, Tensor]:
        """q, k and v, (B, H, T, D) each, turned where the encoding turns them."""
        if places.table is None:
            q, k, v = self.project(x).unflatten(-1, (3, self.heads, self.head_dim)).transpose(1, 3).unbind(2)
            return q, k, v
        # Two products of one matrix: what is turned is then let go, which in one tensor with the values would stay as they do.
        to_pairs, to_values = self.project.weight.split((2 * x.shape[-1], x.shape[-1]))
        pairs = functional.linear(x, to_pairs).unflatten(-1, (2, self.heads, self.head_dim))
        q, k = F.rotate(pairs, places.table[:, None, None], layout=self.layout).transpose(1, 3).unbind(2)
        return q, k, functional.linear(x, to_values).unflatten(-1, (self.heads, self.head_dim)).transpose(1, 2)

    def _weights(self, x: Tensor, q: Tensor, k: Tensor, places: Places) -> Tensor:
        relative = self.relative
        scores = q @ k.transpose(-1, -2) * self.head_dim**-0.5 if relative is None else relative.scores(q, k)
        scores = scores if places.bias is None else scores + places.bias
        scores = scores.masked_fill(~seen(x), -math.inf)
        weights = functional.dropout(scores.softmax(-1), self.dropout, self.training)
        weights = weights if self.gate is None else self.gate(x, weights)
        return weights.to(q.dtype)


def written_out_is_faster(q: Tensor) -> bool:
    """Whether a compiler makes more of attention that is written out than the framework of its own kernel, see SHORT."""
    return torch.compiler.is_compiling() and q.device.type == "cpu" and q.dtype.itemsize == 2 and q.shape[-2] <= SHORT


def seen(x: Tensor) -> Tensor:
    """Which keys (columns) the queries (rows) of tokens (B, T, …) see, (T, T)."""
    places = torch.arange(x.shape[1], device=x.device)
    return places[:, None] >= places
