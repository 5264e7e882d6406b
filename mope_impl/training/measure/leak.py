"""What a model gains from tokens that it must not see.

A gate whose statistics run over the whole window lets the prediction at a position depend on later tokens, so that the loss of
the window is not that of a predictor. The same model, given the tokens up to that position and no others, is one. The
difference of the two losses over a fixed sample of positions is the leak; for a causal model it is rounding, or exactly 0.
"""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from .modes import evaluating
from .shape import rounded

POSITIONS = 16
"""Positions that are looked at in each window."""
BATCH = 32
"""Windows in a pass."""


@dataclass(frozen=True)
class Leak:
    """Mean loss at a sample of positions, nats per token: with the whole window in view, and on each prefix alone.

    ``standard_error`` is that of the mean of prefix − whole, with windows as the units: positions of one window share their
    tokens, and are not independent. ``positions`` is the number of pairs (window, position); ``gains`` are the means of
    prefix − whole at each of the ``places`` in a window.
    """

    whole: float
    prefix: float
    positions: int
    standard_error: float
    places: tuple[int, ...]
    gains: tuple[float, ...]

    @property
    def gain(self) -> float:
        """Nats per token gained from what comes later."""
        return self.prefix - self.whole

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and lists by name."""
        return {**vars(self), "places": list(self.places), "gains": list(self.gains)}


def sampled_positions(length: int, number: int = POSITIONS) -> tuple[int, ...]:
    """Midpoints of ``number`` equal parts of a window, so that they stand for all of its positions alike."""
    number = min(number, length)
    return tuple((2 * part + 1) * length // (2 * number) for part in range(number))


def leak(
    model: nn.Module, inputs: Tensor, targets: Tensor, positions: tuple[int, ...] | None = None, batch: int = BATCH
) -> Leak:
    """The leak of a model over windows (N, T), int64.

    ``model(tokens)`` gives logits (N, T, V). Dropout and autocast are off while it is measured. Each prefix has the length
    that it has: nothing is padded, so that no later token can enter. ``batch`` is the number of windows in a pass.

    Raises ValueError without windows, or for a position outside of them.
    """
    if inputs.dim() != 2 or not inputs.numel() or inputs.shape != targets.shape:
        raise ValueError(f"inputs: got shape {tuple(inputs.shape)}, expected (N, T) as targets are, N ≥ 1")
    places = sampled_positions(inputs.shape[1]) if positions is None else positions
    outside = [place for place in places if not 0 <= place < inputs.shape[1]]
    if outside or not places:
        raise ValueError(f"positions: got {outside or places}, expected some of 0 … {inputs.shape[1] - 1}")
    rows = []
    with evaluating(model), torch.no_grad():
        for tokens, goals in zip(inputs.split(batch), targets.split(batch), strict=True):
            logits = model(tokens)
            alone = [model(tokens[:, : place + 1])[:, -1] for place in places]
            both = [(logits[:, place], last, goals[:, place]) for place, last in zip(places, alone, strict=True)]
            rows.append(torch.stack([torch.stack([_losses(one, goal) for one in pair], 1) for *pair, goal in both], 1))
    whole, prefix = torch.cat(rows).unbind(2)
    each, gains = (prefix - whole).mean(1), (prefix - whole).mean(0)
    error = float(each.std()) / math.sqrt(len(each)) if len(each) > 1 else math.nan
    losses = rounded(float(whole.mean())), rounded(float(prefix.mean()))
    return Leak(*losses, whole.numel(), rounded(error), places, tuple(map(rounded, gains.tolist())))


def _losses(logits: Tensor, targets: Tensor) -> Tensor:
    """Cross-entropy of each row (N, V), (N,), float64."""
    return functional.cross_entropy(logits.to(torch.float64), targets, reduction="none")
