"""What a claim takes on trust: the axioms that its derivations cite."""
from __future__ import annotations

from collections.abc import Iterator

from mope_theory.claim import Claim
from mope_theory.judgement import Derivation
from mope_theory.lemmas.axioms import Axiom
from mope_theory.logic import Cite


def axioms(claim: Claim) -> tuple[Axiom, ...]:
    """The axioms that the derivations of a claim cite, each once."""
    seen: set[int] = set()
    return tuple({axiom.name: axiom for derivation in claim.derivations for axiom in _cited(derivation, seen)}.values())


def _cited(derivation: Derivation, seen: set[int]) -> Iterator[Axiom]:
    if id(derivation) in seen:
        return
    seen.add(id(derivation))
    if isinstance(derivation, Cite):
        yield derivation.axiom
    for premise in derivation.premises:
        yield from _cited(premise, seen)


def anchor(axiom: Axiom) -> str:
    """The anchor of an axiom on the page of what is trusted."""
    return "axiom-" + "".join(c if c.isalnum() and c.isascii() else "-" for c in axiom.name.lower()).strip("-")
