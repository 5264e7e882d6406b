"""Numbers as they stand in a table: few digits, true minus signs, and the seeds that they are from."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import floor, log10
from typing import Any

from .estimate import Estimate

NONE = "–"
"""What stands where there is nothing."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SMALLEST_P = 1e-4
"""Below this a p value is not told apart."""


def number(value: float, digits: int = 4, sign: bool = False) -> str:
    """A number with so many decimals; with a plus sign where it is asked for."""
    text = f"{value:{'+' if sign else ''}.{digits}f}"
    return (text if float(text) else text.lstrip("+-")).replace("-", "−")


def significant(value: float, digits: int = 3) -> str:
    """A number with so many significant digits, in powers of ten where it is very small or very large."""
    if value and not 1e-4 <= abs(value) < 1e6:
        exponent = floor(log10(abs(value)))
        return f"{number(value / 10**exponent, digits - 1)}·10{str(exponent).translate(_RAISED)}"
    places = max(0, digits - 1 - floor(log10(abs(value)))) if value else 0
    return number(value, places)


def interval(value: Estimate | None, digits: int = 4, sign: bool = False) -> str:
    """The ends of an interval, in brackets."""
    if value is None or value.lower is None or value.upper is None:
        return NONE
    return f"[{number(value.lower, digits, sign)}, {number(value.upper, digits, sign)}]"


def mean(value: Estimate | None, digits: int = 4, sign: bool = False) -> str:
    """The mean alone."""
    return NONE if value is None else number(value.mean, digits, sign)


def with_ends(value: Estimate | None, digits: int = 3) -> str:
    """Mean and interval in significant digits, "0.0123 [0.011, 0.014]"; the mean alone where there is no interval."""
    if value is None:
        return NONE
    if value.lower is None or value.upper is None:
        return significant(value.mean, digits)
    return f"{significant(value.mean, digits)} [{significant(value.lower, digits)}, {significant(value.upper, digits)}]"


def percent(value: Estimate | None) -> str:
    """A share in percent, to a tenth."""
    return NONE if value is None else f"{number(100 * value.mean, 1)} %"


def p_value(value: float | None) -> str:
    """A p value to two significant digits; very small ones are not told apart."""
    if value is None:
        return NONE
    return f"< {SMALLEST_P:.4f}" if value < SMALLEST_P else significant(value, 2)


def seeds(numbers: Sequence[int]) -> str:
    """The seeds, runs of them shortened: "1–5", "1, 3", "none"."""
    if not numbers:
        return "none"
    known = sorted(numbers)
    starts = [known[0], *(after for before, after in pairwise(known) if after != before + 1)]
    ends = [*(before for before, after in pairwise(known) if after != before + 1), known[-1]]
    parts = [f"{first}" if first == last else f"{first}{', ' if last == first + 1 else '–'}{last}"
             for first, last in zip(starts, ends, strict=True)]  # fmt: skip
    return ", ".join(parts)


def count(amount: int, one: str, many: str = "") -> str:
    """ "1 run", "3 runs"."""
    return f"{amount} {one if amount == 1 else many or one + 's'}"


def thousands(value: int | None) -> str:
    """A whole number in groups of three digits."""
    return NONE if value is None else f"{value:,}".replace(",", "\u202f")


def setting(value: Any) -> str:
    """The value of a setting."""
    return f"{value:g}" if isinstance(value, float) else "yes" if value is True else "no" if value is False else str(value)


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
