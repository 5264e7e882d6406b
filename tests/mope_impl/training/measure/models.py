"""Small models whose measures are known: no part of them comes from the package but an encoding that is handed in."""
from __future__ import annotations

import math

import torch
from torch import Tensor, nn


class Copier(nn.Module):
    """Predicts token t + 1 as a copy of the one D places before it with probability p·w_D, else as any of V tokens."""

    def __init__(self, weights: list[float], vocabulary: int, copies: float) -> None:
        super().__init__()
        self.vocabulary, self.copies = vocabulary, copies
        self.register_buffer("weights", torch.tensor(weights, dtype=torch.float64))

    def forward(self, tokens: Tensor) -> Tensor:
        ahead = torch.arange(tokens.shape[1])
        back = ahead[:, None] + 1 - ahead
        last = len(self.weights)
        weights = torch.where((back >= 1) & (back <= last), self.weights[(back - 1).clamp(0, last - 1)], 0)
        copied = weights @ nn.functional.one_hot(tokens, self.vocabulary).double()
        left = 1 - self.copies * copied.sum(-1, keepdim=True)
        return (self.copies * copied + left / self.vocabulary).log()


class Peeking(nn.Module):
    """Knows from the mean of the whole window; what it says of a position changes with later tokens. Or, causal, with none."""

    def __init__(self, vocabulary: int, causal: bool) -> None:
        super().__init__()
        self.vocabulary, self.causal = vocabulary, causal

    def forward(self, tokens: Tensor) -> Tensor:
        seen = nn.functional.one_hot(tokens, self.vocabulary).double()
        length = tokens.shape[1]
        so_far, whole = seen.cumsum(1) / torch.arange(1, length + 1)[:, None], seen.mean(1, keepdim=True).expand_as(seen)
        share = so_far if self.causal else whole
        return (share + 0.01).log()


class Placed(nn.Module):
    """Tokens and their places, mixed by layers that are no linear map, with dropout: a loss that depends on every ω and σ."""

    def __init__(self, encoding: nn.Module, vocabulary: int = 6, width: int = 8) -> None:
        super().__init__()
        self.encoding = encoding
        self.tokens = nn.Embedding(vocabulary, width, dtype=torch.float64)
        self.mix, self.out = nn.Linear(width, width, dtype=torch.float64), nn.Linear(width, vocabulary, dtype=torch.float64)
        self.dropout = nn.Dropout(0.5)

    def forward(self, tokens: Tensor, targets: Tensor | None = None) -> Tensor:
        x = self.tokens(tokens) + self.encoding(torch.arange(tokens.shape[1]))
        logits = self.out(self.dropout(torch.tanh(self.mix(x)).cumsum(1)))
        return logits if targets is None else nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


def half_gaussian(width: float, length: int) -> list[float]:
    """Weights ∝ e^{−D²/2ℓ²} of D = 1 … length."""
    values = [math.exp(-(distance**2) / (2 * width**2)) for distance in range(1, length + 1)]
    return [value / sum(values) for value in values]
