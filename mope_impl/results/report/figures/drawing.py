"""What a figure of the report is, and the look that all share.

Ink and paper are those of matplotlib's settings when a figure is drawn, so that one and the same function draws for a page that
follows the theme of its reader, and for a file.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, PURPLE, RED = "#3b7dd8", "#d9822b", "#2f9e6e", "#a561c0", "#c0392b"
"""Colours that can be read on light and dark paper and told apart by the colour-blind; marks and dashes tell the same."""

WIDTH = 4.6
"""Inches: in the 310 pixels that a phone leaves to a figure, letters of 8.5 points are then still 7.6 pixels high."""
SMALL = 8.5
"""Points of the smallest letters."""

STYLE: Any = {
    "font.family": "sans-serif",
    "font.size": 10,
    "mathtext.fontset": "dejavusans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "legend.frameon": False,
    "legend.fontsize": SMALL,
    **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "white"),
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), "#1c1f24"),
}
"""Settings of matplotlib for a file: dark ink on white paper, which is legible on any page."""


@dataclass(frozen=True)
class Drawing:
    """A figure of one or several panels, each a figure of matplotlib of its own, to stand below each other where it is narrow.

    ``alt`` says in words what is to be seen, ``caption`` what it shows and from which records. Raises ValueError without them.
    """

    name: str
    alt: str
    caption: str
    panels: tuple[Figure, ...]

    def __post_init__(self) -> None:
        if not (self.alt.strip() and self.caption.strip() and self.panels):
            raise ValueError(f"the figure {self.name} has no panel, or no words")


def panel(height: float, width: float = WIDTH) -> tuple[Figure, Any]:
    """A figure with its one set of axes, in inches."""
    from matplotlib.figure import Figure  # without pyplot, which would look for a screen

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def ink() -> str:
    """The colour of the text."""
    from matplotlib import rcParams

    return str(rcParams["text.color"])


def paper() -> str:
    """The colour that fills a hollow mark: nothing, so that what lies below shines through."""
    return "none"


def short(label: str) -> str:
    """A label on two lines where it is long."""
    head, comma, rest = label.partition(", ")
    return f"{head},\n{rest}" if comma and len(label) > 18 else label
