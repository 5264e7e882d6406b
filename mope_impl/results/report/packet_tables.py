"""Tables on the wave packets: boundary, multipliers, decay alone, folded frequencies."""
from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING, SupportsFloat

from .decay import LEAST
from .packets import TOLERANCE, Spread
from .table import Table
from .text import NONE, number, percent, seeds, significant, with_ends

if TYPE_CHECKING:
    from .whole import Report

SIGNS = {1: "positive", -1: "negative", 0: "not shown", None: NONE}
"""Sign of an interval in words."""
_ABSENT = "No model with learned frequencies and widths has been run yet."


def boundary_table(report: Report) -> Table:
    """Products ωσ before and after the constraint, and occupancy of the boundary, at start and end."""
    rows = tuple(
        (
            one.arm,
            *(_spread(each) for each in (one.stored_start, one.stored_end, one.used_start, one.used_end)),
            percent(one.occupied_start),
            percent(one.occupied_end),
            f"{one.pairs}",
            seeds(one.used_end.mean.seeds),
        )
        for one in report.boundaries
    )
    note = (
        "ωσ is mean (least … greatest) over the pairs of all seeds: as stored, and as the forward pass uses it after the "
        f"constraint. On the boundary are the pairs whose used product is within {percent_of(TOLERANCE)} of {LEAST:g}."
    )
    columns = (
        *("model", "ωσ stored, start", "ωσ stored, end", "ωσ used, start", "ωσ used, end"),
        *("on the boundary, start", "on the boundary, end", "pairs", "seeds"),
    )
    return Table("boundary", "Products of frequency and width", columns, rows, (note,), absent=_ABSENT)


def percent_of(share: SupportsFloat) -> str:
    """A fixed share in percent."""
    return f"{100 * float(share):g} %"


def _spread(one: Spread) -> str:
    return f"{number(one.mean.mean, 3)} ({number(one.least, 3)} … {number(one.greatest, 3)})"


def multiplier_table(report: Report) -> Table:
    """Multipliers with their sign, and the imbalance."""
    rows = tuple(
        (
            one.arm,
            with_ends(one.mean) if one.mean else one.lacking,
            SIGNS[one.mean.sign] if one.mean else NONE,
            percent(one.positive),
            with_ends(one.imbalance),
            seeds(one.mean.seeds) if one.mean else NONE,
        )
        for one in report.multipliers
    )
    note = (
        "Multiplier (∂L/∂ω)/σ at the end of the run on fixed training windows, nats, mean over the pairs and over seeds with its "
        "95 % interval; positive means that the loss would fall if the product were let below the boundary. Imbalance is "
        "Σ|ω ∂L/∂ω − σ ∂L/∂σ| / Σ(|ω ∂L/∂ω| + |σ ∂L/∂σ|): 0 at an optimum under the constraint."
    )
    columns = ("model", "multiplier", "sign", "pairs above 0", "imbalance", "seeds")
    return Table("multipliers", "Multipliers of the constraint", columns, rows, (note,), absent=_ABSENT)


def decay_table(report: Report) -> Table:
    """How far the pairs have come, and what of it decay alone explains."""
    rows = tuple(
        (
            one.arm,
            number(one.factor, 4),
            *(significant(way[name].mean) for name in ("omega", "sigma") for way in (one.moved, one.predicted, one.left)),
            _range(one.ranges["omega"]),
            _range(one.predicted_ranges["omega"]),
            _range(one.ranges["sigma"]),
            _range(one.predicted_ranges["sigma"]),
            seeds(one.moved["omega"].seeds),
        )
        for one in report.journeys
    )
    note = (
        "Π is the product of 1 − λη_t over the schedule of the run: decay alone raises each stored ω and σ to that power. "
        "Moved: from start to end; decay: from start to that prediction; left: from the prediction to the end; each a root mean "
        "square over pairs of differences of ln ω or ln σ as stored, mean over seeds. Ranges are those that the forward pass "
        "uses at the end, over the pairs of all seeds, and those that decay alone leads to; radians per token, tokens."
    )
    columns = (
        *("model", "Π", "ln ω moved", "decay", "left", "ln σ moved", "decay", "left"),
        *("ω used", "ω by decay", "σ used", "σ by decay", "seeds"),
    )
    return Table("decay", "The way of the pairs beside decay alone", columns, rows, (note,), absent=_ABSENT)


def _range(ends: tuple[float, float]) -> str:
    return f"{number(ends[0], 2)} … {number(ends[1], 2)}"


def folding_table(report: Report) -> Table:
    """What the tokens see of the frequencies."""
    rows = tuple(
        (
            one.arm,
            number(one.highest, 3),
            percent(one.beyond),
            _range(one.frequencies),
            number(one.least, 3),
            percent(one.below),
            seeds(one.below.seeds),
        )
        for one in report.foldings
    )
    note = (
        f"At whole positions a frequency above π = {number(pi, 3)} acts as its mirror image, arccos(cos ω). Products are of "
        f"folded frequency and width as used at the end; below {LEAST:g} counts what is so by more than {percent_of(TOLERANCE)}."
    )
    columns = ("model", "greatest ω", "pairs with ω > π", "ω folded", "least product", f"product below {LEAST:g}", "seeds")
    return Table("folding", "Frequencies folded by the tokens", columns, rows, (note,), absent=_ABSENT)
