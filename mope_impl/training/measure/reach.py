r"""How far back a trained model looks: its reach, in tokens.

What counts is the token that is predicted: the query at position t predicts token t + 1, so that the key at position s lies
at the distance D = t + 1 − s, from 1 for the token just before.

Reach is measured by influence. One token of a window is replaced by another, and the change of the predictions that follow is
recorded by distance, as total variation, ½ Σ_v |P(v) − P′(v)|. For a predictor that copies the token D places back with
probability p·w_D that is p·w_D exactly, so that the influence of the best predictor of the synthetic source is its half
Gaussian, whatever the network inside. The reach is the distance within which 68.27 % of the influence lies: the width ℓ of a
half Gaussian, and the meaning of one standard deviation.

Why not the root mean square of the attention weights? Under a kernel that multiplies scores, a far key has score 0 and thus
some weight; a hundred of them have much weight together and next to no influence, since what they bring averages out, and the
layers above remove the rest. A mean square counts each such key by the square of its distance. That number is measured
beside, :func:`attention_distance`, and says how a model's attention is spread, not what it has learned to use.

A model that learns the synthetic source in a minute, and is the default of a first run, is ``SOURCE`` of
:mod:`mope_impl.experiments.variants`. Its reach follows ℓ. The widths σ of its kernel need not: high scores make a narrow
attention out of a wide kernel. In trials their median stayed near where it started, whatever ℓ was.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from .modes import evaluating
from .shape import rounded

SHARE = math.erf(math.sqrt(0.5))
"""Share of a half Gaussian of width ℓ that lies within ℓ: 0.6827."""
BATCH = 64
"""Windows in a pass."""
SEED = 20
"""Of the tokens that are put in place of others."""


@dataclass(frozen=True)
class Reach:
    """The reach in tokens, and the mean influence, in [0, 1], of the token D places before the one predicted, D = 1, 2, …"""

    reach: float
    influence: tuple[float, ...]


def reach_of(influence: Sequence[float] | np.ndarray) -> float:
    """The distance within which SHARE of an influence over D = 1, 2, … lies; each distance stands for D − ½ to D + ½.

    The influence begins at ½ a token, as the sum over D = 1, 2, … is that of a half Gaussian cut there; within a distance the
    influence counts as evenly spread. NaN for an influence that is 0 throughout.

    Raises ValueError for no influence, or a negative one.
    """
    values = np.asarray(influence, dtype=np.float64)
    if values.ndim != 1 or not len(values) or not (values >= 0).all():
        raise ValueError(f"influence: got {influence!r}, expected numbers ≥ 0, one for each distance from 1 on")
    total = values.sum()
    if not 0 < total < math.inf:
        return math.nan
    within = np.concatenate(([0.0], np.cumsum(values) / total))
    return float(np.interp(SHARE, within, np.arange(len(within)) + 0.5))


def influence(model: nn.Module, inputs: Tensor, *, vocabulary: int, batch: int = BATCH, seed: int = SEED) -> Tensor:
    r"""Mean total variation of the prediction D tokens after a token that is replaced, (D_max,), float64.

    Args:
        model: ``model(tokens)`` gives logits (N, T, V). Dropout and autocast are off while it is measured.
        inputs: windows (N, T), int64, T ≥ 2. The token at s = T // 4 is replaced in each window by one of the others, all
            alike, and the T − s predictions from there on are compared: with something before it, and far to go.
        vocabulary: number of tokens V ≥ 2.
        batch: windows in a pass; it changes rounding only.
        seed: of the tokens that are put in.

    Raises ValueError for windows or a vocabulary of another kind.
    """
    if inputs.dim() != 2 or not len(inputs) or inputs.shape[1] < 2:
        raise ValueError(f"inputs: got shape {tuple(inputs.shape)}, expected (N, T), N ≥ 1, T ≥ 2")
    if vocabulary < 2:
        raise ValueError(f"vocabulary: got {vocabulary}, expected 2 tokens at least")
    place = inputs.shape[1] // 4
    shift = torch.randint(1, vocabulary, (len(inputs),), generator=torch.Generator().manual_seed(seed))
    changed = inputs.clone()
    changed[:, place] = (changed[:, place] + shift.to(inputs.device)) % vocabulary
    total = torch.zeros(inputs.shape[1] - place, dtype=torch.float64, device=inputs.device)
    with evaluating(model), torch.no_grad():
        for first in range(0, len(inputs), batch):
            part = slice(first, first + batch)
            before, after = (model(tokens[part])[:, place:].to(torch.float64).softmax(-1) for tokens in (inputs, changed))
            total += (before - after).abs().sum(-1).sum(0) / 2
    return total / len(inputs)


def reach(model: nn.Module, inputs: Tensor, *, vocabulary: int, batch: int = BATCH, seed: int = SEED) -> Reach:
    """:func:`influence` and the reach that follows from it, as plain numbers."""
    values = influence(model, inputs, vocabulary=vocabulary, batch=batch, seed=seed).tolist()
    return Reach(rounded(reach_of(values)), tuple(map(rounded, values)))


def mean_square_distance(weights: Tensor) -> Tensor:
    """Mean of D² under attention weights (B, H, T, T), over the queries of the second half of the windows, (H,), float64.

    Queries of the first half have too little before them to tell a near attention from a far one. Weights of later keys, which
    a causal attention does not have, are left out.
    """
    length = weights.shape[-1]
    places = torch.arange(length, device=weights.device)
    distance = (places[:, None] + 1 - places).clamp(min=0).to(torch.float64)
    late = slice(length // 2, length)
    return (weights[..., late, :].to(torch.float64) * distance[late].square()).sum(-1).mean((0, 2))
