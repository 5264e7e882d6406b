"""Training: a typed configuration, data, and a loop that can be killed at any moment and goes on bit for bit."""
from __future__ import annotations

from .config import RECIPE, Config, OptimizerConfig, TrainingConfig, read
from .data import Corpus, DataConfig, DataError, load
from .errors import CheckpointError, ConfigError, FolderError, TrainingError
from .loop import train
from .progress import Progress
from .result import Diverged, Hook, Interrupted, Moment, RunResult

__all__ = [
    "RECIPE",
    "CheckpointError",
    "Config",
    "ConfigError",
    "Corpus",
    "DataConfig",
    "DataError",
    "Diverged",
    "FolderError",
    "Hook",
    "Interrupted",
    "Moment",
    "OptimizerConfig",
    "Progress",
    "RunResult",
    "TrainingConfig",
    "TrainingError",
    "load",
    "read",
    "train",
]
