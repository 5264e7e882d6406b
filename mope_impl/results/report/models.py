"""The losses of the models: one row for each, and what their runs are made with."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mope_theory.experiments import LENGTHS, MODELS, of_length

from ..record import Record
from ..samples import losses
from ..store import Runs
from .estimate import Estimate, average, measured

BASELINE = "baseline"
SOURCES = frozenset(map(of_length, LENGTHS))
"""Labels of the models on synthetic sources, whose losses compare with nothing but the best possible one."""


@dataclass(frozen=True)
class Model:
    """A model of the grid: its loss in nats per character, and how much of it has been run."""

    label: str
    what: str
    loss: Estimate | None
    values: Mapping[int, float]
    """Seed → loss."""
    diverged: tuple[int, ...]
    parameters: int | None
    planned: int
    """Seeds that the grid declares."""

    @property
    def left(self) -> int:
        """Runs that are still to be made."""
        return max(0, self.planned - len(self.values) - len(self.diverged))


def order(runs: Runs) -> list[str]:
    """The models that are run or planned, in the order in which they are declared."""
    known = {**dict.fromkeys(MODELS), **dict.fromkeys(sorted({*runs.records, *runs.planned}))}
    return [label for label in known if label in runs.records or label in runs.planned]


def models(runs: Runs) -> tuple[Model, ...]:
    """Every model, those on synthetic sources too."""
    return tuple(_model(runs, label) for label in order(runs))


def _model(runs: Runs, label: str) -> Model:
    records = runs.of(label)
    values = {seed: float(record.validation) for seed, record in records.items() if record.validation is not None}
    loss = measured(losses, runs, label)  # none where a run diverged: a mean of the others would flatter
    sizes = sorted({record.parameters for record in records.values()})
    return Model(
        label=label,
        what=MODELS.get(label, ""),
        loss=loss.estimate,
        values=dict(sorted(values.items())),
        diverged=tuple(sorted(records.keys() - values.keys())),
        parameters=sizes[0] if len(sizes) == 1 else None,
        planned=runs.planned.get(label, 0),
    )


@dataclass(frozen=True)
class Curve:
    """Validation loss by step, nats per character, mean over the seeds that were evaluated at that step without diverging."""

    label: str
    steps: tuple[int, ...]
    losses: tuple[float, ...]
    seeds: tuple[int, ...]


def curves(runs: Runs) -> tuple[Curve, ...]:
    """The curve of each model."""
    return tuple(curve for label in order(runs) for curve in _curve(label, runs.of(label)))


def _curve(label: str, records: Mapping[int, Record]) -> Iterator[Curve]:
    each = [dict(_per_character(record)) for record in records.values()]
    steps = sorted(set.intersection(*map(set, each))) if each else []
    if steps:
        yield Curve(label, tuple(steps), tuple(average([one[step] for one in each]) for step in steps), tuple(sorted(records)))


def _per_character(record: Record) -> Iterator[tuple[int, float]]:
    """(step, loss): the loss of a token, shared among the characters that it stands for."""
    for one in record.evaluations:
        if one["validation"] is not None:
            yield one["step"], one["validation"] * record.tokens / record.characters


@dataclass(frozen=True)
class Design:
    """What the runs are made with: settings that all models on the text share, and those that set each model apart."""

    shared: Mapping[str, Any]
    own: Mapping[str, Mapping[str, Any]]


def design(runs: Runs) -> Design:
    """Settings as "section.key", but for seeds: what all models on the text share, and what sets each apart from the baseline.

    Where the baseline has no run yet, from what most models have.
    """
    settings: dict[str, dict[str, Any]] = {}
    for label in (one for one in order(runs) if runs.of(one)):
        config = next(iter(runs.of(label).values())).config
        flat = {f"{section}.{key}": value for section, keys in _sections(config) for key, value in keys.items()}
        settings[label] = {name: value for name, value in flat.items() if not name.endswith(".seed")}
    on_text = [own for label, own in settings.items() if label not in SOURCES] or list(settings.values())
    names = list(dict.fromkeys(name for own in on_text for name in own))
    usual = settings.get(BASELINE) or {name: _most([own.get(name) for own in on_text]) for name in names}
    return Design(
        shared={name: usual.get(name) for name in names if all(own.get(name) == usual.get(name) for own in on_text)},
        own={label: {name: value for name, value in own.items() if value != usual.get(name)} for label, own in settings.items()},
    )


def _sections(config: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    return [(name, keys) for name, keys in config.items() if isinstance(keys, Mapping)]


def _most(values: list[Any]) -> Any:
    """The value that most have; of several, the first."""
    return max(values, key=values.count) if values else None


def shared_losses(runs: Runs, labels: list[str]) -> dict[int, list[float | None]]:
    """Seed → the losses of some models, None where one has no run: what a line through their dots joins."""
    seeds = sorted({seed for label in labels for seed in runs.of(label)})
    return {
        seed: [record.validation if (record := runs.of(label).get(seed)) else None for label in labels] for seed in seeds
    }

