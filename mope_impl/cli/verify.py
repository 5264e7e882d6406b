"""``mope verify``: compute the evidence, show the ledger, and say by the exit code whether it is as expected."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from .errors import FAILED, FINE, check_names
from .output import STDOUT, check_json_target, console, plain_table, progress_bar, write_json

if TYPE_CHECKING:
    from rich.console import Console

    from mope_impl.ledger import Ledger, Row

LEVELS_IN_WORDS = "derive, enclose, formal, kernel, experiment or all"
"""The levels of the ledger for the help; written out, so that the command line starts without the ledger."""
LETTER = {"derivation": "D", "enclosure": "C", "formal": "F", "kernel": "K", "experiment": "E"}
MARK = {"holds": "", "fails": " fails", "unknown": " unknown", "missing": " missing", "stale": " stale"}
COLOUR = {"open": "yellow", "conflict": "bold red", "not-reproduced": "yellow"}


def verify(
    claim: Annotated[
        list[str] | None, typer.Argument(metavar="CLAIM", help="Ids, or topics such as kernel; all when left out.")
    ] = None,
    level: Annotated[
        list[str] | None,
        typer.Option(metavar="LEVEL", help=f"{LEVELS_IN_WORDS}; repeatable. [default: derive and enclose]"),
    ] = None,
    json_target: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the ledger as JSON; '-' is stdout.")
    ] = None,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Number of processes.")] = 1,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail also on open claims and missing kinds of evidence.")
    ] = False,
) -> None:
    """Decide the claims, and compare each verdict with what is expected.

    Exits 1 if a verdict contradicts its expectation or is a conflict; with --strict also if any is open or lacks
    evidence. What is left undecided is said on stderr and is no failure.
    """
    levels = chosen_levels(level or ())
    check_json_target(json_target)
    ids = chosen_claims(claim or ())

    from mope_impl import ledger

    with progress_bar() as progress:
        result = ledger.verify(ids or None, levels, jobs, progress)

    show(result, console(stderr=json_target == STDOUT), strict)
    if json_target is not None:
        write_json(result.to_json(), json_target)
    notes = console(stderr=True)
    for line in [*unchecked(levels if level else ()), *result.remarks(), *result.complaints(strict)]:
        notes.print(line, markup=False, soft_wrap=True)
    if result.exit_code(strict) != FINE:
        raise typer.Exit(FAILED)


def chosen_levels(given: Sequence[str]) -> tuple[str, ...]:
    """The levels asked for, in their standing order. Raises UserError for one that does not exist."""
    from mope_impl.ledger.ledger import DEFAULT_LEVELS, LEVELS

    check_names("level", given, (*LEVELS, "all"))
    if "all" in given:
        return tuple(LEVELS)
    return tuple(level for level in LEVELS if level in given) if given else DEFAULT_LEVELS


def chosen_claims(given: Sequence[str]) -> list[str]:
    """The ids asked for, each once, a topic standing for all of its claims. Raises UserError for unknown names."""
    import mope_theory as mt

    topics: dict[str, list[str]] = {}
    for known in mt.claims():
        topics.setdefault(known.id.partition(".")[0], []).append(known.id)
    ids = [id for topic in topics.values() for id in topic]
    check_names("claim", given, [*ids, *topics], see="mope verify lists them")
    return list(dict.fromkeys(id for name in given for id in topics.get(name, [name])))


def unchecked(levels: Sequence[str]) -> list[str]:
    """One line that names those of the levels that nothing computes yet; no line if there are none."""
    from mope_impl.ledger.ledger import LEVELS
    from mope_impl.ledger.providers import PROVIDERS

    names = [level for level in levels if LEVELS[level] not in PROVIDERS]
    if not names:
        return []
    one = len(names) == 1
    kind, them = ("level", "it") if one else ("levels", "them")
    return [f"no check of {kind} {', '.join(names)} yet: nothing was computed for {them}"]


def show(result: Ledger, screen: Console, strict: bool) -> None:
    """One line for each claim, a legend, and the count of each verdict."""
    table = plain_table("claim", "verdict", "expected", "evidence", "missing")
    for row in result.rows:
        colour = "bold red" if row.contradicts else COLOUR.get(row.verdict, "green")
        verdict = f"[{colour}]{row.verdict}[/]" + (" [bold red]≠[/]" if row.contradicts else "")
        lacking = " ".join(LETTER[kind] for kind in row.missing)
        table.add_row(row.claim.id, verdict, row.expected or "–", escape(evidence(row)), lacking)
    screen.print(table)
    screen.print("\nD derivation, C enclosure, F formal proof, K kernels, E experiment", style="dim")
    counts = Counter(row.verdict for row in result.rows)
    total = len(result.rows)
    shown = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
    screen.print(f"{total} claim{'s' * (total != 1)}: {shown}")


def evidence(row: Row) -> str:
    """The kinds of evidence that arrived, by letter, with what went wrong: "D C", "D fails"."""
    shown: dict[str, None] = {}
    for piece in row.evidence:
        shown.setdefault(LETTER[piece.kind] + MARK[piece.status])
    return " ".join(shown)
