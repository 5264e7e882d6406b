"""The reported improvements beside their sum."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mope_theory.vocabulary.numerals import decimal
from mope_theory.vocabulary.recipe import REPORTED

from ..figures import BLUE, GREEN, INK, ORANGE
from .picture import Picture, panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw() -> Sequence[Figure]:
    gate, encoding, both = (float(decimal(REPORTED[name][1]).definition()) for name in ("EGA-1", "MoPE", "EGA + MoPE"))
    bars = (("gate", gate, BLUE), ("encoding", encoding, ORANGE), ("their sum", gate + encoding, GREEN), ("both", both, INK))
    figure, axis = panel(4.6, 2.6)
    names = [name for name, _, _ in bars]
    for place, (_, value, colour) in enumerate(bars):
        axis.barh(place, value, 0.62, color=colour, alpha=0.85)
        side: Any = {"xytext": (5, 0), "ha": "left"} if value > 0 else {"xytext": (-5, 0), "ha": "right"}
        text = f"{value:.3f}".replace("-", "−")
        axis.annotate(text, (value, place), textcoords="offset points", va="center", fontsize=9, **side)
    axis.axvline(0, color=INK, lw=0.8)
    axis.set(yticks=range(len(names)), yticklabels=names, xlim=(-0.07, 0.15), xlabel="improvement of the loss (nats)")
    axis.invert_yaxis()
    return [figure]


PICTURES = (
    Picture(
        name="improvements",
        claim="report.arithmetic",
        alt=(
            "Bars of the reported improvements: of the gate, of the encoding, which is negative, their sum, and of both "
            "together, which is about twice the sum."
        ),
        caption=(
            "The reported improvements on the baseline. Gate and encoding together gain more than the two apart; that these "
            "figures say so is arithmetic, whether runs do is for {claim}`experiment.superadditive`."
        ),
        draw=draw,
    ),
)
