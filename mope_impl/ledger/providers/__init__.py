"""One provider a kind of evidence: a function from a claim to the pieces that it computes."""
from __future__ import annotations

from collections.abc import Callable

from mope_theory.claim import Claim

from ..evidence import Evidence
from .derivation import derivations
from .enclosure import enclosures
from .experiment import experiments
from .formal import formal_proofs
from .kernel import kernels

PROVIDERS: dict[str, Callable[[Claim], tuple[Evidence, ...]]] = {
    "derivation": derivations,
    "enclosure": enclosures,
    "kernel": kernels,
    "formal": formal_proofs,
    "experiment": experiments,
}
"""Kinds without a provider yet show as missing where a claim asks for them."""

__all__ = ["PROVIDERS"]
