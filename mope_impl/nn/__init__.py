"""Modules ready for a model, encodings of positions, of queries and keys, the energy gate of attention, and a GPT of them."""
from __future__ import annotations

from .alibi import ALiBi
from .attention import SelfAttention
from .base import Encoding
from .config import ENCODINGS, GATES, GPTConfig
from .decay import parameter_groups
from .gate import EnergyGate
from .gpt import GPT
from .learned import LearnedEncoding
from .morlet import MorletEncoding
from .relative import MorletAttention
from .rotary import MorletRotary, RotaryEncoding
from .sinusoidal import SinusoidalEncoding

__all__ = [
    "ENCODINGS",
    "GATES",
    "GPT",
    "ALiBi",
    "Encoding",
    "EnergyGate",
    "GPTConfig",
    "LearnedEncoding",
    "MorletAttention",
    "MorletEncoding",
    "MorletRotary",
    "RotaryEncoding",
    "SelfAttention",
    "SinusoidalEncoding",
    "parameter_groups",
]
