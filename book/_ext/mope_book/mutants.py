"""``{mutants}``: what was changed in the derivations on purpose, and what killed it, from the record of the last full run."""
from __future__ import annotations

import json
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from mope_impl.book.sources import ROOT

from .elements import element, prose, tag

log = logging.getLogger(__name__)
RECORD = ROOT / "results" / "mutants.json"


class Mutants(SphinxDirective):
    """One row for each kind of change, one column for each fate; the heads are those of the record."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(RECORD))
        if not RECORD.exists():
            log.warning("no record of mutants: make mutants", location=self.get_location(), type="mope", subtype="mutants")
            return []
        record = json.loads(RECORD.read_text(encoding="utf-8"))
        if record["survivors"]:
            number = len(record["survivors"])
            log.warning("%d mutants survive", number, location=self.get_location(), type="mope", subtype="mutants")
        return [tag("p", *prose(sentence(record))), tag("div", table(record), cls="scroll")]


def sentence(record: dict[str, Any]) -> str:
    """What the table counts, and when and with what it was counted."""
    versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    number = f"{record['mutants']:_}".replace("_", "\u202f")
    return (
        f"{number} mutants of the derivations of {len(record['claims'])} claims were tried on {record['date']} "
        f"({record['of']}; {versions}). {len(record['survivors']) or 'None'} survived."
    )


def table(record: dict[str, Any]) -> element:
    """Counts by what was changed and by what became of it."""
    killers = record["killers"]
    head = tag("tr", tag("th", "What was changed", scope="col"), *(tag("th", killer, scope="col") for killer in killers))
    rows = [
        tag("tr", tag("th", *prose(kind), scope="row"), *(_cell(counts.get(killer, 0), killer) for killer in killers))
        for kind, counts in record["kinds"].items()
    ]
    totals = [sum(counts.get(killer, 0) for counts in record["kinds"].values()) for killer in killers]
    last = tag("tr", tag("th", "all", scope="row"), *(_cell(n, killer) for n, killer in zip(totals, killers, strict=True)))
    return tag("table", tag("thead", head), tag("tbody", *rows, last), cls="inputs mutants")


def _cell(count: int, killer: str) -> element:
    return tag("td", str(count) if count else "–", data_killer=killer)


def setup(app: Sphinx) -> None:
    app.add_directive("mutants", Mutants)
