"""What is left at zero frequency: the weight of the admissibility integral, and the sum over positions from 0 on."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from sympy import Abs

from mope_theory.symbols import omega, sigma, xi
from mope_theory.vocabulary.recipe import BOUNDARY

from ..figures import BLUE, GREEN, INK, ORANGE
from .evaluate import function, stated
from .picture import Picture, panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 2.0


def weight() -> Sequence[Figure]:
    """|ψ̂(ξ)|²/|ξ| near zero for three products ωσ, and the same for the corrected carrier."""
    spectrum = stated("admissibility.fourier").rhs
    leak = stated("admissibility.dc").body[0].rhs
    plain = function(spectrum**2 / Abs(xi), xi, omega, sigma)
    corrected = function((spectrum - leak * spectrum.subs(omega, 0)) ** 2 / Abs(xi), xi, omega, sigma)
    at = np.geomspace(1e-6, 8, 601)
    figure, axis = panel(4.6, 3.5)
    for product, colour in ((3, BLUE), (int(BOUNDARY), ORANGE), (6, GREEN)):
        axis.loglog(at, plain(at, product / WIDTH, WIDTH), color=colour, lw=1.8, label=f"ωσ = {product}")
        axis.loglog(at, corrected(at, product / WIDTH, WIDTH), color=colour, lw=1.2, ls="--")
    axis.set(xlabel="frequency ξ (radians per token)", ylabel="|ψ̂(ξ)|² / |ξ|", ylim=(1e-16, 1e3))
    axis.legend(loc="lower right", fontsize=8.5)
    return [figure]


def one_sided() -> Sequence[Figure]:
    """By how much the one-sided sum exceeds ½, from its closed form."""
    total = stated("admissibility.one-sided").body[0].rhs
    half = stated("admissibility.one-sided").body[1].lhs
    value = function(total, omega, sigma)
    excess = function(total - half, omega, sigma)
    frequency = np.linspace(0, np.pi, 301)
    sums, rest = panel(4.2, 3.3), panel(4.2, 3.3)
    for width, colour in ((0.5, BLUE), (1.5, ORANGE), (3, GREEN)):
        sums[1].plot(frequency, value(frequency, width), color=colour, lw=1.8, label=f"σ = {width:g}")
        rest[1].semilogy(frequency, excess(frequency, width), color=colour, lw=1.8)
    sums[1].axhline(float(half), color=INK, lw=1, ls="--")
    sums[1].annotate("½", (0.03, float(half)), xytext=(2, -12), textcoords="offset points")
    sums[1].set(ylabel="Re Σ ψ(b) over b = 0, 1, 2, …", ylim=(0, None))
    sums[1].legend(loc="upper right")
    rest[1].set(ylabel="by how much it exceeds ½", ylim=(1e-20, 10))
    for _, axis in (sums, rest):
        axis.set(xlabel="frequency ω (radians per token)", xticks=[0, np.pi / 2, np.pi], xticklabels=["0", "π/2", "π"])
    return [sums[0], rest[0]]


PICTURES = (
    Picture(
        name="weight",
        claim="admissibility.strict",
        alt=(
            "The integrand of the admissibility integral over the frequency, on logarithmic scales, for three products of "
            "frequency and width. Each curve turns upwards towards zero frequency; dashed curves of the corrected carrier "
            "fall instead."
        ),
        caption=(
            "The weight $|\\hat\\psi(\\xi)|^2/|\\xi|$ that admissibility integrates. Towards $\\xi = 0$ each solid curve rises "
            "like $1/\\xi$, whose integral diverges: at $\\omega\\sigma = 5$ as well as below, only from a lower level. "
            "With the carrier corrected (dashed) it falls, and the integral is finite."
        ),
        draw=weight,
    ),
    Picture(
        name="one-sided",
        claim="admissibility.one-sided",
        alt=(
            "Left, the sum of the even channel over positions from zero on, over the frequency, for three widths: every curve "
            "stays above one half. Right, the excess over one half on a logarithmic scale: small, and never zero."
        ),
        caption=(
            "The sum over the positions 0, 1, 2, … of an even channel, and by how much it exceeds ½. "
            "A wide packet of high frequency comes close to ½; to zero, which a wavelet would need, none comes."
        ),
        draw=one_sided,
    ),
)
