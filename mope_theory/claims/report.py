"""Claims on the reported figures: whether they add up, in which unit they are, how many parameters they count."""
from __future__ import annotations

import sympy as sp

from ..claim import Claim
from ..statement import And, Equal, Less, LessEqual, Statement
from ..vocabulary.measured import label
from ..vocabulary.numerals import Distance, decimal, half_unit, rounds_to
from ..vocabulary.recipe import (
    BOUNDARY,
    CONTEXT,
    EXTREMES,
    PAIRS,
    REPORTED,
    WIDTH,
    MorletParameters,
    Perplexity,
    ReportedLoss,
    TableParameters,
)

_baseline = decimal(REPORTED["baseline"][0])


def _row(figure: str, improvement: str) -> Statement:
    """The figure and its improvement add up to the baseline, to the rounding of the two."""
    return LessEqual(Distance(decimal(figure) + decimal(improvement), _baseline), decimal("0.0006"))


def _around_boundary(frequency: str, width: str) -> tuple[Statement, Statement]:
    """5 lies between the least and the greatest product of numbers that round to the reported pair."""
    pair = decimal(frequency), decimal(width)
    least, greatest = (sp.Mul(*(x + way * half_unit(x) for x in pair), evaluate=False) for way in (-1, 1))
    return LessEqual(least, BOUNDARY), LessEqual(BOUNDARY, greatest)


_gate, _encoding, _both = (decimal(REPORTED[name][1]) for name in ("EGA-1", "MoPE", "EGA + MoPE"))

ARITHMETIC = Claim(
    id="report.arithmetic",
    title="The reported figures add up",
    place="–",
    box={},
    ours=And(
        *(_row(*row) for name, row in REPORTED.items() if name != "baseline"),
        *(statement for pair in EXTREMES for statement in _around_boundary(*pair)),
        Equal(_gate + _encoding, decimal("0.060")),
        Less(decimal("0.060"), _both),
    ),
    requires=("derivation",),
    reason=(
        "Figures of four places and improvements of three leave 0.0006 for rounding; the sum of the two improvements is "
        "below that of the combination."
    ),
)

_best = label("EGA + MoPE")
_figure = REPORTED["EGA + MoPE"][0]

UNITS = Claim(
    id="report.units",
    title="The unit of the reported figures",
    place="4 results",
    box={},
    published=rounds_to(Perplexity(ReportedLoss(_best)), _figure),
    ours=And(rounds_to(ReportedLoss(_best), _figure), rounds_to(Perplexity(ReportedLoss(_best)), "3.877")),
    requires=("derivation",),
    reading="The reference implementation prints a mean cross-entropy in nats per character; perplexity is its exponential.",
    reason="e^{1.3550} is 3.877: a perplexity of 1.355 would be another quantity than the one that was computed.",
)

_width = sp.Integer(WIDTH)
_table = Equal(TableParameters(sp.Integer(CONTEXT), _width), sp.Integer(65536))

PARAMETERS = Claim(
    id="report.parameters",
    title="Parameters of the encodings",
    place="4 results",
    box={},
    published=And(Equal(MorletParameters(_width), sp.Integer(512)), _table),
    ours=And(
        Equal(MorletParameters(_width), sp.Integer(256)),
        Equal(sp.Integer(256), sp.Mul(2, PAIRS, evaluate=False)),
        _table,
    ),
    requires=("derivation", "kernel"),
    reading="n_MoPE(D) = 2 · D/2, an ω and a σ for each of the D/2 pairs; n_table(T, D) = T · D.",
    reason="256 channels are 128 pairs, each with one ω and one σ: 256 numbers against 256 × 256 of the table.",
)

CLAIMS = (ARITHMETIC, UNITS, PARAMETERS)
