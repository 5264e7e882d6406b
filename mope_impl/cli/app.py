"""The commands under one name, and the one place where errors become exit codes."""
from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer
from typer.exceptions import TyperException

from . import bench, book, check, derive, doctor, generate, new_encoding, proofs, report, reproduce, train, verify
from .errors import FINE, INTERRUPTED, READER_GONE, WRONG_USAGE, UserError, fault_of_file
from .output import error
from .streams import OutputError, guarded_output, silence

app = typer.Typer(
    name="mope",
    help="Morlet positional encodings: decide the claims, derive the formulas, generate the kernels.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command(short_help="Decide the claims and show the ledger.")(verify.verify)
app.command(short_help="Print a derivation, step by step.")(derive.derive)
app.command(short_help="Write kernels from their specifications.")(generate.generate)
app.command(short_help="Prove that kernels compute their formulas.")(check.check)
app.command(short_help="Have Coq check the formal proofs.")(proofs.proofs)
app.command(short_help="Begin a new encoding: claim, specification, test.")(new_encoding.new_encoding)
app.command(short_help="Train a model, with any encoding.")(train.train)
app.command(short_help="Time rotary encodings beside those of other packages.")(bench.bench)
app.command(short_help="Build the book from a checkout.")(book.book)
app.command(short_help="Make the runs of the experiments.")(reproduce.reproduce)
app.command(short_help="Report on the runs that are there.")(report.report)
app.command(short_help="Say what this machine lacks, and for what.")(doctor.doctor)


def _show_version(wanted: bool) -> None:
    if wanted:
        try:
            print(f"mope {version('mope')}")  # noqa: T201
        except PackageNotFoundError:
            print("mope (not installed: run from source)")  # noqa: T201
        raise typer.Exit(FINE)


@app.callback(invoke_without_command=True)
def options(
    context: typer.Context,
    show_version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())  # noqa: T201


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0 fine, 1 a check failed, 2 wrong usage, bad input or no room for the output, 130 stopped, 141 nobody reads the output.
    """
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a letter shows "?" in its place rather than a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        with guarded_output():
            return _interruptible(sys.argv[1:] if arguments is None else arguments)
    except OutputError as fault:
        silence()
        if fault.reader_gone:
            return READER_GONE
        with suppress(OSError):  # stderr may be what is full
            error(f"cannot write the output: {fault}")
        return WRONG_USAGE


def _interruptible(arguments: Sequence[str]) -> int:
    with _interrupts() as interrupted:
        try:
            code = _run(arguments)
        except OutputError:
            raise
        except Exception:
            if not interrupted:
                raise
            code = INTERRUPTED
    if interrupted or code == INTERRUPTED:
        error("stopped")
        return INTERRUPTED
    return code


def _run(arguments: Sequence[str]) -> int:
    try:
        code = app(args=list(arguments), prog_name="mope", standalone_mode=False)
        return int(code or FINE)
    except UserError as problem:
        error(str(problem))
        return WRONG_USAGE
    except TyperException as problem:
        error(_one_line(problem))
        return WRONG_USAGE
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except (ValueError, ImportError) as problem:
        fault = fault_of_file(problem)
        if fault is None:
            raise
        error(fault)
        return WRONG_USAGE


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Collect interrupts besides raising KeyboardInterrupt.

    Raised below C code that calls back into Python, as Arb's integrals do, it arrives as some other exception or not at all;
    what was collected tells it from a fault.
    """
    seen: list[int] = []

    def stop(number: int, _: object) -> None:
        seen.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield seen  # only the main thread may set a handler
        return
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)


def _one_line(problem: TyperException) -> str:
    """The message of a wrong call, with the command whose help explains it."""
    text = " ".join(problem.format_message().split()).rstrip(".")
    context = getattr(problem, "ctx", None)
    return f"{text} (see {context.command_path} --help)" if context else text
