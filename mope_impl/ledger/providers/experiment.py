"""Evidence by experiment: the rules of a claim, judged by the committed records of finished runs, a piece for each scope."""
from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter

from mope_impl.results.store import Fault, Runs, load
from mope_impl.results.truth import Finding, Judgement, RuleError
from mope_theory.claim import Claim, Side
from mope_theory.statement import Statement

from ..evidence import Evidence, Status

_MARK = {True: "✓", False: "✗", None: "?"}


def experiments(claim: Claim, results: Mapping[str, Runs] | None = None) -> tuple[Evidence, ...]:
    """One piece of evidence for each rule of the claim at each scope, whether it has runs or not.

    results: scope → runs, those of the checkout if None.
    """
    if not claim.rules:
        return ()
    found = load() if results is None else results
    return tuple(_evidence(side, rule, runs) for runs in found.values() for side, rule in claim.rules.items())


def _evidence(side: Side | None, rule: Statement, runs: Runs) -> Evidence:
    start = perf_counter()

    def piece(establishes: bool | None, status: Status, detail: str) -> Evidence:
        return Evidence("experiment", side, establishes, status, detail, perf_counter() - start, preset=runs.scope)

    try:
        judgement = Judgement(rule, runs)
    except RuleError as problem:
        return piece(None, "fails", f"no rule: {problem}")
    except ValueError as problem:
        return piece(None, "fails", str(problem))
    stale, refused = runs.about(judgement.labels)
    if refused:  # a record that cannot be trusted puts the others in doubt
        return piece(None, "fails", _files("refused", refused))
    aside = f"; {_files('out of date, not counted', stale)}" if stale else ""
    if not judgement.runs:
        return piece(None, "stale" if stale else "missing", f"no run of its models{aside}")
    status: Status = "unknown" if judgement.truth is None else "holds"
    return piece(judgement.truth, status, f"{_extent(judgement)}: {_said(judgement)}{aside}")


def _extent(judgement: Judgement) -> str:
    counted = f"{judgement.runs} of {judgement.planned} runs"
    return f"{judgement.seeds} paired seeds, {counted}" if judgement.seeds >= judgement.asked else counted


def _said(judgement: Judgement) -> str:
    """Every quantity with its interval and a mark; where all is not known, what is lacking alone."""
    findings = judgement.findings()
    lacking = [one.said for one in findings if one.truth is None]
    known = [one for one in findings if one.truth is not None]
    parts = [_finding(one) for one in known]
    if lacking:
        parts.append(f"? {', '.join(lacking)}")
    return "; ".join(parts)


def _finding(one: Finding) -> str:
    words = {True: "", False: " (the opposite is shown)" if one.opposite else " (not shown)"}[bool(one.truth)]
    return f"{_MARK[one.truth]} {one.said}{words}"


def _files(what: str, faults: list[Fault]) -> str:
    """The first of these files, and how many there are."""
    others = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
    return f"{what}: {faults[0]}{others}"
