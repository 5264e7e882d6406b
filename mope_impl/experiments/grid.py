"""The tasks of a preset: one for each run, with the whole configuration and its hash."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mope_impl.results import Record, RecordError, place
from mope_impl.results.grid import Grid, Planned
from mope_impl.training import RECIPE, Config

from .presets import Preset
from .variants import VARIANTS


@dataclass(frozen=True)
class Task:
    """A run to be made."""

    preset: str
    variant: str
    label: str
    seed: int
    config: Config

    @property
    def name(self) -> str:
        """For messages: "morlet, seed 3"."""
        return f"{self.variant}, seed {self.seed}"

    @property
    def digest(self) -> str:
        """Hash of its configuration."""
        return self.config.digest()

    def folder(self, runs: Path) -> Path:
        """Where it is trained, below a folder of runs. A change of the configuration leads to another place."""
        return runs / self.preset / self.variant / f"seed-{self.seed}-{self.digest[:12]}"

    def record(self, records: Path) -> Record | None:
        """Its record below a folder of records; None where there is none, or one of another configuration.

        Raises RecordError, one line that names the file, for one that cannot be read.
        """
        path = records / place(self.preset, self.variant, self.seed)
        if not path.exists():
            return None
        record = Record.read(path)
        return record if record.config_hash == self.digest else None

    def is_finished(self, records: Path) -> bool:
        """Whether its record is there. One that cannot be read is none: the run is made anew, and replaces it."""
        try:
            return self.record(records) is not None
        except RecordError:
            return False

    def to_dict(self) -> dict[str, Any]:
        """Plain types, for another process."""
        return {name: getattr(self, name) for name in ("preset", "variant", "label", "seed")} | {"config": self.config.to_dict()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Task:
        """The task that these plain types are of."""
        return cls(**{**data, "config": Config.from_dict(data["config"])})


def tasks(preset: Preset, variants: Iterable[str] = (), seeds: Sequence[int] = ()) -> tuple[Task, ...]:
    """The runs of a preset in order; only those of some variants and seeds, where any are given."""
    chosen = set(variants)
    return tuple(
        Task(preset.name, variant, VARIANTS[variant].label, seed, Config.from_dict(preset.configuration(variant, seed)))
        for variant, seed in preset.runs()
        if (not chosen or variant in chosen) and (not seeds or seed in seeds)
    )


def declared(preset: Preset) -> Grid:
    """The grid of a preset as those who read results know it, without a configuration and without torch."""
    every = tasks(preset)
    return Grid(
        preset.name,
        RECIPE,
        {
            variant: Planned(VARIANTS[variant].label, {task.seed: task.digest for task in every if task.variant == variant})
            for variant in preset.seeds
        },
    )
