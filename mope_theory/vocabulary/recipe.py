"""The published recipe as formulas: initial pairs, cap and clamp, learning-rate schedule, parameter counts, reported figures.

These describe what the reference implementation does; the claims on learning and on the reported figures speak of them.
"""
from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import Max, Min, Product, Rational, cos, pi

from ..symbols import k
from .numerals import RealHead, decimal
from .spectra import fresh

PAIRS = 128
"""Pairs of channels, each with its ω and its σ."""
WIDTH = 256
"""Channels of the model."""
CONTEXT = 256
"""Positions."""
LAYERS = 6
HEADS = 8

BOUNDARY = sp.Integer(5)
"""The value of ωσ that the clamp holds from below."""
CAP = decimal("0.95") * pi
"""The value that ω is capped at, before the clamp."""
FLOOR = decimal("0.001")
"""The value that σ is kept above."""

DECAY = decimal("0.1")
PEAK_RATE = decimal("3e-4")
WARM_UP = sp.Integer(300)
STEPS = sp.Integer(5000)

REPORTED: dict[str, tuple[str, str]] = {
    "baseline": ("1.4742", "0"),
    "EGA-1": ("1.3821", "0.092"),
    "EGA-1, companion paper": ("1.3712", "0.103"),
    "sinusoidal": ("1.5863", "-0.112"),
    "RoPE": ("1.4637", "0.011"),
    "MoPE": ("1.5060", "-0.032"),
    "EGA + MoPE": ("1.3550", "0.119"),
}
"""Model → (reported figure, reported improvement on the baseline), with the digits of the paper."""

EXTREMES = (("1.11", "4.50"), ("3.35", "1.49"))
"""The reported ends of the learned range as pairs (ω, σ): the largest σ goes with the smallest ω, for ωσ is reported to be 5."""


class InitialFrequency(RealHead):
    """ω of pair i before the first step, (0.99π)^{i/127}: spaced evenly in the logarithm from 1 to 0.99π."""

    nargs = 1

    def definition(self) -> sp.Expr:
        return (decimal("0.99") * pi) ** (self.args[0] / Rational(PAIRS - 1))

    def _eval_is_positive(self) -> bool | None:
        return self._eval_is_real()

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return _indexed(r"\omega", "(0)", self, printer, exp)


class InitialWidth(RealHead):
    """σ of pair i before the first step, 5/ω."""

    nargs = 1

    def definition(self) -> sp.Expr:
        return BOUNDARY / InitialFrequency(self.args[0])

    def _eval_is_positive(self) -> bool | None:
        return self._eval_is_real()

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return _indexed(r"\sigma", "(0)", self, printer, exp)


def _indexed(name: str, superscript: str, head: sp.Function, printer: Any, power: Any) -> str:
    value = rf"{name}_{{{printer._print(head.args[0])}}}^{{{superscript}}}"
    return value if power is None else rf"\left({value}\right)^{{{power}}}"


class EffectiveWidth(RealHead):
    """σ as the forward pass uses it: not below 10⁻³."""

    nargs = 1

    def definition(self) -> sp.Expr:
        return Max(self.args[0], FLOOR)

    def _eval_is_positive(self) -> bool | None:
        return self._eval_is_real()

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return _effective(r"\sigma", self, printer, exp)


class EffectiveFrequency(RealHead):
    """ω as the forward pass uses it: capped at 0.95π, then raised to 5/σ where ωσ is below 5; the cap may be passed again."""

    nargs = 2

    def definition(self) -> sp.Expr:
        frequency, width = self.args
        return Max(Min(frequency, CAP), BOUNDARY / EffectiveWidth(width))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return _effective(r"\omega", self, printer, exp)


def _effective(name: str, head: sp.Function, printer: Any, power: Any) -> str:
    inside = ", ".join(map(printer._print, head.args))
    value = rf"{name}_{{\mathrm{{eff}}}}\left({inside}\right)"
    return value if power is None else rf"\left({value}\right)^{{{power}}}"


class DecayFactor(RealHead):
    """What decoupled decay alone multiplies a parameter by over a whole schedule, Π(1 − λη_t).

    Arguments: decay λ, peak rate, warm-up steps W, steps S. η_t rises as t/W, then falls as ½(1 + cos π(t−W)/(S−W)).
    The factor of the published schedule is printed Π.
    """

    nargs = 4
    is_number = False
    """SymPy evaluates what it takes for a number whenever it sorts or compares; thousands of factors are too many for that."""

    def definition(self) -> sp.Expr:
        decay, peak, warm_up, steps = self.args
        step = fresh(k, *self.args)
        rising = peak * step / warm_up
        falling = peak * (1 + cos(pi * (step - warm_up) / (steps - warm_up))) / 2
        early, late = (step, 0, warm_up - 1), (step, warm_up, steps - 1)
        return Product(1 - decay * rising, early) * Product(1 - decay * falling, late)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        standing = self == PUBLISHED_DECAY
        inside = "" if standing else rf"\left({', '.join(map(printer._print, self.args))}\right)"
        return rf"\Pi{inside}" if exp is None else rf"\Pi{inside}^{{{exp}}}"


PUBLISHED_DECAY = DecayFactor(DECAY, PEAK_RATE, WARM_UP, STEPS)
"""The factor of the published schedule."""


class _Count(RealHead):
    """A number of parameters, printed as n_name(sizes)."""

    label: str

    def _eval_is_integer(self) -> bool | None:
        return True if all(a.is_integer for a in self.args) else None

    def _latex(self, printer: Any, exp: Any = None) -> str:
        inside = ", ".join(map(printer._print, self.args))
        value = rf"n_{{\mathrm{{{self.label}}}}}\left({inside}\right)"
        return value if exp is None else rf"{value}^{{{exp}}}"


class GateParameters(_Count):
    """Parameters of the energy gate: for each head of each layer a projection of d weights, its bias, α and τ, and extras.

    Arguments: layers, heads, width d, inert scalars a head.
    """

    nargs = 4
    label = "gate"

    def definition(self) -> sp.Expr:
        layers, heads, width, inert = self.args
        return layers * heads * (width + 1 + 2 + inert)


class MorletParameters(_Count):
    """Parameters of the Morlet encoding of D channels: an ω and a σ for each of the D/2 pairs."""

    nargs = 1
    label = "MoPE"

    def definition(self) -> sp.Expr:
        return 2 * (self.args[0] / 2)


class TableParameters(_Count):
    """Parameters of a learned table: one for each position and channel."""

    nargs = 2
    label = "table"

    def definition(self) -> sp.Expr:
        positions, width = self.args
        return positions * width


class ReportedLoss(RealHead):
    """The figure that the reference implementation prints for a model: a mean cross-entropy, in nats per character."""

    nargs = 1

    def definition(self) -> sp.Expr:
        return decimal(REPORTED[str(self.args[0])][0])

    def _latex(self, printer: Any, exp: Any = None) -> str:
        value = rf"\mathrm{{loss}}\left(\text{{{self.args[0]}}}\right)"
        return value if exp is None else rf"{value}^{{{exp}}}"


class Perplexity(RealHead):
    """Perplexity of a mean cross-entropy in nats: its exponential."""

    nargs = 1

    def definition(self) -> sp.Expr:
        return sp.exp(self.args[0])

    def _eval_is_positive(self) -> bool | None:
        return self._eval_is_real()

    def _latex(self, printer: Any, exp: Any = None) -> str:
        value = rf"\mathrm{{perplexity}}\left({printer._print(self.args[0])}\right)"
        return value if exp is None else rf"{value}^{{{exp}}}"
