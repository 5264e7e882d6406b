"""The Sphinx extension of the book: directives over live objects, assets from the machine, a check of every formula."""
from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

from . import (
    anchors,
    bibliography,
    claims,
    elements,
    experiments,
    formal,
    hypotheses,
    kernel_sockets,
    kernels,
    ledger,
    method,
    mutants,
    offline,
    pictures,
    speed,
    texlint,
    topics,
    trusted,
)


def setup(app: Sphinx) -> dict[str, Any]:
    parts = (
        bibliography, elements, claims, topics, pictures, ledger, formal, experiments, speed, method, mutants, trusted,
        hypotheses, kernels, kernel_sockets, offline, anchors, texlint,
    )  # fmt: skip
    for part in parts:
        part.setup(app)
    app.add_css_file("book.css")
    app.add_js_file("book.js", loading_method="defer")
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": False}
