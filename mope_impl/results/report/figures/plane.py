"""The plane of frequency and width: ways of the pairs, the boundary, decay alone; folded frequencies; reach."""
from __future__ import annotations

from collections.abc import Mapping
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from mope_theory.experiments import CONSTRAINED, UNCONSTRAINED

from ...record import Record
from ..decay import LEAST, Array, alone
from ..packets import folded, packets, shape
from ..text import count, seeds
from .drawing import BLUE, GREEN, ORANGE, PURPLE, RED, SMALL, Drawing, ink, panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...store import Runs
    from ..whole import Report

WAYS = 9
"""Pairs whose way is drawn; the ends of the others are dots."""
ARMS = (*CONSTRAINED, UNCONSTRAINED, "MoPE, learned centre", "EGA + MoPE", "EGA + MoPE, causal")
FEW = 6
"""Panels at most."""


def plane(runs: Runs) -> Drawing | None:
    """One panel an arm: mean over seeds, in logarithms, of every pair."""
    arms = {arm: records for arm in ARMS if (records := packets(runs, arm))}
    shown = dict(list(arms.items())[:FEW])
    if not shown:
        return None
    panels = tuple(_plane(arm, records) for arm, records in shown.items())
    number = sum(len(records) for records in shown.values())
    below = [arm for arm, records in shown.items() if float((_mean(records, -1)["omega_effective"]
             * _mean(records, -1)["sigma_effective"]).min()) < 0.99 * LEAST]  # fmt: skip
    said = f"Pairs end below the boundary in {', '.join(below)}." if below else "In no arm does a pair end below the boundary."
    alt = (
        f"The plane of frequency and width for {count(len(shown), 'arm')}: pairs at the start, their ways, and where they "
        f"end, with the curve of product 5 and what decay alone leads to. {said}"
    )
    each = "; ".join(f"{arm}: seeds {seeds(sorted(records))}" for arm, records in shown.items())
    caption = (
        "Ways of the stored pairs (thin) from start ○ to end ·, the pairs that the forward pass uses at the end ●, and "
        "where decay "
        "alone leads the stored ones (dashed, to +). The curve is ωσ = 5, its admissible side shaded. Geometric means over "
        f"seeds, {count(number, 'run')} ({each})."
    )
    return Drawing("plane", alt, caption, panels)


def _mean(records: Mapping[int, Record], place: int) -> dict[str, Array]:
    """The shape at a place, in logarithms the mean over seeds."""
    each = [shape(record, place) for record in records.values()]
    return {name: np.exp(np.mean([np.log(one[name]) for one in each], axis=0)) for name in each[0]}


def _plane(arm: str, records: Mapping[int, Record]) -> Figure:
    some = next(iter(records.values()))
    steps = min(len(record.measures["shape"]) for record in records.values())
    ways = [_mean(records, place) for place in range(steps)]
    start, end = ways[0], _mean(records, -1)
    last = some.measures["shape"][-1]["step"]
    there = [_decayed(records, step) for step in np.linspace(some.measures["shape"][0]["step"], last, 9).astype(int).tolist()]
    chosen = np.unique(np.linspace(0, len(start["omega"]) - 1, WAYS).astype(int))
    figure, axis = panel(3.5, 4.2)
    axis.set(xscale="log", yscale="log")
    for at in chosen:
        axis.plot([one["omega"][at] for one in ways], [one["sigma"][at] for one in ways], "-", color=ORANGE, lw=1)
        axis.plot([one["omega"][at] for one in there], [one["sigma"][at] for one in there], "--", color=ink(), lw=0.8)
    axis.plot(end["omega_effective"], end["sigma_effective"], "o", color=BLUE, ms=2.8, label="end, used")
    axis.plot(start["omega"][chosen], start["sigma"][chosen], "o", mfc="none", mec=ORANGE, ms=5, label="start")
    axis.plot(end["omega"][chosen], end["sigma"][chosen], ".", color=ORANGE, ms=5, label="end, stored")
    axis.plot(there[-1]["omega"][chosen], there[-1]["sigma"][chosen], "+", color=ink(), ms=6, label="decay alone")
    _boundary(axis)
    axis.set(xlabel="frequency ω (radians per token)", ylabel="width σ (tokens)")
    axis.set_title(arm, loc="left")
    axis.legend(loc="upper right", fontsize=7.5, handletextpad=0.3, borderaxespad=0.2)
    return figure


def _decayed(records: Mapping[int, Record], step: int) -> dict[str, Array]:
    each = [alone(record, step) for record in records.values()]
    return {name: np.exp(np.mean([np.log(one[name]) for one in each], axis=0)) for name in ("omega", "sigma")}


