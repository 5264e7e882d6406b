"""What the user of a training can mend: the message is one line that says what was got and what is expected."""
from __future__ import annotations


class TrainingError(ValueError):
    """Base of the errors of settings, folders and checkpoints; data have :class:`mope_impl.training.data.DataError`."""


class ConfigError(TrainingError):
    """What is wrong with a configuration, or with asking this machine for it; the message names every key at fault."""


class FolderError(TrainingError):
    """A folder that a run cannot be in; the message names it."""


class CheckpointError(TrainingError):
    """A checkpoint that cannot be taken; the message names the file."""


def is_of_memory(fault: BaseException) -> bool:
    """Whether a fault says that there is not enough memory, on whatever device: libraries have no common name for it."""
    return isinstance(fault, MemoryError) or "out of memory" in str(fault) or "allocate memory" in str(fault)
