"""``mope check``: prove from the text of generated files that they compute their formulas, and bound how far they round."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from .errors import FAILED, UserError
from .output import STDOUT, check_json_target, console, plain_table, progress_bar, show, write_json
from .verify import processors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
    proofs_only: Annotated[
        bool, typer.Option("--proofs-only", help="Leave out bounds, samples and certificates: seconds, not minutes.")
    ] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Files at a time. [default: one a processor]")] = None,
) -> None:
    """Prove that generated kernels compute their formulas, forward and every gradient, and how far they round.

    A file is read as text and never run: whatever is not on the list of known operations is refused. It is held against
    the specification that its header names, for all sizes, layouts, dtypes and patterns of needed gradients; a file of
    Triton at sizes around those of its blocks, and at several strides: it is validated there, not proved. The bound of
    each rounding error is computed again and held against the largest error that a search finds; so is the certificate
    beside the file, field by field. Exits 1 if a result is not proved, a bound does not hold, or a field differs.
    """
    check_json_target(json_target)
    files = chosen_files(path)
    with progress_bar() as progress:
        reports = checked(files, not proofs_only, jobs or processors(), progress)
    screen = console(stderr=json_target == STDOUT)
    show_reports(reports, screen)
    show_errors(reports, screen)
    if json_target is not None:
        write_json({"schema": SCHEMA, "files": [one.to_json() for one in reports]}, json_target)
    notes = console(stderr=True)
    for line in (line for one in reports for line in one.complaints(strict)):
        notes.print(line, markup=False, soft_wrap=True)
    if not all(one.passes(strict) for one in reports):
        raise typer.Exit(FAILED)


def checked(files: Sequence[Path], is_sampled: bool, jobs: int, progress: Callable[[str, int, int], None]) -> list[Report]:
    """The reports of files, several at a time, each in a process of its own, where there is more than one."""
    if len(files) == 1 or jobs == 1:
        found = []
        for done, path in enumerate(files):
            progress(path.name, done, len(files))
            found.append(check_file(path, is_sampled))
        return found
    with ProcessPoolExecutor(min(jobs, len(files)), multiprocessing.get_context("spawn")) as pool:
        begun = {pool.submit(check_file, path, is_sampled, True): path for path in files}
        try:
            for done, one in enumerate(as_completed(begun)):
                one.result()
                progress(begun[one].name, done + 1, len(files))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [one.result() for one in begun]


def check_file(path: Path, is_sampled: bool, is_one_of_several: bool = False) -> Report:
    """The report of a file; one of several that are checked at a time keeps to one thread. Raises UserError where it cannot be
    read."""
    from mope_impl import certify

    try:
        if not is_sampled:
            return certify.check(path)
        from mope_impl.certify.sampling import Sampler, one_thread

        if is_one_of_several:
            one_thread()
        return certify.check(path, Sampler())
    except OSError as problem:
        raise UserError(f"cannot read {path}: {problem.strerror}") from problem


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


def show_errors(reports: Sequence[Report], screen: Console) -> None:
    """A line for each result and dtype: the bound of its error, the largest one observed, and their ratio."""
    if not any(report.rows for report in reports):
        return
    table = plain_table("file, result", "dtype", "bound", "observed", "ratio")
    for report in reports:
        table.add_row(Text(report.path.name, style="bold"))
        for name in dict.fromkeys(row.name for row in report.rows):
            for k, row in enumerate(row for row in report.rows if row.name == name):
                errors = f"{row.bound.absolute:.2e}", f"{row.observed.error:.2e}", "" if row.ratio is None else f"{row.ratio:.2f}"
                table.add_row(Text(f"  {name}" if k == 0 else ""), row.dtype, *errors)
    screen.print()
    show(screen, table)