def _boundary(axis: Any) -> None:
    """The curve ωσ = 5 within the present limits, a little widened, and ticks that read as numbers."""
    (left, right), (bottom, top) = axis.get_xlim(), axis.get_ylim()
    top *= 1.35  # room for the legend
    line = np.geomspace(left, right, 65)
    axis.plot(line, LEAST / line, color=ink(), lw=1.2)
    axis.fill_between(line, np.clip(LEAST / line, bottom, top), top, color=ink(), alpha=0.06, lw=0)
    axis.set(xlim=(left, right), ylim=(bottom, top))
    _plain_ticks(axis.xaxis, axis.yaxis)


def _plain_ticks(*axes: Any) -> None:
    """Ticks of a logarithmic axis that read as numbers."""
    from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter

    for one in axes:
        one.set_major_locator(LogLocator(subs=(1, 2, 3, 5)))
        one.set_major_formatter(ScalarFormatter())
        one.set_minor_formatter(NullFormatter())


_LOOK = ((BLUE, "o"), (ORANGE, "D"), (GREEN, "s"), (PURPLE, "^"), (RED, "x"), (GREEN, "v"), (BLUE, "+"), (ORANGE, "1"))


def folding(runs: Runs) -> Drawing | None:
    """Product with the folded frequency over the frequency, of every pair of every seed at the end."""
    arms = {arm: records for arm in (*CONSTRAINED, UNCONSTRAINED) if (records := packets(runs, arm))}
    if not arms:
        return None
    figure, axis = panel(3.6)
    beyond = below = pairs = 0
    for (arm, records), (colour, mark) in zip(arms.items(), _LOOK, strict=False):
        ends = [shape(record, -1) for record in records.values()]
        omega = np.concatenate([one["omega_effective"] for one in ends])
        product = folded(omega) * np.concatenate([one["sigma_effective"] for one in ends])
        axis.plot(omega, product, mark, color=colour, ms=3, mfc="none", mew=0.8, alpha=0.8, label=arm)
        beyond, pairs = beyond + int((omega > pi).sum()), pairs + len(omega)
        below += int((product[omega > pi] < LEAST).sum())
    axis.axhline(LEAST, color=ink(), lw=1)
    axis.axvline(pi, color=ink(), lw=0.9, ls=":")
    axis.annotate("π", (pi, 1), xycoords=("data", "axes fraction"), xytext=(3, -9), textcoords="offset points", fontsize=SMALL)
    axis.set(xlabel="frequency ω as used (radians per token)", ylabel="folded ω times σ", yscale="log")
    axis.set_ylim(top=axis.get_ylim()[1] * 2.5)
    _plain_ticks(axis.yaxis)
    axis.legend(loc="upper left", fontsize=7.5, ncols=2, columnspacing=0.8, handletextpad=0.2)
    alt = (
        f"Product of folded frequency and width over the frequency, for {count(len(arms), 'arm')}: {beyond} of {pairs} "
        f"pairs lie beyond π, {below} of them with a product below 5."
    )
    number = sum(len(records) for records in arms.values())
    caption = (
        "Tokens stand at whole positions, so that a frequency beyond π (dotted) acts as its mirror image. The product with the "
        f"frequency that the tokens see, beside the line of 5, at the end of {count(number, 'run')}: {beyond} of {pairs} "
        f"pairs are beyond π, and {below} of those have a product below 5."
    )
    return Drawing("folding", alt, caption, (figure,))


def reach(report: Report) -> Drawing | None:
    """Learned reach over the correlation length of the source, with the band that the rule asks for."""
    found = [one for one in report.reaches if one.length is not None]
    if not found:
        return None
    lengths = np.array([one.length for one in found], float)
    figure, axis = panel(3.6)
    line = np.geomspace(lengths.min() / 1.5, lengths.max() * 1.5, 33)
    axis.fill_between(line, line / 2, 2 * line, color=GREEN, alpha=0.16, lw=0, label="ℓ/2 to 2ℓ")
    axis.loglog(line, line, color=ink(), lw=1, ls="--", label="reach = ℓ")
    for one in found:
        if one.reach.lower is not None and one.reach.upper is not None:
            axis.plot([one.length] * 2, [max(one.reach.lower, 1e-3), one.reach.upper], color=BLUE, lw=2, solid_capstyle="butt")
    axis.plot(lengths, [one.reach.mean for one in found], "o", color=BLUE, ms=5.5, label="learned reach")
    axis.set(xlabel="correlation length ℓ (tokens)", ylabel="reach (tokens)", xticks=lengths)
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.xaxis.set_minor_formatter(lambda value, _: "")
    _plain_ticks(axis.yaxis)
    axis.legend(loc="upper left")
    within = [one.within for one in found]
    said = f"{within.count(True)} of {len(found)} intervals lie within the band, {within.count(False)} do not"
    alone_ = [one for one in found if one.within is None]
    said += f", {len(alone_)} have one seed only" if alone_ else ""
    runs = sum(len(one.reach.seeds) for one in found)
    return Drawing(
        "reach",
        f"Learned reach over the correlation length of the source on logarithmic scales: {said}.",
        "Reach of models on sources of known correlation length, mean over seeds with its 95 % interval, "
        f"{count(runs, 'run')}: {said}.",
        (figure,),
    )
