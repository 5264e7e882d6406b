"""One claim on a page: ``{claim}`` its box, ``{statement}`` what it says, ``{derivation}`` its steps, the role a link."""
from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

import mope_theory as mt
from mope_impl.book.verdicts import GLYPHS
from mope_impl.ledger import Row

from .claim_box import claim_section, statements
from .derivations import derivation_steps
from .elements import badge, tag
from .ledger import ClaimLink, rows

log = logging.getLogger(__name__)


def find(env: BuildEnvironment, id: str, location: object) -> Row | None:
    """The row of a claim; None, and a warning that fails the build, if there is none."""
    known = {row.claim.id: row for row in rows(env)}
    if id in known:
        return known[id]
    log.warning("%s", mt.UnknownName("claim", id, known), location=location, type="mope", subtype="claim")
    return None


class ClaimBox(SphinxDirective):
    """The statements of a claim with its verdict, its reading and its evidence. A claim has one box in the book.

    What the directive holds, a picture or a remark, comes before the evidence; with ``:steps:`` the derivations end the box.
    """

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {"steps": directives.flag}

    def run(self) -> list[nodes.Node]:
        id = self.arguments[0]
        row = find(self.env, id, self.get_location())
        if row is None:
            return []
        held = boxes(self.env)
        if id in held:
            log.warning("claim %s has a box already, in %s", id, held[id], location=self.get_location(), type="mope")
            return []
        held[id] = self.env.docname
        inside = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, inside)
        return [claim_section(self.env, row, inside.children, "steps" in self.options)]


class Statement(SphinxDirective):
    """What a claim says, with its verdict and a link to its box: for a page of prose."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        row = find(self.env, self.arguments[0], self.get_location())
        if row is None:
            return []
        title = tag("span", ClaimLink(row.claim.id, row.claim.title), cls="title")
        head = tag("p", title, badge(row.verdict, GLYPHS[row.verdict]), cls="claim-head")
        return [tag("div", head, statements(row), cls=f"claim-box brief v-{row.verdict}")]


class DerivationSteps(SphinxDirective):
    """Every step of a claim's derivations, as the checker saw them."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        row = find(self.env, self.arguments[0], self.get_location())
        if row is None:
            return []
        if not row.claim.derivations:
            log.warning("claim %s has no derivation", row.claim.id, location=self.get_location(), type="mope")
            return []
        return [derivation_steps(row.claim, derivation) for derivation in row.claim.derivations]


class ClaimRole(SphinxRole):
    """A link to a claim by its id."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        if find(self.env, self.text, self.get_location()) is None:
            return [nodes.literal(self.text, self.text)], []
        return [ClaimLink(self.text, self.text)], []


def boxes(env: BuildEnvironment) -> dict[str, str]:
    """Claim → the page that has its box."""
    if not hasattr(env, "mope_boxes"):
        env.mope_boxes = {}
    return env.mope_boxes


def purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    env.mope_boxes = {id: page for id, page in boxes(env).items() if page != docname}


def setup(app: Sphinx) -> None:
    app.add_directive("claim", ClaimBox)
    app.add_directive("statement", Statement)
    app.add_directive("derivation", DerivationSteps)
    app.add_role("claim", ClaimRole())
    app.connect("env-purge-doc", purge)
