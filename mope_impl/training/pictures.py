"""Pictures of a finished run, from its log: the losses, and the way of the wave packets over the plane of ω and σ."""
from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .files import write_whole

LOSSES, PLANE = "loss.png", "plane.png"
SMOOTHED = 50
"""Steps over which a training loss is averaged where it is drawn."""


def draw(folder: Path, lines: Sequence[dict[str, Any]], best: float | None = None) -> list[Path]:
    """Draw ``loss.png``, and ``plane.png`` where the log tells of widths; ``best`` is the best possible loss, where known."""
    from matplotlib.figure import Figure  # without pyplot, which would look for a screen

    steps = [line for line in lines if "loss" in line]
    evaluations = [line for line in lines if "validation" in line]
    figures = {LOSSES: Figure(figsize=(7, 4.2), layout="constrained")}
    _losses(figures[LOSSES].add_subplot(), steps, evaluations, best)
    shapes = [line["shape"] for line in evaluations if line.get("shape")]
    if shapes:
        figures[PLANE] = Figure(figsize=(6, 5), layout="constrained")
        _plane(figures[PLANE].add_subplot(), shapes)
    for name, figure in figures.items():
        content = io.BytesIO()
        figure.savefig(content, format="png", dpi=120)
        write_whole(folder / name, content.getvalue())
    return [folder / name for name in figures]


def _losses(axes: Any, steps: Sequence[dict[str, Any]], evaluations: Sequence[dict[str, Any]], best: float | None) -> None:
    if steps:
        width = max(1, min(SMOOTHED, len(steps) // 10))
        losses = np.convolve([line["loss"] for line in steps], np.full(width, 1 / width), "valid")
        at = [line["step"] for line in steps[width - 1 :]]
        axes.plot(at, losses, color="0.6", linewidth=1, label=f"training, mean of {width}")
    at = [line["step"] for line in evaluations]
    axes.plot(at, [line["validation"] for line in evaluations], "o-", markersize=3, label="validation, whole split")
    axes.plot(at, [line["estimate"] for line in evaluations], "x", markersize=5, label="validation, random batches")
    if best is not None:
        axes.axhline(best, color="black", linestyle="--", linewidth=1, label="best possible")
    axes.set_xlabel("step")
    axes.set_ylabel("loss (nats per token)")
    axes.legend()


def _plane(axes: Any, shapes: Sequence[dict[str, Any]]) -> None:
    omega, sigma = (np.array([shape[f"{name}_effective"] for shape in shapes]) for name in ("omega", "sigma"))
    axes.plot(omega, sigma, color="0.75", linewidth=0.8)
    axes.plot(omega[0], sigma[0], "o", markersize=4, markerfacecolor="none", label="at the start")
    axes.plot(omega[-1], sigma[-1], ".", markersize=6, label="at the end")
    axes.set_xscale("log")
    axes.set_yscale("log")
    low, high = axes.get_xlim()
    line = np.geomspace(low, high, 64)
    bottom, top = axes.get_ylim()
    for product, style in ((0.5, ":"), (5.0, "--")):
        axes.plot(line, product / line, style, color="black", linewidth=1, label=f"ωσ = {product:g}")
    axes.set_xlim(low, high)
    axes.set_ylim(bottom, top)
    axes.set_xlabel("frequency ω (radians per token)")
    axes.set_ylabel("width σ (tokens)")
    axes.legend()
