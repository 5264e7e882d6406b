"""Rounding bounds: how far what a kernel computes may be from its formula, from the operations that its text is read to do."""

from .bounds import Bound, Result, bounds
from .boxes import REACHES, rounding_box
from .primitives import PLATFORMS, Hypothesis, Platform
from .program import Unbounded

__all__ = ["PLATFORMS", "REACHES", "Bound", "Hypothesis", "Platform", "Result", "Unbounded", "bounds", "rounding_box"]
