"""Every rule that speaks of experiments, judged by the runs of one scope."""
from __future__ import annotations

from dataclasses import dataclass

import mope_theory as mt
from mope_theory.claim import Claim, Side
from mope_theory.statement import Statement

from ..store import Runs
from ..truth import Finding, Judgement, RuleError

WORDS = {True: "reproduced", False: "not-reproduced", None: "open"}
SPEAKS = {"published": "what the paper says", "ours": "what we say", None: "asked beside the statements"}


@dataclass(frozen=True)
class Ruling:
    """One rule with its truth, and each of its quantities in words."""

    claim: str
    title: str
    side: Side | None
    truth: bool | None
    findings: tuple[Finding, ...]
    runs: int
    planned: int
    seeds: int
    """The smallest number of paired seeds behind any quantity."""
    asked: int
    refused: str = ""
    """Why the rule could not be judged: a record that cannot be trusted, or runs that do not go together."""

    @property
    def speaks(self) -> str:
        """Of whose statement it is."""
        return SPEAKS[self.side]

    @property
    def reason(self) -> str:
        """Why it is true, false or undecided, in a line."""
        if self.refused:
            return self.refused
        against = [one for one in self.findings if one.truth is False]
        if self.truth is False:
            said = "; ".join(f"{one.said}{' (the opposite is shown)' if one.opposite else ' (not shown)'}" for one in against)
            return f"{len(against)} of {len(self.findings)} fail: {said}"
        if self.truth is None:
            lacking = [one.said for one in self.findings if one.truth is None]
            return "; ".join(dict.fromkeys(lacking)) or "runs are lacking"
        return "; ".join(one.said for one in self.findings)


@dataclass(frozen=True)
class Verdict:
    """The verdict of a claim at one scope: that of the rule on what the paper says, where there is one."""

    claim: str
    title: str
    verdict: str
    rulings: tuple[Ruling, ...]


def verdicts(runs: Runs) -> tuple[Verdict, ...]:
    """Every claim that runs speak of, in the order of the registry."""
    return tuple(_verdict(claim, runs) for claim in mt.claims() if claim.rules)


def _verdict(claim: Claim, runs: Runs) -> Verdict:
    rulings = tuple(_ruling(claim, side, rule, runs) for side, rule in claim.rules.items())
    deciding = [one for one in rulings if one.side == "published"] or list(rulings)
    truths = {None if one.refused else one.truth for one in deciding}
    return Verdict(claim.id, claim.title, WORDS[truths.pop()] if len(truths) == 1 else "open", rulings)


def _ruling(claim: Claim, side: Side | None, rule: Statement, runs: Runs) -> Ruling:
    try:
        judgement = Judgement(rule, runs)
    except (RuleError, ValueError) as problem:
        return Ruling(claim.id, claim.title, side, None, (), 0, 0, 0, 0, str(problem))
    _, refused = runs.about(judgement.labels)
    return Ruling(
        claim.id,
        claim.title,
        side,
        judgement.truth,
        tuple(judgement.findings()),
        judgement.runs,
        judgement.planned,
        judgement.seeds,
        judgement.asked,
        f"a record is refused: {refused[0]}" if refused else "",
    )
