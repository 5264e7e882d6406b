"""Samples over seeds: for a model, a pair of models or an arm, one number from each seed.

Of several models only the seeds are taken that all of them have.
"""
from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import fsum
from typing import TypeVar

from mope_theory.experiments import gated
from mope_theory.vocabulary.recipe import BOUNDARY

from .record import Record
from .statistics import paired
from .store import Runs

Sample = dict[int, float]
"""Seed → value."""
T = TypeVar("T")


class Lacking(Exception):
    """A quantity has no value; the message says what it lacks, ``seeds`` how many seeds it has."""

    def __init__(self, why: str, seeds: int = 0) -> None:
        super().__init__(why)
        self.seeds = seeds


def losses(runs: Runs, label: str) -> Sample:
    """Seed → loss of a model. Raises Lacking where a run diverged: a mean without it would be that of the others alone."""
    records = runs.of(label)
    diverged = [seed for seed, record in records.items() if record.validation is None]
    if diverged:
        raise Lacking(f"{label} diverged with seed {diverged[0]}", len(records) - len(diverged))
    return {seed: float(record.validation) for seed, record in records.items() if record.validation is not None}


def differences(runs: Runs, first: str, second: str) -> Sample:
    """Seed → loss of the first model minus loss of the second, over the seeds that both have."""
    return paired(losses(runs, first), losses(runs, second))


def interactions(runs: Runs, gate: str, other: str) -> Sample:
    """Seed → gain of the gate with MoPE minus its gain with another encoding, over the seeds that all four corners have."""
    with_mope = paired(losses(runs, "MoPE"), losses(runs, gated(gate, "MoPE")))
    with_other = paired(losses(runs, other), losses(runs, gated(gate, other)))
    return paired(with_mope, with_other)


def multipliers(runs: Runs, arm: str) -> Sample:
    """Seed → mean over the pairs of (∂L/∂ω)/σ at the end of the run."""
    return _over_pairs(runs, arm, lambda omega, sigma, by_omega, by_sigma: fsum(
        slope / width for slope, width in zip(by_omega, sigma, strict=True)) / len(sigma))  # fmt: skip


def imbalances(runs: Runs, arm: str) -> Sample:
    """Seed → Σ|ω ∂L/∂ω − σ ∂L/∂σ| / Σ(|ω ∂L/∂ω| + |σ ∂L/∂σ|) over the pairs; 0 where both gradients vanish."""

    def imbalance(omega: list[float], sigma: list[float], by_omega: list[float], by_sigma: list[float]) -> float:
        sides = [(x * u, y * v) for x, u, y, v in zip(omega, by_omega, sigma, by_sigma, strict=True)]
        total = fsum(abs(one) + abs(other) for one, other in sides)
        return fsum(abs(one - other) for one, other in sides) / total if total else 0.0

    return _over_pairs(runs, arm, imbalance)


def products(runs: Runs, arm: str) -> Sample:
    """Seed → mean of ω_eff σ_eff over the pairs at the end of the run."""
    return {seed: fsum(each) / len(each) for seed, each in _final_products(runs, arm).items()}


def occupancies(runs: Runs, arm: str, tolerance: Fraction) -> dict[int, Fraction]:
    """Seed → share of the pairs that end within a relative tolerance of ω_eff σ_eff = 5."""
    boundary = Fraction(int(BOUNDARY))

    def near(product: float) -> bool:
        return abs(Fraction(repr(product)) - boundary) <= tolerance * boundary

    return {seed: Fraction(sum(map(near, each)), len(each)) for seed, each in _final_products(runs, arm).items()}


def reaches(runs: Runs, label: str) -> Sample:
    """Seed → learned reach, tokens."""
    return _measured(runs, label, "reach", lambda record: float(record.measures["reach"]))


def _over_pairs(runs: Runs, arm: str, value: Callable[[list[float], list[float], list[float], list[float]], float]) -> Sample:
    """A number of ω_eff, σ_eff, ∂L/∂ω and ∂L/∂σ at the end of each run."""

    def of(record: Record) -> float:
        shape, gradients = record.measures["shape"][-1], record.measures["gradients"]
        return value(shape["omega_effective"], shape["sigma_effective"], gradients["omega"], gradients["sigma"])

    return _measured(runs, arm, "gradients", of, "shape")


def _final_products(runs: Runs, arm: str) -> dict[int, list[float]]:
    def of(record: Record) -> list[float]:
        last = record.measures["shape"][-1]
        pairs = zip(last["omega_effective"], last["sigma_effective"], strict=True)
        return [float(f"{omega * sigma:.6g}") for omega, sigma in pairs]  # what seven digits of each factor leave

    return _measured(runs, arm, "shape", of)


def _measured(runs: Runs, label: str, name: str, of: Callable[[Record], T], *further: str) -> dict[int, T]:
    records = runs.of(label)
    without = [seed for seed, record in records.items() if not {name, *further} <= set(record.measures)]
    if without:
        raise Lacking(f"the run of {label} with seed {without[0]} has no {name}", len(records) - len(without))
    return {seed: of(record) for seed, record in records.items()}
