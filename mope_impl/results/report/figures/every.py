"""All figures, each beside the table that it belongs to."""
from __future__ import annotations

from collections.abc import Callable

from ...store import Runs
from ..whole import Report
from .comparisons import differences, interactions, leak
from .drawing import Drawing
from .losses import curves, losses
from .plane import folding, plane, reach

DRAWINGS: dict[str, tuple[str, Callable[[Report, Runs], Drawing | None]]] = {
    "losses": ("losses", lambda report, runs: losses(report)),
    "curves": ("losses", lambda report, runs: curves(report)),
    "differences": ("differences", lambda report, runs: differences(report)),
    "interactions": ("interactions", lambda report, runs: interactions(report)),
    "leak": ("leak", lambda report, runs: leak(report)),
    "plane": ("decay", lambda report, runs: plane(runs)),
    "folding": ("folding", lambda report, runs: folding(runs)),
    "reach": ("reach", lambda report, runs: reach(report)),
}
"""Name → the table that it belongs to, and what draws it; None is drawn where its runs are missing."""


def drawings(report: Report, runs: Runs) -> list[tuple[str, Drawing]]:
    """(table, figure) of every figure that there are runs for."""
    made = ((table, draw(report, runs)) for table, draw in DRAWINGS.values())
    return [(table, drawing) for table, drawing in made if drawing is not None]
