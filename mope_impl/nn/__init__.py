"""Modules that turn positions into vectors, ready for a model: learned, sinusoidal and Morlet encodings."""
from __future__ import annotations

from .base import Encoding
from .decay import parameter_groups
from .learned import LearnedEncoding
from .morlet import MorletEncoding
from .sinusoidal import SinusoidalEncoding

__all__ = ["Encoding", "LearnedEncoding", "MorletEncoding", "SinusoidalEncoding", "parameter_groups"]
