"""How far the envelope reaches, and what a learned centre does."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sympy import Abs

from mope_theory.statement import Implies
from mope_theory.symbols import b, center, m, omega, psi, sigma
from mope_theory.vocabulary.recipe import CONTEXT, EXTREMES

from ..figures import BLUE, GREEN, INK, ORANGE
from .evaluate import function, numerals, shown, stated
from .picture import Picture, panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BEYOND: Any
(_BEYOND,) = (member for member in stated("locality.reach").body if isinstance(member, Implies))
EDGE, LEAST = int(_BEYOND.hypothesis.body[0].lhs), float(_BEYOND.conclusion.rhs.definition())
"""The position from which the claim bounds the envelope, and the bound."""


def reach() -> Sequence[Figure]:
    """|ψ(b)| on a logarithmic scale at the ends of the reported range of widths."""
    envelope = function(Abs(psi(b, omega, sigma)), b, omega, sigma)
    x = np.linspace(0, 22, 441)
    figure, axis = panel(4.6, 3.3)
    for (_, width), colour in zip(EXTREMES, (BLUE, ORANGE), strict=True):
        axis.semilogy(x, envelope(x, 0, float(width)), color=colour, lw=2, label=f"σ = {width}")
    axis.axhline(LEAST, color=INK, lw=1, ls="--")
    axis.axvspan(EDGE, 22, color=INK, alpha=0.07, lw=0)
    axis.annotate("below a thousandth", (EDGE + 0.25, 2e-1), fontsize=8.5, rotation=90, va="center")
    for value, numeral in numerals(stated("locality.reach")):
        (place,) = {head.args[0] for head in value.atoms(psi)}
        axis.semilogy([int(place)], [float(numeral.definition())], "o", color=BLUE, ms=5.5)
        axis.annotate(f"{numeral} at {place}", (int(place), float(numeral.definition())), xytext=(-6, -12),
                      textcoords="offset points", ha="right", fontsize=9)  # fmt: skip
    axis.set(xlabel="position b (tokens)", ylabel="envelope |ψ(b)|", ylim=(1e-5, 1.5), xlim=(0, 22))
    axis.legend(loc="upper right", bbox_to_anchor=(0.76, 1.0))
    return [figure]


def centre() -> Sequence[Figure]:
    """Modulus of the product of a token with itself, over its position, for three centres."""
    diagonal = function(Abs(psi(m, 0, sigma, center)) ** 2, m, sigma, center)
    x = np.arange(0, 33)
    figure, axis = panel(4.6, 2.9)
    for place, colour in ((0, BLUE), (10, ORANGE), (20, GREEN)):
        axis.plot(x, diagonal(x, 6.0, place), "o-", color=colour, ms=3, lw=1.2, label=f"b₀ = {place}")
    axis.axhline(1, color=INK, lw=1, ls="--")
    axis.set(xlabel="position m of a token (tokens)", ylabel="|P(m, m)|", ylim=(0, 1.12))
    axis.legend(loc="upper right", fontsize=8.5, bbox_to_anchor=(1.0, 0.92))
    return [figure]


PICTURES = (
    Picture(
        name="reach",
        claim="locality.reach",
        alt=(
            "The envelope over the position on a logarithmic scale, for the smallest and the largest reported width. The wider "
            f"one is at {shown('locality.reach')[0]} after ten tokens and crosses a thousandth before position {EDGE}; the "
            "narrower one crosses it before position 6."
        ),
        caption=(
            f"The envelope at the ends of the reported range of widths. Even the widest has fallen below {LEAST:g} "
            f"(dashed) at {EDGE} tokens; the text of the experiments is {CONTEXT} tokens long."
        ),
        draw=reach,
    ),
    Picture(
        name="centre",
        claim="locality.centre",
        alt=(
            "Product of a token with itself over its position, for three centres: three bells, each highest at its centre. "
            "A kernel of the distance alone would be the dashed horizontal line."
        ),
        caption=(
            "A token compared with itself, at distance 0, for three centres $b_0$ and $\\sigma = 6$. "
            "A kernel of the distance alone would give the dashed line; a centre moves the bell and does not flatten it."
        ),
        draw=centre,
    ),
)
