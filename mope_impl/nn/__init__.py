"""Modules ready for a model: learned, sinusoidal and Morlet encodings of positions, and the energy gate of attention."""
from __future__ import annotations

from .base import Encoding
from .decay import parameter_groups
from .gate import EnergyGate
from .learned import LearnedEncoding
from .morlet import MorletEncoding
from .sinusoidal import SinusoidalEncoding

__all__ = ["Encoding", "EnergyGate", "LearnedEncoding", "MorletEncoding", "SinusoidalEncoding", "parameter_groups"]
