"""The wave packets of the arms: products ωσ, occupancy of the boundary, multipliers, the way from start to end, folding."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from mope_theory.claims.experiment import NEAR_BOUNDARY

from ..measures import rational
from ..record import Record
from ..samples import imbalances, multipliers
from ..store import Runs
from .decay import LEAST, Array, Shape, alone, factor
from .estimate import Estimate, average, estimate, measured, some
from .models import order

TOLERANCE: Fraction = rational(NEAR_BOUNDARY)
"""How far from ωσ = 5, relatively, a pair still counts as on the boundary: that of the rule."""


def arms(runs: Runs) -> list[str]:
    """The models with the additive Morlet encoding whose runs have a record of their shapes."""
    return [label for label in order(runs) if packets(runs, label)]


def packets(runs: Runs, label: str) -> dict[int, Record]:
    """Seed → record, of the runs of a model that have wave packets of their own, with shapes."""
    return {
        seed: record
        for seed, record in runs.of(label).items()
        if encoding(record) == "morlet" and record.measures.get("shape")
    }


def encoding(record: Record) -> object:
    """The encoding that the configuration of a run names; None where it names none."""
    return record.config.get("model", {}).get("encoding")


def shape(record: Record, place: int) -> Shape:
    """The first (0) or the last (−1) shape of a run."""
    one = record.measures["shape"][place]
    return {name: np.array(values, float) for name, values in one.items() if name != "step"}


@dataclass(frozen=True)
class Spread:
    """The mean over pairs, as an estimate over seeds, and the least and greatest of all pairs of all seeds."""

    mean: Estimate
    least: float
    greatest: float


@dataclass(frozen=True)
class Boundary:
    """Products ωσ of an arm, stored and as the forward pass uses them, and the share of pairs on the boundary."""

    arm: str
    stored_start: Spread
    stored_end: Spread
    used_start: Spread
    used_end: Spread
    occupied_start: Estimate
    occupied_end: Estimate
    pairs: int


def boundary(runs: Runs, arm: str) -> Boundary:
    """The boundary row of an arm."""
    records = packets(runs, arm)
    spreads = {
        f"{kind}_{when}": _spread({seed: _products(shape(record, place), suffix) for seed, record in records.items()})
        for kind, suffix in (("stored", ""), ("used", "_effective"))
        for when, place in (("start", 0), ("end", -1))
    }
    shares = [{seed: occupied(_products(shape(record, place), "_effective")) for seed, record in records.items()}
              for place in (0, -1)]  # fmt: skip
    start, end = (some(one) for one in shares)
    pairs = len(shape(next(iter(records.values())), 0)["omega"])
    return Boundary(arm, **spreads, occupied_start=start, occupied_end=end, pairs=pairs)


def _products(one: Shape, suffix: str) -> Array:
    """ωσ to the six digits that seven of each factor leave."""
    return np.array([float(f"{value:.6g}") for value in one[f"omega{suffix}"] * one[f"sigma{suffix}"]])


def occupied(products: Array) -> float:
    """Share of products within the tolerance of 5."""
    least = Fraction(int(LEAST))
    near = [abs(Fraction(repr(float(value))) - least) <= TOLERANCE * least for value in products]
    return float(Fraction(sum(near), len(near)))


def _spread(each: Mapping[int, Array]) -> Spread:
    everything = np.concatenate(list(each.values()))
    mean = some({seed: average(values.tolist()) for seed, values in each.items()})
    return Spread(mean, float(everything.min()), float(everything.max()))


@dataclass(frozen=True)
class Multiplier:
    """The mean multiplier (∂L/∂ω)/σ of an arm at the end, the share of pairs whose own is positive, and the imbalance."""

    arm: str
    mean: Estimate | None
    positive: Estimate | None
    imbalance: Estimate | None
    lacking: str = ""


def multiplier(runs: Runs, arm: str) -> Multiplier:
    """The multiplier row of an arm."""
    mean = measured(multipliers, runs, arm)
    if mean.lacking:
        return Multiplier(arm, None, None, None, mean.lacking)
    positive = {
        seed: average([float(slope > 0) for slope in record.measures["gradients"]["omega"]])
        for seed, record in packets(runs, arm).items()
    }
    return Multiplier(arm, mean.estimate, estimate(positive), measured(imbalances, runs, arm).estimate)


@dataclass(frozen=True)
class Journey:
    """How far stored ω and σ of an arm have come, how far decay alone would have brought them, and what is between the two.

    Each is a root mean square over pairs of a difference of logarithms: 0.01 is one percent.
    """

    arm: str
    factor: float
    """Π(1 − λη_t), to which power decay alone raises ω and σ; 1 without decay."""
    moved: dict[str, Estimate]
    """omega, sigma → from start to end."""
    predicted: dict[str, Estimate]
    left: dict[str, Estimate]
    """omega, sigma → from the prediction to the end."""
    ranges: dict[str, tuple[float, float]]
    """omega, sigma → range over pairs and seeds of what the forward pass uses at the end."""
    predicted_ranges: dict[str, tuple[float, float]]


def journey(runs: Runs, arm: str) -> Journey:
    """The way of an arm beside that of decay alone."""
    records = packets(runs, arm)
    last = {seed: record.measures["shape"][-1]["step"] for seed, record in records.items()}
    start = {seed: shape(record, 0) for seed, record in records.items()}
    end = {seed: shape(record, -1) for seed, record in records.items()}
    there = {seed: alone(record, last[seed]) for seed, record in records.items()}

    def apart(one: Mapping[int, Shape], other: Mapping[int, Shape]) -> dict[str, Estimate]:
        return {name: some({seed: _distance(one[seed][name], other[seed][name]) for seed in records})
                for name in ("omega", "sigma")}  # fmt: skip

    def ranges(of: Mapping[int, Shape]) -> dict[str, tuple[float, float]]:
        every = {name: np.concatenate([one[f"{name}_effective"] for one in of.values()]) for name in ("omega", "sigma")}
        return {name: (float(values.min()), float(values.max())) for name, values in every.items()}

    seed, record = next(iter(records.items()))
    power = factor(record.config, record.measures["shape"][0]["step"], last[seed])
    return Journey(arm, power, apart(end, start), apart(there, start), apart(end, there), ranges(end), ranges(there))


def _distance(one: Array, other: Array) -> float:
    return float(np.sqrt(np.mean(np.log(one / other) ** 2)))


@dataclass(frozen=True)
class Folding:
    """What the tokens see of the frequencies at the end: ω above π acts as its mirror image, arccos(cos ω)."""

    arm: str
    highest: float
    """Greatest ω of all pairs and seeds, radians per token."""
    beyond: Estimate
    """Share of pairs with ω > π."""
    frequencies: tuple[float, float]
    """Range of what the tokens see, over pairs and seeds."""
    least: float
    """Least product of folded frequency and width of all pairs and seeds."""
    below: Estimate
    """Share of pairs whose product with the folded frequency is below 5 by more than the tolerance."""


def folding(runs: Runs, arm: str) -> Folding:
    """The row of folded frequencies of an arm."""
    ends = {seed: shape(record, -1) for seed, record in packets(runs, arm).items()}
    products = {seed: folded(one["omega_effective"]) * one["sigma_effective"] for seed, one in ends.items()}
    edge = LEAST * (1 - float(TOLERANCE))
    seen = np.concatenate([folded(one["omega_effective"]) for one in ends.values()])
    return Folding(
        arm=arm,
        highest=max(float(one["omega_effective"].max()) for one in ends.values()),
        beyond=_shares({seed: one["omega_effective"] for seed, one in ends.items()}, lambda omega: omega > np.pi),
        frequencies=(float(seen.min()), float(seen.max())),
        least=min(float(values.min()) for values in products.values()),
        below=_shares(products, lambda product: product < edge),
    )


def folded(omega: Array) -> Array:
    """Distance of ω from the multiples of 2π: what is left of a frequency on the integers."""
    return np.arccos(np.cos(omega))


def _shares(each: Mapping[int, Array], counts: Callable[[Array], Any]) -> Estimate:
    return some({seed: float(np.mean(counts(values))) for seed, values in each.items()})
