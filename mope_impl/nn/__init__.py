"""Modules ready for a model: encodings of positions, rotary encodings of queries and keys, the energy gate of attention."""
from __future__ import annotations

from .base import Encoding
from .decay import parameter_groups
from .gate import EnergyGate
from .learned import LearnedEncoding
from .morlet import MorletEncoding
from .rotary import MorletRotary, RotaryEncoding
from .sinusoidal import SinusoidalEncoding

__all__ = [
    "Encoding",
    "EnergyGate",
    "LearnedEncoding",
    "MorletEncoding",
    "MorletRotary",
    "RotaryEncoding",
    "SinusoidalEncoding",
    "parameter_groups",
]
