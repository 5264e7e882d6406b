"""Building blocks of a page: any HTML element as a node, formulas, badges, links to claims."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxTranslator

from mope_impl.book.typeset import scripts


class element(nodes.General, nodes.Element):
    """An HTML element by its name; a builder of another format shows its content alone."""


def tag(name: str, /, *content: nodes.Node | str, cls: str = "", **attributes: str) -> element:
    """An element with text or nodes in it; ``data_topic="x"`` is written ``data-topic="x"``."""
    ids = [attributes.pop("id")] if "id" in attributes else []
    node = element("", tag=name, attributes={key.rstrip("_").replace("_", "-"): v for key, v in attributes.items()})
    node["classes"], node["ids"] = cls.split(), ids
    node += [nodes.Text(item) if isinstance(item, str) else item for item in content]
    return node


def prose(text: str) -> list[nodes.Node | str]:
    """Plain text with its powers and indices, in which what stands in backticks is code."""
    out: list[nodes.Node | str] = []
    for number, part in enumerate(text.split("`")):
        if number % 2:
            out.append(tag("code", part))
        else:
            out += [tag(kind, piece) if kind else piece for piece, kind in scripts(part)]
    return out


def inline(tex: str) -> nodes.math:
    """A formula in a line of text."""
    return nodes.math(tex, tex)


def display(tex: str) -> nodes.math_block:
    """A formula on a line of its own."""
    return nodes.math_block(tex, tex, nowrap=False, number=None, label=None)


def formulas(items: Iterable[str | nodes.Node], start: int = 1) -> nodes.Node:
    """One displayed formula, or a list of several, numbered from ``start``; a node stands as it is."""
    shown = [display(item) if isinstance(item, str) else item for item in items]
    if len(shown) == 1 and start == 1:
        return shown[0]
    first = {} if start == 1 else {"start": str(start)}
    return tag("ol", *(tag("li", formula) for formula in shown), cls="members", **first)


def sentence(*items: nodes.Node | str, between: str = ", ") -> list[nodes.Node | str]:
    """Items of a line with commas between them."""
    out: list[nodes.Node | str] = []
    for item in items:
        out += [between, item]
    return out[1:]


def listing(text: str, anchor: str, language: str = "python") -> nodes.literal_block:
    """Code with line numbers; line n has the anchor ``anchor-n``."""
    node = nodes.literal_block(text, text, language=language, linenos=True, force=False)
    node["highlight_args"] = {"lineanchors": anchor}
    return node


def badge(verdict: str, glyph: str) -> element:
    """A verdict in its colour, with its glyph."""
    return tag("span", tag("span", glyph, aria_hidden="true"), f" {verdict}", cls=f"verdict v-{verdict}")


def _visit(self: SphinxTranslator, node: element) -> None:
    self.body.append(self.starttag(node, node["tag"], "", **node["attributes"]))


def _depart(self: SphinxTranslator, node: element) -> None:
    self.body.append(f"</{node['tag']}>")


def _nothing(self: Any, node: element) -> None:
    pass


def setup(app: Sphinx) -> None:
    other = dict.fromkeys(("latex", "text", "man", "texinfo"), (_nothing, _nothing))
    app.add_node(element, html=(_visit, _depart), **other)
