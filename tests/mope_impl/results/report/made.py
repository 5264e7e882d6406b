"""Runs whose numbers are chosen, with whole configurations: what the report is computed from in its tests."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mope_impl.results import Record, config_hash
from mope_impl.results.store import Runs
from tests.mope_impl.results.planted import RECIPE, record

STEPS = 40
"""Of the runs that have wave packets."""


def config(seed: int, model: Mapping[str, Any] | None = None, **sections: Mapping[str, Any]) -> dict[str, Any]:
    """A whole configuration; sections are changed by what is given."""
    whole: dict[str, dict[str, Any]] = {
        "model": {"encoding": "learned", "constraint": "reference", "gate": "none", "width": 32},
        "data": {"source": "synthetic", "seed": seed},
        "optimizer": {"rate": 0.05, "final_rate": 0.0, "warmup": 8, "weight_decay": 0.1, "decay_all": True},
        "training": {"seed": seed, "steps": STEPS, "batch": 4},
    }
    for name, values in {"model": model or {}, **sections}.items():
        whole[name].update(values)
    return whole


def run(label: str, seed: int, loss: float | None, model: Mapping[str, Any] | None = None, **changes: Any) -> Record:
    """A run of a model; ``model`` changes its configuration, ``optimizer`` too, other ``changes`` are fields of the record."""
    whole = config(seed, model, optimizer=changes.pop("optimizer", {}))
    return record(label, seed, loss, config=whole, config_hash=config_hash(whole, RECIPE), **changes)


def rows(losses: Mapping[str, Iterable[float | None]], **changes: Any) -> list[Record]:
    """Label → losses of the seeds from 1 on."""
    return [run(label, seed, loss, **changes) for label, values in losses.items() for seed, loss in enumerate(values, 1)]


def runs(records: Iterable[Record], planned: Mapping[str, int] | None = None, scope: str = "cpu") -> Runs:
    """The runs of a scope; planned are as many as there are, if nothing is said."""
    found: dict[str, dict[int, Record]] = {}
    for one in records:
        found.setdefault(one.label, {})[one.seed] = one
    return Runs(scope, found, {label: len(own) for label, own in found.items()} if planned is None else planned)


def packets(
    label: str,
    seed: int,
    ways: Iterable[tuple[int, Any, Any, Any, Any]],
    model: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Record:
    """A run of a Morlet model with shapes: (step, ω, σ, ω used, σ used), arrays over pairs."""
    names = ("omega", "sigma", "omega_effective", "sigma_effective")
    shapes = [{"step": step, **{name: np.asarray(x, float).tolist() for name, x in zip(names, four, strict=True)}}
              for step, *four in ways]  # fmt: skip
    measures = {"shape": shapes, **changes.pop("measures", {})}
    return run(label, seed, 1.5, {"encoding": "morlet", **(model or {})}, measures=measures, **changes)
