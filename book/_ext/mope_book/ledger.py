"""The ledger on a page: ``{ledger}``, ``{claim-map}``, ``{verdict-counts}``; and the rows that every directive draws on."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from importlib import import_module

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from mope_impl.book import claim_map
from mope_impl.book.extent import extent
from mope_impl.book.notation import definition, definitions
from mope_impl.book.typeset import HALF_ROOM, LEDGER_ROOM, latex, members
from mope_impl.book.verdicts import (
    GLYPHS,
    KIND_MEANINGS,
    LETTERS,
    MEANINGS,
    SIDES,
    arrivals,
    counts,
    decided,
    standing,
    topics,
)
from mope_impl.ledger import Row
from mope_theory.statement import Statement
from mope_theory.vocabulary.measured import Seeds

from .elements import badge, element, formulas, inline, sentence, tag

log = logging.getLogger(__name__)

PROCESSES = 4
"""At most so many verify the claims: one takes two seconds to start."""

_STATUS = {"holds": "holds", "missing": "missing", "unknown": "undecided", "fails": "fails", "stale": "out of date"}


def rows(env: BuildEnvironment) -> Sequence[Row]:
    """The rows of the ledger, computed once in a build by the function that the configuration names."""
    app = env.app
    if not hasattr(app, "mope_rows"):
        module, _, function = app.config.mope_ledger.partition(":")
        app.mope_rows = tuple(getattr(import_module(module), function)())
        log.info("ledger: %d claims verified", len(app.mope_rows))
    return app.mope_rows


def verify() -> Iterable[Row]:
    """Every claim with the evidence of all kinds that can be computed here, computed anew."""
    from mope_impl import ledger

    return ledger.verify(levels=("all",), jobs=min(PROCESSES, os.cpu_count() or 1)).rows


class Ledger(SphinxDirective):
    """Every claim in a table, with a filter by topic and by verdict."""

    def run(self) -> list[nodes.Node]:
        if getattr(self.env, "mope_ledger_page", None) is not None:
            log.warning("a second {ledger}: a claim's row must be in one place", location=self.get_location())
            return []
        self.env.mope_ledger_page = self.env.docname
        found = rows(self.env)
        heads = (
            tag("th", "Claim", scope="col"),
            tag("th", "Statement of the paper, and ours", scope="col", colspan="2"),
            tag("th", "Evidence", scope="col"),
        )
        table = tag(
            "table",
            tag("thead", tag("tr", *heads)),
            tag("tbody", *(_row(row) for row in found)),
            cls="ledger",
        )
        return [_filter(found), _letters(), table]


def _filter(found: Sequence[Row]) -> element:
    present = [verdict for verdict, number in counts(found).items() if number]
    return tag(
        "form",
        _choice("topic", topics(found)),
        _choice("verdict", present),
        tag("output", f"{len(found)} of {len(found)} claims", aria_live="polite"),
        cls="ledger-filter",
        role="search",
        aria_label="Filter the ledger",
    )


def _choice(name: str, values: Iterable[str]) -> element:
    options = [tag("option", "all", value="")] + [tag("option", value, value=value) for value in values]
    return tag("label", f"{name} ", tag("select", *options, name=name, autocomplete="off"))


def _row(row: Row) -> element:
    claim = row.claim
    name = tag(
        "th",
        tag("span", ClaimLink(claim.id, claim.title), cls="title"),
        tag("code", claim.id),
        badge(row.verdict, GLYPHS[row.verdict]),
        *scopes(row),
        _expectation(row),
        scope="row",
    )
    evidence = tag("td", chips(row), cls="evidence")
    return tag(
        "tr", name, *_sides(row), evidence, id=f"row-{claim.id}", data_topic=claim.topic, data_verdict=row.verdict
    )


def scopes(row: Row) -> list[element]:
    """The verdict of the runs at each preset; nothing for a claim that no run speaks of."""
    if not row.scopes:
        return []
    items = [tag("li", tag("code", f"@{one.preset}"), badge(one.verdict, GLYPHS[one.verdict])) for one in row.scopes]
    return [tag("ul", *items, cls="scopes")]


def _expectation(row: Row) -> element:
    """Whether the verdict is the one that was expected, before anything was computed."""
    if row.expected is None:
        return tag("span", f"no expectation: runs @{row.preset} decide", cls="expectation")
    if row.contradicts:
        return tag("span", f"expected: {row.expected}", cls="expectation contradicts")
    if row.verdict == row.expected:
        return tag("span", "as expected", cls="expectation")
    return tag("span", f"expected: {row.expected}", cls="expectation")


SHOWN = 3
"""Conjuncts of a statement that a row shows; the others fold away."""


def _sides(row: Row) -> list[element]:
    """The statements beside each other where both are narrow enough, else one below the other."""
    statements = row.claim.statements
    if not statements:
        return [tag("td", tag("span", "no statement", cls="none"), cls="side", colspan="2")]
    parts = {side: members(statement) for side, statement in statements.items()}
    beside = len(parts) == 2 and all(extent(latex(x, LEDGER_ROOM)) <= HALF_ROOM for part in parts.values() for x in part)
    cells = [_side(row, side, part) for side, part in parts.items()]
    if beside:
        return [tag("td", *cell, cls="side") for cell in cells]
    return [tag("td", *(tag("div", *cell) for cell in cells), cls="side stacked", colspan="2")]


def _side(row: Row, side: str, parts: Sequence[Statement]) -> list[nodes.Node]:
    """One statement: its label, and its conjuncts, of which the later ones fold away."""
    known = standing(row, side)
    mark = tag("span", known, cls=f"standing s-{known.split()[0]}")
    shown = [_asked(x) if _is_rule(x) else latex(x, LEDGER_ROOM) for x in parts]
    content: list[nodes.Node] = [tag("p", f"{SIDES[side]} ", mark, cls="side-label"), formulas(shown[:SHOWN])]
    if len(shown) > SHOWN:
        rest = formulas(shown[SHOWN:], start=SHOWN + 1)
        content.append(tag("details", tag("summary", f"{len(shown) - SHOWN} more"), rest))
    return content


def _is_rule(statement: Statement) -> bool:
    """Whether it says nothing of the paper's, but what we ask of the runs that judge it."""
    return any(x.has(Seeds) for x in statement.expressions)


