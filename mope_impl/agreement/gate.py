"""The gated layer on the inputs that claim ``gate.causality`` names: as published it sees the token to come."""
from __future__ import annotations

import math

import torch
from torch import Tensor

import mope_theory as mt
from mope_impl.nn import EnergyGate

from .disagreement import require

ROOT = math.sqrt(2)
FIRST_TWO = ((0, 0, ROOT, -ROOT), (1, -1, 1, -1))
THIRD = ((1, 1, -1, -1), (-1, 1, 1, -1))
"""Tokens of mean 0 and variance 1, as layer normalisation leaves them; the two sequences differ in the third alone."""


def published_gate_leaks(gate: type[EnergyGate] = EnergyGate) -> str:
    """The second output by either third token: two values as published, which the claim names, and one in the causal form."""
    published = [f"{_second_output(gate, 'published', third):.4f}" for third in THIRD]
    reason = mt.claim("gate.causality").reason
    for shown in published:
        require(shown in reason, f"published gate: output {shown} at the second token, which the claim does not name")
    require(published[0] != published[1], f"published gate: {published[0]} at the second token whatever the third is")
    causal = [_second_output(gate, "causal", third) for third in THIRD]
    require(causal[0] == causal[1], f"causal gate: {causal[0]!r} and {causal[1]!r} at the second token, by the third")
    return f"the module gives {published[0]} and {published[1]} at the second token, by the third; the causal form the same bits"


def _second_output(gate: type[EnergyGate], statistics: str, third: tuple[float, ...]) -> float:
    """Channel 0 of the output at the second token: uniform attention, energies x₀, sharpness 2, threshold 0."""
    x = torch.tensor([*FIRST_TWO, third], dtype=torch.float64)
    module = gate(4, 1, statistics=statistics, dtype=torch.float64)
    with torch.no_grad():
        module.weight.copy_(torch.tensor([[1.0, 0, 0, 0]]))
        return float((module(x, _uniform(3)) @ x)[0, 1, 0])


def _uniform(tokens: int) -> Tensor:
    """Causal weights of queries and keys that are all 0, for one head."""
    seen = torch.ones(tokens, tokens, dtype=torch.float64).tril()
    return (seen / seen.sum(-1, keepdim=True))[None]
