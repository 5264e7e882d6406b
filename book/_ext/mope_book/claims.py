"""One claim on a page: ``{claim} id`` sets its box, ``{derivation} id`` its steps, the role ``{claim}`` a link to it."""
from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

import mope_theory as mt
from mope_impl.book.notation import definitions
from mope_impl.book.typeset import BOX_ROOM, Branch, box, latex, members, tree
from mope_impl.book.typeset import rows as chain_rows
from mope_impl.book.verdicts import GLYPHS, SIDES, shows, standing
from mope_impl.ledger import Evidence, Row
from mope_theory.claim import Claim

from .elements import badge, display, element, formulas, inline, prose, sentence, tag
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
    """The statements of a claim with its verdict, its reading and its evidence. A claim has one box in the book."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        id = self.arguments[0]
        row = find(self.env, id, self.get_location())
        if row is None:
            return []
        boxes = _boxes(self.env)
        if id in boxes:
            log.warning("claim %s has a box already, in %s", id, boxes[id], location=self.get_location(), type="mope")
            return []
        boxes[id] = self.env.docname
        return [_box(row)]


def _box(row: Row) -> element:
    claim = row.claim
    head = tag(
        "header",
        tag("span", claim.title, cls="title"),
        tag("a", claim.id, href=f"#{claim.id}", cls="id", title="Link to this claim"),
        badge(row.verdict, GLYPHS[row.verdict]),
        cls="claim-head",
    )
    parts: list[nodes.Node] = [head]
    for side, label in SIDES.items():
        statement = claim.statements.get(side)
        if statement is None:
            continue
        known = standing(row, side)
        mark = tag("span", known, cls=f"standing s-{known.split()[0]}")
        parts.append(tag("p", f"{label[0].upper()}{label[1:]} ", mark, cls="side-label"))
        parts.append(formulas(latex(x, BOX_ROOM) for x in members(statement)))
    if claim.box:
        parts.append(tag("p", "for ", inline(box(claim)), cls="ranges"))
    meanings = definitions(claim.statements.values())
    if meanings:
        parts.append(tag("p", "where ", *sentence(*map(inline, meanings)), cls="ranges"))
    notes = [("In the paper", claim.place), ("Reading", claim.reading), ("Why", claim.reason)]
    entries = [x for name, text in notes if text for x in (tag("dt", name), tag("dd", text))]
    if claim.uses:
        links = sentence(*(ClaimLink(used, used) for used in claim.uses))
        entries += [tag("dt", "Rests on"), tag("dd", *links)]
    parts.append(tag("dl", *entries, cls="notes"))
    parts.append(_evidence(row))
    return tag("section", *parts, cls=f"claim-box v-{row.verdict}", id=claim.id, aria_label=f"Claim {claim.id}")


def _evidence(row: Row) -> element:
    body = [_piece(piece) for piece in row.evidence]
    body += [
        tag("tr", tag("th", kind, scope="row"), tag("td", "asked for, not there yet", colspan="3"), cls="e-missing")
        for kind in row.missing
    ]
    heads = ("Evidence", "Shows", "How", "Time")
    return tag(
        "table",
        tag("thead", tag("tr", *(tag("th", text, scope="col") for text in heads))),
        tag("tbody", *body),
        cls="evidence",
    )


def _piece(piece: Evidence) -> element:
    return tag(
        "tr",
        tag("th", piece.kind, scope="row"),
        tag("td", shows(piece)),
        tag("td", *prose(piece.detail)),
        tag("td", _time(piece.seconds), cls="time"),
        cls=f"e-{piece.status}",
    )


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{max(1, round(1000 * seconds))} ms"


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
        return [node for derivation in row.claim.derivations for node in _derivation(row.claim, derivation)]


def _derivation(claim: Claim, derivation: mt.Derivation) -> Iterator[nodes.Node]:
    top = tree(derivation.outline())
    spoken = claim.speaks_of(derivation.statement)
    side, truth = spoken if spoken else ("", None)
    of = {"published": "the statement of the paper", "ours": "our statement"}.get(side, "another statement")
    verb = "Refutation" if truth is False else "Derivation"
    steps = len(derivation.steps)
    size = f"{steps} step{'s' if steps != 1 else ''}" if steps else derivation.rule_name
    summary = tag("summary", tag("b", f"{verb} of {of}"), tag("span", size, cls="size"))
    yield tag("details", summary, *_branch(top), cls="derivation", open="open")


def _branch(branch: Branch) -> Iterator[nodes.Node]:
    """A branch as nested lists: what is proved and by which rule, then what that rests on."""
    if branch.is_chain:
        yield from (tag("div", *_branch(premise), cls="premise") for premise in branch.premises)
        yield _chain(branch)
        return
    if branch.rule == "conjunction":
        yield tag("ol", *(_member(premise) for premise in branch.premises), cls="members")
        return
    yield _line(display(latex(branch.statement)), branch.rule, branch.lemma, branch.note)
    if branch.premises:
        yield tag("ul", *(tag("li", *_branch(premise)) for premise in branch.premises), cls="premises")


def _member(branch: Branch) -> element:
    return tag("li", *_branch(branch))


def _chain(branch: Branch) -> element:
    given = [tag("p", *prose(branch.note), cls="given")] if branch.note else []
    return tag("div", *given, *(_line(display(row.tex), row.rule, row.lemma) for row in chain_rows(branch)), cls="chain")


def _line(formula: nodes.Node, rule: str, lemma: str, note: str = "") -> element:
    why: list[nodes.Node | str] = [rule]
    if note:
        why += [" ", *prose(note)]
    if lemma:
        why += [tag("span", *prose(lemma), cls="lemma")]
    return tag("div", tag("div", formula, cls="formula"), tag("div", *why, cls="why"), cls="step")


class ClaimRole(SphinxRole):
    """A link to a claim by its id."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        if find(self.env, self.text, self.get_location()) is None:
            return [nodes.literal(self.text, self.text)], []
        return [ClaimLink(self.text, self.text)], []


def _boxes(env: BuildEnvironment) -> dict[str, str]:
    if not hasattr(env, "mope_boxes"):
        env.mope_boxes = {}
    return env.mope_boxes


def purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    env.mope_boxes = {id: page for id, page in _boxes(env).items() if page != docname}


def setup(app: Sphinx) -> None:
    app.add_directive("claim", ClaimBox)
    app.add_directive("derivation", DerivationSteps)
    app.add_role("claim", ClaimRole())
    app.connect("env-purge-doc", purge)
