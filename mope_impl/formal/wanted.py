"""Which theorems the files say to have, and at which types Coq has to accept them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .build import without_comments
from .outcome import Fault
from .source import asked
from .statements import Proposition


@dataclass(frozen=True)
class Asked:
    """A theorem of a file, at the type that it has to have."""

    module: str
    name: str
    type: str
    claim: str
    proposition: Proposition | None
    refutes: bool


def wanted(proofs: Path) -> tuple[list[Asked], list[Fault]]:
    """The theorems that the files say to have, and what they say that cannot be."""
    known = {p.name: p for p in asked()}
    found: list[Asked] = []
    faults: list[Fault] = []
    for path in sorted((proofs / "theories").glob("Claims*.v")):
        text = without_comments(path.read_text(encoding="utf-8"))
        for match in re.finditer(r"^\s*Theorem\s+(\w+)\s*:\s*(~\s*)?Statements\.(\w+)\s*\.", text, re.M):
            name, own = match[1], known.get(match[3])
            if own is None or own.reason or name != match[3] + "_false" * bool(match[2]):
                faults.append(Fault("", f"{path.name}: theorem {name} is of no printed statement of its name"))
                continue
            kind = f"~ Mope.Statements.{own.name}" if match[2] else f"Mope.Statements.{own.name}"
            found.append(Asked(path.stem, name, kind, own.claim, own, bool(match[2])))
    return found + _listed(proofs, found, faults), faults


def _listed(proofs: Path, found: Sequence[Asked], faults: list[Fault]) -> list[Asked]:
    """The pinned theorems of claims.json; its list of what is unproved has to be true, so that no theorem goes unseen."""
    listed: Mapping[str, Any] = json.loads((proofs / "claims.json").read_text(encoding="utf-8"))
    printed = {p.name for p in asked() if not p.reason}
    without = printed - {one.proposition.name for one in found if one.proposition}
    for name in sorted(without ^ set(listed["unproved"])):
        said = "has no theorem, and claims.json does not say so" if name in without else "is unproved only in claims.json"
        faults.append(Fault(None, f"{name} {said}"))
    claims = {p.claim for p in asked()}
    pinned = []
    for claim, entries in listed["pinned"].items():
        if claim not in claims:
            faults.append(Fault(None, f"claims.json: {claim} is no claim that asks for a formal proof"))
            continue
        for entry in entries:
            module, _, name = entry["theorem"].rpartition(".")
            pinned.append(Asked(module, name, entry["statement"], claim, None, False))
    return pinned
