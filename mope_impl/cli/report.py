"""``mope report``: what the runs say, computed from their records alone."""
from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .checkout import checkout
from .errors import UserError, check_names
from .output import STDOUT, check_json_target, console, folder, write_json
from .reproduce import PRESETS_IN_WORDS

if TYPE_CHECKING:
    from mope_impl.results.report import Report
    from mope_impl.results.store import Runs

PRESETS = tuple(PRESETS_IN_WORDS.replace(" or ", ", ").split(", "))


def report(
    preset: Annotated[
        str | None, typer.Option(metavar="PRESET", help=f"{PRESETS_IN_WORDS}. [default: each that has runs]")
    ] = None,
    results: Annotated[
        str | None, typer.Option(metavar="DIR", help="Folder of grids and records. [default: results in the checkout]")
    ] = None,
    out: Annotated[
        str | None, typer.Option(metavar="DIR", help="Folder for Markdown, JSON and figures, one below it for each preset.")
    ] = None,
    json_target: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write every number as JSON; - is stdout.")
    ] = None,
) -> None:
    """Report on the runs: losses, paired differences, leak, boundary, multipliers, reach, verdicts, and what is missing.

    Everything is computed from the records, and says which seeds it is from. Where runs are missing the report is of those that
    are there. Without any record the exit code is 2.
    """
    check_json_target(json_target)
    place, target = records_folder(results), folder("--out", out)
    if target is not None and find_spec("matplotlib") is None:
        raise UserError("mope report --out needs matplotlib (pip: mope[train])")
    if preset is not None:
        check_names("preset", [preset], dict.fromkeys((*PRESETS, *presets_in(place))))

    from mope_impl.results.report import make
    from mope_impl.results.report.tables import TABLES

    from .report_view import show_table

    chosen = counted(place, [preset] if preset is not None else presets_in(place))
    screen = console(stderr=json_target == STDOUT)
    made = {}
    for name, runs in chosen.items():
        made[name] = make(runs)
        screen.print(f"Runs of preset {name}\n", style="bold")
        for table in TABLES.values():
            show_table(table(made[name]), screen)
        if target is not None:
            write(made[name], runs, target / name)
            screen.print(f"written to {target / name}", markup=False, soft_wrap=True)
    if json_target is not None:
        write_json({"schema": 1, "reports": [one.to_json() for one in made.values()]}, json_target)


def records_folder(given: str | None) -> Path:
    """The folder of the records. Raises UserError for one that is not there."""
    path = folder("--results", given)
    if path is None:
        path = checkout("mope report without --results", "pyproject.toml") / "results"
    if not path.is_dir():
        raise UserError(f"cannot read {path}: it is no folder")
    return path


def presets_in(place: Path) -> list[str]:
    """The presets that have files of runs, the known ones first."""
    found = sorted(path.name for path in (place / "runs").glob("*") if any(path.glob("*/*.json")))
    return [*(name for name in PRESETS if name in found), *(name for name in found if name not in PRESETS)]


def counted(place: Path, names: list[str]) -> dict[str, Runs]:
    """The presets of which a run counts. Raises UserError, one line that says why, where there is none."""
    from mope_impl.results.report.whole import runs_of

    found = {name: runs_of(place, name) for name in names}
    chosen = {name: runs for name, runs in found.items() if runs.records}
    if chosen:
        return chosen
    faults = [fault for runs in found.values() for fault in (*runs.refused, *runs.stale)]
    of = f" of preset {names[0]}" if len(names) == 1 else ""
    why = f"; {len(faults)} do not count, the first being {faults[0]}" if faults else ""
    raise UserError(f"no record of a run{of} in {place}{why} (mope reproduce makes them)")


def write(made: Report, runs: Runs, target: Path) -> None:
    """The files of a report. Raises UserError where they cannot be written."""
    from mope_impl.results.report.files import write as write_files

    try:
        write_files(made, runs, target)
    except OSError as problem:
        raise UserError(f"cannot write to {target}: {problem.strerror}") from problem
