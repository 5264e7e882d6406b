"""Measured quantities: what a statement on experiments speaks of. They have no definition; finished runs supply their values.

A statement on experiments is judged at one preset, whose results supply every quantity in it; intervals are 95 % intervals
over the paired seeds of that preset, on the whole validation set, in nats per character.
"""
from __future__ import annotations

from typing import Any, ClassVar

import sympy as sp
from sympy.core.symbol import Str

LEVEL = sp.Rational(95, 100)
"""Coverage of every interval."""
FEWEST_SEEDS = sp.Integer(5)
"""Paired seeds that a mean needs before anything is concluded from it."""


class Measured(sp.Function):
    """Base of the measured quantities; the arguments are labels (of a model, of an arm) or numbers."""

    symbol: ClassVar[str]

    def _eval_is_real(self) -> bool:
        return True

    def _latex(self, printer: Any, exp: Any = None) -> str:
        inside = ", ".join(rf"\text{{{a}}}" if isinstance(a, Str) else printer._print(a) for a in self.args)
        value = rf"{self.symbol}\left({inside}\right)" if inside else self.symbol
        return value if exp is None else rf"{{{value}}}^{{{exp}}}"


class Seeds(Measured):
    """Number of paired seeds of an experiment."""

    symbol = r"\operatorname{seeds}"


class DifferenceLower(Measured):
    """Lower end of the interval of the mean paired difference, loss of the first model minus loss of the second."""

    symbol = r"\underline{\Delta}"


class DifferenceUpper(Measured):
    """Upper end of that interval."""

    symbol = r"\overline{\Delta}"


class NextRunLower(Measured):
    """Lower end of the interval in which the loss of one more run of a model is predicted to lie."""

    symbol = r"\underline{\mathrm{run}}"


class NextRunUpper(Measured):
    """Upper end of that interval."""

    symbol = r"\overline{\mathrm{run}}"


class InteractionLower(Measured):
    """Lower end of the interval of (L(MoPE) − L(gate, MoPE)) − (L(other) − L(gate, other)) for another encoding."""

    symbol = r"\underline{\mathrm{int}}"


class Occupancy(Measured):
    """Mean share of the pairs of an arm that end within a relative tolerance above ω_eff σ = 5. Arguments: arm, tolerance."""

    symbol = r"\mathrm{occupancy}"


class MultiplierLower(Measured):
    """Lower end of the interval of the mean multiplier (∂L/∂ω)/σ over the pairs of an arm at the end of the run."""

    symbol = r"\underline{\mu}"


class ProductUpper(Measured):
    """Upper end of the interval of the mean of ω_eff σ over the pairs of an arm at the end of the run."""

    symbol = r"\overline{\omega\sigma}"


class ReachLower(Measured):
    """Lower end of the interval of the mean learned reach on a source of a given correlation length, in tokens."""

    symbol = r"\underline{\mathrm{reach}}"


class ReachUpper(Measured):
    """Upper end of that interval."""

    symbol = r"\overline{\mathrm{reach}}"


def label(text: str) -> Str:
    """The name of a model or of an arm as an argument."""
    return Str(text)
