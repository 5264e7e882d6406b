"""Claims on the reported figures: whether they add up, in which unit they are, how many parameters they count."""
from __future__ import annotations

import sympy as sp

from ..claim import Claim
from ..derivation import Derivation, directly
from ..logic import NotBelow, RefutedMember, conjunction
from ..rules import Decide, Numbers
from ..statement import And, Equal, Less, LessEqual, Not, Statement
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

def _by_numbers(*statements: Statement) -> Derivation:
    """Each statement on numbers by itself: an equation is decided, an inequality enclosed."""
    parts = [x for x in statements if isinstance(x, (Equal, LessEqual, Less))]
    assert len(parts) == len(statements)
    return conjunction(*(directly(x, Decide() if isinstance(x, Equal) else Numbers()) for x in parts))


_adds_up = And(
    *(_row(*row) for name, row in REPORTED.items() if name != "baseline"),
    *(statement for pair in EXTREMES for statement in _around_boundary(*pair)),
    Equal(_gate + _encoding, decimal("0.060")),
    Less(decimal("0.060"), _both),
)

ARITHMETIC = Claim(
    id="report.arithmetic",
    title="The reported figures add up",
    place="–",
    box={},
    ours=_adds_up,
    requires=("derivation",),
    derivations=(_by_numbers(*_adds_up.body),),
    reason=(
        "Figures of four places and improvements of three leave 0.0006 for rounding; the sum of the two improvements is "
        "below that of the combination."
    ),
)

_best = label("EGA + MoPE")
_figure = REPORTED["EGA + MoPE"][0]

_as_perplexity = rounds_to(Perplexity(ReportedLoss(_best)), _figure)
_as_loss = And(rounds_to(ReportedLoss(_best), _figure), rounds_to(Perplexity(ReportedLoss(_best)), "3.877"))

UNITS = Claim(
    id="report.units",
    title="The unit of the reported figures",
    place="4 results",
    box={},
    published=_as_perplexity,
    ours=_as_loss,
    requires=("derivation",),
    derivations=(
        NotBelow(Not(_as_perplexity), directly(Less(_as_perplexity.rhs, _as_perplexity.lhs), Numbers())),
        _by_numbers(*_as_loss.body),
    ),
    reading=(
        "The reference implementation prints a mean cross-entropy in nats per character, and the reported figure is taken to "
        "be that loss; perplexity is its exponential. What is proved is that the exponential is 3.877 and not the figure."
    ),
    reason="e^{1.3550} is 3.877: a perplexity of 1.355 would be another quantity than the one that was computed.",
)

_width = sp.Integer(WIDTH)
_table = Equal(TableParameters(sp.Integer(CONTEXT), _width), sp.Integer(65536))

_claimed = And(Equal(MorletParameters(_width), sp.Integer(512)), _table)
_counted = And(
    Equal(MorletParameters(_width), sp.Integer(256)),
    Equal(sp.Integer(256), sp.Mul(2, PAIRS, evaluate=False)),
    _table,
)
_fewer = directly(Less(MorletParameters(_width), sp.Integer(512)), Numbers())

PARAMETERS = Claim(
    id="report.parameters",
    title="Parameters of the encodings",
    place="4 results",
    box={},
    published=_claimed,
    ours=_counted,
    requires=("derivation", "kernel"),
    derivations=(
        RefutedMember(Not(_claimed), NotBelow(Not(_claimed.body[0]), _fewer)),
        _by_numbers(*_counted.body),
    ),
    reading="n_MoPE(D) = 2 · D/2, an ω and a σ for each of the D/2 pairs; n_table(T, D) = T · D.",
    reason="256 channels are 128 pairs, each with one ω and one σ: 256 numbers against 256 × 256 of the table.",
)

CLAIMS = (ARITHMETIC, UNITS, PARAMETERS)
