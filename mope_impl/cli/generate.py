"""``mope generate``: write kernels from their specifications, or compare what is written with what would be."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from .check import checked
from .checkout import checkout
from .errors import FAILED, UserError, check_names
from .output import console, folder, plain_table, progress_bar
from .package import write_package
from .verify import processors

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from mope_theory.spec import KernelSpec

DEFAULT_BACKENDS = ("torch",)


def generate(
    spec: Annotated[list[str] | None, typer.Argument(metavar="SPEC", help="Names; all when left out.")] = None,
    backend: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Repeatable. [default: torch; with --check all]")
    ] = None,
    out: Annotated[
        str | None, typer.Option(metavar="DIR", help="Folder for NAME.py. [default: mope_impl/generated/BACKEND]")
    ] = None,
    package: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write a folder for another code base: kernels, certificates, README.")
    ] = None,
    show_list: Annotated[bool, typer.Option("--list", help="List the specifications and backends, and stop.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 where a file differs.")] = False,
    certify: Annotated[
        bool, typer.Option("--certificate/--no-certificate", help="Write NAME.cert.json beside each file, which takes a while.")
    ] = True,
) -> None:
    """Generate kernels as source files, each with its certificate.

    The text depends on the specification alone: the same bytes each time. With --check the files in place are compared
    with what would be written. A certificate is made as mope check would make it, from the text of the file; a file that
    has no rounding bound gets none, and one that does not compute its formula ends with exit code 1. With --package the
    files go into a folder for another code base, which needs nothing of mope, with the certificates that come with mope. A
    specification that is at fault, be it when it is imported, ends the command with one line.
    """
    chosen_folder, own_package = folder("--out", out), folder("--package", package)

    import mope_theory as mt
    from mope_impl import codegen

    specs = {known.name: known for known in mt.specs()}
    check_names("spec", spec or (), specs, see="mope generate --list")
    by_default = tuple(codegen.BACKENDS) if check and out is None else DEFAULT_BACKENDS
    backends = tuple(dict.fromkeys(backend or by_default))
    check_names("backend", backends, codegen.BACKENDS)
    chosen = [specs[name] for name in dict.fromkeys(spec or specs)]
    if show_list:
        list_specs(chosen, tuple(codegen.BACKENDS))
        return
    if chosen_folder is not None and len(backends) > 1:
        raise UserError("--out takes one backend: the files of two would have the same names")
    if own_package is not None and (out is not None or check):
        raise UserError("--package goes with neither --out nor --check: it writes a folder by itself")
    for one in chosen:
        codegen.require_claim(one)
    if own_package is not None:
        write_package(chosen, backends, own_package)
        return
    differ, written = 0, list[Path]()
    for name in backends:
        target = chosen_folder if chosen_folder is not None else committed(name)
        for one in chosen:
            if check:
                if not backend and name not in DEFAULT_BACKENDS and not (target / f"{one.name}.py").exists():
                    continue  # a new specification begins with the default backend alone
                differ += not compare(target / f"{one.name}.py", codegen.generate(one, name))
                differ += certify and not is_certified(one, target / f"{one.name}.py")
            else:
                write(one, name, target)
                written.append(target / f"{one.name}.py")
        if check and not spec and out is None:
            differ += complain_of_orphans(target, specs)
    if certify and written:
        differ += write_certificates(written)
    if differ:
        raise typer.Exit(FAILED)


def list_specs(specs: Sequence[KernelSpec], backends: Sequence[str]) -> None:
    """One line for each specification."""
    table = plain_table("spec", "claim", "inputs")
    for spec in specs:
        inputs = ", ".join(f'{one.name} "{one.axes}"' for one in spec.inputs)
        table.add_row(spec.name, spec.claim, escape(inputs))  # axes in brackets are no markup
    console().print(table)
    console().print(f"\nbackends: {', '.join(backends)}")


def committed(backend: str) -> Path:
    """The folder of the kernels that are part of the package."""
    return checkout("mope generate without --out", "pyproject.toml") / "mope_impl" / "generated" / backend


def first_difference(path: Path, text: str) -> str | None:
    """Where a file first differs from the text, in one line; None if it does not."""
    try:
        present = path.read_bytes()
    except FileNotFoundError:
        return f"{path}: not there; mope generate writes it"
    except OSError as problem:
        raise UserError(f"cannot read {path}: {problem.strerror}") from problem
    old, new = present.splitlines(keepends=True), text.encode("utf-8").splitlines(keepends=True)
    for number, (before, after) in enumerate(zip_longest(old, new), 1):
        if before != after:
            shown = [_quoted(line) for line in (before, after)]
            return f"{path}:{number}: differs: {shown[0]} is there, {shown[1]} would be generated"
    return None


def _quoted(line: bytes | None) -> str:
    return "the end of the file" if line is None else repr(line.decode("utf-8", errors="replace")[:60])


def compare(path: Path, text: str) -> bool:
    """Say whether a file holds the text, and where it first differs."""
    difference = first_difference(path, text)
    report = console(stderr=difference is not None)
    report.print(difference or f"{path}: current", markup=False, soft_wrap=True)
    return difference is None


def complain_of_orphans(folder: Path, names: Collection[str]) -> int:
    """Name the files of a folder of kernels that no specification generates, and return how many there are."""
    orphans = [path for path in sorted(folder.glob("*.py")) if path.stem != "__init__" and path.stem not in names]
    for path in orphans:
        console(stderr=True).print(f"{path}: no specification generates it", markup=False, soft_wrap=True)
    return len(orphans)


def write(spec: KernelSpec, backend: str, folder: Path) -> None:
    """Write a generated file, and say whether that changed it."""
    from mope_impl import codegen

    path = folder / f"{spec.name}.py"
    try:
        before = path.read_bytes() if path.is_file() else None
        codegen.write(spec, backend, folder)
        same = before == path.read_bytes()
    except OSError as problem:
        raise UserError(f"cannot write {path}: {problem.strerror}") from problem
    console().print(f"{path}: {'unchanged' if same else 'written'}", markup=False, soft_wrap=True)


def is_certified(spec: KernelSpec, path: Path) -> bool:
    """Whether a file has no certificate of another text or formula; what it lacks is said. mope check computes it again."""
    from mope_impl.ledger.providers.kernel import judged

    status, text = judged(spec, path)
    if status != "holds":
        console(stderr=True).print(f"{path}: {text}", markup=False, soft_wrap=True)
    return status in ("holds", "missing")


def write_certificates(files: Sequence[Path]) -> int:
    """Write the certificate of each file that deserves one, say why others have none, and return how many compute no formula.

    That a kernel has no bound yet keeps nobody from using it; mope check fails for it.
    """
    from mope_impl.certify import certificate

    with progress_bar() as progress:
        reports = checked(files, True, processors(), progress)
    for one in reports:
        path = certificate.path_of(one.path)
        try:
            if one.made is None:
                path.unlink(missing_ok=True)  # it was of another text
                continue
            same = path.is_file() and path.read_text(encoding="ascii", errors="replace") == certificate.text(one.made)
            if not same:
                certificate.write(one.made, path)
        except OSError as problem:
            raise UserError(f"cannot write {path}: {problem.strerror}") from problem
        console().print(f"{path}: {'unchanged' if same else 'written'}", markup=False, soft_wrap=True)
    refused = [one for one in reports if one.made is None]
    for line in (line for one in refused for line in one.complaints(strict=False)):
        console(stderr=True).print(line, markup=False, soft_wrap=True)
    return sum(not one.semantics.holds for one in refused)
