"""The committed results: every record below a folder, sorted into what counts, what is out of date, and what is refused."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mope_theory.experiments import SCOPES

from .grid import Grid
from .record import Record, RecordError

RESULTS = Path(__file__).resolve().parents[2] / "results"
"""The results of the checkout; a wheel has none."""


@dataclass(frozen=True)
class Fault:
    """A file that counts for nothing, and why; ``label`` is what the claims call its model, where that can be told."""

    path: Path
    label: str | None
    why: str

    def __str__(self) -> str:
        return f"{Path(*self.path.parts[-3:])}: {self.why}"


@dataclass(frozen=True)
class Runs:
    """The runs of one scope: label → seed → record, and what does not count.

    planned: label → number of seeds that the grids declare. Of presets that share a scope, the first that has a run supplies it.
    """

    scope: str
    records: Mapping[str, Mapping[int, Record]] = field(default_factory=dict)
    planned: Mapping[str, int] = field(default_factory=dict)
    stale: tuple[Fault, ...] = ()
    refused: tuple[Fault, ...] = ()

    def of(self, label: str) -> Mapping[int, Record]:
        """The counted records of a model, by seed; none for a model that is not run."""
        return self.records.get(label, {})

    def about(self, labels: Iterable[str]) -> tuple[list[Fault], list[Fault]]:
        """What is out of date and what is refused of these models; a file that cannot be attributed concerns every model."""
        wanted = {None, *labels}
        stale, refused = ([one for one in faults if one.label in wanted] for faults in (self.stale, self.refused))
        return stale, refused


def load(folder: Path = RESULTS) -> dict[str, Runs]:
    """Scope → its runs, read from ``folder/runs`` and ``folder/grids``. Nothing there is no fault: then nothing has been run."""
    return {scope: _scope(folder, scope, presets) for scope, presets in SCOPES.items()}


def load_preset(folder: Path, preset: str) -> Runs:
    """The runs of one preset alone, whether it has a scope or not."""
    return _scope(folder, preset, (preset,))


def _scope(folder: Path, scope: str, presets: Iterable[str]) -> Runs:
    records: dict[str, dict[int, Record]] = {}
    planned: dict[str, int] = {}
    stale: list[Fault] = []
    refused: list[Fault] = []
    for preset in presets:
        grid = _grid(folder, preset, refused)
        for one in grid.variants.values() if grid else ():
            planned[one.label] = max(planned.get(one.label, 0), len(one.seeds))
        for path in sorted((folder / "runs" / preset).glob("*/*.json")):
            label = grid.variants[path.parent.name].label if grid and path.parent.name in grid.variants else None
            try:
                record = Record.read(path)
            except RecordError as problem:
                refused.append(Fault(path, label, str(problem).removeprefix(f"{path}: ")))
                continue
            objection = grid.objection(record) if grid else f"no grid of preset {preset} is declared"
            if objection:
                stale.append(Fault(path, record.label, objection))
            else:
                records.setdefault(record.label, {}).setdefault(record.seed, record)
    return Runs(scope, records, planned, tuple(stale), tuple(refused))


def _grid(folder: Path, preset: str, refused: list[Fault]) -> Grid | None:
    path = folder / "grids" / f"{preset}.json"
    if not path.exists():
        return None
    try:
        return Grid.read(path)
    except RecordError as problem:
        refused.append(Fault(path, None, str(problem).removeprefix(f"{path}: ")))
        return None
