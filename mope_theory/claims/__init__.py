"""The registry of claims, one or two modules a topic, in the order in which the ledger shows them."""
from __future__ import annotations

from ..claim import Claim
from . import (
    admissibility,
    alias,
    definition,
    experiment,
    gate,
    kernel,
    kernel_further,
    learning,
    limit,
    limit_further,
    locality,
    phase,
    report,
    uncertainty,
)

TOPICS = (
    definition,
    phase,
    kernel,
    kernel_further,
    limit,
    limit_further,
    uncertainty,
    admissibility,
    alias,
    locality,
    learning,
    gate,
    report,
    experiment,
)
"""Modules that hold claims, each with a tuple CLAIMS; a new topic is added here."""

CLAIMS: tuple[Claim, ...] = tuple(claim for topic in TOPICS for claim in topic.CLAIMS)

__all__ = ["CLAIMS", "TOPICS"]