def _asked(statement: Statement) -> element:
    return tag("p", inline(latex(statement)), tag("span", "our rule for the runs that judge it", cls="rule"))


def chips(row: Row) -> element:
    """The kinds of evidence by their letters, each in the colour of how it stands."""
    items = []
    for kind, status in arrivals(row).items():
        text = f"{kind}: {_STATUS[status]}"
        items.append(tag("li", LETTERS[kind], cls=f"chip e-{status}", title=text, aria_label=text))
    return tag("ul", *items, cls="chips") if items else tag("span", "–", cls="none")


def _letters() -> element:
    kinds = [tag("li", tag("b", LETTERS[kind]), f" {text}") for kind, text in KIND_MEANINGS.items()]
    shown = (("holds", "holds"), ("missing", "asked for, not there yet"), ("unknown", "undecided"), ("fails", "fails"))
    states = [tag("li", tag("span", "D", cls=f"chip e-{status}", aria_hidden="true"), f" {text}") for status, text in shown]
    return tag("div", tag("ul", *kinds), tag("ul", *states), cls="letters")


class VerdictCounts(SphinxDirective):
    """The verdicts with their meaning, and how many claims have each: the legend of the map and of the table."""

    def run(self) -> list[nodes.Node]:
        items = []
        for verdict, number in counts(rows(self.env)).items():
            term = tag("dt", badge(verdict, GLYPHS[verdict]), tag("span", str(number), cls="count"))
            items.append(tag("div", term, tag("dd", MEANINGS[verdict]), cls="" if number else "none"))
        return [tag("dl", *items, cls="legend")]


class Count(SphinxRole):
    """A number of claims: of all (``claims``), or of those that have a verdict (``decided``)."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        found = rows(self.env)
        numbers = {"claims": len(found), "decided": decided(found)}
        if self.text not in numbers:
            log.warning("no count %r: say one of %s", self.text, ", ".join(numbers), location=self.get_location(), type="mope")
        return [nodes.Text(str(numbers.get(self.text, "?")))], []


class Definition(SphinxRole):
    """What a named function means, as a formula in the line."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            return [inline(definition(self.text))], []
        except KeyError:
            log.warning("no definition of %r", self.text, location=self.get_location(), type="mope")
            return [nodes.literal(self.text, self.text)], []


class Notation(SphinxDirective):
    """The definitions of the named functions that occur in the ledger."""

    def run(self) -> list[nodes.Node]:
        found = definitions(x for row in rows(self.env) for x in row.claim.statements.values())
        return [tag("p", "In the formulas ", *sentence(*map(inline, found)), ".", cls="notation")]


class ClaimLink(nodes.Inline, nodes.General, nodes.TextElement):
    """A link to a claim, resolved when every page is read: to its box, else to its row in the ledger."""

    def __init__(self, id: str = "", text: str = "", **attributes: object) -> None:
        super().__init__("", text, **attributes)
        self["claim"] = id

    def copy(self) -> ClaimLink:
        twin = ClaimLink(self["claim"], self.astext())
        twin.line, twin.source = self.line, self.source
        return twin


class ClaimMap(nodes.General, nodes.Element):
    """The place of the map, drawn when every page is read."""


class ClaimMapDirective(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        for fault in claim_map.faults(rows(self.env)):
            log.warning("%s", fault, location=self.get_location(), type="mope", subtype="uses")
        return [ClaimMap()]


def address(app: Sphinx, docname: str, id: str) -> str | None:
    """The address, from a page, of a claim's box, else of its row; None if it has neither."""
    boxes = getattr(app.env, "mope_boxes", {})
    target, anchor = (boxes[id], id) if id in boxes else (getattr(app.env, "mope_ledger_page", None), f"row-{id}")
    if target is None:
        return None
    return ("" if target == docname else app.builder.get_relative_uri(docname, target)) + f"#{anchor}"


def resolve(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put addresses to the links and to the nodes of the map."""

    def href(id: str) -> str:
        found = address(app, docname, id)
        if found is None:
            log.warning("claim %s has neither a box nor a row on any page", id, location=docname, type="mope")
        return found or "#"

    for link in list(doctree.findall(ClaimLink)):
        link.replace_self(tag("a", link.astext(), cls="claim-link", href=href(link["claim"])))
    for place in list(doctree.findall(ClaimMap)):
        svg = claim_map.draw(rows(app.env), href)
        place.replace_self(nodes.raw("", f'<div class="claim-map" tabindex="0">{svg}</div>', format="html"))


def purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    if getattr(env, "mope_ledger_page", None) == docname:
        env.mope_ledger_page = None


def setup(app: Sphinx) -> None:
    app.add_config_value("mope_ledger", "mope_book.ledger:verify", "env")
    app.add_node(ClaimLink)
    app.add_node(ClaimMap)
    app.add_directive("ledger", Ledger)
    app.add_directive("claim-map", ClaimMapDirective)
    app.add_directive("verdict-counts", VerdictCounts)
    app.add_directive("notation", Notation)
    app.add_role("count", Count())
    app.add_role("definition", Definition())
    app.connect("doctree-resolved", resolve)
    app.connect("env-purge-doc", purge)
