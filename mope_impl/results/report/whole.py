"""The report of the runs of one scope: every number, as plain data."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from mope_theory.experiments import SCOPES

from ..record import Record
from ..store import Runs, load, load_preset
from .comparisons import Comparison, compared, interacting
from .models import Curve, Design, Model, curves, design, models
from .packets import Boundary, Folding, Journey, Multiplier, arms, boundary, folding, journey, multiplier
from .probes import Leak, Reach, leaks, reaches
from .text import count
from .verdicts import Verdict, verdicts

SCHEMA = 1


@dataclass(frozen=True)
class Source:
    """What the numbers are from: the records that count, and what does not count."""

    records: int
    planned: int
    seconds: float
    """Training time of all runs together."""
    finished: tuple[str, str] | None
    """When the first and when the last run ended."""
    recipes: tuple[int, ...]
    commits: Mapping[str, int]
    """Commit of the tree, with "+" where it was modified → number of runs."""
    devices: Mapping[str, int]
    versions: Mapping[str, tuple[str, ...]]
    stale: tuple[str, ...]
    refused: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """All that is computed from the records of one scope."""

    scope: str
    source: Source
    design: Design
    models: tuple[Model, ...]
    curves: tuple[Curve, ...]
    comparisons: tuple[Comparison, ...]
    interactions: tuple[Comparison, ...]
    leaks: tuple[Leak, ...]
    boundaries: tuple[Boundary, ...]
    multipliers: tuple[Multiplier, ...]
    journeys: tuple[Journey, ...]
    foldings: tuple[Folding, ...]
    reaches: tuple[Reach, ...]
    verdicts: tuple[Verdict, ...]

    def to_json(self) -> dict[str, Any]:
        """The report as plain types."""
        plain: dict[str, Any] = _plain({"schema": SCHEMA, **asdict(self)})
        return plain


def runs_of(folder: Path, preset: str) -> Runs:
    """The runs that speak for a preset; where it is the name of a scope, those of the scope, which its verdicts are of."""
    return load(folder)[preset] if preset in SCOPES else load_preset(folder, preset)


def make(runs: Runs) -> Report:
    """Compute everything; where runs are missing, what can be computed without them."""
    known = arms(runs)
    return Report(
        scope=runs.scope,
        source=source(runs),
        design=design(runs),
        models=models(runs),
        curves=curves(runs),
        comparisons=compared(runs),
        interactions=interacting(runs),
        leaks=leaks(runs),
        boundaries=tuple(boundary(runs, arm) for arm in known),
        multipliers=tuple(multiplier(runs, arm) for arm in known),
        journeys=tuple(journey(runs, arm) for arm in known),
        foldings=tuple(folding(runs, arm) for arm in known),
        reaches=reaches(runs),
        verdicts=verdicts(runs),
    )


def source(runs: Runs) -> Source:
    """Where the numbers come from."""
    records = [record for each in runs.records.values() for record in each.values()]
    ended = sorted(record.finished for record in records)
    names = sorted({name for record in records for name in record.versions})
    return Source(
        records=len(records),
        planned=sum(runs.planned.values()),
        seconds=sum(record.seconds for record in records),
        finished=(ended[0], ended[-1]) if ended else None,
        recipes=tuple(sorted({record.recipe for record in records})),
        commits=Counter(_commit(record) for record in records),
        devices=Counter(f"{record.device['name']}, {count(record.device['threads'], 'thread')}" for record in records),
        versions={name: tuple(sorted({r.versions[name] for r in records if name in r.versions})) for name in names},
        stale=tuple(map(str, runs.stale)),
        refused=tuple(map(str, runs.refused)),
    )


def _commit(record: Record) -> str:
    commit = str(record.source["commit"])[:12] or "no commit"
    return f"{commit}+" if record.source["modified"] else commit


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return float(value) if isinstance(value, Fraction) else value
