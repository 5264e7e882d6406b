"""What training hands out: the result of a run, what a hook may look at, and how a run can end otherwise."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from mope_impl.nn import GPT

from .config import Config
from .data import Corpus


class Diverged(ArithmeticError):
    """The loss or its gradient is no finite number any more; the message is one line."""


class Interrupted(Exception):
    """Training was asked to stop, and did so after it had written a checkpoint."""

    def __init__(self, folder: Path, step: int) -> None:
        self.folder, self.step = folder, step
        super().__init__(f"stopped at step {step}; a checkpoint is in {folder}")


@dataclass(frozen=True)
class Moment:
    """What a hook may look at: the model in evaluation mode, without gradients unless it asks for them."""

    model: GPT
    corpus: Corpus
    config: Config
    step: int
    device: torch.device


Hook = Callable[[Moment], Any]
"""A measurement at each evaluation, plain data as JSON has it. It must not change the model."""


@dataclass(frozen=True)
class RunResult:
    """A finished run, with the trained model."""

    folder: Path
    config: Config
    """With the size of the vocabulary filled in."""
    digest: str
    recipe: int
    model: GPT
    corpus: Corpus
    device: torch.device
    parameters: int
    steps: int
    evaluations: tuple[dict[str, Any], ...]
    """{"step", "train", "validation", "per_character", "estimate", …}: nats per token but for ``per_character``; ``train`` is the
    mean training loss since the evaluation before, None at step 0; and what the hooks measured, by their names."""
    validation: float
    """Nats per character over the whole validation split, after the last step."""
    validation_per_token: float
    tokens: int
    """Tokens of the validation split that are predicted."""
    characters: int
    seconds: float
    """All sittings together, evaluations included."""
    finished: str
    """When it was finished, ISO 8601 in UTC."""
    best: float | None
    """Loss of the synthetic source's own predictor in the evaluated windows, nats per character; None for other sources."""

    @property
    def perplexity(self) -> float:
        """exp of the token-weighted mean, per token."""
        return math.exp(self.validation_per_token)


def summary(result: RunResult) -> dict[str, Any]:
    """A result as plain data: without the model, the data and the folder."""
    left_out = {"folder", "config", "model", "corpus", "device"}
    plain = {name: getattr(result, name) for name in RunResult.__dataclass_fields__ if name not in left_out}
    return {**plain, "evaluations": list(result.evaluations), "perplexity": result.perplexity, "device": str(result.device)}
