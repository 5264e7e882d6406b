"""``{picture} name``: a picture of the registry with its caption, drawn while the page is read."""
from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from mope_impl.book.pictures import picture

from .elements import tag

log = logging.getLogger(__name__)


class PictureDirective(SphinxDirective):
    """A figure that can be referred to as ``fig-name``; the directive holds its caption."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        try:
            chosen = picture(name)
        except KeyError as unknown:
            log.warning("%s", unknown, location=self.get_location(), type="mope", subtype="picture")
            return []
        try:
            html = chosen.html()
        except Exception as error:  # whatever goes wrong in a drawing is a fault of the page
            log.warning(
                "the picture %s (%s) cannot be drawn: %s: %s", name, chosen.source, type(error).__name__, error,
                location=self.get_location(), type="mope", subtype="picture",
            )  # fmt: skip
            return []
        held = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, held)
        figure = nodes.figure("", nodes.raw("", html, format="html"))
        first, *rest = held.children or [nodes.paragraph()]
        figure += nodes.caption("", "", *first.children)
        figure += nodes.legend("", *rest, tag("p", "Drawn by ", tag("code", chosen.source), ".", cls="drawn"))
        figure["names"].append(f"fig-{name}")
        self.state.document.note_explicit_target(figure, figure)
        return [figure]


def setup(app: Sphinx) -> None:
    app.add_directive("picture", PictureDirective)
