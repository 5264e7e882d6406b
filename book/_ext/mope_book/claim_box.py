"""All that is known of a claim, in one box: statements, verdict, what is missing, reasons, evidence, links, derivations."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from docutils import nodes
from sphinx.environment import BuildEnvironment

import mope_theory as mt
from mope_impl.book.extent import extent
from mope_impl.book.notation import definitions
from mope_impl.book.sources import stated
from mope_impl.book.trust import anchor, axioms
from mope_impl.book.typeset import BESIDE_ROOM, BOX_ROOM, box, latex, members, plain
from mope_impl.book.verdicts import GLYPHS, MEASURED, SIDES, shows, standing
from mope_impl.ledger import Evidence, Row

from .derivations import derivation_steps
from .elements import badge, element, formulas, inline, prose, sentence, tag
from .formal import status
from .ledger import ClaimLink, rows, scopes

Entry = tuple[str, list[nodes.Node | str]]


def claim_section(env: BuildEnvironment, row: Row, inside: Sequence[nodes.Node], steps: bool) -> nodes.section:
    """A section of the page, so that contents and search find the claim by its title; its anchor is the id.

    inside: what the page adds, a picture or a remark; steps: with the derivations.
    """
    claim = row.claim
    section = nodes.section(ids=[claim.id], names=[claim.id], classes=["claim-box", f"v-{row.verdict}"])
    section += nodes.title("", claim.title)
    section += _head(row)
    section += scopes(row)
    section += statements(row)
    section += _measured(row)
    section += _ranges(row)
    section += _notes(env, row)
    section += list(inside)
    section += _evidence(row)
    if steps:
        section += [derivation_steps(claim, derivation) for derivation in claim.derivations]
    return section


def _head(row: Row) -> element:
    """The id, how it stands with the formal proofs, what is asked for in vain, the verdict."""
    parts: list[nodes.Node] = [tag("a", row.claim.id, href=f"#{row.claim.id}", cls="id", title="Link to this claim")]
    parts += status(row)
    if row.missing:
        parts.append(tag("span", f"missing: {', '.join(row.missing)}", cls="missing"))
    return tag("p", *parts, badge(row.verdict, GLYPHS[row.verdict]), cls="claim-head")


def statements(row: Row) -> element:
    """The statements, beside each other where both are narrow enough, each with what is known of it."""
    parts = {side: members(statement) for side, statement in row.claim.statements.items()}
    narrow = all(extent(latex(x, BESIDE_ROOM)) <= BESIDE_ROOM for part in parts.values() for x in part)
    beside = len(parts) == 2 and narrow
    room = BESIDE_ROOM if beside else BOX_ROOM
    shown = []
    for side, part in parts.items():
        known = standing(row, side)
        mark = tag("span", known, cls=f"standing s-{known.split()[0]}")
        label = f"{SIDES[side][0].upper()}{SIDES[side][1:]} "
        body = formulas(latex(x, room) for x in part)
        shown.append(tag("div", tag("p", label, mark, cls="side-label"), body, cls=f"statement s-{known.split()[0]}"))
    if not shown:
        shown = [tag("p", "No statement yet.", cls="none")]
    return tag("div", *shown, cls="statements beside" if beside else "statements")


def _measured(row: Row) -> list[nodes.Node]:
    """What runs are asked beside the statements."""
    if row.claim.measured is None:
        return []
    body = formulas(latex(x, BOX_ROOM) for x in members(row.claim.measured))
    label = tag("p", f"{MEASURED[0].upper()}{MEASURED[1:]} at the ends of runs", cls="side-label")
    return [tag("div", label, body, cls="statement")]


def _ranges(row: Row) -> list[nodes.Node]:
    """The ranges of the symbols, and what the named functions mean."""
    out: list[nodes.Node] = []
    if row.claim.box:
        out.append(tag("p", "for ", inline(box(row.claim)), cls="ranges"))
    meanings = definitions(row.claim.statements.values())
    if meanings:
        out.append(tag("p", "where ", *sentence(*map(inline, meanings)), cls="ranges"))
    return out


def _notes(env: BuildEnvironment, row: Row) -> element:
    claim = row.claim
    texts = {"In the paper": claim.place if claim.published else "", "Reading": claim.reading, "Why": claim.reason}
    entries: list[Entry] = [(name, prose(text)) for name, text in texts.items() if text]
    users = [other.claim.id for other in rows(env) if claim.id in other.claim.uses]
    kernels = [spec.name for spec in mt.specs() if spec.claim == claim.id]
    entries += _links("Rests on", (ClaimLink(id, id) for id in claim.uses))
    entries += _links("Used by", (ClaimLink(id, id) for id in users))
    entries += _links("Kernels", (KernelLink(name) for name in kernels))
    entries += _links("Axioms", (TrustLink(anchor(axiom), axiom.name) for axiom in axioms(claim)))
    place = stated(claim)
    if place:
        source, line = place
        entries += _links("Stated in", (SourceLink(f"{source.anchor}-{line}", f"{source.path}, line {line}", claim.topic),))
    return tag("dl", *(x for name, text in entries for x in (tag("dt", name), tag("dd", *text))), cls="notes")


def _links(name: str, links: Iterable[nodes.Node]) -> list[Entry]:
    found = sentence(*links)
    return [(name, found)] if found else []


class KernelLink(nodes.Inline, nodes.General, nodes.TextElement):
    """A link to the page of a kernel, resolved when every page is read; without such a page, the name alone."""

    def __init__(self, name: str = "") -> None:
        super().__init__("", name)

    def copy(self) -> KernelLink:
        return KernelLink(self.astext())


class TrustLink(nodes.Inline, nodes.General, nodes.TextElement):
    """A link to what is trusted; in a book without that page, the text alone."""

    def __init__(self, anchor: str = "", text: str = "") -> None:
        super().__init__("", text)
        self["anchor"] = anchor

    def copy(self) -> TrustLink:
        return TrustLink(self["anchor"], self.astext())


class SourceLink(nodes.Inline, nodes.General, nodes.TextElement):
    """A link to a line of the listing of a topic's source; without a listing, the text alone."""

    def __init__(self, anchor: str = "", text: str = "", topic: str = "") -> None:
        super().__init__("", text)
        self["anchor"], self["topic"] = anchor, topic

    def copy(self) -> SourceLink:
        return SourceLink(self["anchor"], self.astext(), self["topic"])


def _evidence(row: Row) -> element:
    body = [_piece(piece) for piece in row.evidence]
    body += [
        tag("tr", tag("th", kind, scope="row"), tag("td", "asked for, not there yet", colspan="3"), cls="e-missing")
        for kind in row.missing
        if kind not in {piece.kind for piece in row.evidence}
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
        tag("th", f"{piece.kind} @{piece.preset}" if piece.preset else piece.kind, scope="row"),
        tag("td", shows(piece)),
        tag("td", *prose(plain(piece.detail))),
        tag("td", _time(piece.seconds), cls="time"),
        cls=f"e-{piece.status}",
    )


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{max(1, round(1000 * seconds))} ms"
