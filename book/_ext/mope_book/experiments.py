"""The runs on a page: ``{runs}`` a table or a figure of a report by name, ``{rulings}`` the verdicts with their reasons.

All of it is computed from the committed records while the page is read; what has not been run is said in the place of what
would stand there.
"""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from mope_impl.book.figures import STYLE, svg
from mope_impl.book.verdicts import GLYPHS
from mope_impl.results.report import Report, make
from mope_impl.results.report.figures import DRAWINGS
from mope_impl.results.report.table import Table
from mope_impl.results.report.tables import TABLES, extent
from mope_impl.results.report.text import count
from mope_impl.results.report.verdicts import Ruling
from mope_impl.results.store import RESULTS, Runs, load
from mope_theory.experiments import SCOPES

from .elements import badge, element, prose, tag
from .ledger import ClaimLink

log = logging.getLogger(__name__)

WHAT = {True: "true", False: "false, or not shown", None: "undecided"}


def reports(env: BuildEnvironment) -> dict[str, tuple[Report, Runs]]:
    """Scope → its report and its runs, computed once in a build from the folder that the configuration names."""
    app = env.app
    if not hasattr(app, "mope_reports"):
        folder = Path(app.config.mope_results) if app.config.mope_results else RESULTS
        app.mope_reports = {scope: (make(runs), runs) for scope, runs in load(folder).items()}
        for name, (report, _) in app.mope_reports.items():
            log.info("runs of scope %s: %d", name, report.source.records)
    return app.mope_reports  # type: ignore[no-any-return]


def scope(argument: str) -> str:
    """The option of a directive that names a scope."""
    return directives.choice(argument, tuple(SCOPES))


class RunsDirective(SphinxDirective):
    """Tables and figures of the report of one scope, by their names, in the order in which they are named.

    ``headed``: each with its title, and one sentence instead of all where no run counts. ``folded``: tables fold away below
    their titles.
    """

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {"scope": scope, "headed": directives.flag, "folded": directives.flag}

    def run(self) -> list[nodes.Node]:
        report, runs = reports(self.env)[self.options.get("scope", "cpu")]
        names = self.arguments[0].split()
        for name in names:
            if name.removeprefix("figure:") not in (DRAWINGS if name.startswith("figure:") else TABLES):
                log.warning("no table and no figure %r of runs", name, location=self.get_location(), type="mope", subtype="runs")
                return []
        if "headed" in self.options and not report.source.records:
            return [tag("p", *prose(absent(report)), cls="none")]
        out: list[nodes.Node] = []
        for name in names:
            if name.startswith("figure:"):
                drawn = self._figure(name.removeprefix("figure:"), report, runs)
                out += [] if drawn is None else [drawn]
            else:
                out += self._table(TABLES[name](report))
        return out

    def _table(self, table: Table) -> list[nodes.Node]:
        title = [tag("p", tag("b", *prose(table.title)), cls="table-title")] if "headed" in self.options else []
        if not table.rows:
            return [] if title else [tag("p", *prose(table.absent), cls="none")]
        if "folded" in self.options:
            return [tag("details", tag("summary", *prose(table.title)), *shown(table), cls="folded")]
        return [*title, *shown(table)]

    def _figure(self, name: str, report: Report, runs: Runs) -> nodes.figure | None:
        from matplotlib import rc_context

        with rc_context(STYLE):
            drawing = DRAWINGS[name][1](report, runs)
            if drawing is None:
                return None
            html = svg(drawing.panels, drawing.alt)
        return captioned(self, f"fig-{report.scope}-{name}", drawing.caption, html)


def captioned(directive: SphinxDirective, name: str, caption: str, html: str) -> nodes.figure:
    """A drawing with its caption, which can be referred to by name."""
    figure = nodes.figure("", nodes.raw("", html, format="html"))
    figure += nodes.caption("", "", *(nodes.Text(x) if isinstance(x, str) else x for x in prose(caption)))
    figure["classes"].append("runs-figure")
    figure["names"].append(name)
    directive.state.document.note_explicit_target(figure, figure)
    return figure


