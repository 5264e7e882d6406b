"""Paired comparisons that were declared before the runs, and interactions of gate and encoding."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mope_theory.experiments import CONTROLS, FAMILIES, GATES, gated

from ..samples import differences, interactions
from ..statistics import FEWEST, holm, sign_flip, t_test
from ..store import Runs
from .estimate import Estimate, Measured, measured


@dataclass(frozen=True)
class Comparison:
    """One number that is compared with 0 in a family of such: p by the paired t test, corrected over the whole family.

    ``flip`` is the p value of the exact sign-flip test, None below eight seeds.
    """

    family: str
    name: str
    models: tuple[str, ...]
    """The models that it is about."""
    value: Estimate | None
    p: float | None
    corrected: float | None
    """By Holm's method over all comparisons that the family declares; one that is not made yet counts as one with p = 1."""
    flip: float | None
    members: int
    """How many comparisons the family declares."""
    lacking: str = ""
    """Why there is no value."""


def compared(runs: Runs) -> tuple[Comparison, ...]:
    """Every declared paired difference, loss of the first model minus that of the second, of families that are planned or run."""
    found: list[Comparison] = []
    for family, pairs in FAMILIES.items():
        if not any(_here(runs, pair) for pair in pairs):
            continue  # a preset without these models says nothing of them
        samples = {f"{first} − {second}": measured(differences, runs, first, second) for first, second in pairs}
        found += _family(runs, family, samples, list(pairs))
    return tuple(found)


def interacting(runs: Runs) -> tuple[Comparison, ...]:
    """For each gate and each control: (L(MoPE) − L(gate, MoPE)) − (L(control) − L(gate, control)), one family a gate."""
    found: list[Comparison] = []
    for gate in GATES:
        corners = [("MoPE", gated(gate, "MoPE"), control, gated(gate, control)) for control in CONTROLS]
        if any(_here(runs, labels) for labels in corners):
            samples = {f"with MoPE against {control}": measured(interactions, runs, gate, control) for control in CONTROLS}
            found += _family(runs, gate, samples, corners)
    return tuple(found)


def _here(runs: Runs, labels: Sequence[str]) -> bool:
    """Whether all of these models are run or planned."""
    return all(label in runs.records or label in runs.planned for label in labels)


def _family(runs: Runs, family: str, samples: Mapping[str, Measured], models: Sequence[tuple[str, ...]]) -> list[Comparison]:
    values = {name: list(one.sample.values()) for name, one in samples.items()}
    p = {name: t_test(own) for name, own in values.items() if len(own) >= FEWEST}
    corrected = holm({name: p.get(name, 1.0) for name in samples})
    return [
        Comparison(
            family=family,
            name=name,
            models=labels,
            value=one.estimate,
            p=p.get(name),
            corrected=corrected[name] if name in p else None,
            flip=sign_flip(values[name]),
            members=len(samples),
            lacking=one.lacking or ("" if one.sample else "not run" if _here(runs, labels) else "not planned"),
        )
        for (name, one), labels in zip(samples.items(), models, strict=True)
    ]
