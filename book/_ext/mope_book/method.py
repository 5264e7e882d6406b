"""The method on a page: ``{rules}`` lists what may close a step, ``{verdict-table}`` tabulates the rule of verdicts."""
from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from mope_impl.book.sources import summary
from mope_impl.book.verdicts import GLYPHS, STANDING
from mope_impl.ledger import verdict

from .elements import badge, element, prose, tag

log = logging.getLogger(__name__)


class VerdictTable(SphinxDirective):
    """The verdict for every pair of what is known of the two statements, computed by the rule itself."""

    def run(self) -> list[nodes.Node]:
        states = ("true", "enclosed", "false", "unknown", "absent")
        names = {**STANDING, "absent": "no statement"}
        heads = (
            tag(
                "tr",
                tag("th", "Statement of the paper", scope="col", rowspan="2"),
                tag("th", "Our statement", scope="colgroup", colspan=str(len(states)), cls="group"),
            ),
            tag("tr", *(tag("th", names[state], scope="col") for state in states)),
        )
        body = [
            tag(
                "tr",
                tag("th", names[published], scope="row"),
                *(_cell(verdict(published, ours), names[ours]) for ours in states),
            )
            for published in states
        ]
        return [tag("table", tag("thead", *heads), tag("tbody", *body), cls="verdict-table")]


def _cell(found: str, ours: str) -> element:
    """A verdict; on a narrow page, where the heads are not shown, the cell says what is known of our statement."""
    return tag("td", badge(found, GLYPHS[found]), data_ours=f"ours: {ours}")


class Rules(SphinxDirective):
    """The rules that may close a step, and the forms of reasoning above the steps: the docstrings of the sealed sets."""

    def run(self) -> list[nodes.Node]:
        from mope_theory.derivation import RULES
        from mope_theory.logic import NODES

        def entries(kinds: tuple[type, ...], name: str) -> list[nodes.Node]:
            out: list[nodes.Node] = []
            for kind in kinds:
                if not summary(kind):
                    log.warning("%s has no docstring", kind.__name__, location=self.get_location(), type="mope")
                out += [tag("dt", str(getattr(kind, name))), tag("dd", *prose(summary(kind)))]
            return out

        return [
            tag("p", "A step is closed by one of:"),
            tag("dl", *entries(RULES, "name"), cls="rules"),
            tag("p", "Steps are put together by one of:"),
            tag("dl", *entries(NODES, "rule_name"), cls="rules"),
        ]


def setup(app: Sphinx) -> None:
    app.add_directive("verdict-table", VerdictTable)
    app.add_directive("rules", Rules)
