"""What a picture is: where it belongs, what it shows in words, and how it is drawn."""
from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

from ..figures import STYLE, svg

ROOT = Path(__file__).resolve().parents[3]


WIDEST = 4.6
"""Inches: in the 310 pixels that a phone leaves to a figure letters of 8.5 points are then still 7.6 pixels high."""


@dataclass(frozen=True)
class Picture:
    """A drawing for the box of a claim.

    ``alt`` says in words what is to be seen, for who does not see it; ``caption``, in MyST, what to look for. ``draw`` gives
    the panels, each a figure of its own, so that they stand below each other on a narrow page.
    """

    name: str
    claim: str
    alt: str
    caption: str
    draw: Callable[[], Sequence[Figure]]

    def __post_init__(self) -> None:
        for field in ("alt", "caption"):
            if not getattr(self, field).strip():
                raise ValueError(f"the picture {self.name} has no {field}")

    @property
    def source(self) -> str:
        """The file that draws it, from the root of the tree."""
        file = sys.modules[self.draw.__module__].__file__
        return Path(str(file)).resolve().relative_to(ROOT).as_posix()

    def html(self) -> str:
        """The drawing, to stand in a page."""
        from matplotlib import rc_context

        with rc_context(STYLE):
            return svg(self.draw(), self.alt)


def panel(width: float = 3.9, height: float = 3.1) -> tuple[Figure, Any]:
    """A figure with its one set of axes, in inches.

    Raises ValueError if it is wider than WIDEST.
    """
    if width > WIDEST:
        raise ValueError(f"a panel of {width} inches is shrunk on a phone until its letters cannot be read")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()
