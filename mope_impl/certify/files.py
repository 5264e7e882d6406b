"""The check of files: which specification a file names, its semantics, and its provenance."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import mope_theory as mt

from . import certificate
from .backends import READERS, backend
from .proof import STATUSES, Semantics
from .provenance import Provenance, header, provenance
from .rounding import Unbounded
from .table import DTYPES, Observer, Row, inside, table, unfounded

LARGEST = 1 << 20
"""Bytes of a file that is read."""


@dataclass(frozen=True)
class Report:
    """What was found of one file."""

    path: Path
    spec: str
    semantics: Semantics
    provenance: Provenance
    seconds: float
    rows: tuple[Row, ...] = ()
    """Bounds and observed errors; empty where nothing was sampled."""
    faults: tuple[str, ...] = ()
    """What is wrong with a bound, or with the certificate, one line each."""
    made: Mapping[str, Any] | None = None
    """The certificate that the file deserves; None where it deserves none, or nothing was sampled."""

    def passes(self, strict: bool) -> bool:
        return self.semantics.holds and not self.faults and (self.provenance.is_known or not strict)

    @property
    def verdict(self) -> str:
        """``refused``, or the status of the worst result."""
        if self.semantics.refused:
            return "refused"
        found = {finding.status for finding in self.semantics.findings}
        return next(status for status in STATUSES if status in found)

    def complaints(self, strict: bool) -> list[str]:
        """One line for each failure, with the file and the line where it shows."""
        own = self.semantics
        if own.refused:
            return [f"{self.path}:{own.line or 1}: refused: {own.refused}"]
        lines = [
            f"{self.path}:{min(f.lines, default=1)}: {f.name}: {f.status}: {'; '.join(f.notes)}"
            + (f" (lines {', '.join(map(str, sorted(f.lines)))})" if len(f.lines) > 1 else "")
            for f in own.findings
            if not f.holds
        ]
        lines += [f"{self.path}: {fault}" for fault in self.faults]
        if strict and not self.provenance.is_known:
            lines.append(f"{self.path}: {self.provenance.text}")
        return lines

    def to_json(self) -> dict[str, Any]:
        return {
            "path": str(self.path),
            "spec": self.spec,
            "semantics": self.verdict,
            "refused": self.semantics.refused,
            "provenance": self.provenance.text,
            "seconds": round(self.seconds, 3),
            "results": [
                {
                    "name": f.name,
                    "status": f.status,
                    "regions": f.regions,
                    "notes": f.notes,
                    "lines": sorted(f.lines),
                    "seconds": round(f.seconds, 3),
                }
                for f in self.semantics.findings
            ],
            "errors": [
                {"name": row.name, "dtype": row.dtype, **row.to_json(), "observed_sum": row.observed.summed} for row in self.rows
            ],
            "faults": list(self.faults),
        }


def check(path: Path, observer: Observer | None = None) -> Report:
    """Check one file: its semantics, its bounds against what is observed, and its certificate if there is one.

    observer: what looks for the largest errors; without it, bounds and certificate are left out. Raises OSError where the file
    cannot be read.
    """
    start = perf_counter()
    with path.open("rb") as file:
        source = file.read(LARGEST + 1)
    name = header(source).spec
    spec = {known.name: known for known in mt.specs()}.get(name)
    if len(source) > LARGEST:
        return _refused(path, name, f"more than {LARGEST} bytes", start)
    if spec is None:
        what = f"its header names {name}, which is no specification" if name else "no header that names a specification"
        return _refused(path, name, what, start)
    reader = READERS[backend(source)]
    found = reader.semantics(source, spec)
    faults: list[str] = []
    try:
        held = certificate.read(certificate.path_of(path))
    except certificate.Unreadable as fault:
        held, faults = None, [f"certificate: {fault}"]
    origin = provenance(source, spec, held)
    if observer is None or not found.holds:
        return Report(path, name, found, origin, perf_counter() - start, faults=tuple(faults))
    scalars = [scalar for dtype in DTYPES for scalar in reader.scalars(source, spec, dtype)]
    try:
        rows = table(scalars, reader.backend, observer)
    except Unbounded as fault:
        return Report(path, name, found, origin, perf_counter() - start, faults=(*faults, f"no bound: {fault}"))
    wrong = [fault for row in rows for fault in row.faults(inside(spec, reader.backend, row.dtype))]
    wrong += unfounded(rows, observer)
    made = certificate.certificate(source, spec, reader.backend, found.findings, rows)
    if held is not None and held.get("source_sha256") == made["source_sha256"]:
        faults += [f"certificate: {one}" for one in certificate.differences(held, made, scalars)]
    elif held is not None and held.get("digest") != certificate.digest(held):
        faults.append("certificate: digest: not that of the other fields")
    return Report(path, name, found, origin, perf_counter() - start, tuple(rows), (*wrong, *faults), None if wrong else made)


def _refused(path: Path, name: str, what: str, start: float) -> Report:
    return Report(path, name, Semantics(refused=what), Provenance("of no specification", False), perf_counter() - start)


def kernels(folder: Path) -> list[Path]:
    """The files of a folder that are to be checked: every Python file but an ``__init__.py`` that holds a docstring alone."""
    return [path for path in sorted(folder.rglob("*.py")) if not (path.name == "__init__.py" and _is_empty(path))]


def _is_empty(path: Path) -> bool:
    """Whether a file is ASCII and holds nothing but a docstring."""
    try:
        body = ast.parse(path.read_bytes().decode("ascii")).body
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) for s in body)
