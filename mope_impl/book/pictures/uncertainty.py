"""The plane of the two spreads: what lies on the hyperbola ½, above it, and, sampled at the tokens, below it."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from mope_theory.symbols import omega, sigma
from mope_theory.vocabulary.spectra import Deviation

from ..figures import BLUE, GREEN, INK, ORANGE
from .evaluate import Array, deviation, function, numerals, shown, stated
from .picture import Picture, panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SAMPLED = np.geomspace(0.22, 3, 45)


def _sampled() -> Array:
    """Both spreads of the atom sampled at the integers, for each width."""
    product = stated("uncertainty.bound", "published").body.rhs
    spreads = sorted(product.atoms(Deviation), key=lambda head: head.args[1] != sp.S.Integers)
    return np.array([[deviation(head, {omega: 0, sigma: width}) for head in spreads] for width in SAMPLED]).T


def _widths(first: int) -> tuple[Array, Array]:
    """Two widths as the claim on equality states them, over a range of σ; ``first`` is the number of the member."""
    members = stated("uncertainty.equality").body
    width = np.geomspace(0.1, 10, 121)
    one, other = (function(member.rhs, sigma)(width) for member in members[first : first + 2])
    return one, other


def _hermite(count: int = 160, order: int = 7) -> Array:
    """Spreads of random sums of Hermite functions: moments of b and of −i d/db from the ladder operators, exactly."""
    draw = np.random.default_rng(2)
    lower = np.diag(np.sqrt(np.arange(1.0, order + 2)), 1)  # one order more, so that squares lose nothing
    place, slope = (lower + lower.T) / np.sqrt(2), (lower - lower.T) / (1j * np.sqrt(2))
    out = []
    for _ in range(count):
        state = np.zeros(order + 2, complex)
        kept = draw.integers(2, order)
        state[:kept] = (draw.normal(size=kept) + 1j * draw.normal(size=kept)) * 0.6 ** np.arange(kept)
        state /= np.linalg.norm(state)
        spreads = [_spread(operator, state) for operator in (place, slope)]
        stretch = draw.choice(np.geomspace(0.25, 3, 9))
        out.append((spreads[0] * stretch, spreads[1] / stretch))
    return np.array(out).T


def _spread(operator: Array, state: Array) -> float:
    moved = operator @ state
    return float(np.sqrt(np.vdot(moved, moved).real - np.vdot(state, moved).real ** 2))


def draw() -> Sequence[Figure]:
    figure, axis = panel(4.6, 3.7)
    line = np.geomspace(0.08, 8, 121)
    axis.fill_between(line, 1e-3, 0.5 / line, color=INK, alpha=0.07, lw=0)
    axis.loglog(line, 0.5 / line, color=INK, lw=1.2, label="Δb Δω = ½")
    axis.loglog(*_widths(0), color=ORANGE, lw=1.4, ls="--", label="amplitude widths σ, 1/σ")
    energy = [values[::10] for values in _widths(2)]
    axis.loglog(*energy, "o", color=BLUE, ms=5, label="atom on the line")
    axis.loglog(*_hermite(), ".", color=GREEN, ms=4, alpha=0.75, label="random waves on the line")
    axis.loglog(*_sampled(), color="#c0392b", lw=2, label="atom on the tokens")
    ((value, numeral),) = numerals(stated("uncertainty.bound"))
    at = [deviation(head, {omega: 0}) for head in sorted(value.atoms(Deviation), key=lambda h: h.args[1] != sp.S.Integers)]
    axis.loglog(*([x] for x in at), "o", color="#c0392b", ms=6)
    axis.annotate(f"{numeral}", at, (at[0] * 0.92, at[1] * 0.8), ha="right", va="top", color="#c0392b")
    axis.set(xlabel="Δb (tokens)", ylabel="Δω (radians per token)", xlim=(0.08, 8), ylim=(0.08, 8))
    axis.legend(loc="upper right", fontsize=8.5)
    return [figure]


PICTURES = (
    Picture(
        name="plane",
        claim="uncertainty.equality",
        alt=(
            "The plane of the spread in position and the spread in frequency, on logarithmic scales, with the hyperbola of "
            "product one half. Wave packets on the line lie on it, random waves above it, amplitude widths on a parallel "
            "hyperbola of product one. The packet sampled at the tokens leaves the hyperbola below one token and falls "
            "into the forbidden region."
        ),
        caption=(
            "On the line nothing lies below the hyperbola; Gaussian atoms lie on it, random sums of Hermite functions above "
            "it, and the widths of the *amplitudes*, which the paper takes for the spreads, at twice the product. "
            "Sampled at the tokens a narrow atom goes below: the marked one, $\\sigma = 1/2$, has the product "
            f"{shown('uncertainty.bound')[0]}, as {{claim}}`uncertainty.bound` states."
        ),
        draw=draw,
    ),
)
