"""Claims that experiments decide: rules with their thresholds, written down before the runs.

A rule speaks of measured quantities at one preset. Every mean is over paired seeds, every loss over the whole validation
set; a difference counts when its 95 % interval excludes 0, which is the paired t test at that level.
"""
from __future__ import annotations

from itertools import pairwise

import sympy as sp
from sympy import S

from ..claim import Claim
from ..statement import And, Equal, Less, LessEqual, Statement
from ..vocabulary.measured import (
    FEWEST_SEEDS,
    DifferenceLower,
    DifferenceUpper,
    InteractionLower,
    MultiplierLower,
    NextRunLower,
    NextRunUpper,
    Occupancy,
    ProductUpper,
    ReachLower,
    ReachUpper,
    Seeds,
    label,
)
from ..vocabulary.numerals import decimal, half_unit
from ..vocabulary.recipe import BOUNDARY, REPORTED

_enough = LessEqual(FEWEST_SEEDS, Seeds())

ORDER = ("EGA + MoPE", "EGA-1", "RoPE", "baseline", "MoPE", "sinusoidal")
"""The six rows of the table, from the smallest loss to the largest."""


def _better(model: str, than: str) -> Statement:
    """The loss of the first model is the smaller, at the level of the intervals."""
    return Less(DifferenceUpper(label(model), label(than)), S.Zero)


def _one_more_run(model: str) -> tuple[Statement, Statement]:
    """The reported figure, which is one run, lies where one more run is predicted."""
    figure = decimal(REPORTED[model][0])
    return LessEqual(NextRunLower(label(model)), figure), LessEqual(figure, NextRunUpper(label(model)))


TABLE = Claim(
    id="experiment.table",
    title="The table of results",
    place="4 results",
    box={},
    published=And(
        _enough,
        *(bound for model in ORDER for bound in _one_more_run(model)),
        *(_better(*pair) for pair in pairwise(ORDER)),
    ),
    requires=("experiment",),
    reading=(
        "Each reported figure is one run, so it is compared with the interval of one more run; each neighbour in the order "
        "is compared by a paired difference."
    ),
    reason="Six models, one seed: whether the rows and their order repeat is a question for runs with several seeds.",
)

_gain = decimal("0.09")


def _improves_by_the_gain(model: str) -> tuple[Statement, ...]:
    """The model is better than the baseline, and the interval of its improvement meets what is rounded to 0.09."""
    pair = label("baseline"), label(model)
    return (
        Less(S.Zero, DifferenceLower(*pair)),
        LessEqual(DifferenceLower(*pair), _gain + half_unit(_gain)),
        LessEqual(_gain - half_unit(_gain), DifferenceUpper(*pair)),
    )


LEAK = Claim(
    id="experiment.leak",
    title="The gain of the gate, published and causal",
    place="4 results",
    box={},
    published=And(_enough, *_improves_by_the_gain("EGA-1")),
    ours=And(_enough, *_improves_by_the_gain("EGA-1, causal")),
    requires=("experiment",),
    reading=(
        "The published gate sees later tokens, so its loss is not that of a predictor; ours asks the same of the causal form."
    ),
    reason="Whether the gain of 0.09 is left when the gate sees no later token is a question for runs.",
    uses=("gate.causality", "gate.causal-form"),
)

CONTROLS = ("baseline", "none", "sinusoidal", "RoPE alone")
"""Encodings that the gate is combined with beside MoPE: the learned table of the paper, and those it has no runs of."""

SUPERADDITIVE = Claim(
    id="experiment.superadditive",
    title="The interaction of gate and encoding",
    place="5 significance",
    box={},
    published=And(_enough, *(Less(S.Zero, InteractionLower(label(control))) for control in CONTROLS)),
    requires=("experiment",),
    reading=(
        "The gate gains more with MoPE than with another encoding: the learned table, as in the paper, and the controls "
        "that were not run."
    ),
    reason="An interaction needs all four corners of each square; the paper has them for the learned table, on one seed.",
    uses=("experiment.leak",),
)

NEAR_BOUNDARY = decimal("0.01")
"""How far above ωσ = 5, relatively, a pair still counts as on the boundary."""
CONSTRAINED = ("reference", "interior start", "no decay", "bounded")
UNCONSTRAINED = "no constraint"

BOUNDARY_PREFERENCE = Claim(
    id="experiment.boundary",
    title="The optimiser and the boundary",
    place="4 results",
    box={},
    published=And(
        _enough,
        *(Equal(Occupancy(label(arm), NEAR_BOUNDARY), S.One) for arm in CONSTRAINED),
        *(Less(S.Zero, MultiplierLower(label(arm))) for arm in CONSTRAINED),
        Less(ProductUpper(label(UNCONSTRAINED)), BOUNDARY),
    ),
    requires=("experiment",),
    reading=(
        "Preferred, not inherited: all pairs end within 1 % of ωσ = 5 with a positive multiplier in every constrained arm, "
        "started inside or without decay as well, and below 5 where nothing holds them."
    ),
    reason="The published runs start on the boundary under a clamp and decay; other arms tell a preference from a start.",
    uses=("learning.start", "learning.decay", "learning.multipliers"),
)

LENGTHS = tuple(map(sp.Integer, (4, 8, 16, 32)))
"""Correlation lengths of the sources, tokens."""

SYNTHETIC = Claim(
    id="experiment.synthetic",
    title="Reach learned from a known correlation length",
    place="–",
    box={},
    ours=And(
        _enough,
        *(
            bound
            for length in LENGTHS
            for bound in (LessEqual(length / 2, ReachLower(length)), LessEqual(ReachUpper(length), 2 * length))
        ),
    ),
    requires=("experiment",),
    reading="About ℓ: the interval of the mean learned reach lies between ℓ/2 and 2ℓ, for lengths each twice the last.",
    reason="A source whose correlation length is known shows whether the width follows the data.",
    uses=("locality.reach",),
)

EXTENSIONS = Claim(
    id="experiment.extensions",
    title="The extensions that the paper proposes",
    place="6 limits and future work",
    box={},
    published=And(
        _enough,
        _better("MoPE, learned centre", "MoPE"),
        _better("Morlet-RoPE, product kernel", "RoPE"),
        _better("Morlet-RoPE, relative kernel", "RoPE"),
        _better("EGA + MoPE, subword tokens", "baseline, subword tokens"),
        _better("EGA + MoPE, longer context", "baseline, longer context"),
    ),
    requires=("experiment",),
    reading=(
        "Each proposal is taken to be an improvement on what it extends: a learned centre on MoPE, an envelope on RoPE; and "
        "the main result to carry over to subword tokens and to a longer context."
    ),
    reason="Proposals have no reported figures; runs decide.",
    uses=("locality.centre", "experiment.table"),
)

CLAIMS = (TABLE, LEAK, SUPERADDITIVE, BOUNDARY_PREFERENCE, SYNTHETIC, EXTENSIONS)
