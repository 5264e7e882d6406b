"""Presets: of what size the models are, which variants are trained, and with how many paired seeds.

Seeds are paired: with one seed, variants share the order of the data, and the initial values of all parameters that they share.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mope_theory.experiments import SEEDS, TABLE_SEEDS

from .variants import VARIANTS, Changes


@dataclass(frozen=True)
class Preset:
    """A grid: the configuration that its variants change, and variant → number of seeds, 1 to that number.

    ``changes`` are further ones of single variants, where they depend on the size of the models.
    """

    name: str
    title: str
    base: Changes
    seeds: Mapping[str, int]
    changes: Mapping[str, Changes] = field(default_factory=dict)

    def runs(self) -> Iterator[tuple[str, int]]:
        """(variant, seed) in the order in which they are run: seed 1 of every variant first, so that rows fill evenly."""
        for seed in range(1, max(self.seeds.values()) + 1):
            yield from ((variant, seed) for variant, number in self.seeds.items() if seed <= number)

    def configuration(self, variant: str, seed: int) -> dict[str, dict[str, Any]]:
        """Sections of the configuration of a run; what they leave out has its default."""
        sections = merged(self.base, VARIANTS[variant].changes, self.changes.get(variant, {}), {"training": {"seed": seed}})
        if sections.get("data", {}).get("source") == "synthetic":
            sections["data"]["seed"] = seed  # a text of its own for each seed, or the seeds would share the luck of one text
        return sections


def merged(*parts: Changes) -> dict[str, dict[str, Any]]:
    """Sections of all parts, a later one over an earlier one."""
    sections: dict[str, dict[str, Any]] = {}
    for part in parts:
        for section, values in part.items():
            sections.setdefault(section, {}).update(values)
    return sections


ROWS = ("learned", "gate-learned", "sinusoidal", "rotary-learned", "morlet", "gate-morlet")
"""The six rows of the published table."""

_AT_LEAST_THE_TABLE = (
    *("learned", "sinusoidal", "none", "rotary", "rotary-learned", "morlet"),
    *("gate-learned", "gate-none", "gate-morlet", "causal-gate-learned", "causal-gate-none", "causal-gate-morlet"),
)
_FURTHER = (
    *("gate-sinusoidal", "gate-rotary", "causal-gate-sinusoidal", "causal-gate-rotary"),
    *("interior-10", "interior-20", "no-decay", "no-constraint", "bounded"),
    *("learned-centre", "morlet-rotary", "morlet-relative"),
    *("subword-learned", "subword-gate-morlet", "long-learned", "long-gate-morlet"),
)
_SOURCES = tuple(id for id in VARIANTS if id.startswith("source-"))

EVERYTHING: dict[str, int] = {
    **dict.fromkeys(_SOURCES, TABLE_SEEDS),  # seconds each, so they come first
    **dict.fromkeys(_AT_LEAST_THE_TABLE, TABLE_SEEDS),
    **dict.fromkeys(_FURTHER, SEEDS),
}

CPU = Preset(
    name="cpu",
    title="reduced models, for a few CPU cores: TinyShakespeare by characters, 4 layers, width 128, context 128, 2,000 steps",
    base={
        "model": {
            "context": 128,
            "layers": 4,
            "heads": 4,
            "width": 128,
            # 2,000 steps see each character about eight times: models of this size underfit, and dropout would only slow them.
            "dropout": 0.0,
        },
        "data": {"source": "tinyshakespeare"},
        # One rate for all, three times the published one: a model of a sixth of its size, and fewer steps, bear and need more.
        # It is tuned for no variant. The decay is on every parameter, as published: the arms without it say so.
        "optimizer": {"rate": 1e-3, "warmup": 100, "decay_all": True},
        "training": {
            "steps": 2000,
            "batch": 32,
            "precision": "bfloat16",
            "compile": True,
            "evaluate_every": 250,
            "checkpoint_every": 250,
        },
    },
    seeds=EVERYTHING,
    changes={
        # As many tokens in a step as the others have.
        "long-learned": {"model": {"context": 512}, "training": {"batch": 8}},
        "long-gate-morlet": {"model": {"context": 512}, "training": {"batch": 8}},
    },
)

_PUBLISHED: Changes = {
    "model": {},  # the defaults are the published baseline
    "data": {"source": "tinyshakespeare"},
    "optimizer": {"rate": 3e-4, "warmup": 300, "weight_decay": 0.1, "decay_all": True},
    # The published runs were in float16; bfloat16 has the range of float32, so that no gradient is scaled and no step skipped.
    "training": {
        "steps": 5000,
        "batch": 64,
        "precision": "bfloat16",
        "compile": True,
        "evaluate_every": 500,
        "checkpoint_every": 1000,
    },
}

PAPER = Preset(
    name="paper",
    title="the published size and recipe: the six rows of the table, and the causal gate",
    base=_PUBLISHED,
    seeds=dict.fromkeys((*ROWS, "causal-gate-learned"), TABLE_SEEDS),
)

FULL = Preset(
    name="full",
    title="the published size and recipe: every variant",
    base=_PUBLISHED,
    seeds=EVERYTHING,
    changes={
        "long-learned": {"model": {"context": 512}, "training": {"batch": 32}},
        "long-gate-morlet": {"model": {"context": 512}, "training": {"batch": 32}},
        # A width of one context to begin with, as in the smaller models.
        "morlet-rotary": {"model": {"sigma": 256.0}},
        "morlet-relative": {"model": {"sigma": 256.0}},
    },
)

SMOKE = Preset(
    name="smoke",
    title="a few seconds a run, no network: whether everything works, and nothing about the claims",
    base={
        "model": {"context": 32, "layers": 2, "heads": 2, "width": 32, "dropout": 0.0},
        "data": {"source": "synthetic", "size": 20_000, "symbols": 16, "length": 4.0},
        "optimizer": {"rate": 3e-3, "warmup": 10, "decay_all": True},
        "training": {"steps": 60, "batch": 8, "evaluate_every": 20, "checkpoint_every": 20, "estimate_batches": 5},
    },
    seeds=dict.fromkeys(
        ("learned", "morlet", "gate-learned", "gate-morlet", "causal-gate-learned", "causal-gate-morlet", "no-constraint")
        + ("morlet-relative", "source-4"),
        2,
    ),
    changes={
        "morlet-relative": {"model": {"sigma": 16.0}},
        "source-4": {
            "model": {"context": 64, "width": 32},
            "training": {"steps": 200, "evaluate_every": 100, "checkpoint_every": 100},
        },
    },
)

PRESETS: dict[str, Preset] = {preset.name: preset for preset in (SMOKE, CPU, PAPER, FULL)}
"""Every preset by its name."""
