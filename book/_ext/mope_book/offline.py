"""Nothing from the network: MathJax and plotly.js are copied from their packages, and what names a CDN is dropped."""
from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

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


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", copy_assets)
    app.connect("html-page-context", choose_scripts, priority=990)