def shown(table: Table) -> list[nodes.Node]:
    """A table, to be scrolled where it is wide, and its notes."""
    notes = [tag("p", *prose(note), cls="table-note") for note in table.notes]
    return [tag("div", cells(table), cls="scroll", tabindex="0"), *notes]


def absent(report: Report) -> str:
    """What is said where no run of a scope counts."""
    faults = [*report.source.refused, *report.source.stale]
    planned = f" of {report.source.planned} planned" if report.source.planned else ""
    aside = f" {count(len(faults), 'record')} do not count, the first being {faults[0]}." if faults else ""
    return f"No run{planned} of preset {report.scope} is there yet, so that nothing can be said of it.{aside}"


def cells(table: Table) -> element:
    """A table as HTML: the first cell of a row is its head; numbers stand below each other."""

    def side(at: int) -> str:
        return "" if at < max(1, table.left) else "number"

    head = tag("tr", *(tag("th", *prose(name), scope="col", cls=side(at)) for at, name in enumerate(table.columns)))
    body = []
    for at, row in enumerate(table.rows):
        if at in table.heads:
            body.append(tag("tr", tag("th", *prose(row[0]), scope="colgroup", colspan=str(len(row))), cls="group"))
            continue
        first, *rest = row
        others = (tag("td", *prose(cell), cls=side(place)) for place, cell in enumerate(rest, 1))
        body.append(tag("tr", tag("th", *prose(first), scope="row"), *others))
    parts = [tag("thead", head)] if any(table.columns) else []
    return tag("table", *parts, tag("tbody", *body), cls=f"inputs runs t-{table.name}")


class Rulings(SphinxDirective):
    """Every claim that runs speak of, with its verdict at each scope and the reason for it."""

    def run(self) -> list[nodes.Node]:
        found = reports(self.env)
        claims = [verdict.claim for verdict in next(iter(found.values()))[0].verdicts]
        return [tag("div", *(self._claim(claim, {name: report for name, (report, _) in found.items()}) for claim in claims))]

    def _claim(self, claim: str, found: dict[str, Report]) -> element:
        known = {name: next(one for one in report.verdicts if one.claim == claim) for name, report in found.items()}
        first = next(iter(known.values()))
        marks = [tag("span", tag("code", f"@{name}"), " ", badge(one.verdict, GLYPHS[one.verdict]), cls="at", data_scope=name)
                 for name, one in known.items()]  # fmt: skip
        head = tag("p", tag("span", ClaimLink(claim, first.title), cls="title"), *marks, cls="claim-head")
        shown = [ruling(name, one) for name, verdict in known.items() for one in verdict.rulings if one.runs or one.refused]
        if not shown:
            shown = [tag("p", "No run of its models is there yet.", cls="none")]
        return tag("div", head, *shown, cls="claim-box brief ruling", data_claim=claim)


def ruling(name: str, one: Ruling) -> element:
    """One rule at one scope: what it came to, from how many runs, and each of its quantities."""
    said = "refused" if one.refused else WHAT[one.truth]
    summary = tag("summary", tag("code", f"@{name}"), f" {one.speaks}: {said} ", tag("span", extent(one), cls="size"))
    lines: Sequence[Any] = [tag("li", *prose(one.refused))] if one.refused else [
        tag("li", tag("span", {True: "✓", False: "✗", None: "?"}[part.truth], aria_hidden="true"), " ",
            *prose(part.said), _opposite(part.truth, part.opposite))
        for part in one.findings
    ]  # fmt: skip
    return tag("details", summary, tag("ul", *lines), cls="findings")


def _opposite(truth: bool | None, opposite: bool) -> str:
    return "" if truth is not False else " – the opposite is shown" if opposite else " – not shown"


def setup(app: Sphinx) -> None:
    app.add_config_value("mope_results", "", "env")
    app.add_directive("runs", RunsDirective)
    app.add_directive("rulings", Rulings)
