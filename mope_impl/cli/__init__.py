"""The ``mope`` command: a thin layer that calls the library and shows what it returns."""
from __future__ import annotations

from .app import main

__all__ = ["main"]
