"""The report as tables of text, the same for the terminal, for Markdown and for the book."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from mope_theory.experiments import PUBLISHED_PARAMETERS
from mope_theory.vocabulary.recipe import REPORTED

from .comparisons import Comparison
from .models import BASELINE, SOURCES
from .packet_tables import boundary_table, decay_table, folding_table, multiplier_table
from .table import Table
from .text import (
    NONE,
    count,
    duration,
    interval,
    mean,
    p_value,
    seeds,
    setting,
    significant,
    thousands,
    with_ends,
)
from .verdicts import Ruling
from .whole import Report

SHOWN = frozenset(
    ("model.layers", "model.heads", "model.width", "model.context", "model.dropout", "data.source", "data.tokens")
    + ("optimizer.rate", "optimizer.warmup", "optimizer.weight_decay", "optimizer.decay_all")
    + ("training.steps", "training.batch", "training.precision")
)
"""Shared settings that are told; all of them are in the records."""
UNTOLD = frozenset(
    ("training.evaluate_every", "training.checkpoint_every", "training.estimate_batches", "training.compile", "training.device")
)
"""Settings that set no model apart: what is measured when, and how fast it is made."""
NATS = "nats per character, whole validation split"


def source_table(report: Report) -> Table:
    """What the report is from."""
    source = report.source
    known = f"{source.records} of {source.planned} planned" if source.planned else f"{source.records or 'none'}"
    rows: list[tuple[str, str]] = [("records", known)]
    if source.finished:
        first, last = (text[:16].replace("T", " ") for text in source.finished)
        rows += [
            ("finished", first if first == last else f"{first} to {last}"),
            ("training time", duration(source.seconds)),
            ("recipe", ", ".join(map(str, source.recipes))),
            ("made at commit", ", ".join(f"{name} ({count(number, 'run')})" for name, number in source.commits.items())),
            ("device", "; ".join(f"{name} ({count(number, 'run')})" for name, number in source.devices.items())),
            ("versions", ", ".join(f"{name} {' and '.join(known)}" for name, known in source.versions.items())),
        ]
    rows += [("out of date, not counted", text) for text in source.stale]
    rows += [("refused", text) for text in source.refused]
    modified = any(name.endswith("+") for name in source.commits)
    notes = ("+ marks a tree that was modified after the commit.",) if modified else ()
    return Table("source", "What the numbers are from", ("", ""), tuple(rows), notes, left=2)


def missing_table(report: Report) -> Table:
    """What has not been run yet."""
    rows = tuple(
        (model.label, f"{len(model.values) + len(model.diverged)} of {model.planned}", count(model.left, "run"))
        for model in report.models
        if model.left
    )
    absent = _no_grid(report)
    if report.source.planned:
        absent = f"Every planned run of preset {report.scope} has been made."
    left = sum(model.left for model in report.models)
    notes = (f"{count(left, 'run')} of {report.source.planned} of preset {report.scope} are still to be made.",) if rows else ()
    return Table("missing", "What has not been run yet", ("model", "seeds there", "missing"), rows, notes, absent=absent)


def design_table(report: Report) -> Table:
    """The models that are compared, what sets each apart, and the number of seeds that is planned."""
    rows = tuple(
        (
            model.label,
            model.what,
            _apart(report, model.label),
            f"{model.planned}",
        )
        for model in report.models
    )
    shared = "; ".join(f"{name} {setting(value)}" for name, value in report.design.shared.items() if name in SHOWN)
    notes = (f"All models on the text share: {shared}.",) if shared else ()
    columns = ("model", "what it is", "other than the baseline", "seeds")
    return Table("design", "The models", columns, rows, notes, left=3, absent=_no_grid(report))


def _apart(report: Report, label: str) -> str:
    """What sets a model apart; only its records tell."""
    if label not in report.design.own:
        return "not run yet"
    own = report.design.own[label].items()
    return "; ".join(f"{name} {setting(value)}" for name, value in own if name not in UNTOLD) or NONE


def loss_table(report: Report) -> Table:
    """The models with mean, interval, seeds, parameters."""
    chosen = [model for model in report.models if model.label not in SOURCES]
    # The figures of the paper say nothing of models of another size.
    published = any(one.label == BASELINE and one.parameters == PUBLISHED_PARAMETERS for one in chosen)
    rows = tuple(
        (
            model.label,
            mean(model.loss) if not model.diverged else f"diverged with {_seeds(model.diverged)}",
            interval(model.loss),
            f"{seeds(tuple(model.values))} of {model.planned}" if model.planned else seeds(tuple(model.values)),
            thousands(model.parameters),
            *((REPORTED.get(model.label, (NONE,))[0],) if published else ()),
        )
        for model in sorted(chosen, key=lambda one: (one.loss is None, one.loss.mean if one.loss else 0.0))
        if model.values or model.diverged
    )
    note = (
        f"Loss in {NATS}; the least first. Mean over seeds with its 95 % interval by Student’s t; seeds are those of "
        "the records, and the number that is planned."
    )
    columns = ("model", "loss", "95 % interval", "seeds", "parameters", *(("reported",) if published else ()))
    return Table("losses", "Losses of the models", columns, rows, (note,), absent=_absent("model on a text", report))


def _seeds(numbers: Sequence[int]) -> str:
    return f"seed{'s' * (len(numbers) > 1)} {seeds(numbers)}"


def _compared(name: str, title: str, first: str, found: Sequence[Comparison], notes: tuple[str, ...], absent: str) -> Table:
    flips = any(one.flip is not None for one in found)
    rows, family = [], None
    for one in found:
        if one.family != family:
            family = one.family
            rows.append((f"{family} ({count(one.members, 'comparison')})",) + ("",) * (6 if flips else 5))
        cells = (
            one.name,
            mean(one.value, sign=True) if one.value else one.lacking,
            interval(one.value, sign=True),
            seeds(one.value.seeds) if one.value else NONE,
            p_value(one.p),
            p_value(one.corrected),
        )
        rows.append((*cells, p_value(one.flip)) if flips else cells)
    columns = (first, "mean", "95 % interval", "seeds", "p", "p by Holm", *(("p by sign flips",) if flips else ()))
    shown = tuple(rows) if any(one.value for one in found) else ()
    heads = frozenset(at for at, row in enumerate(shown) if not any(row[1:]))
    return Table(name, title, columns, shown, notes, heads=heads, absent=absent)


_TESTS = (
    "p is two-sided, by the paired t test; Holm’s correction is over all comparisons of a family, those that are not run yet "
    "included as p = 1; the exact sign-flip test stands beside it where there are eight seeds."
)


def difference_table(report: Report) -> Table:
    """The declared paired differences."""
    notes = (f"Loss of the first model minus that of the second, {NATS}, over the seeds that both have. {_TESTS}",)
    absent = "No two models of a declared comparison share a seed yet."
    title = "Paired differences, declared before the runs"
    return _compared("differences", title, "first − second", report.comparisons, notes, absent)


def interaction_table(report: Report) -> Table:
    """The interactions of gate and encoding."""
    text = (
        "(L(MoPE) − L(gate with MoPE)) − (L(other) − L(gate with other)), nats per character, over the seeds that all four "
        "models have: above 0 the gate gains more with MoPE than with the other encoding. "
    )
    absent = "No square of four models shares a seed yet."
    title = "Interaction of gate and encoding"
    return _compared("interactions", title, "gate, against", report.interactions, (text + _TESTS,), absent)


def leak_table(report: Report) -> Table:
    """The leak of each gate."""
    rows = tuple(
        (
            one.label,
            one.gate,
            mean(one.whole),
            mean(one.prefix),
            with_ends(one.gain),
            significant(max(one.standard_errors), 2),
            seeds(one.gain.seeds),
            thousands(one.positions),
        )
        for one in report.leaks
    )
    note = (
        "Mean loss in nats per token at a sample of positions: with the whole window in view, and of the same model on each "
        "prefix alone; the gain is the second minus the first, with its 95 % interval over seeds. The standard error is that "
        "within a run, with windows as the units, the greatest of the seeds."
    )
    columns = ("model", "gate", "whole window", "prefix alone", "gain from later tokens", "standard error", "seeds", "positions")
    title = "What a gate gains from later tokens"
    return Table("leak", title, columns, rows, (note,), left=2, absent=_absent("gated model", report))


def reach_table(report: Report) -> Table:
    """The reach on each source beside its length."""
    rows = tuple(
        (
            str(one.length),
            mean(one.reach, 2),
            interval(one.reach, 2),
            f"{one.reach.mean / one.length:.2f}",
            {True: "yes", False: "no", None: NONE}[one.within],
            mean(one.attention, 1),
            mean(one.loss),
            mean(one.best),
            seeds(one.reach.seeds),
        )
        for one in report.reaches
        if one.length is not None
    )
    note = (
        "ℓ is the correlation length of the synthetic source, tokens. Reach is the distance within which 68.27 % of the "
        "influence of "
        "a token lies, mean over seeds with its 95 % interval; the spread of attention is the root mean square of the distance "
        "that it looks at. Losses in nats per character; the best possible one is that of the law of the source."
    )
    columns = ("ℓ", "reach", "95 % interval", "reach/ℓ", "ℓ/2 to 2ℓ", "attention", "loss", "best", "seeds")
    return Table("reach", "Reach on sources of known length", columns, rows, (note,), left=0, absent=_absent("source", report))


def look_table(report: Report) -> Table:
    """How far back the other models look."""
    rows = tuple(
        (one.label, mean(one.reach, 2), interval(one.reach, 2), mean(one.attention, 1), seeds(one.reach.seeds))
        for one in report.reaches
        if one.length is None
    )
    notes = ("Reach and spread of attention in tokens, defined as for the sources.",)
    columns = ("model", "reach", "95 % interval", "attention", "seeds")
    return Table("look", "How far back the models look", columns, rows, notes, absent=_absent("model on a text", report))


def verdict_table(report: Report) -> Table:
    """The verdict of each claim by its rules."""
    rows = tuple(
        (verdict.claim, verdict.verdict if one is verdict.rulings[0] else "", one.speaks, _truth(one), extent(one), one.reason)
        for verdict in report.verdicts
        for one in verdict.rulings
    )
    note = (
        f"Judged by the runs of preset {report.scope} alone, by rules that were written before them. The verdict follows "
        "from the rule on what the paper says, where there is one."
    )
    columns = ("claim", "verdict", "rule on", "it is", "from", "reason")
    return Table("verdicts", "Verdicts", columns, rows, (note,), left=6)


def _truth(one: Ruling) -> str:
    return "refused" if one.refused else {True: "true", False: "not shown or false", None: "undecided"}[one.truth]


def extent(one: Ruling) -> str:
    """How many runs and paired seeds are behind a rule."""
    behind = f"{one.seeds} paired seeds" if one.seeds >= one.asked else f"{one.asked} paired seeds are asked for"
    return f"{one.runs} of {one.planned} runs, {behind}"


def _no_grid(report: Report) -> str:
    return f"No grid of preset {report.scope} is declared."


def _absent(what: str, report: Report) -> str:
    return f"No {what} of preset {report.scope} has been run yet."


TABLES: dict[str, Callable[[Report], Table]] = {
    "source": source_table,
    "design": design_table,
    "losses": loss_table,
    "differences": difference_table,
    "interactions": interaction_table,
    "leak": leak_table,
    "boundary": boundary_table,
    "multipliers": multiplier_table,
    "decay": decay_table,
    "folding": folding_table,
    "reach": reach_table,
    "look": look_table,
    "verdicts": verdict_table,
    "missing": missing_table,
}
"""Every table by its name, in the order of the report."""
