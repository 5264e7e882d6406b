"""Experiments as data, written down before the runs: models by their labels, scopes, families of comparisons, seeds.

Labels are what the claims call a model, and what the record of a run carries. Nothing here says how a model is built.
"""
from __future__ import annotations

from itertools import pairwise

GATES: dict[str, str] = {"EGA-1": "the published energy gate, which sees later tokens", "EGA-1, causal": "its causal form"}
"""Gates, by the label of the model that has the gate on a learned table."""

_ENCODINGS: dict[str, str] = {
    "baseline": "a learned table of positions",
    "none": "no encoding of positions",
    "sinusoidal": "the sinusoidal table",
    "RoPE": "rotary on top of a learned table, as published",
    "RoPE alone": "rotary",
    "MoPE": "the additive Morlet encoding with the published constraint, which starts at ωσ = 5",
}

_COMBINED = {"baseline": "", "none": " + none", "sinusoidal": " + sinusoidal", "RoPE alone": " + RoPE alone", "MoPE": " + MoPE"}


def gated(gate: str, encoding: str) -> str:
    """The label of the model with a gate (a key of GATES) and an encoding (the label of the model that has it alone).

    Raises KeyError for a gate or an encoding that no gate is combined with.
    """
    causal = {"EGA-1": "", "EGA-1, causal": ", causal"}[gate]
    combined = _COMBINED[encoding]
    return (f"EGA{combined}" if combined else "EGA-1") + causal


LENGTHS: tuple[int, ...] = (4, 8, 16, 32)
"""Correlation lengths of the synthetic sources, tokens."""


def of_length(length: int) -> str:
    """The label of the model that is trained on a source of that correlation length."""
    return f"source of length {length}"


CONSTRAINED: tuple[str, ...] = ("MoPE", "MoPE, interior start 10", "MoPE, interior start 20", "MoPE, no decay", "MoPE, bounded")
"""Arms of the boundary study in which ωσ ≥ 5 is held, the reference first."""
UNCONSTRAINED = "MoPE, no constraint"

MODELS: dict[str, str] = {
    **_ENCODINGS,
    **{
        gated(gate, encoding): f"{what}, with {_ENCODINGS[encoding]}"
        for gate, what in GATES.items()
        for encoding in _COMBINED
    },
    "MoPE, interior start 10": "MoPE that starts at ωσ = 10",
    "MoPE, interior start 20": "MoPE that starts at ωσ = 20",
    "MoPE, no decay": "MoPE whose ω and σ do not decay",
    "MoPE, no constraint": "MoPE whose ωσ nothing holds",
    "MoPE, bounded": "MoPE with a smooth constraint ωσ > 5, which starts at 5.08",
    "MoPE, learned centre": "MoPE with a learned centre of each envelope",
    "Morlet-RoPE, product kernel": "rotary with an envelope on each of query and key",
    "Morlet-RoPE, relative kernel": "attention with the relative Morlet kernel",
    "baseline, subword tokens": "the baseline on subword tokens; losses are nats per character all the same",
    "EGA + MoPE, subword tokens": "the published gate with MoPE on subword tokens",
    "baseline, longer context": "the baseline with a longer context",
    "EGA + MoPE, longer context": "the published gate with MoPE and a longer context",
    **{of_length(length): f"a model on the synthetic source of correlation length {length}" for length in LENGTHS},
}  # fmt: skip
"""Label → what the model is. A label has one variant in each preset that has it."""

ORDER: tuple[str, ...] = ("EGA + MoPE", "EGA-1", "RoPE", "baseline", "MoPE", "sinusoidal")
"""The six rows of the published table, from the smallest loss to the largest."""

CONTROLS: tuple[str, ...] = ("baseline", "none", "sinusoidal", "RoPE alone")
"""Encodings that a gate is combined with beside MoPE: the learned table of the paper, and those it has no runs of."""

EXTENSIONS: tuple[tuple[str, str], ...] = (
    ("MoPE, learned centre", "MoPE"),
    ("Morlet-RoPE, product kernel", "RoPE alone"),
    ("Morlet-RoPE, relative kernel", "RoPE alone"),
    ("EGA + MoPE, subword tokens", "baseline, subword tokens"),
    ("EGA + MoPE, longer context", "baseline, longer context"),
)
"""Each extension beside what it extends."""

FAMILIES: dict[str, tuple[tuple[str, str], ...]] = {
    "rows of the table": tuple((model, "baseline") for model in ORDER if model != "baseline"),
    "order of the table": tuple(pairwise(ORDER)),
    "encodings": tuple((model, "baseline") for model in _ENCODINGS if model != "baseline"),
    "published gate": tuple((gated("EGA-1", encoding), encoding) for encoding in _COMBINED),
    "causal gate": tuple((gated("EGA-1, causal", encoding), encoding) for encoding in _COMBINED),
    "extensions": EXTENSIONS,
}
"""Families of paired comparisons, (first, second), loss of the first minus loss of the second; each is corrected as a whole."""

SCOPES: dict[str, tuple[str, ...]] = {"cpu": ("cpu",), "paper": ("paper", "full")}
"""Scope of a verdict → the presets whose runs it counts, which train models of one size with one recipe."""
DECIDING = {"published": "paper", "ours": "cpu"}
"""Whose statement it is → the scope of the claim's own verdict: what the paper says is judged at the paper's size."""

TABLE_SEEDS = 5
"""Paired seeds that the table and the gain of the gate ask for."""
SEEDS = 3
"""Paired seeds that the other claims ask for."""
PUBLISHED_PARAMETERS = 4_816_640
"""Parameters of the published baseline: figures of the paper are asked of models of this size alone."""
