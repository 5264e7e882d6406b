"""How fast the limits of a wide envelope are reached, how far they are uniform, and what ALiBi is not."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from sympy import Abs

from mope_theory.symbols import K, b, carrier, d, psi, sigma

from ..figures import BLUE, GREEN, INK, ORANGE
from .evaluate import function
from .picture import Picture, panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def rate() -> Sequence[Figure]:
    """|ψ(b) − e^{iωb}| over σ at three positions, with the bound, and at a position that moves with σ."""
    distance = function(Abs(psi(b, 0, sigma) - carrier(b, 0)), b, sigma)
    width = np.geomspace(1, 1000, 301)
    figure, axis = panel(4.6, 3.5)
    for position, colour in ((1, BLUE), (10, ORANGE), (100, GREEN)):
        axis.loglog(width, distance(position, width), color=colour, lw=1.8, label=f"b = {position}")
        axis.loglog(width, position**2 / (2 * width**2), color=colour, lw=1, ls="--")
    axis.loglog(width, distance(3 * width, width), color=INK, lw=1.4, ls=":", label="b = 3σ")
    axis.set(xlabel="width σ (tokens)", ylabel="|ψ(b) − e$^{iωb}$|", ylim=(1e-6, 3))
    axis.legend(loc="lower left")
    return [figure]


SLOPE = 0.25


def alibi() -> Sequence[Figure]:
    """Logarithms of the ALiBi weight and of relative kernels at zero frequency."""
    kernel = function(K(d, 0, sigma), d, sigma)
    distance = np.linspace(0, 20, 401)
    figure, axis = panel(4.6, 3.3)
    axis.plot(distance, -SLOPE * distance, color=INK, lw=1.8, label="ALiBi, −|d|/4")
    for width, colour in ((3, BLUE), (4, ORANGE), (6, GREEN)):
        axis.plot(distance, np.log(kernel(distance, width)), color=colour, lw=1.6, label=f"ln K(d), σ = {width}")
        meets = 4 * SLOPE * width**2  # −d²/4σ² = −|d|/4
        axis.plot([meets], [-SLOPE * meets], "o", color=colour, ms=4.5)
    axis.set(xlabel="distance d (tokens)", ylabel="logarithm of the weight", ylim=(-6, 0.2), xlim=(0, 20))
    axis.legend(loc="lower left", fontsize=8.5)
    return [figure]


PICTURES = (
    Picture(
        name="rate",
        claim="limit.sinusoidal",
        alt=(
            "Distance of the encoding from its limit over the width, on logarithmic scales. At positions 1, 10 and 100 it "
            "falls with the square of the width, below a dashed bound. At a position of three widths it does not fall at all."
        ),
        caption=(
            "The distance from the limit falls like $1/\\sigma^2$ at each position, below the proved bound "
            "$b^2/2\\sigma^2$ (dashed); it does not depend on $\\omega$. The dotted line is the distance at the position "
            "$3\\sigma$, which moves out as $\\sigma$ grows: nothing is gained there, so the limit is not uniform."
        ),
        draw=rate,
    ),
    Picture(
        name="alibi",
        claim="limit.alibi",
        alt=(
            "Logarithm of the weight over the distance: a straight line for ALiBi, parabolas for the Morlet kernels of zero "
            "frequency. Each parabola meets the line at 0 and at one further distance, marked by a dot."
        ),
        caption=(
            "On a logarithmic scale ALiBi is a straight line and the kernel of zero frequency a parabola. "
            "They agree at distance 0 and at one other (the dots): no width makes them agree at two."
        ),
        draw=alibi,
    ),
)
