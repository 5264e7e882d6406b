"""Axioms: theorems of analysis that the calculus does not derive, each stated in full, with a reference.

An axiom is a statement; its free symbols range over all that they admit, and a derivation puts values for them. What is used
here is taken on trust, and is listed with every claim that rests on it. An integral stands for Lebesgue's; ∫ f < ∞ says that
f is integrable.
"""
from __future__ import annotations

from dataclasses import dataclass

from ..statement import Statement


@dataclass(frozen=True)
class Axiom:
    """A theorem that is taken on trust."""

    name: str
    statement: Statement
    reference: str
    """Where a proof is found."""


AXIOMS: tuple[Axiom, ...] = ()
"""Every axiom; a derivation that cites one that is not listed here is refused."""
