"""``mope check``: prove from the text of generated files that they compute their formulas."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from .errors import FAILED, UserError
from .output import STDOUT, check_json_target, console, plain_table, progress_bar, show, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from mope_impl.certify import Report

SCHEMA = 1


def check(
    path: Annotated[list[str], typer.Argument(metavar="PATH", help="Files, and folders of files.")],
    json_target: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the results as JSON; '-' is stdout.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail also on a file that was modified or is of another formula.")
    ] = False,
) -> None:
    """Prove that generated kernels compute their formulas, forward and every gradient.

    A file is read as text and never run: whatever is not on the list of known operations is refused. It is held against
    the specification that its header names, for all sizes, layouts, dtypes and patterns of needed gradients. Exits 1 if a
    result is not proved.

    Rounding is left out: what is proved is an equation of real numbers, up to tails below the smallest float64 that a
    cut-off drops.
    """
    check_json_target(json_target)
    files = chosen_files(path)

    from mope_impl import certify

    reports = []
    with progress_bar() as progress:
        for done, one in enumerate(files):
            progress(one.name, done, len(files))
            try:
                reports.append(certify.check(one))
            except OSError as problem:
                raise UserError(f"cannot read {one}: {problem.strerror}") from problem
    screen = console(stderr=json_target == STDOUT)
    show_reports(reports, screen)
    if json_target is not None:
        write_json({"schema": SCHEMA, "files": [one.to_json() for one in reports]}, json_target)
    notes = console(stderr=True)
    for line in (line for one in reports for line in one.complaints(strict)):
        notes.print(line, markup=False, soft_wrap=True)
    if not all(one.passes(strict) for one in reports):
        raise typer.Exit(FAILED)


def chosen_files(given: Sequence[str]) -> list[Path]:
    """The files, each once. Raises UserError for a path that is not there, and for a folder without kernels."""
    from mope_impl import certify

    found: dict[Path, None] = {}
    for name in given:
        path = Path(name)
        if not name or not path.exists():
            raise UserError(f"cannot read {name!r}: there is no such file or folder")
        files = certify.kernels(path) if path.is_dir() else [path]
        if not files:
            raise UserError(f"no kernel in {path}")
        found.update(dict.fromkeys(files))
    return list(found)


def show_reports(reports: Sequence[Report], screen: Console) -> None:
    """A line for each output and each gradient, under the name of the file."""
    table = plain_table("file, result", "semantics", "regions", "seconds", "provenance, remarks")
    for report in reports:
        table.add_row(
            Text(report.path.name, style="bold"), report.verdict, "", f"{report.seconds:.2f}", Text(report.provenance.text)
        )
        for f in report.semantics.findings:
            remarks = "; ".join(f.notes) if f.holds else "see below"
            table.add_row(Text(f"  {f.name}"), f.status, str(f.regions), f"{f.seconds:.2f}", Text(remarks))
    show(screen, table)
