"""The figures of a report, drawn by matplotlib, each with what is to be seen on it in words."""
from .drawing import Drawing
from .every import DRAWINGS, drawings

__all__ = ["DRAWINGS", "Drawing", "drawings"]
