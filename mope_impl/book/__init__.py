"""The book: its build, and the rendering of claims, derivations and ledger rows that its pages ask for."""
from .build import BookError, build

__all__ = ["BookError", "build"]
