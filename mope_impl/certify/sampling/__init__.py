"""Sampling: the largest error of what a file computes, searched for over the box of its bound. Torch is needed here alone."""

from .search import search

__all__ = ["search"]
