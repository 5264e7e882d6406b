"""Losses by model, and by step."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mope_theory.experiments import CONTROLS, GATES, gated

from ..models import SOURCES, Curve, Model
from ..text import count, mean, seeds
from .drawing import BLUE, GREEN, ORANGE, PURPLE, RED, SMALL, Drawing, ink, panel, short

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..whole import Report

ENCODINGS = ("baseline", "none", "sinusoidal", "RoPE", "RoPE alone", "MoPE")
GATED = tuple(gated(gate, encoding) for gate in GATES for encoding in (*CONTROLS, "MoPE"))


def losses(report: Report) -> Drawing | None:
    """Dots and intervals by model, the runs of one seed joined."""
    known = {model.label: model for model in report.models if model.values and model.label not in SOURCES}
    first = [known[label] for label in (*ENCODINGS, *GATED) if label in known]
    rest = [model for label, model in known.items() if label not in (*ENCODINGS, *GATED)]
    panels = tuple(_dots(group) for group in (first, rest) if group)
    if not panels:
        return None
    shown = [model for model in (*first, *rest) if model.loss]
    runs = sum(len(model.values) for model in known.values())
    extremes = ""
    if shown:
        best, worst = (pick(shown, key=lambda one: one.loss.mean if one.loss else 0.0) for pick in (min, max))
        extremes = f" Least mean: {best.label}, {mean(best.loss)}; greatest: {worst.label}, {mean(worst.loss)}."
    caption = (
        f"Loss on the whole validation split, {count(runs, 'run')}: the mean over seeds with its 95 % interval, each run as "
        "a small dot, and the runs of one seed joined by a faint line, which share the order of the data and initial values."
    )
    return Drawing("losses", f"Losses of {count(len(known), 'model')} with their intervals.{extremes}", caption, panels)


def _dots(models: Sequence[Model]) -> Figure:
    figure, axis = panel(0.75 + 0.33 * len(models))
    places = range(len(models))
    for seed in sorted({seed for model in models for seed in model.values}):
        nothing = float("nan")
        line = [model.values.get(seed, nothing) for model in models]
        axis.plot(line, places, color=ink(), lw=0.6, alpha=0.22)
        axis.plot(line, places, ".", color=ink(), ms=3.5, alpha=0.45)
    for place, model in enumerate(models):
        colour = ORANGE if model.label in GATED and "causal" not in model.label else GREEN if model.label in GATED else BLUE
        _dot(axis, model.loss, place, colour)
    axis.set(xlabel="loss (nats per character)", yticks=places, ylim=(len(models) - 0.5, -0.5))
    axis.set_yticklabels([short(model.label) for model in models], fontsize=SMALL)
    axis.grid(axis="x", color=ink(), alpha=0.12, lw=0.6)
    return figure


def _dot(axis: Any, value: Any, place: float, colour: str, filled: bool = True) -> None:
    """A mean with its interval."""
    if value is None:
        return
    if value.lower is not None:
        axis.plot([value.lower, value.upper], [place, place], color=colour, lw=2, solid_capstyle="butt")
    axis.plot([value.mean], [place], "o", color=colour, ms=5.5, mfc=colour if filled else "none", mew=1.4)


_LOOK = {
    "baseline": ("ink", "-", "o"),
    "none": (RED, "-", "x"),
    "sinusoidal": (PURPLE, "-", "v"),
    "RoPE": (GREEN, "-", "s"),
    "RoPE alone": (GREEN, "--", "^"),
    "MoPE": (ORANGE, "-", "D"),
    "EGA-1": (BLUE, "-", "o"),
    "EGA + MoPE": (BLUE, "--", "D"),
    "EGA-1, causal": (PURPLE, ":", "o"),
    "EGA + MoPE, causal": (PURPLE, "-.", "D"),
}
_GROUPS = (ENCODINGS, ("baseline", "MoPE", "EGA-1", "EGA + MoPE", "EGA-1, causal", "EGA + MoPE, causal"))


def _points(curve: Curve) -> list[tuple[int, float]]:
    return list(zip(curve.steps, curve.losses, strict=True))


def curves(report: Report) -> Drawing | None:
    """Validation loss by step, without the first steps, in which it falls from that of guessing."""
    known = {curve.label: curve for curve in report.curves if curve.label in _LOOK and len(curve.steps) > 1}
    panels: list[Figure] = []
    shown: set[str] = set()
    for group in _GROUPS:
        chosen = [known[label] for label in group if label in known]
        if not chosen or (panels and set(group) & set(known) <= shown):
            continue
        shown |= {curve.label for curve in chosen}
        figure, axis = panel(3.4)
        for curve in chosen:
            colour, line, mark = _LOOK[curve.label]
            kept = [(step, loss) for step, loss in _points(curve) if step > 0]
            axis.plot(*zip(*kept, strict=True), line, marker=mark, ms=3.5, lw=1.3, color=ink() if colour == "ink" else colour,
                      label=curve.label)  # fmt: skip
        late = [loss for curve in chosen for step, loss in _points(curve) if 2 * step >= curve.steps[-1]]
        margin = 0.05 * (max(late) - min(late))
        axis.set(xlabel="step", ylabel="loss (nats per character)", ylim=(min(late) - margin, max(late) + margin))
        axis.legend(loc="lower center", bbox_to_anchor=(0.45, 1.0), ncols=3, columnspacing=1.2)
        panels.append(figure)
    if not panels:
        return None
    number_of = sum(len(known[label].seeds) for label in shown)
    every = sorted({seed for label in shown for seed in known[label].seeds})
    return Drawing(
        "curves",
        f"Validation loss over the step of {count(len(shown), 'model')}; every curve begins high, and its end is the loss "
        "in the table.",
        f"Loss on the whole validation split by step, mean over seeds; {count(number_of, 'run')}, seeds {seeds(every)}. "
        "What is higher than all losses of the second half is cut off.",
        tuple(panels),
    )
