"""Frequencies folded by the integers, and what that makes of the reported pairs."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from mope_theory.symbols import omega
from mope_theory.vocabulary.recipe import BOUNDARY, EXTREMES
from mope_theory.vocabulary.spectra import CircleDistance

from ..figures import BLUE, INK, ORANGE
from .evaluate import function, shown
from .picture import Picture, panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAIRS = [tuple(map(float, pair)) for pair in EXTREMES]
FOLDED, PRODUCT = shown("alias.admissibility")
"""The numerals of the claim: what the larger frequency acts as, and its product with the width."""


def draw() -> Sequence[Figure]:
    fold = function(CircleDistance(omega), omega)
    (low, wide), (high, narrow) = PAIRS
    line = np.linspace(0, 2 * np.pi, 401)
    folded, axis = panel(4.2, 3.4)
    axis.plot(line, fold(line), color=BLUE, lw=2)
    axis.plot(line[line <= np.pi], line[line <= np.pi], color=INK, lw=0.8, ls=":")
    for value, text in ((low, EXTREMES[0][0]), (high, f"{EXTREMES[1][0]} acts as {FOLDED}")):
        axis.plot([value, value, 0], [0, fold(value), fold(value)], color=ORANGE, lw=1)
        axis.plot([value], [fold(value)], "o", color=ORANGE, ms=6)
        axis.annotate(text, (value, fold(value)), xytext=(7, 1), textcoords="offset points", fontsize=9)
    ticks = [0, np.pi / 2, np.pi, 3 * np.pi / 2, 2 * np.pi]
    axis.set(xlabel="frequency ω on the line", ylabel="frequency on the tokens", xticks=ticks, yticks=[0, np.pi / 2, np.pi])
    axis.set_xticklabels(["0", "π/2", "π", "3π/2", "2π"])
    axis.set_yticklabels(["0", "π/2", "π"])
    return [folded, _products(fold, (low, wide), (high, narrow))]


def _products(fold: object, *pairs: tuple[float, float]) -> Figure:
    """The reported pairs in the plane of ω and σ, as stored and as the tokens see them, with the curve ωσ = 5."""
    assert callable(fold)
    figure, axis = panel(4.2, 3.4)
    frequency = np.linspace(0.8, 4.2, 201)
    axis.plot(frequency, float(BOUNDARY) / frequency, color=INK, lw=1.4)
    axis.annotate(f"ωσ = {BOUNDARY}", (1.75, 3.0), fontsize=9)
    axis.axvline(np.pi, color=INK, lw=0.8, ls=":")
    axis.annotate("π", (np.pi, 0.6), xytext=(4, 0), textcoords="offset points")
    for number, (place, width) in enumerate(pairs):
        seen = fold(place)
        label = ("reported", "as the tokens see it") if number == 0 else (None, None)
        axis.plot([place], [width], "o", mfc="none", mec=ORANGE, mew=1.6, ms=9, label=label[0])
        axis.plot([seen], [width], "o", color=BLUE, ms=5, label=label[1])
        if seen != place:
            axis.annotate("", (seen, width), (place, width), arrowprops={"arrowstyle": "->", "color": BLUE, "shrinkA": 5})
            below = {"xytext": (-4, -13), "textcoords": "offset points", "ha": "right"}
            axis.annotate(f"product {PRODUCT}", (seen, width), fontsize=9, **below)
    axis.set(xlabel="frequency ω", ylabel="width σ (tokens)", xlim=(0.8, 4.2), ylim=(0.5, 5.2))
    axis.legend(loc="upper right", fontsize=8.5)
    return figure


PICTURES = (
    Picture(
        name="fold",
        claim="alias.admissibility",
        alt=(
            "Left, the frequency that the tokens see over the frequency on the line: it rises to pi and falls again, so that "
            f"{EXTREMES[1][0]} acts as {FOLDED}. Right, the two reported pairs near the curve of product 5; the second one, "
            "folded, moves below the curve."
        ),
        caption=(
            f"Tokens stand at integers, so a frequency above $\\pi$ acts as its mirror image: {EXTREMES[1][0]} as {FOLDED}. "
            f"The reported pair ({', '.join(EXTREMES[1])}) lies on the curve $\\omega\\sigma = 5$ only on the line; "
            f"for the tokens its product is {PRODUCT}. The pair ({', '.join(EXTREMES[0])}) is not moved."
        ),
        draw=draw,
    ),
)
