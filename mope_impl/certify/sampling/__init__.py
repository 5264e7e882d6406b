"""Sampling: the largest error of what a file computes, searched for over the box of its bound. Torch is needed here alone."""

import torch

from .search import search
from .units import units

__all__ = ["Sampler", "one_thread", "search", "units"]


class Sampler:
    """What a check samples with."""

    search = staticmethod(search)
    units = staticmethod(units)


def one_thread() -> None:
    """Keep this process to one thread, where there are as many of them as processors."""
    torch.set_num_threads(1)
