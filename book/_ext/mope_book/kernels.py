"""A kernel on a page: ``{kernel-spec} name`` sets its specification, ``{kernel-source} name`` the files that it is in."""
from __future__ import annotations

from importlib import import_module

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import mope_theory as mt
from mope_impl.book.sources import kernel_files, source
from mope_impl.book.typeset import expression, numbers, plain
from mope_theory.spec import KernelSpec
from mope_theory.statement import Equal

from .elements import element, formulas, inline, prose, tag
from .ledger import ClaimLink
from .topics import folded

log = logging.getLogger(__name__)


class Specification(SphinxDirective):
    """Inputs, channels, numerical form and accuracy of a kernel."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        try:
            spec = mt.spec(self.arguments[0])
        except KeyError as unknown:
            log.warning("%s", unknown, location=self.get_location(), type="mope", subtype="kernel")
            return []
        return [_specification(spec)]


def _specification(spec: KernelSpec) -> element:
    heads = ("Input", "Symbol", "Axes", "Range", "Meaning")
    table = tag(
        "table",
        tag("thead", tag("tr", *(tag("th", text, scope="col") for text in heads))),
        tag("tbody", *(_input(x) for x in spec.inputs)),
        cls="inputs",
    )
    parts: list[nodes.Node] = [
        tag("p", tag("code", spec.name), f" — {spec.title}. Its claim is ", ClaimLink(spec.claim, spec.claim), "."),
        tag("div", table, cls="scroll", tabindex="0"),
        tag("p", "The channels, and the axes of the result ", tag("code", spec.output), ":"),
        formulas(numbers(expression(channel)) for channel in spec.channels),
    ]
    form = spec.numerical
    if form is not None:
        parts.append(tag("p", "They are computed as"))
        parts.append(formulas(numbers(expression(channel)) for channel in form.channels))
        parts.append(tag("p", "with"))
        parts.append(formulas(numbers(Equal(symbol, value).latex()) for symbol, value in form.bindings.items()))
        if form.guard is not None:
            edge = rf"\left|{expression(form.guard.variable)}\right| > {form.guard.threshold}"
            parts.append(
                tag("p", "and where ", inline(edge), " values and gradients are set to 0, which lies below the smallest number.")
            )
    if spec.accuracy:
        bound = tag("span", *prose(plain(spec.accuracy)), cls="accuracy")
        parts.append(tag("p", "To first order a channel is off, before it is rounded, by at most ", bound, "."))
    return tag("section", *parts, cls="kernel-spec")


def _input(x: object) -> element:
    default = "" if x.default is None else f" (default {x.default})"
    symbols = inline(", ".join(map(expression, x.symbols)))
    cells = (tag("td", symbols), tag("td", tag("code", x.axes)), tag("td", inline(numbers(expression(x.domain)))))
    return tag("tr", tag("th", tag("code", x.name), scope="row"), *cells, tag("td", *prose(plain(x.doc + default))))


class KernelSource(SphinxDirective):
    """The generated file of a kernel for each backend, as it is committed, and the module of its specification."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        files = kernel_files(name)
        if not files:
            log.warning("no generated file of the kernel %r", name, location=self.get_location(), type="mope", subtype="kernel")
            return []
        section = nodes.section(ids=["source"], names=["source"], classes=["sources"])
        section += nodes.title("", "Source")
        told = "The specification, and the files generated from it as they are committed, which need torch, or torch and Triton."
        section += tag("p", told)
        section += [folded(file) for file in (source(import_module(f"mope_theory.specs.{name}")), *files)]
        return [section]


def setup(app: Sphinx) -> None:
    app.add_directive("kernel-spec", Specification)
    app.add_directive("kernel-source", KernelSource)
