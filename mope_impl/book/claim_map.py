"""The map of the claims: one node a claim, coloured by its verdict and framed by its formal proof, arrows to what rests on it."""
from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter

from mope_impl.ledger import Row

from .formal import STATES, state
from .verdicts import GLYPHS, short, topics

SVG = "http://www.w3.org/2000/svg"
XLINK = "{http://www.w3.org/1999/xlink}"

FONT = "Helvetica"
"""Its widths are those that Graphviz lays the labels out with; the page names fonts of the same widths."""


SCALE = 1.2
"""Pixels of the page to one point of the drawing, at most; on a narrow page the drawing shrinks, then scrolls."""


def faults(rows: Sequence[Row]) -> Iterator[str]:
    """What makes the uses of the claims no map: an id that is not registered, or claims that rest on each other."""
    known = {row.claim.id for row in rows}
    for row in rows:
        for used in row.claim.uses:
            if used not in known:
                yield f"claim {row.claim.id} uses {used}, which is not registered"
    try:
        TopologicalSorter({row.claim.id: row.claim.uses for row in rows}).prepare()
    except CycleError as cycle:
        yield f"claims rest on each other: {' on '.join(reversed(cycle.args[1]))}"


def draw(rows: Sequence[Row], href: Callable[[str], str]) -> str:
    """The map as an SVG element to stand in a page; ``href`` gives the address that a node leads to.

    Colours are left to the page: a node carries the classes ``claim``, ``v-<verdict>`` and, where a formal proof is asked for,
    ``f-<state>``; an edge carries ``edge``.
    """
    import pygraphviz  # here, since only this needs it

    # Topics that no arrow joins to the others are set beside them in a row, so that the drawing stays about square.
    graph = pygraphviz.AGraph(
        directed=True, rankdir="LR", nodesep=0.12, ranksep=0.42, bgcolor="transparent", pack=8, packmode="array_i2"
    )
    graph.node_attr.update(
        shape="box", style="rounded,filled", fontname=FONT, fontsize=11, height=0.3, margin="0.09,0.04", width=0.5
    )
    graph.edge_attr.update(arrowsize=0.6)
    for row in rows:
        label = f"{GLYPHS[row.verdict]} {short(row.claim)}"
        graph.add_node(row.claim.id, label=label, URL=href(row.claim.id), **{"class": _classes(row)})
    for row in rows:
        graph.add_edges_from((used, row.claim.id) for used in row.claim.uses)
    for topic in topics(rows):
        inside = [row.claim.id for row in rows if row.claim.topic == topic]
        graph.add_subgraph(inside, name=f"cluster_{topic}", label=topic, style="rounded", fontname=FONT, fontsize=10)
    return _tidy(graph.draw(format="svg", prog="dot").decode(), {row.claim.id: row for row in rows})


def _classes(row: Row) -> str:
    own = state(row)
    return f"claim v-{row.verdict}" + (f" f-{own}" if own else "")


def _said(row: Row) -> str:
    """The verdict, and how the claim stands with the formal proofs, in words."""
    own = state(row)
    return f"{row.verdict}, {STATES[own]}" if own in ("full", "part", "broken") else row.verdict


def _tidy(svg: str, rows: dict[str, Row]) -> str:
    """Make Graphviz's drawing part of a page: a name for each link, no sizes and addresses of its own kind."""
    ET.register_namespace("", SVG)
    root = ET.fromstring(svg)
    root.attrib.pop("height", None)
    root.attrib.pop("width", None)
    width = float(root.get("viewBox", "0 0 0 0").split()[2])
    root.set("style", f"max-width: {round(SCALE * width)}px")
    root.set("role", "group")
    root.set("aria-label", f"Map of {len(rows)} claims, grouped by topic; arrows lead to the claims that rest on a claim")
    _edges_first(root)
    for group in root.iter(f"{{{SVG}}}g"):
        title = group.find(f"{{{SVG}}}title")
        if title is None:
            continue
        row = rows.get(title.text or "")
        if row is None:
            if group.get("class") == "edge":
                source, _, target = (title.text or "").partition("->")
                group.set("data-from", source)
                group.set("data-to", target)
            group.remove(title)
            continue
        group.set("data-id", row.claim.id)
        title.text = f"{row.claim.id} — {row.claim.title}: {_said(row)}"
        for link in group.iter(f"{{{SVG}}}a"):
            link.set("href", link.attrib.pop(f"{XLINK}href"))
            link.attrib.pop(f"{XLINK}title", None)
            link.set("aria-label", f"{row.claim.title} ({row.claim.id}): {_said(row)}")
    return ET.tostring(root, encoding="unicode")


def _edges_first(root: ET.Element) -> None:
    """Draw the arrows below the nodes."""
    (graph,) = (g for g in root if g.get("class") == "graph")
    for node in [g for g in graph if "claim" in g.get("class", "").split()]:
        graph.remove(node)
        graph.append(node)
