"""What runs say of the measured quantities: from a sample over seeds, the values that a rule speaks of.

Quantities come in pairs, the lower and the upper end of an interval over one sample; a few are single numbers. A quantity
without as many seeds as are asked for has no value.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

import sympy as sp

from mope_theory.experiments import gated, of_length
from mope_theory.vocabulary import measured as m
from mope_theory.vocabulary.measured import Measured
from mope_theory.vocabulary.numerals import Decimal

from . import samples
from .samples import Lacking, Sample
from .statistics import FEWEST, Interval, mean_interval, next_run_interval
from .store import Runs

T = TypeVar("T")


@dataclass(frozen=True)
class Value:
    """What the runs say of a measured quantity: an exact number, what it is called, and the interval that it is an end of."""

    number: Fraction
    name: str
    interval: Interval | None
    seeds: int

    def shown(self) -> str:
        """ "L(RoPE) − L(baseline) = −0.011312 [−0.015104, −0.00752]"; of a quantity without an interval, the number alone."""
        if self.interval is None:
            return f"{self.name} = {signed(float(self.number), 7)}"
        ends = ", ".join(signed(end) for end in (self.interval.lower, self.interval.upper))
        return f"{self.name} = {signed(self.interval.mean)} [{ends}]"


def signed(value: float, digits: int = 5) -> str:
    """A number to a few digits, with a true minus sign."""
    return f"{value:.{digits}g}".replace("-", "−")


class _Ends(NamedTuple):
    """Two quantities that are the ends of an interval, the sample over seeds that it is of, and a name for what lies in it."""

    lower: type[Measured]
    upper: type[Measured]
    sample: Callable[..., Sample]
    name: str
    interval: Callable[[Iterable[float]], Interval] = mean_interval


def _reaches(runs: Runs, length: str) -> Sample:
    return samples.reaches(runs, of_length(int(length)))


_INTERVALS = (
    _Ends(m.DifferenceLower, m.DifferenceUpper, samples.differences, "L({0}) − L({1})"),
    _Ends(m.NextRunLower, m.NextRunUpper, samples.losses, "one more run of {0}", next_run_interval),
    _Ends(m.InteractionLower, m.InteractionUpper, samples.interactions, "interaction of {0} with MoPE against {1}"),
    _Ends(m.MultiplierLower, m.MultiplierUpper, samples.multipliers, "multiplier of {0}"),
    _Ends(m.ImbalanceLower, m.ImbalanceUpper, samples.imbalances, "imbalance of {0}"),
    _Ends(m.ProductLower, m.ProductUpper, samples.products, "ωσ of {0}"),
    _Ends(m.ReachLower, m.ReachUpper, _reaches, "reach at length {0}"),
)

COUNTERPARTS: dict[type[Measured], type[Measured]] = {
    **{ends.lower: ends.upper for ends in _INTERVALS},
    **{ends.upper: ends.lower for ends in _INTERVALS},
}
"""An end of an interval → the other end."""


def value(runs: Runs, head: Measured, asked: int) -> Value:
    """What the runs say of a measured quantity.

    Raises Lacking with fewer seeds than asked for, or where a run was not measured; ValueError for a quantity that runs do not
    supply, or where runs of one model have several sizes.
    """
    arguments = tuple(str(one) for one in head.args)
    if isinstance(head, m.Parameters):
        return _parameters(runs, *arguments)
    if isinstance(head, m.Occupancy):
        return _occupancy(runs, head, asked)
    for ends in _INTERVALS:
        if isinstance(head, (ends.lower, ends.upper)):
            sample = _enough(runs, ends.sample(runs, *arguments), asked, labels_of(head))
            interval = ends.interval(sample.values())
            end = interval.lower if isinstance(head, ends.lower) else interval.upper
            return Value(Fraction(end), ends.name.format(*arguments), interval, len(sample))
    raise ValueError(f"no run supplies {type(head).__name__}")


def labels_of(head: Measured) -> tuple[str, ...]:
    """The models that a quantity is about."""
    if isinstance(head, (m.InteractionLower, m.InteractionUpper)):
        gate, other = map(str, head.args)
        return "MoPE", gated(gate, "MoPE"), other, gated(gate, other)
    if isinstance(head, (m.ReachLower, m.ReachUpper)):
        return (of_length(int(head.args[0])),)
    return tuple(str(one) for one in head.args if not isinstance(one, sp.Expr))


def _enough(runs: Runs, sample: Mapping[int, T], asked: int, labels: tuple[str, ...]) -> Mapping[int, T]:
    if len(sample) >= max(asked, FEWEST):
        return sample
    numbers = {label: len(runs.of(label)) for label in labels}
    short = [f"{label} has {number or 'no'} seed{'s' * (number != 1)}" for label, number in numbers.items() if number < asked]
    why = ", ".join(short) or f"{' and '.join(labels)} share {len(sample)} seed{'s' * (len(sample) != 1)}"
    raise Lacking(f"{why} of {asked}", len(sample))


def _parameters(runs: Runs, label: str) -> Value:
    sizes = {record.parameters for record in runs.of(label).values()}
    if len(sizes) > 1:
        raise ValueError(f"runs of {label} have {' and '.join(map(str, sorted(sizes)))} parameters")
    if not sizes:
        raise Lacking(f"{label} has no run")
    return Value(Fraction(sizes.pop()), f"parameters of {label}", None, len(runs.of(label)))


def _occupancy(runs: Runs, head: Measured, asked: int) -> Value:
    arm, tolerance = str(head.args[0]), rational(head.args[1])
    shares = _enough(runs, samples.occupancies(runs, arm, tolerance), asked, (arm,))
    return Value(sum(shares.values(), Fraction(0)) / len(shares), f"occupancy of {arm}", None, len(shares))


def rational(e: sp.Expr) -> Fraction:
    """The rational number that an expression of numerals is. Raises ValueError for any other."""
    plain = e.replace(lambda x: isinstance(x, Decimal), lambda x: x.definition())
    if not plain.is_Rational:
        raise ValueError(f"{e} is not a rational number")
    return Fraction(int(plain.p), int(plain.q))

