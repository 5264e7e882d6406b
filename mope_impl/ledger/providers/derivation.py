"""Evidence by derivation: every chain is checked link by link, and matched with the side that it speaks of."""
from __future__ import annotations

from time import perf_counter

from mope_theory.claim import Claim
from mope_theory.derivation import Derivation, Outcome
from mope_theory.domains import granted, uncovered
from mope_theory.logic import Checked, proves

from ..evidence import Evidence, Status

_STATUS: dict[str, Status] = {"holds": "holds", "fails": "fails", "refused": "unknown"}


def derivations(claim: Claim) -> tuple[Evidence, ...]:
    """One piece of evidence for each derivation of the claim."""
    checked: Checked = {}
    return tuple(_evidence(claim, derivation, checked) for derivation in claim.derivations)


def _evidence(claim: Claim, derivation: Derivation, checked: Checked) -> Evidence:
    start = perf_counter()
    spoken = claim.speaks_of(derivation.statement)
    if spoken is None:
        return Evidence("derivation", None, None, "fails", "it proves no statement of the claim, nor the negation of one", 0.0)
    side, truth = spoken
    gaps = uncovered(claim)
    outcome = Outcome("fails", "; ".join(gaps)) if gaps else proves(derivation, granted(claim), checked)
    detail = outcome.reason or _summary(derivation)
    return Evidence("derivation", side, truth, _STATUS[outcome.status], detail, perf_counter() - start)


def _summary(derivation: Derivation) -> str:
    """What closes the steps, the rules and the lemmas each named once, and what is taken on trust."""
    steps = derivation.steps
    rules = dict.fromkeys(step.rule.name for step in steps)
    lemmas = dict.fromkeys(lemma.name for step in steps for lemma in step.rule.lemmas)
    count = f"{len(steps)} step{'s' if len(steps) != 1 else ''} by {', '.join(rules)}" if steps else derivation.rule_name
    trusted = "; ".join(axiom.name for axiom in derivation.axioms)
    return count + (f", with {'; '.join(lemmas)}" if lemmas else "") + (f", trusting {trusted}" if trusted else "")
