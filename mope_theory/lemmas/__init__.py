"""Named lemmas that close what the normal form alone cannot; each proves itself, and names the axioms that it rests on."""
from .gaussian import GAUSSIAN, IntegralLemma
from .inequality import EXP_ABOVE_TANGENT, ONE_MINUS_EXP, SQUARED_EXCESS, Inequality

LEMMAS: tuple[IntegralLemma | Inequality, ...] = (GAUSSIAN, ONE_MINUS_EXP, EXP_ABOVE_TANGENT, SQUARED_EXCESS)
"""Every lemma; a derivation that uses one that is not listed here is refused."""

__all__ = ["EXP_ABOVE_TANGENT", "GAUSSIAN", "LEMMAS", "ONE_MINUS_EXP", "SQUARED_EXCESS", "Inequality", "IntegralLemma"]
