"""Paired differences and interactions with their intervals, and the leak."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..comparisons import Comparison
from ..text import count, significant
from .drawing import BLUE, GREEN, ORANGE, SMALL, Drawing, ink, panel, short
from .losses import _dot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..whole import Report

LEVEL = 0.05
"""Corrected p value below which a dot is filled."""


def differences(report: Report) -> Drawing | None:
    """One panel a family of declared differences."""
    return _drawing(
        "differences",
        report.comparisons,
        "paired difference",
        "difference (nats per character)",
        "Left of 0 the first model is the better one.",
    )


def interactions(report: Report) -> Drawing | None:
    """One panel a gate."""
    return _drawing(
        "interactions",
        report.interactions,
        "interaction",
        "interaction (nats per character)",
        "Right of 0 the gate gains more with MoPE than with the other encoding.",
    )


def _drawing(name: str, found: Sequence[Comparison], what: str, axis: str, hint: str) -> Drawing | None:
    families = {one.family: [other for other in found if other.family == one.family and other.value] for one in found}
    panels = tuple(_panel(family, rows, axis) for family, rows in families.items() if rows)
    known = [one for one in found if one.value]
    if not panels:
        return None
    signs = [one.value.sign for one in known if one.value]
    alt = (
        f"{count(len(known), what).capitalize()} with intervals about the line of 0: {signs.count(-1)} below it as a whole, "
        f"{signs.count(1)} above it, {signs.count(0)} across it."
    )
    caption = (
        f"{hint} Bars are 95 % intervals by Student’s t over paired seeds; a dot is filled where p, corrected by Holm over the "
        f"family, is below {LEVEL:g}."
    )
    return Drawing(name, alt, caption, panels)


def _panel(family: str, rows: Sequence[Comparison], label: str) -> Figure:
    figure, axis = panel(1.05 + 0.36 * len(rows))
    axis.axvline(0, color=ink(), lw=0.9)
    for place, one in enumerate(rows):
        _dot(axis, one.value, place, BLUE, filled=one.corrected is not None and one.corrected < LEVEL)
    axis.set(xlabel=label, yticks=range(len(rows)), ylim=(len(rows) - 0.5, -0.5))
    axis.set_yticklabels([_broken(one) for one in rows], fontsize=SMALL)
    axis.set_title(family, loc="left")
    axis.locator_params(axis="x", nbins=5)
    return figure


def _broken(one: Comparison) -> str:
    if len(one.models) == 2:
        first, second = one.models
        return f"{first}\n− {second}" if len(one.name) > 20 else one.name
    return one.name.replace("with MoPE ", "")


def leak(report: Report) -> Drawing | None:
    """Gain from later tokens by model, and by position where the records tell it."""
    if not report.leaks:
        return None
    figure, axis = panel(1.0 + 0.33 * len(report.leaks))
    axis.axvline(0, color=ink(), lw=0.9)
    for place, one in enumerate(report.leaks):
        colour = ORANGE if one.gate == "published" else GREEN
        _dot(axis, one.gain, place, colour, filled=one.gate == "published")
        if one.gain.lower is None:  # one seed: what its own windows say
            reach = 2 * max(one.standard_errors)
            axis.plot([one.gain.mean - reach, one.gain.mean + reach], [place, place], color=colour, lw=1, ls=":")
    rows = len(report.leaks)
    axis.set(xlabel="gain from later tokens (nats per token)", yticks=range(rows), ylim=(rows - 0.5, -0.5))
    axis.set_yticklabels([short(one.label) for one in report.leaks], fontsize=SMALL)
    panels = [figure]
    placed = [one for one in report.leaks if one.places]
    if placed:
        figure, axis = panel(3.2)
        axis.axhline(0, color=ink(), lw=0.9)
        for one, mark in zip(placed, "oDsv^xP*<>" * 3, strict=False):
            gains = [gain.mean for gain in one.gains]
            published = one.gate == "published"
            axis.plot(one.places, gains, "-" if published else ":", marker=mark, ms=3.5, lw=1.1, label=one.label,
                      color=ORANGE if published else GREEN, mfc=ORANGE if published else "none")  # fmt: skip
        axis.set(xlabel="position in the window (tokens)", ylabel="gain (nats per token)")
        axis.legend(loc="best", fontsize=7.5, ncols=2)
        panels.append(figure)
    most = max(report.leaks, key=lambda one: one.gain.mean)
    runs = sum(len(one.gain.seeds) for one in report.leaks)
    alt = (
        f"Gain from later tokens of {count(len(report.leaks), 'gated model')}; the greatest is that of {most.label}, "
        f"{significant(most.gain.mean)} nats per token."
    )
    caption = (
        f"What a gated model gains when the whole window is in view instead of the prefix alone, {count(runs, 'run')}: "
        "published gate "
        "filled, causal gate hollow; bars are 95 % intervals over seeds, dotted ones twice the standard error of a single run."
    )
    return Drawing("leak", alt, caption, tuple(panels))
