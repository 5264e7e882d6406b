"""The product kernel as a relative kernel times a prior on the midpoint."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from mope_theory.symbols import K, m, n, omega, sigma

from .evaluate import Array, function, stated
from .picture import Picture, panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FREQUENCY, WIDTH, REACH = 0.75, 7.0, 20


def _heat(values: Array, title: str) -> Figure:
    figure, axis = panel(3.4, 3.2)
    extent = (-REACH - 0.5, REACH + 0.5, -REACH - 0.5, REACH + 0.5)
    image = axis.imshow(values, cmap="RdBu_r", vmin=-1, vmax=1, origin="lower", interpolation="nearest", extent=extent)
    axis.set(title=title, xlabel="key n (tokens)", ylabel="query m (tokens)")
    axis.spines[:].set_visible(False)
    figure.colorbar(image, shrink=0.8, ticks=[-1, 0, 1]).outline.set_visible(False)
    return figure


def draw() -> Sequence[Figure]:
    factored = stated("kernel.factorisation")
    relative = K(m - n, omega, sigma)
    positions = np.arange(-REACH, REACH + 1.0)
    query, key = np.meshgrid(positions, positions, indexing="ij")
    parts = (
        (factored.lhs, "Re P(m, n)"),
        (relative, "Re K(m − n)"),
        (factored.rhs / relative, "prior of the midpoint"),
    )
    point = {omega: FREQUENCY, sigma: WIDTH}
    return [_heat(np.real(function(sp.expand(part).subs(point), m, n)(query, key)), title) for part, title in parts]


PICTURES = (
    Picture(
        name="factors",
        claim="kernel.factorisation",
        alt=(
            "Three heat maps over query and key positions from minus 20 to 20. The product kernel: stripes along the diagonal "
            "within a round spot at the origin. The relative kernel: the same stripes, unchanged along the diagonal. The "
            "prior: a band across the diagonal, through the origin, that fades along it."
        ),
        caption=(
            "The product kernel is the relative kernel times a prior on the midpoint ($\\omega = 3/4$, $\\sigma = 7$). "
            "Follow a stripe along the diagonal: $K$ does not change, $P$ fades, because the prior does. "
            "A pair far from the origin is dimmed however close its two tokens are."
        ),
        draw=draw,
    ),
)
