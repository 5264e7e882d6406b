"""Nothing from the network: MathJax and plotly.js are copied from their packages, and what names a CDN is dropped."""
from __future__ import annotations

import base64
import importlib.util
import re
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

log = logging.getLogger(__name__)

PLOT = 'class="book-plot"'


def package(name: str) -> Path:
    """The folder of an installed package. Raises ModuleNotFoundError if there is none."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{name} is not installed", name=name)
    return Path(spec.submodule_search_locations[0])


def mathjax() -> Path:
    """The folder of MathJax in its package."""
    return package("sphinx-mathjax-offline") / "static" / "mathjax"


def copy_assets(app: Sphinx) -> None:
    """Put the scripts that the pages load beside them."""
    if app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    (static / "mathjax").mkdir(parents=True, exist_ok=True)
    shutil.copy(mathjax() / "tex-svg-full.js", static / "mathjax")
    for part in ("a11y", "sre"):  # loaded when a reader asks the menu of a formula for speech
        shutil.copytree(mathjax() / part, static / "mathjax" / part, dirs_exist_ok=True)
    shutil.copy(package("plotly") / "package_data" / "plotly.min.js", static)


def choose_scripts(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Load plotly.js on the pages that plot, and nowhere what Jupyter Book adds for running cells on a server.

    That script is put in twice, which is an error in the page, and names a CDN; the setting that turns its button off
    does not turn it off.
    """
    if doctree is not None and any(PLOT in raw.astext() for raw in doctree.findall(nodes.raw)):
        app.add_js_file("plotly.min.js", priority=100)
    context["script_files"] = [script for script in context.get("script_files", ()) if not _of_thebe(script)]


def _of_thebe(script: Any) -> bool:
    body = getattr(script, "attributes", {}).get("body") or ""
    return "THEBE_JS_URL" in body or "sphinx-thebe" in str(getattr(script, "filename", "") or "")


def finish(app: Sphinx, failure: Exception | None) -> None:
    """Make the pages work from a folder too, and remove what the themes leave behind.

    A browser loads no font from a file: the icons go into their style sheet, and no page asks for them beforehand.
    """
    if failure is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    for template in (out / "_static").glob("*webpack-macros.html"):
        template.unlink()
    sheets = list((out / "_static" / "vendor" / "fontawesome").glob("*/css/all.min.css"))
    if len(sheets) != 1:
        log.warning("the theme has %d style sheets of icons, not one", len(sheets), type="mope", subtype="offline")
    for sheet in sheets:
        sheet.write_text(_with_fonts(sheet), encoding="utf-8")
        shutil.rmtree(sheet.parents[1] / "webfonts")
    for page in out.glob("**/*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(re.sub(r'<link rel="preload" as="font"[^>]*>\n?', "", text), encoding="utf-8")


def _with_fonts(sheet: Path) -> str:
    """The style sheet with the fonts that it names in it; those of its earlier versions are left out."""

    def face(rule: re.Match[str]) -> str:
        if 'font-family:"Font Awesome 6' not in rule[0]:
            return ""
        font = (sheet.parent / re.search(r"url\(([^)]*\.woff2)\)", rule[0])[1]).read_bytes()
        source = f'src:url(data:font/woff2;base64,{base64.b64encode(font).decode()}) format("woff2")'
        return re.sub(r"src:url[^;}]*", lambda _: source, rule[0])

    return re.sub(r"@font-face\{[^}]*\}", face, sheet.read_text(encoding="utf-8"))


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", copy_assets)
    app.connect("build-finished", finish)
    app.connect("html-page-context", choose_scripts, priority=990)
