"""The wave packet: two channels under one envelope."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from mope_theory.symbols import b, omega, psi, sigma

from ..figures import BLUE, INK, ORANGE
from .evaluate import function
from .picture import Picture, panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FREQUENCY, WIDTH = 1.5, 4.0


def draw() -> Sequence[Figure]:
    packet = psi(b, omega, sigma).subs({omega: FREQUENCY, sigma: WIDTH})
    wave, envelope = function(packet, b), function(sp.Abs(psi(b, omega, WIDTH)), b, omega)
    x = np.linspace(-14, 14, 561)
    figure, axis = panel(4.6, 2.5)
    axis.plot(x, wave(x).real, color=BLUE, lw=1.6, label="Re ψ(b)")
    axis.plot(x, wave(x).imag, color=ORANGE, lw=1.6, label="Im ψ(b)")
    for sign in (1, -1):
        axis.plot(x, sign * envelope(x, FREQUENCY), color=INK, lw=1, ls="--", label="± |ψ(b)|" if sign == 1 else None)
    half = WIDTH * np.sqrt(2 * np.log(2))
    axis.plot([-half, half], [0.5, 0.5], color=INK, lw=1, marker="|", ms=9)
    axis.annotate("half of the maximum", (half, 0.5), (half + 0.5, 0.55), fontsize=9)
    axis.set(xlabel="position b (tokens)", ylim=(-1.15, 1.15), yticks=[-1, 0, 1])
    axis.legend(loc="lower center", ncols=3, bbox_to_anchor=(0.5, 1.0))
    return [figure]


PICTURES = (
    Picture(
        name="packet",
        claim="definition.envelope",
        alt=(
            "Two waves, a cosine and a sine, inside a bell that is highest at position 0; a bar marks where the bell has "
            "fallen to half of its height."
        ),
        caption=(
            "The two channels of a pair and their common envelope, for $\\omega = 3/2$ radians per token and $\\sigma = 4$ "
            "tokens. The bar ends where the envelope has fallen to one half, at $\\pm\\sigma\\sqrt{2\\ln 2}$."
        ),
        draw=draw,
    ),
)
