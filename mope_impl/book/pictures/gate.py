"""A later token moves the gates of earlier ones; and what share of tokens a threshold lets pass."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from sympy import Lambda, S

from mope_theory.symbols import N, j, k
from mope_theory.vocabulary.gates import PARAMETERS, StandardScore, energies, output, threshold, tokens

from ..figures import BLUE, GREEN, INK, ORANGE
from .evaluate import Array, function, numerals, stated, values
from .picture import Picture, panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROOT = np.sqrt(2)
FIRST = ((0, 0, ROOT, -ROOT), (1, -1, 1, -1))
THIRD = ((1, 1, -1, -1), (-1, 1, 1, -1))
"""Two tokens of four channels, and two endings; every token has mean 0 and variance 1."""
HEAD = (np.zeros((4, 4)), np.zeros((4, 4)), np.eye(4), np.eye(4)[0])
GATE = (0.0, 2.0, 0.0)
"""Projections (to queries, keys, values, and to the energy, which is the first channel), and β, α, τ."""
SEQUENCES = [np.array((*FIRST, third)) for third in THIRD]
COLOURS = (BLUE, ORANGE)


def scores() -> Sequence[Figure]:
    """Standard scores of the first two tokens under two endings, over all keys and up to the query; and the output."""
    score = function(StandardScore(energies, j, N), energies, j, N)
    ends = [f"third token has energy {int(x[2, 0])}".replace("-", "−") for x in SEQUENCES]
    heads = ("published: over all tokens", "causal: up to the query 1")
    out = []
    for title, count in zip(heads, (3, 2), strict=True):
        bars = [[score(values(x[:, 0]), token, count) for token in range(2)] for x in SEQUENCES]
        figure, axis = _bars(bars, ends, ("token 0", "token 1"))
        axis.set(title=title, ylabel="standard score", ylim=(-1.9, 2.6))
        out.append(figure)
    figure, axis = _bars([[_output(x, count) for count in (3, 2)] for x in SEQUENCES], ends, ("published", "causal"))
    axis.set(title="output at token 1", ylabel="first channel", ylim=(0, 1.45))
    return [*out, figure]


def _output(x: Array, count: int) -> float:
    """First channel of what the head gives to token 1, with statistics over the first ``count`` tokens."""
    head = function(output(tokens, S.One, S.Zero, Lambda(k, sp.Integer(count))), tokens, *PARAMETERS)
    return float(head(values(x), *map(values, HEAD), *GATE, 4, 4))


def _bars(rows: Sequence[Sequence[float]], labels: Sequence[str], groups: Sequence[str]) -> tuple[Figure, Any]:
    figure, axis = panel(3.7, 3.0)
    for number, (row, label, colour) in enumerate(zip(rows, labels, COLOURS, strict=True)):
        places = np.arange(len(row)) + 0.36 * (number - 0.5)
        axis.bar(places, row, 0.32, color=colour, label=label)
        for place, value in zip(places, row, strict=True):
            text = f"{value:.4g}".replace("-", "−")
            axis.annotate(text, (place, value), xytext=(0, 3 if value >= 0 else -12), textcoords="offset points",
                          ha="center", fontsize=8.5)  # fmt: skip
    axis.axhline(0, color=INK, lw=0.8)
    axis.set(xticks=range(len(groups)), xticklabels=groups)
    axis.legend(loc="upper left", fontsize=8.5)
    return figure, axis


def share() -> Sequence[Figure]:
    """The greatest share that a threshold can let pass, and that of a normal energy."""
    _, _, bound, _ = stated("gate.threshold").body
    (tail, share_there), (_, most_there) = numerals(stated("gate.threshold"))
    most = function(bound.rhs, threshold)
    level = float(tail.limits[0][1].definition())
    x = np.linspace(0, 2.5, 251)
    figure, axis = panel(4.6, 3.4)
    axis.fill_between(x, 0, most(x), color=INK, alpha=0.07, lw=0)
    axis.plot(x, most(x), color=ORANGE, lw=1.8, label="at most, 1/(1 + τ²)")
    density = function(tail.function, tail.limits[0][0])
    fine = np.linspace(0, 9, 9001)
    above = np.cumsum(density(fine)[::-1])[::-1] * (fine[1] - fine[0])
    axis.plot(x, np.interp(x, fine, above), color=BLUE, lw=1.8, label="for a normal energy")
    for value, colour in ((most_there, ORANGE), (share_there, BLUE)):
        axis.plot([level], [float(value.definition())], "o", color=colour, ms=6)
        axis.annotate(str(value), (level, float(value.definition())), xytext=(7, 4), textcoords="offset points", fontsize=9)
    axis.axvline(level, color=GREEN, lw=1, ls="--")
    axis.annotate(f"τ = {tail.limits[0][1]}", (level, 0.03), xytext=(4, 0), textcoords="offset points", fontsize=9)
    axis.set(xlabel="threshold τ", ylabel="share of tokens above it", ylim=(0, 1.05), xlim=(0, 2.5))
    axis.legend(loc="upper right", fontsize=8.5)
    return [figure]


PICTURES = (
    Picture(
        name="scores",
        claim="gate.causality",
        alt=(
            "Bars of the standard scores of the first two tokens for two sequences that differ in the third. Over all tokens "
            "both scores change with the third; up to the query they are the same, minus one and one. The output at the "
            "second token changes with the third in the published form, and does not in the causal one."
        ),
        caption=(
            "Standard scores of the first two tokens, whose energies are 0 and 1, for two endings of the sequence. "
            "Published, mean and deviation run over all tokens, so the third token changes the scores of those before it, "
            "and with them the output there. With statistics up to the query nothing later enters."
        ),
        draw=scores,
    ),
    Picture(
        name="share",
        claim="gate.threshold",
        alt=(
            "Share of tokens above a threshold, over the threshold: an upper curve that no energy exceeds, and a lower one for "
            "normal energies. At the threshold of the paper they are far apart."
        ),
        caption=(
            "What standard scores say of the share above a threshold: anything in the grey region. "
            "The share that the paper reports is that of a normal energy."
        ),
        draw=share,
    ),
)
