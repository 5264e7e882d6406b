"""Rounding bounds: how far what a kernel computes may be from its formula, from the operations that its text is read to do."""

from .bounds import Bound, Result, bounds
from .primitives import ATEN, Hypothesis
from .program import Unbounded

__all__ = ["ATEN", "Bound", "Hypothesis", "Result", "Unbounded", "bounds"]
