"""What training tells of its progress while it runs."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Progress:
    """Where a run stands."""

    step: int
    steps: int
    loss: float | None
    """Training loss of the last steps, nats per token."""
    validation: float | None
    """Validation loss of the last evaluation, nats per character."""
    tokens_per_second: float | None
    seconds_left: float | None
    doing: str = "training"
    """What is being done: training or evaluating."""


class Listener(Protocol):
    """Whoever is told of the progress."""

    def __call__(self, progress: Progress) -> None: ...


def silent(progress: Progress) -> None:
    """Tell nobody."""
