"""The page of a topic: ``{topic}`` says what it is about and lists its claims, ``{topic-source}`` shows where they are stated."""
from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from mope_impl.book.sources import Source, modules, source, summary
from mope_impl.book.verdicts import GLYPHS, topics
from mope_impl.ledger import Row

from .claim_box import KernelLink, SourceLink, TrustLink
from .claims import boxes
from .elements import badge, element, listing, prose, tag
from .ledger import ClaimLink, chips, rows

log = logging.getLogger(__name__)

TRUSTED = "what-is-trusted"
"""The page that lists the axioms."""


class Topic(SphinxDirective):
    """What a topic is about, in the words of the modules that state its claims, and a list of the claims."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        topic = self.arguments[0]
        found = [row for row in rows(self.env) if row.claim.topic == topic]
        if not found:
            log.warning("no claim of the topic %r", topic, location=self.get_location(), type="mope", subtype="topic")
            return []
        _pages(self.env)[topic] = self.env.docname
        lead = [tag("p", *prose(summary(module)), cls="lead") for module in modules(topic)]
        return [*lead, tag("ul", *(_entry(row) for row in found), cls="overview")]


def _entry(row: Row) -> element:
    title = tag("span", ClaimLink(row.claim.id, row.claim.title), cls="title")
    return tag("li", badge(row.verdict, GLYPHS[row.verdict]), title, tag("code", row.claim.id), chips(row))


class TopicSource(SphinxDirective):
    """The modules of a topic, folded, with an anchor at each line."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        section = nodes.section(ids=["source"], names=["source"], classes=["sources"])
        section += nodes.title("", "Source")
        section += [folded(source(module)) for module in modules(self.arguments[0])]
        return [section]


def folded(file: Source) -> element:
    """A file of the package, folded, with an anchor at each line."""
    return tag("details", tag("summary", tag("code", file.path)), listing(file.text, file.anchor), cls="source")


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Where topics have pages, each has one, and it holds each of its claims."""
    pages, held = _pages(env), boxes(env)
    if not pages:
        return
    for topic in topics(rows(env)):
        if topic not in pages:
            log.warning("the topic %s has no page", topic, type="mope", subtype="topic")
    for claim in (row.claim for row in rows(env)):
        page = pages.get(claim.topic)
        if page and held.get(claim.id) != page:
            log.warning("claim %s is not on the page of its topic", claim.id, location=page, type="mope", subtype="topic")


def resolve(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put addresses to links into sources, to kernels and to what is trusted."""

    def address(target: str, anchor: str = "") -> str:
        return ("" if target == docname else app.builder.get_relative_uri(docname, target)) + (f"#{anchor}" if anchor else "")

    for link in list(doctree.findall(SourceLink)):
        page = _pages(app.env).get(link["topic"])
        name = tag("code", link.astext())
        link.replace_self(tag("a", name, href=address(page, link["anchor"])) if page else name)
    for link in list(doctree.findall(KernelLink)):
        page, name = f"kernels/{link.astext()}", tag("code", link.astext())
        link.replace_self(tag("a", name, href=address(page)) if page in app.env.found_docs else name)
    for link in list(doctree.findall(TrustLink)):
        there = TRUSTED in app.env.found_docs
        name = nodes.Text(link.astext())
        link.replace_self(tag("a", name, href=address(TRUSTED, link["anchor"])) if there else name)


def _pages(env: BuildEnvironment) -> dict[str, str]:
    """Topic → its page."""
    if not hasattr(env, "mope_topics"):
        env.mope_topics = {}
    return env.mope_topics


def purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    env.mope_topics = {topic: page for topic, page in _pages(env).items() if page != docname}


def setup(app: Sphinx) -> None:
    app.add_node(SourceLink)
    app.add_node(KernelLink)
    app.add_node(TrustLink)
    app.add_directive("topic", Topic)
    app.add_directive("topic-source", TopicSource)
    app.connect("env-check-consistency", check)
    app.connect("doctree-resolved", resolve)
    app.connect("env-purge-doc", purge)
