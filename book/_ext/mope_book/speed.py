"""``{speed} benchmark``: the recorded measurements of a benchmark on each device, with what was aimed at."""
from __future__ import annotations

from pathlib import Path

from docutils import nodes
from matplotlib import rc_context
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from mope_impl.book import speed
from mope_impl.book.figures import STYLE, svg
from mope_impl.results.store import RESULTS

from .elements import element, prose, tag
from .experiments import captioned, shown

log = logging.getLogger(__name__)


class Speed(SphinxDirective):
    """For each device a figure, tables, and, folded, the goals; one sentence where nothing is recorded."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if name not in speed.TABLES:
            log.warning("no benchmark %r", name, location=self.get_location(), type="mope", subtype="speed")
            return []
        folder = (Path(self.config.mope_results) if self.config.mope_results else RESULTS) / "benchmarks"
        for path in folder.glob("*.json"):
            self.env.note_dependency(str(path))
        try:
            documents = speed.read(folder, name)
        except ValueError as fault:
            log.warning("%s", fault, location=self.get_location(), type="mope", subtype="speed")
            return []
        if not documents:
            return [tag("p", "Nothing has been measured yet.", cls="none")]
        return [node for number, document in enumerate(documents) for node in self._record(number, document)]

    def _record(self, number: int, document: speed.Document) -> list[nodes.Node]:
        with rc_context(STYLE):
            drawing = speed.figure(document)
            html = svg(drawing.panels, f"{drawing.alt} {document['device']['name']}.")
        figure = captioned(self, f"fig-speed-{drawing.name}-{number}", drawing.caption, html)
        out: list[nodes.Node] = [tag("p", *prose(speed.sentence(document)), cls="table-note"), figure]
        for table in speed.tables(document):
            out += [tag("p", tag("b", *prose(table.title)), cls="table-title"), *shown(table)]
        return [*out, _goals(document)]


def _goals(document: speed.Document) -> element:
    table = speed.goals(document)
    return tag("details", tag("summary", *prose(table.title)), *shown(table), cls="folded")


def setup(app: Sphinx) -> None:
    app.add_directive("speed", Speed)
