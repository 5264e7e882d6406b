"""``mope verify``: compute the evidence, show the ledger, and say by the exit code whether it is as expected."""
from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Annotated

import typer

from .errors import FAILED, FINE, UserError, check_names
from .output import STDOUT, check_json_target, console, folder, progress_bar, write_json

if TYPE_CHECKING:
    from mope_impl.ledger import Cache

LOADED = time()
"""Before anything of the theory is loaded, since the ledger is imported by the command only."""

LEVELS_IN_WORDS = "derive, enclose, formal, kernel, experiment or all"
"""The levels of the ledger for the help; written out, so that the command line starts without the ledger."""
TIMEOUT = 60.0
"""The limit of the ledger, for the same reason."""
FEW = 3
"""Claims asked for by name up to which their statements are shown without being asked for."""


def verify(
    claim: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CLAIM", help="Ids, or topics such as kernel; all when left out. ID@PRESET is what the runs of a preset say."
        ),
    ] = None,
    level: Annotated[
        list[str] | None,
        typer.Option(metavar="LEVEL", help=f"{LEVELS_IN_WORDS}; repeatable. [default: derive and enclose]"),
    ] = None,
    statements: Annotated[
        bool | None,
        typer.Option(
            "--statements/--table", help=f"Show what each claim says, or a line for each. [default: up to {FEW} named claims]"
        ),
    ] = None,
    json_target: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the ledger as JSON; '-' is stdout.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Number of processes. [default: one for each processor]")
    ] = None,
    timeout: Annotated[
        float,
        typer.Option(metavar="SECONDS", min=0, help="Leave a claim undecided that takes longer; 0 waits as long as it takes."),
    ] = TIMEOUT,
    results: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Folder of the records of runs. [default: results of the checkout]"),
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Compute all evidence anew, and keep none.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail also on open claims and missing kinds of evidence.")
    ] = False,
) -> None:
    """Decide the claims, and compare each verdict with what is expected.

    Exits 1 if a verdict contradicts its expectation or is a conflict; with --strict also if any is open or lacks
    evidence. What is left undecided is said on stderr and is no failure.

    Evidence that holds is kept (mope doctor says where) and recalled while the claim, what is given for it and the
    checker are the same. The folder is yours, so is what stands in it: to judge a claim, compute it with --no-cache.

    Runs are judged from their committed records by --level experiment, which an id with a preset asks for. A claim of the
    paper is decided at the paper's size: smaller runs decide it at their own preset only.
    """
    levels = chosen_levels(level or ())
    check_json_target(json_target)
    ids = chosen_claims(claim or ())
    if not level and any("@" in id for id in ids):
        levels = ("experiment",) if all("@" in id for id in ids) else (*levels, "experiment")
    records = records_folder(results)

    from mope_impl import ledger

    from .ledger_view import show_claims, show_table

    cache = opened_cache(not no_cache)
    with progress_bar() as progress:
        processes = jobs or processors()
        result = ledger.verify(ids or None, levels, processes, progress, limit=timeout or None, cache=cache, results=records)

    screen = console(stderr=json_target == STDOUT)
    in_full = statements if statements is not None else bool(ids) and len(result.rows) <= FEW
    (show_claims if in_full else show_table)(result, screen)
    if json_target is not None:
        write_json(result.to_json(), json_target)
    notes = console(stderr=True)
    of_cache = cache.remarks() if cache is not None else []
    for line in [*unchecked(levels if level else ()), *of_cache, *result.remarks(), *result.complaints(strict)]:
        notes.print(line, markup=False, soft_wrap=True)
    if result.exit_code(strict) != FINE:
        raise typer.Exit(FAILED)


def opened_cache(use: bool) -> Cache | None:
    """The user's cache; one that is not used tells only how long each claim took."""
    from mope_impl.ledger import Cache, cache_folder

    place = cache_folder()
    return None if place is None else Cache(place, LOADED, use)


def chosen_levels(given: Sequence[str]) -> tuple[str, ...]:
    """The levels asked for, in their standing order. Raises UserError for one that does not exist."""
    from mope_impl.ledger.ledger import DEFAULT_LEVELS, LEVELS

    check_names("level", given, (*LEVELS, "all"))
    if "all" in given:
        return tuple(LEVELS)
    return tuple(level for level in LEVELS if level in given) if given else DEFAULT_LEVELS


def chosen_claims(given: Sequence[str]) -> list[str]:
    """The ids asked for, each once, a topic standing for all of its claims; what is asked at a preset keeps it.

    Raises UserError for unknown names, and for a preset of a claim that no run speaks of.
    """
    import mope_theory as mt
    from mope_theory.experiments import SCOPES

    topics: dict[str, list[str]] = {}
    for known in mt.claims():
        topics.setdefault(known.topic, []).append(known.id)
    ids = [id for topic in topics.values() for id in topic]
    names = [name.partition("@") for name in given]
    check_names("claim", [name for name, _, _ in names], [*ids, *topics], see="mope verify lists them")
    check_names("preset", [preset for _, at, preset in names if at], SCOPES)
    chosen = {}
    for name, at, preset in names:
        found = topics.get(name, [name])
        if at:
            found = [id for id in found if mt.claim(id).rules]
            if not found:
                raise UserError(f"no run speaks of {name}: it has no verdict at preset {preset}")
        chosen.update(dict.fromkeys(id + at + preset for id in found))
    return list(chosen)


def records_folder(given: str | None) -> Path | None:
    """The folder of the records of runs. Raises UserError for one that is not there."""
    path = folder("--results", given)
    if path is not None and not path.is_dir():
        raise UserError(f"--results: {path} is no folder")
    return path


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


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
