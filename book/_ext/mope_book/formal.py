"""``{formal-statements}``: every statement that asks for a formal proof, as Coq reads it, with the theorems that settle it."""
from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from mope_impl.book.formal import STATES, anchor, printed, state
from mope_impl.book.typeset import plain
from mope_impl.formal.source import HEAD
from mope_impl.formal.statements import definitions
from mope_impl.ledger import Row

from .elements import element, prose, tag
from .ledger import ClaimLink, rows


class FormalStatements(SphinxDirective):
    """The named functions, then each claim with its propositions."""

    def run(self) -> list[nodes.Node]:
        self.env.mope_formal_page = self.env.docname
        words = tag("details", tag("summary", "The named functions"), _listing(f"{HEAD}\n{definitions()}"))
        return [words, *(_claim(row) for row in rows(self.env) if state(row) is not None)]


class FormalCounts(SphinxDirective):
    """How many claims stand how with the formal proofs: the legend of the borders of the map."""

    def run(self) -> list[nodes.Node]:
        states = [state(row) for row in rows(self.env)]
        items = [
            tag("li", tag("span", "", cls=f"frame f-{name}", aria_hidden="true"), f" {text}: {states.count(name)}")
            for name, text in STATES.items()
            if name in states
        ]
        return [tag("ul", *items, cls="formal-legend")]


def status(row: Row) -> list[nodes.Node]:
    """How the claim stands, for its box, with a link to its statements; nothing where no formal proof is asked for."""
    own = state(row)
    if own is None:
        return []
    return [tag("span", FormalLink(row.claim.id, STATES[own]), cls=f"formal f-{own}")]


def _claim(row: Row) -> element:
    pieces = [piece for piece in row.evidence if piece.kind == "formal"]
    own = state(row)
    assert own is not None
    return tag(
        "section",
        tag("h3", ClaimLink(row.claim.id, row.claim.title), " ", tag("span", STATES[own], cls=f"formal f-{own}")),
        _listing("\n\n".join(p.source for p in printed(row))),
        *(tag("p", *prose(plain(piece.detail)), cls="theorems") for piece in pieces if piece.status == "holds"),
        cls="formal-claim",
        id=anchor(row.claim.id),
    )


def _listing(text: str) -> element:
    return tag("pre", text.strip(), cls="coq")


class FormalLink(nodes.Inline, nodes.General, nodes.TextElement):
    """A link to a claim's statements in Coq; in a book without that page, the text alone."""

    def __init__(self, claim: str = "", text: str = "") -> None:
        super().__init__("", text)
        self["claim"] = claim

    def copy(self) -> FormalLink:
        return FormalLink(self["claim"], self.astext())


def resolve(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put addresses to the links."""
    page = getattr(app.env, "mope_formal_page", None)
    for link in list(doctree.findall(FormalLink)):
        text = nodes.Text(link.astext())
        if page is None:
            link.replace_self(text)
            continue
        address = ("" if page == docname else app.builder.get_relative_uri(docname, page)) + f"#{anchor(link['claim'])}"
        link.replace_self(tag("a", text, href=address, title="The statement as Coq reads it"))


def setup(app: Sphinx) -> None:
    app.add_node(FormalLink)
    app.add_directive("formal-statements", FormalStatements)
    app.add_directive("formal-counts", FormalCounts)
    app.connect("doctree-resolved", resolve)
