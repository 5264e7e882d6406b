"""The angle of a product does not see the width."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from mope_theory.symbols import P, carrier, m, n, omega, sigma

from ..figures import BLUE, GREEN, INK, ORANGE
from .evaluate import function
from .picture import Picture, panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FREQUENCY, KEY, FURTHEST = 0.5, 1, 9


def draw() -> Sequence[Figure]:
    product, rotation = function(P(m, n), m, n, omega, sigma), function(carrier(m - n, omega), m, n, omega)
    queries = np.arange(KEY, FURTHEST + 1)
    figure, axis = panel(4.2, 3.9)
    turned = rotation(queries, KEY, FREQUENCY)
    axis.plot(np.stack([0 * turned.real, turned.real]), np.stack([0 * turned.imag, turned.imag]), color=INK, lw=0.5, alpha=0.6)
    axis.plot(turned.real, turned.imag, "o", color=INK, ms=4, label="rotation alone")
    for width, colour in ((12, BLUE), (6, ORANGE), (3, GREEN)):
        values = product(queries, KEY, FREQUENCY, width)
        axis.plot(values.real, values.imag, "o-", color=colour, ms=4, lw=0.8, label=f"σ = {width}")
    for query, value in zip(queries, turned, strict=True):
        axis.annotate(str(query - KEY), (1.12 * value.real, 1.12 * value.imag), ha="center", va="center", fontsize=8)
    axis.set(xlabel="Re P(m, n)", ylabel="Im P(m, n)", aspect="equal", xlim=(-1.25, 1.25), ylim=(-1.05, 1.25))
    axis.legend(loc="lower right", fontsize=8.5)
    return [figure]


PICTURES = (
    Picture(
        name="angles",
        claim="phase.rope-angle",
        alt=(
            "Points in the complex plane on nine rays, one for each distance from 0 to 8: on the unit circle for a rotation "
            "alone, nearer to the origin the narrower the envelope, but always on the same ray."
        ),
        caption=(
            "$P(m, n)$ in the complex plane for a key at $n = 1$ and queries at the distances 0 to 8, $\\omega = 1/2$. "
            "A narrower envelope pulls a point towards the origin along its ray: the angle is that of the rotation."
        ),
        draw=draw,
    ),
)
