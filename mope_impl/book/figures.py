"""Figures of the pages: matplotlib and plotly drawings that stand in the page itself and follow its light and dark theme."""
from __future__ import annotations

import io
import json
import logging
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.display import HTML
    from matplotlib.figure import Figure

# The first figure on a machine builds a cache of fonts and says so on stderr, which is an error on a page.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

INK, PAPER = "#010203", "#fdfcfb"
"""Colours that stand in a drawing for those of the page's text and background."""

BLUE, ORANGE, GREEN = "#3b7dd8", "#d9822b", "#2f9e6e"
"""Colours of curves that can be read on both backgrounds, and told apart by the colour-blind."""

STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "mope",
    "font.family": "sans-serif",
    "font.size": 10,
    "mathtext.fontset": "dejavusans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "legend.frameon": False,
    **dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color", "axes.titlecolor"), INK
    ),
    **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "none"),
}
"""Settings of matplotlib, for ``with plt.rc_context(STYLE)``; its own type is a list of every name there is."""


def drawing(figures: Figure | Sequence[Figure], alt: str) -> HTML:
    """A matplotlib figure, or several side by side where there is room, as SVG in the page; their ink takes the colour of
    the page's text."""
    from IPython.display import HTML
    from matplotlib import rc_context

    # Labels are text, not outlines: they can be searched, and follow the fonts of the page.
    svg = ""
    for figure in figures if isinstance(figures, Sequence) else (figures,):
        file = io.StringIO()
        with rc_context(STYLE):
            figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
        text = file.getvalue()
        svg += text[text.index("<svg") :].replace(INK, "currentColor")
    return HTML(f'<div class="book-drawing" role="img" aria-label="{escape(alt, quote=True)}">{svg}</div>')


def plot(figure: Any, alt: str) -> HTML:
    """A plotly figure that draws with the page's own copy of plotly.js; ``book.js`` gives it the colours of the page."""
    from IPython.display import HTML

    figure.update_layout(paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)")
    body = figure.to_html(
        full_html=False,
        include_plotlyjs=False,
        include_mathjax=False,
        auto_play=False,
        config={"displaylogo": False, "displayModeBar": False, "responsive": True},
    )
    return HTML(f'<div class="book-plot" role="figure" aria-label={json.dumps(alt, ensure_ascii=False)}>{body}</div>')
