"""A site in headless Chromium: served from this machine, every page looked at, everything that is wrong written down."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ARGUMENTS = (
    "--no-sandbox",  # as root, in a container
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
Size = dict[str, int]
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1360, "height": 900}


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which a folder is served on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def chromium(program: str) -> Iterator[Browser]:
    """A headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visit:
    """What a page did."""

    formulas: int = 0
    console: list[str] = field(default_factory=list)
    """Errors and warnings on the console, and exceptions that no script caught."""
    away: list[str] = field(default_factory=list)
    """Requests to anything but the site itself."""
    missing: list[str] = field(default_factory=list)
    """Requests that failed."""
    bad_formulas: list[str] = field(default_factory=list)
    unset_formulas: list[str] = field(default_factory=list)
    """TeX that stayed text."""
    overflow: list[str] = field(default_factory=list)
    """What reaches over the right edge, and cannot be scrolled to by itself."""
    cut: list[str] = field(default_factory=list)
    """What can be scrolled sideways and does not show it."""

    @property
    def faults(self) -> dict[str, list[str]]:
        """All that is wrong, by kind."""
        kinds = {name: value for name, value in vars(self).items() if isinstance(value, list)}
        return {name: found for name, found in kinds.items() if found}


SETTLED = "() => document.readyState === 'complete' && (!window.MathJax?.startup || MathJax.startup.promise.then(() => true))"

TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

LOOK = """() => {
  const scrolls = (node) => {
    for (let at = node; at && at !== document.body; at = at.parentElement) {
      if (/auto|scroll|hidden/.test(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  };
  const name = (node) => `${node.tagName.toLowerCase()}.${node.className?.baseVal ?? node.className}`;
  const texts = (nodes) => [...nodes].map((node) => node.textContent);
  const wide = [];
  if (document.documentElement.scrollWidth > innerWidth) {
    wide.push(`the page is ${document.documentElement.scrollWidth} wide`);
  }
  for (const node of document.querySelectorAll('article *')) {
    const box = node.getBoundingClientRect();
    if (box.width && box.right > innerWidth + 1 && !scrolls(node)) wide.push(name(node));
  }
  const cut = [];
  for (const node of document.querySelectorAll('article *')) {
    const style = getComputedStyle(node);
    const hides = node.checkVisibility() && node.clientWidth && node.scrollWidth > node.clientWidth + 1;
    if (hides && /auto|scroll/.test(style.overflowX) && style.maskImage === 'none') cut.push(name(node));
  }
  const article = document.querySelector('article') ?? document.body;
  return {
    formulas: document.querySelectorAll('mjx-container').length,
    bad: texts(document.querySelectorAll('[data-mml-node=merror], mjx-merror')),
    unset: texts([...article.querySelectorAll('.math')].filter((node) => !node.querySelector('mjx-container'))),
    wide,
    cut,
  };
}"""


UNFOLD = "document.querySelectorAll('details').forEach((details) => { details.open = true; })"


PATIENCE = 12
"""How often a page is looked at before what does not fit counts as a fault."""


def visit(page: Page, address: str, site: str, sizes: Sequence[Size] = (), unfold: bool = False) -> Visit:
    """Open a page, and all that is folded on it if asked to, and wait until its formulas are set.

    ``site`` is the address that requests may go to; ``sizes`` are the windows to look at it in, the one it has by default.
    """
    seen = Visit()

    def asked(request: Any) -> None:
        if not request.url.startswith((site, "data:", "blob:")):
            seen.away.append(request.url)

    def answered(response: Any) -> None:
        if response.status >= 400:
            seen.missing.append(f"{response.status} {response.url}")

    def said(message: Any) -> None:
        if message.type in ("error", "warning"):
            seen.console.append(message.text)

    listeners = {
        "request": asked,
        "response": answered,
        "console": said,
        "pageerror": lambda error: seen.console.append(str(error)),
        "requestfailed": lambda request: seen.missing.append(f"failed {request.url}"),
    }
    for event, listener in listeners.items():
        page.on(event, listener)  # type: ignore[call-overload]
    try:
        page.goto(address, wait_until="load")
        page.wait_for_function(SETTLED)
        page.wait_for_load_state("networkidle")
        if unfold:
            page.evaluate(UNFOLD)
        looks = [_look(page, size) for size in sizes or (page.viewport_size,)]
    finally:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
    seen.formulas = looks[0]["formulas"]
    seen.bad_formulas, seen.unset_formulas = looks[0]["bad"], looks[0]["unset"]
    seen.overflow, seen.cut = ([fault for look in looks for fault in look[kind]] for kind in ("wide", "cut"))
    return seen


def _look(page: Page, size: Size | None) -> dict[str, Any]:
    if size is not None and size != page.viewport_size:
        page.set_viewport_size(size)
    for _ in range(PATIENCE):
        page.evaluate(TWO_FRAMES)  # observers of sizes have been told
        found: dict[str, Any] = page.evaluate(LOOK)
        if not (found["wide"] or found["cut"]):
            break
        page.wait_for_timeout(250)  # a plot takes its new size a little later, and later still on a busy machine
    return found
