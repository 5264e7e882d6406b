"""Figures of the pages: matplotlib and plotly drawings that stand in the page itself and follow its light and dark theme."""
from __future__ import annotations

import hashlib
import io
import json
import logging
import re
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


def svg(figures: Sequence[Figure], alt: str) -> str:
    """Matplotlib figures, side by side where there is room, as SVG in the page; their ink takes the colour of its text."""
    from matplotlib import rc_context

    # Labels are text, not outlines: they can be searched, and follow the fonts of the page.
    drawn = ""
    for number, figure in enumerate(figures):
        file = io.StringIO()
        # Names within a drawing hold on the whole page: each drawing has its own.
        with rc_context(STYLE | {"svg.hashsalt": f"{alt} {number}"}):
            figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
        text = file.getvalue()
        text = text[text.index("<svg") :].replace(INK, "currentColor").replace(PAPER, "var(--pst-color-background)")
        drawn += _unique(text, hashlib.sha256(f"{alt} {number}".encode()).hexdigest()[:8])
    return f'<div class="book-drawing" role="img" aria-label="{escape(alt, quote=True)}">{drawn}</div>'


def _unique(text: str, mark: str) -> str:
    """The names that matplotlib counts up in every drawing, made this one's own."""
    text = re.sub(r'\bid="([^"]+)"', rf'id="\1-{mark}"', text)
    text = re.sub(r'href="#([^"]+)"', rf'href="#\1-{mark}"', text)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#\1-{mark})", text)


def drawing(figures: Figure | Sequence[Figure], alt: str) -> HTML:
    """One or several matplotlib figures as the output of a cell."""
    from IPython.display import HTML

    return HTML(svg(figures if isinstance(figures, Sequence) else (figures,), alt))


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
