"""The record of a run over all mutants: counts by kind and by claim, with the date and the versions."""
from __future__ import annotations

import json
import platform
from collections import Counter
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.mope_theory.mutants.expressions import MUTATORS
from tests.mope_theory.mutants.survey import KILLERS, Survey

RECORD = Path(__file__).resolve().parents[3] / "results" / "mutants.json"

KINDS = (
    *MUTATORS, "sides exchanged", "strictness", "relation", "negation", "connective", "quantifier", "converse", "domain",
    "member dropped", "hypothesis dropped", "witness or value", "part of a certificate", "lemma exchanged",
    "premise replaced", "premise or part dropped", "premise or part doubled", "premises or parts exchanged",
)  # fmt: skip
"""What may be changed, in the order of the table."""


def written(found: Survey, constants: dict[str, Counter[str]], seconds: float, everything: bool) -> dict[str, Any]:
    """The record as data."""
    return {
        "schema": 1,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "versions": {"python": platform.python_version()} | {name: version(name) for name in ("sympy", "mpmath", "python-flint")},
        "seconds": round(seconds),
        "of": "all mutants" if everything else "a sample of the mutants",
        "mutants": sum(found.total.values()),
        "killers": list(KILLERS),
        "kinds": {kind: dict(found.kinds[kind]) for kind in KINDS if kind in found.kinds},
        "claims": {claim: dict(counts) for claim, counts in found.claims.items()},
        "constants": {claim: dict(counts) for claim, counts in constants.items()},
        "survivors": found.survivors,
    }


def save(record: dict[str, Any]) -> None:
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False, sort_keys=False) + "\n", encoding="utf-8")
