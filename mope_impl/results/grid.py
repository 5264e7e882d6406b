"""The declared grid of a preset: which variants are run with which seeds, each by the hash of its configuration.

A grid is written before its runs, at ``<folder>/<preset>.json``, and says what is counted: a record of another configuration,
recipe, label or seed is out of date. Who only reads results needs no code that trains.
"""
from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .record import Record, RecordError, write_json

SCHEMA = 1


@dataclass(frozen=True)
class Planned:
    """The runs of one variant: what the claims call it, and seed → hash of the configuration."""

    label: str
    seeds: Mapping[int, str]


@dataclass(frozen=True)
class Grid:
    """The runs of a preset, by variant, with the recipe that the hashes are of.

    Raises ValueError where two variants have one label.
    """

    preset: str
    recipe: int
    variants: Mapping[str, Planned]

    def __post_init__(self) -> None:
        labels = [planned.label for planned in self.variants.values()]
        twice = sorted({label for label in labels if labels.count(label) > 1})
        if twice:
            raise ValueError(f"two variants of preset {self.preset} have the label {twice[0]!r}")

    @property
    def runs(self) -> int:
        """How many runs it declares."""
        return sum(len(planned.seeds) for planned in self.variants.values())

    def objection(self, record: Record) -> str | None:
        """Why a record of this preset is not one of the grid's; None if it is."""
        planned = self.variants.get(record.variant)
        if planned is None:
            return f"the grid has no variant {record.variant}"
        if planned.label != record.label:
            return f"the grid calls {record.variant} {planned.label!r}, not {record.label!r}"
        if record.seed not in planned.seeds:
            return f"the grid has no seed {record.seed} for {record.variant}"
        if record.recipe != self.recipe:
            return f"it was made by recipe {record.recipe}, the grid is of recipe {self.recipe}"
        if record.config_hash != planned.seeds[record.seed]:
            return "its configuration is not that of the grid"
        return None

    def to_json(self) -> dict[str, Any]:
        """The grid as plain types."""
        variants = {
            name: {"label": planned.label, "seeds": {str(seed): planned.seeds[seed] for seed in sorted(planned.seeds)}}
            for name, planned in self.variants.items()
        }
        return {"schema": SCHEMA, "preset": self.preset, "recipe": self.recipe, "variants": variants}

    @classmethod
    def from_json(cls, data: Any) -> Grid:
        """The grid that ``to_json`` made these plain types of. Raises RecordError for any others."""
        try:
            if set(data) != {"schema", "preset", "recipe", "variants"} or data["schema"] != SCHEMA:
                raise RecordError(f"not a grid of schema {SCHEMA}")
            variants = {
                str(name): Planned(str(one["label"]), {int(seed): str(hash) for seed, hash in one["seeds"].items()})
                for name, one in data["variants"].items()
            }
            return cls(str(data["preset"]), int(data["recipe"]), variants)
        except (TypeError, KeyError, AttributeError):
            raise RecordError("not a grid") from None

    @classmethod
    def read(cls, path: Path) -> Grid:
        """The grid in a file that is named after its preset. Raises RecordError, which names the file."""
        try:
            grid = cls.from_json(json.loads(path.read_text(encoding="utf-8")))
            if path.name != f"{grid.preset}.json":
                raise RecordError(f"it is the grid of preset {grid.preset}")
        except OSError as problem:
            raise RecordError(f"{path}: {problem.strerror}") from None
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
            raise RecordError(f"{path}: not JSON: cut off or damaged") from None
        except ValueError as problem:
            raise RecordError(f"{path}: {problem}") from None
        return grid

    def write(self, folder: Path) -> Path:
        """Write it to its place in a folder of grids, as a whole or not at all."""
        path = folder / f"{self.preset}.json"
        write_json(path, self.to_json())
        return path
