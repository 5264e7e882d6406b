"""Every link with an anchor, within the finished book, must lead to that anchor; one that does not fails the build.

Sphinx checks the references that it resolves; this checks what the pages say in the end, whoever wrote the address.
"""
from __future__ import annotations

import re
from posixpath import dirname, join, normpath
from typing import Any
from urllib.parse import unquote

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

log = logging.getLogger(__name__)

_ID = re.compile(r'\s(?:id|name)="([^"]+)"')
_LINK = re.compile(r'\shref="([^"#:]*)#([^"]+)"')


def collect(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Remember the anchors of a finished page, and the links in it."""
    body = context.get("body", "")
    app.mope_anchors[pagename] = set(_ID.findall(body))
    app.mope_links += [(pagename, target, unquote(anchor)) for target, anchor in _LINK.findall(body)]


def check(app: Sphinx, failure: Exception | None) -> None:
    """Warn of each link to a page or to an anchor that is not there."""
    if failure is not None or app.builder.format != "html":
        return
    for page, target, anchor in sorted(set(app.mope_links)):
        name = normpath(join(dirname(page), target)).removesuffix(".html") if target else page
        if anchor not in app.mope_anchors.get(name, ()):
            log.warning("a link to %s#%s, which is nowhere", target, anchor, location=page, type="mope", subtype="anchor")


def begin(app: Sphinx) -> None:
    app.mope_anchors, app.mope_links = {}, []


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", begin)
    app.connect("html-page-context", collect, priority=995)
    app.connect("build-finished", check)
