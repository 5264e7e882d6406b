"""The check of files: which specification a file names, its semantics, and its provenance."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import mope_theory as mt

from .proof import STATUSES, Semantics
from .provenance import Provenance, header, provenance
from .torch.semantics import semantics

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

    def passes(self, strict: bool) -> bool:
        return self.semantics.holds and (self.provenance.is_known or not strict)

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
        }


def check(path: Path) -> Report:
    """Check one file. Raises OSError where it cannot be read."""
    start = perf_counter()
    with path.open("rb") as file:
        source = file.read(LARGEST + 1)
    name = header(source).spec
    spec = {known.name: known for known in mt.specs()}.get(name)
    nowhere = Provenance("of no specification", False)
    if len(source) > LARGEST:
        return Report(path, name, Semantics(refused=f"more than {LARGEST} bytes"), nowhere, perf_counter() - start)
    if spec is None:
        what = f"its header names {name}, which is no specification" if name else "no header that names a specification"
        return Report(path, name, Semantics(refused=what), nowhere, perf_counter() - start)
    found = semantics(source, spec)
    return Report(path, name, found, provenance(source, spec, path.with_suffix(".cert.json")), perf_counter() - start)


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
