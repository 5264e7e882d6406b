"""Ball-arithmetic checks of statements over whole boxes, on Arb through python-flint.

An enclosure *holds* if every point of its box is covered by a ball that proves the statement there, *fails* if one ball
disproves it, and is *refused* if the work ends before either.
"""
from .base import Enclosure
from .integral import ScaledIntegral
from .subdivision import Subdivision

__all__ = ["Enclosure", "ScaledIntegral", "Subdivision"]
