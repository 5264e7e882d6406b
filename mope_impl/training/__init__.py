"""Training: a typed configuration, data, and a loop that can be killed at any moment and goes on bit for bit."""
from __future__ import annotations

from .config import RECIPE, Config, OptimizerConfig, TrainingConfig, read
from .data import Corpus, DataConfig, load
from .fields import ConfigError
from .loop import train
from .progress import Progress
from .result import Diverged, Hook, Interrupted, Moment, RunResult

__all__ = [
    "RECIPE",
    "Config",
    "ConfigError",
    "Corpus",
    "DataConfig",
    "Diverged",
    "Hook",
    "Interrupted",
    "Moment",
    "OptimizerConfig",
    "Progress",
    "RunResult",
    "TrainingConfig",
    "load",
    "read",
    "train",
]
