"""Gradients and their bound, the clamp in the plane of ω and σ, and what decay alone does to the ranges."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from sympy import Abs

from mope_theory.symbols import b, channel, nu, omega, rho, sigma
from mope_theory.text import expression
from mope_theory.vocabulary.recipe import (
    BOUNDARY,
    CAP,
    EXTREMES,
    PAIRS,
    EffectiveFrequency,
    EffectiveWidth,
    InitialFrequency,
    InitialWidth,
)

from ..figures import BLUE, GREEN, INK, ORANGE
from ..typeset import plain
from .evaluate import Array, function, shown, stated
from .picture import Picture, panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FACTOR, LEAST_WIDTH, GREATEST_WIDTH, STORED, LEAST_FREQUENCY, GREATEST_FREQUENCY = shown("learning.decay")
(FORCING,) = shown("learning.forced")


def gradients() -> Sequence[Figure]:
    """|∂ψ/∂σ| over the position for three widths, with the bounds."""
    _, by_width, bounded, _ = stated("learning.gradients").body
    slope, bound = function(Abs(by_width.rhs), b, omega, sigma), function(bounded.rhs, sigma)
    x = np.linspace(0, 16, 401)
    figure, axis = panel(4.6, 3.1)
    for width, colour in ((1.5, BLUE), (3, ORANGE), (6, GREEN)):
        axis.plot(x, slope(x, 0, width), color=colour, lw=1.8, label=f"σ = {width:g}")
        axis.axhline(bound(width), color=colour, lw=1, ls="--")
        axis.plot([width * np.sqrt(2)], [bound(width)], "o", color=colour, ms=5)
    axis.set(xlabel="position b (tokens)", ylabel="|∂ψ/∂σ|", ylim=(0, None), xlim=(0, 16))
    axis.legend(loc="upper right")
    return [figure]


def clamp() -> Sequence[Figure]:
    """Stored and effective pairs: arrows lead from what is stored to what the forward pass uses."""
    used = function(EffectiveFrequency(nu, rho), nu, rho)
    figure, axis = panel(4.6, 3.9)
    line = np.linspace(0.6, 5.8, 201)
    axis.fill_between(line, 0, float(BOUNDARY) / line, color=INK, alpha=0.07, lw=0)
    axis.plot(line, float(BOUNDARY) / line, color=INK, lw=1.5)
    axis.axvline(float(CAP), color=INK, lw=1, ls="--")
    cap = f"cap {plain(expression(CAP))}"
    axis.annotate(cap, (float(CAP), 5.55), xytext=(-4, 0), textcoords="offset points", ha="right", fontsize=9)
    axis.axhline(float(FORCING), color=INK, lw=1, ls=":")
    axis.annotate(f"σ = {FORCING}", (4.75, float(FORCING)), xytext=(0, 4), textcoords="offset points", fontsize=9)
    axis.annotate(f"ωσ = {BOUNDARY}", (1.05, 5.15), fontsize=9)
    stored = [(x, y) for x in (0.9, 1.8, 2.6, 3.6) for y in (0.9, 1.5, 2.4, 3.6, 4.8)]
    for frequency, width in stored:
        effective = float(used(frequency, width))
        axis.plot([frequency], [width], "o", mfc="none", mec=BLUE, ms=5)
        if abs(effective - frequency) > 0.04 and effective < 6:
            arrow = {"arrowstyle": "->", "color": ORANGE, "shrinkA": 2, "shrinkB": 0}
            axis.annotate("", (effective, width), (frequency, width), arrowprops=arrow)
    axis.set(xlabel="frequency ω (radians per token)", ylabel="width σ (tokens)", xlim=(0.6, 5.8), ylim=(0.6, 5.8))
    return [figure]


def decay() -> Sequence[Figure]:
    """The 128 pairs: at the start, after decay alone, and the reported range."""
    start = [function(head(channel), channel)(np.arange(PAIRS)) for head in (InitialFrequency, InitialWidth)]
    stored = [values ** float(FACTOR) for values in start]
    used = function(EffectiveFrequency(nu, rho), nu, rho)(*stored), function(EffectiveWidth(rho), rho)(stored[1])
    return [_plane(start, stored, used), _ranges(start, used)]


def _plane(start: Sequence[Array], stored: Sequence[Array], used: Sequence[Array]) -> Figure:
    figure, axis = panel(4.2, 3.6)
    line = np.linspace(0.8, 3.6, 201)
    axis.plot(line, float(BOUNDARY) / line, color=INK, lw=1)
    axis.plot(*(values[::9] for values in start), "o", color=INK, ms=4, label="start")
    axis.plot(*(values[::9] for values in stored), "o", mfc="none", mec=BLUE, ms=4, label="stored, after decay")
    axis.plot(*(values[::9] for values in used), "x", color=ORANGE, ms=5, mew=1.5, label="used, after the clamp")
    for first, last in zip(zip(*stored, strict=True), zip(*used, strict=True), strict=True):
        axis.plot([first[0], last[0]], [first[1], last[1]], color=ORANGE, lw=0.25)
    axis.set(xlabel="frequency ω (radians per token)", ylabel="width σ (tokens)")
    axis.legend(loc="upper right", fontsize=8.5)
    return figure


def _ranges(start: Sequence[Array], used: Sequence[Array]) -> Figure:
    """Ranges of σ and of ω as bars below each other."""
    figure, axis = panel(4.2, 3.6)
    reported = [sorted(float(pair[i]) for pair in EXTREMES) for i in (1, 0)]
    computed = [(LEAST_WIDTH, GREATEST_WIDTH), (LEAST_FREQUENCY, GREATEST_FREQUENCY)]
    for group, (name, values, decayed) in enumerate((("σ", start[1], computed[0]), ("ω", start[0], computed[1]))):
        bars = (
            ("start", (values.min(), values.max()), INK),
            ("decay alone", tuple(map(float, decayed)), ORANGE),
            ("reported", tuple(reported[group]), BLUE),
        )
        for row, (label, (low, high), colour) in enumerate(bars):
            height = -4 * group - row
            axis.plot([low, high], [height, height], color=colour, lw=7, solid_capstyle="butt")
            axis.annotate(f"{name}, {label}", (-1.55, height), va="center", fontsize=8.5)
            axis.annotate(f"{low:.2f} … {high:.2f}", (high, height), xytext=(5, 0), textcoords="offset points",
                          va="center", fontsize=8.5)  # fmt: skip
    axis.set(xlim=(-1.6, 7), ylim=(-6.8, 0.8), xlabel="tokens, and radians per token", yticks=[], xticks=range(6))
    axis.spines["left"].set_visible(False)
    return figure


PICTURES = (
    Picture(
        name="gradients",
        claim="learning.gradients",
        alt=(
            "Size of the derivative by the width over the position, for three widths: each curve rises from zero to a single "
            "maximum at the square root of two widths, where it touches its bound, and falls again."
        ),
        caption=(
            "The derivative by the width at three widths, with the bound $2/(e\\sigma)$ (dashed), which it touches at "
            "$|b| = \\sigma\\sqrt 2$ and nowhere else. A narrow packet hears nothing from far away: "
            "beyond a few widths no gradient is left that could widen it."
        ),
        draw=gradients,
    ),
    Picture(
        name="clamp",
        claim="learning.clamp",
        alt=(
            "The plane of frequency and width with the curve of product 5. Arrows lead from stored pairs below the curve "
            "horizontally onto it, and from pairs beyond the cap back to it; pairs in between stay."
        ),
        caption=(
            "Circles are stored pairs; an arrow leads to the frequency that the forward pass uses. In the grey region it is "
            "$5/\\sigma$ whatever is stored, so the stored frequency has no gradient there. "
            f"Below $\\sigma = {FORCING}$ (dotted) cap and clamp leave no other value: {{claim}}`learning.forced`."
        ),
        draw=clamp,
    ),
    Picture(
        name="decay",
        claim="learning.decay",
        alt=(
            "Left, pairs of frequency and width: at the start on the curve of product 5, after decay below it, and moved "
            "horizontally back onto it by the clamp. Right, ranges of width and frequency at the start, after decay alone, and "
            "as reported: the last two nearly agree."
        ),
        caption=(
            f"Decay alone raises every stored value to the power {FACTOR}: each product becomes {STORED}, and the clamp puts "
            "every pair back on the curve. Nothing was learned, yet the ranges come close to those reported."
        ),
        draw=decay,
    ),
)
