"""The learning rate of each step."""
from __future__ import annotations

import math

from .config import OptimizerConfig


def rate(step: int, steps: int, optimizer: OptimizerConfig) -> float:
    r"""Learning rate of step s = 0 … S − 1: linear from 0 over w steps of warm-up, then half a cosine to the final rate at s = S.

    .. math:: \eta_s = \eta\,\frac{s}{w} \quad (s < w), \qquad
        \eta_s = \eta_S + (\eta - \eta_S)\,\tfrac12\Bigl(1 + \cos \pi\,\frac{s - w}{S - w}\Bigr) \quad (s \ge w)

    The first step of a warm-up has rate 0, as published. A run that is no longer than its warm-up never leaves it.
    """
    warmup = optimizer.warmup
    if step < warmup:
        return optimizer.rate * step / warmup
    share = min(1.0, (step - warmup) / max(1, steps - warmup))
    return optimizer.final_rate + (optimizer.rate - optimizer.final_rate) * 0.5 * (1.0 + math.cos(math.pi * share))
