"""Provenance of a file: which specification its header names, and whether it is what was generated and certified.

The header is a comment, and semantics never rests on it but for the name. A certificate ``NAME.cert.json`` beside ``NAME.py``
holds the SHA-256 of the file and of the formula.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mope_theory.spec import KernelSpec

AS_CERTIFIED, MODIFIED, NOT_CERTIFIED = "as certified", "modified since certified", "no certificate"
OTHER_FORMULA, NO_HASH = "generated from another formula", "no formula hash"


@dataclass(frozen=True)
class Header:
    """What the first comments of a file say; empty where they do not."""

    spec: str = ""
    formula: str = ""


def header(source: bytes) -> Header:
    """The header of a file; what is said twice counts as not said."""
    found: dict[str, list[str]] = {}
    for line in source.splitlines():
        if not line.startswith(b"#"):
            break
        if match := re.fullmatch(rb"# (Specification|Formula hash) +([\w-]+)", line):
            found.setdefault(match[1].decode(), []).append(match[2].decode())
    once = {name: values[0] for name, values in found.items() if len(values) == 1}
    return Header(once.get("Specification", ""), once.get("Formula hash", ""))


@dataclass(frozen=True)
class Provenance:
    """Where a file comes from: one line, and whether ``--strict`` lets it pass."""

    text: str
    is_known: bool


def provenance(source: bytes, spec: KernelSpec, certificate: Mapping[str, Any] | None) -> Provenance:
    """Compare a file, and the formula of its specification, with its header and with its certificate if there is one."""
    said = header(source).formula
    if said != spec.digest:
        return Provenance(OTHER_FORMULA if said else NO_HASH, False)
    if certificate is None:
        return Provenance(NOT_CERTIFIED, True)
    wanted = {"spec": spec.name, "source_sha256": hashlib.sha256(source).hexdigest(), "formula_sha256": spec.digest}
    if any(certificate.get(key) != value for key, value in wanted.items()):
        return Provenance(MODIFIED, False)
    return Provenance(AS_CERTIFIED, True)
