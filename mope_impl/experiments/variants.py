"""Variants: the models that are compared, by id, each with the label that the claims call it and what sets it apart.

A variant is data: changes to the configuration of a preset. One that is compared with another differs from it in what the
comparison is about and in nothing else.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mope_theory.experiments import LENGTHS, gated, of_length

Changes = Mapping[str, Mapping[str, Any]]
"""Section of the configuration → key → value."""


@dataclass(frozen=True)
class Variant:
    """A model of the experiments. ``id`` is also the name of a folder; ``label`` is that of the claims."""

    id: str
    label: str
    changes: Changes = field(default_factory=dict)


def _model(**values: Any) -> Changes:
    return {"model": values}


_ENCODINGS = {
    "learned": ("baseline", {"encoding": "learned"}),
    "none": ("none", {"encoding": "none"}),
    "sinusoidal": ("sinusoidal", {"encoding": "sinusoidal"}),
    "rotary": ("RoPE alone", {"encoding": "rotary"}),
    "rotary-learned": ("RoPE", {"encoding": "rotary+learned"}),  # as published
    "morlet": ("MoPE", {"encoding": "morlet"}),
}
_GATES = {"gate": ("EGA-1", "published"), "causal-gate": ("EGA-1, causal", "causal")}
_GATED = ("learned", "none", "sinusoidal", "rotary", "morlet")

_GATE_AND_MORLET = {"encoding": "morlet", "gate": "published"}

SOURCE: Changes = {
    "model": {
        "context": 128,
        "layers": 1,
        "heads": 2,
        "width": 64,
        "dropout": 0.0,
        "encoding": "morlet-relative",
        "sigma": 16.0,
        "gate": "none",
    },
    "data": {"source": "synthetic", "tokens": "characters", "size": 200_000, "symbols": 8, "copies": 0.9},
    "optimizer": {"rate": 3e-3, "warmup": 50, "decay_all": False, "weight_decay": 0.0},
    "training": {
        "steps": 800,
        "batch": 8,
        "precision": "float32",
        "compile": False,
        "evaluate_every": 400,
        "checkpoint_every": 400,
        "estimate_batches": 8,
    },
}
"""The model that learns the synthetic source, the same for every correlation length.

One layer, for one look back is all that the source has. Few symbols that are copied often: what a far token brings then disturbs
the prediction, and the model learns to leave it out. The context is four times the largest length. No part depends on the length.
"""


def _all() -> Iterator[Variant]:
    for id, (label, model) in _ENCODINGS.items():
        yield Variant(id, label, {"model": model})
    for prefix, (gate, statistics) in _GATES.items():
        for id in _GATED:
            label, model = _ENCODINGS[id]
            yield Variant(f"{prefix}-{id}", gated(gate, label), {"model": {**model, "gate": statistics}})
    yield Variant("interior-10", "MoPE, interior start 10", _model(encoding="morlet", product=10.0))
    yield Variant("interior-20", "MoPE, interior start 20", _model(encoding="morlet", product=20.0))
    yield Variant("no-decay", "MoPE, no decay", {**_model(encoding="morlet"), "optimizer": {"decay_all": False}})
    yield Variant("no-constraint", "MoPE, no constraint", _model(encoding="morlet", constraint="free"))
    # Inside, and so near that the optimiser can come within 1 % of the bound: a step of AdamW moves a parameter by little more
    # than the learning rate, and the parameter below ωσ has 0.5 to go, of 1 in all at the cpu preset and 0.75 at the paper's.
    yield Variant("bounded", "MoPE, bounded", _model(encoding="morlet", constraint="bounded", product=5.08))
    yield Variant("learned-centre", "MoPE, learned centre", _model(encoding="morlet", center="learned"))
    # Ours, so its widths are left alone by the decay, which would pull log σ to 0; rotary alone has no parameter to spare.
    spared = {"optimizer": {"decay_all": False}}
    yield Variant("morlet-rotary", "Morlet-RoPE, product kernel", {**_model(encoding="morlet-rotary"), **spared})
    yield Variant("morlet-relative", "Morlet-RoPE, relative kernel", {**_model(encoding="morlet-relative"), **spared})
    subword = {"data": {"tokens": "bytes", "vocabulary": 512}}
    yield Variant("subword-learned", "baseline, subword tokens", {**_model(encoding="learned"), **subword})
    yield Variant("subword-gate-morlet", "EGA + MoPE, subword tokens", {"model": _GATE_AND_MORLET, **subword})
    yield Variant("long-learned", "baseline, longer context", _model(encoding="learned"))
    yield Variant("long-gate-morlet", "EGA + MoPE, longer context", {"model": _GATE_AND_MORLET})
    for length in LENGTHS:
        changes = {**SOURCE, "data": {**SOURCE["data"], "length": float(length)}}
        yield Variant(f"source-{length}", of_length(length), changes)


VARIANTS: dict[str, Variant] = {variant.id: variant for variant in _all()}
"""Every variant by its id."""
