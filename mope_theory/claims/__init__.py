"""The registry of claims, one module a topic, in the order in which the ledger shows them."""
from __future__ import annotations

from ..claim import Claim
from . import kernel, limit

TOPICS = (kernel, limit)
"""Modules that hold claims, each with a tuple CLAIMS; a new topic is added here."""

CLAIMS: tuple[Claim, ...] = tuple(claim for topic in TOPICS for claim in topic.CLAIMS)

__all__ = ["CLAIMS", "TOPICS"]
