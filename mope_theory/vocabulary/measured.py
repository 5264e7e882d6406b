"""Measured quantities: what a statement on experiments speaks of. They have no definition; finished runs supply their values.

A statement on experiments is judged at one scope, whose runs supply every quantity in it; intervals are 95 % intervals over
the paired seeds of that scope, losses those of the whole validation set, in nats per character. A quantity is unknown where
fewer seeds than the statement asks for are there: the statement is then undecided, unless what is known settles it.
"""
from __future__ import annotations

from typing import Any, ClassVar

import sympy as sp
from sympy.core.symbol import Str

LEVEL = sp.Rational(95, 100)
"""Coverage of every interval."""


class Measured(sp.Function):
    """Base of the measured quantities; the arguments are labels (of a model, of an arm) or numbers."""

    symbol: ClassVar[str]
    """Its name in TeX."""
    word: ClassVar[str]
    """Its name in plain text."""

    def _eval_is_real(self) -> bool:
        return True

    def _sympystr(self, printer: Any) -> str:
        inside = "; ".join(str(a) if isinstance(a, Str) else printer._print(a) for a in self.args)  # a label may hold a comma
        return f"{self.word}({inside})" if inside else self.word

    def _latex(self, printer: Any, exp: Any = None) -> str:
        inside = "; ".join(rf"\text{{{a}}}" if isinstance(a, Str) else printer._print(a) for a in self.args)
        value = rf"{self.symbol}\left({inside}\right)" if inside else self.symbol
        return value if exp is None else rf"{{{value}}}^{{{exp}}}"


class Seeds(Measured):
    """The smallest number of paired seeds that any quantity of the statement is taken over.

    A statement asks for some: n ≤ seeds is true or undecided, never false, since further runs may come.
    """

    symbol = r"\operatorname{seeds}"
    word = "seeds"


class Parameters(Measured):
    """Number of parameters of a model."""

    symbol = r"n_{\mathrm{par}}"
    word = "parameters"


class DifferenceLower(Measured):
    """Lower end of the interval of the mean paired difference, loss of the first model minus loss of the second."""

    symbol = r"\underline{\Delta}"
    word = "Δ_lower"


class DifferenceUpper(Measured):
    """Upper end of that interval."""

    symbol = r"\overline{\Delta}"
    word = "Δ_upper"


class NextRunLower(Measured):
    """Lower end of the interval in which the loss of one more run of a model is predicted to lie."""

    symbol = r"\underline{\mathrm{run}}"
    word = "run_lower"


class NextRunUpper(Measured):
    """Upper end of that interval."""

    symbol = r"\overline{\mathrm{run}}"
    word = "run_upper"


class InteractionLower(Measured):
    """Lower end of the interval of (L(MoPE) − L(gate, MoPE)) − (L(other) − L(gate, other)). Arguments: gate, other encoding."""

    symbol = r"\underline{\mathrm{int}}"
    word = "interaction_lower"


class InteractionUpper(Measured):
    """Upper end of that interval."""

    symbol = r"\overline{\mathrm{int}}"
    word = "interaction_upper"


class Occupancy(Measured):
    """Mean share of the pairs of an arm that end within a relative tolerance of ω_eff σ_eff = 5. Arguments: arm, tolerance."""

    symbol = r"\mathrm{occupancy}"
    word = "occupancy"


class MultiplierLower(Measured):
    """Lower end of the interval of the mean multiplier (∂L/∂ω)/σ over the pairs of an arm at the end of the run."""

    symbol = r"\underline{\mu}"
    word = "μ_lower"


class MultiplierUpper(Measured):
    """Upper end of that interval."""

    symbol = r"\overline{\mu}"
    word = "μ_upper"


class ImbalanceLower(Measured):
    """Lower end of the interval of Σ|ω ∂L/∂ω − σ ∂L/∂σ| / Σ(|ω ∂L/∂ω| + |σ ∂L/∂σ|) over the pairs of an arm at the end.

    It lies in [0, 1]; 0 where every pair is balanced, 1 where no pair is by any part.
    """

    symbol = r"\underline{\mathrm{imbalance}}"
    word = "imbalance_lower"


class ImbalanceUpper(Measured):
    """Upper end of that interval."""

    symbol = r"\overline{\mathrm{imbalance}}"
    word = "imbalance_upper"


class ProductLower(Measured):
    """Lower end of the interval of the mean of ω_eff σ_eff over the pairs of an arm at the end of the run."""

    symbol = r"\underline{\omega\sigma}"
    word = "ωσ_lower"


class ProductUpper(Measured):
    """Upper end of that interval."""

    symbol = r"\overline{\omega\sigma}"
    word = "ωσ_upper"


class ReachLower(Measured):
    """Lower end of the interval of the mean learned reach on a source of a given correlation length, in tokens.

    Reach is the distance within which that share of the influence of a token on later predictions lies which lies within one
    standard deviation of a normal distribution, 68.27 %.
    """

    symbol = r"\underline{\mathrm{reach}}"
    word = "reach_lower"


class ReachUpper(Measured):
    """Upper end of that interval."""

    symbol = r"\overline{\mathrm{reach}}"
    word = "reach_upper"


def label(text: str) -> Str:
    """The name of a model or of an arm as an argument."""
    return Str(text)
