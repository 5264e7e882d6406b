"""The book in headless Chromium: it runs without an error and without a network, on a desk and on a phone."""
from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import mope_theory as mt
from mope_impl.cli.tools import chromium as chromium_program

from .browser import DESKTOP, PHONE, chromium, served, visit
from .conftest import Book

pytestmark = pytest.mark.requires("jupyter-book", "pygraphviz", "node", "chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    pytest.importorskip("playwright.sync_api", reason="needs playwright (pip: mope[dev])")
    with chromium(chromium_program()) as running:
        yield running


@pytest.fixture(scope="module")
def site(real_book: Book) -> Iterator[str]:
    with served(real_book.pages) as address:
        yield address


@pytest.fixture
def page(browser) -> Iterator[object]:
    context = browser.new_context(viewport=DESKTOP)
    yield context.new_page()
    context.close()


def test_no_page_has_a_fault(real_book: Book, site: str, page):
    names = sorted(str(path.relative_to(real_book.pages)) for path in real_book.pages.rglob("*.html"))
    assert {"index.html", "search.html", "genindex.html", "kernels-and-limit.html"} <= set(names)
    visits = {name: visit(page, f"{site}/{name}", site, sizes=(DESKTOP, PHONE), unfold=True) for name in names}
    assert {name: seen.faults for name, seen in visits.items() if seen.faults} == {}
    assert visits["index.html"].formulas > len(mt.claims())
    assert visits["topics/limit.html"].formulas > 50


def test_a_search_finds_a_page(site: str, page):
    seen = visit(page, f"{site}/search.html?q=carrier", site)
    page.wait_for_selector("#search-results li a")
    assert any("kernels-and-limit.html" in link.get_attribute("href") for link in page.query_selector_all("#search-results li a"))
    assert seen.faults == {}


def test_the_map_has_a_node_for_each_claim(site: str, page):
    visit(page, f"{site}/index.html", site)
    look = "nodes => nodes.map(n => [n.dataset.id, n.getBoundingClientRect().width > 20])"
    shown = page.eval_on_selector_all(".claim-map .claim", look)
    assert sorted(shown) == sorted([claim.id, True] for claim in mt.claims())


def test_a_node_is_opened_by_the_keyboard(site: str, page):
    visit(page, f"{site}/index.html", site)
    node = page.locator(".claim-map [data-id='limit.sinusoidal'] a")
    node.focus()
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label.startswith("The sinusoidal limit (limit.sinusoidal): corrected")
    page.keyboard.press("Enter")
    page.wait_for_url("**/topics/limit.html#limit.sinusoidal")
    assert page.locator("[id='limit.sinusoidal']").is_visible()


def test_the_map_traces_what_a_claim_rests_on(site: str, page):
    used, user = next((used, claim.id) for claim in mt.claims() for used in claim.uses)
    visit(page, f"{site}/index.html", site)
    page.hover(f".claim-map [data-id='{user}'] a")
    near = page.eval_on_selector_all(".claim-map .claim.near", "nodes => nodes.map(n => n.dataset.id)")
    assert {used, user} <= set(near)
    assert len(near) < len(mt.claims())


def test_the_filter_shows_the_rows_of_a_topic(site: str, page):
    visit(page, f"{site}/index.html", site)
    page.select_option(".ledger-filter [name=topic]", "limit")
    visible = page.eval_on_selector_all("table.ledger tbody tr", "rows => rows.filter(r => r.offsetHeight).map(r => r.id)")
    assert visible == [f"row-{claim.id}" for claim in mt.claims() if claim.topic == "limit"]
    assert page.text_content(".ledger-filter output") == f"{len(visible)} of {len(mt.claims())} claims"
    page.select_option(".ledger-filter [name=verdict]", "corrected")
    assert page.locator("[id='row-limit.sinusoidal']").is_visible()


def test_statements_stand_beside_each_other_on_a_desk_and_below_on_a_phone(site: str, page):
    where = "nodes => nodes.map(n => n.getBoundingClientRect()).map(r => [r.left, r.top])"
    places = {}
    for name, size in (("desk", DESKTOP), ("phone", PHONE)):
        page.set_viewport_size(size)
        visit(page, f"{site}/topics/limit.html", site)
        places[name] = page.eval_on_selector_all("[id='limit.sinusoidal'] .statement", where)
    (first, second), (above, below) = places["desk"], places["phone"]
    assert first[1] == second[1]
    assert first[0] < second[0]
    assert above[0] == below[0]
    assert above[1] < below[1]


def test_a_link_into_the_source_opens_it(site: str, page):
    visit(page, f"{site}/topics/alias.html", site)
    listing = page.locator("details.source")
    assert not listing.evaluate("node => node.open")
    page.locator("[id='alias.nyquist'] dl.notes a", has_text="mope_theory/claims/alias.py").click()
    page.wait_for_function("document.querySelector('details.source').open")
    top = "document.getElementById(decodeURIComponent(location.hash.slice(1))).getBoundingClientRect().top"
    page.wait_for_function(f"0 <= {top} && {top} < innerHeight")  # the page may scroll smoothly


MOVING = """() => {
  const plot = document.querySelector('.book-plot .js-plotly-plot');
  return plot._fullData.filter((t) => t.name !== undefined && t.visible).map((t) => ({name: t.name, y: Array.from(t.y)}));
}"""


def test_the_slider_moves_the_curves_towards_the_limit(site: str, page):
    visit(page, f"{site}/kernels-and-limit.html", site)
    plot = page.locator(".book-plot").first
    plot.scroll_into_view_if_needed()
    page.wait_for_selector(".book-plot .slider-rail-touch-rect")

    def gaps() -> list[float]:
        """How far each channel of the encoding is from the channel of the table that it tends to."""
        curves = page.evaluate(MOVING)
        encodings = [c["y"] for c in curves if c["name"] == "encoding"]
        tables = [c["y"] for c in curves if c["name"] == "table, other channel"]
        return [max(abs(x - y) for x, y in zip(*pair, strict=True)) for pair in zip(encodings, tables, strict=True)]

    def slide(share: float) -> None:
        rail = page.locator(".book-plot .slider-rail-touch-rect").bounding_box()
        page.mouse.click(rail["x"] + share * rail["width"], rail["y"] + rail["height"] / 2)

    before = gaps()
    slide(0.999)
    page.wait_for_function("document.querySelector('.book-plot .js-plotly-plot').layout.sliders[0].active === 7")
    page.wait_for_timeout(300)
    wide = gaps()
    assert len(before) == len(wide) == 2
    # At σ = 512 the distance is at most 96²/(2·512²) < 0.018 up to position 96; at σ = 16 it is nearly 1.
    assert max(wide) < 0.018
    assert min(before) > 0.9
    slide(0.001)
    page.wait_for_function("document.querySelector('.book-plot .js-plotly-plot').layout.sliders[0].active === 0")
    page.wait_for_timeout(300)
    assert min(gaps()) > 0.9


def test_the_drawings_follow_the_dark_theme(browser, site: str):
    inks = []
    for scheme in ("light", "dark"):
        context = browser.new_context(viewport=DESKTOP, color_scheme=scheme)
        page = context.new_page()
        assert visit(page, f"{site}/kernels-and-limit.html", site).faults == {}
        inks.append(
            page.evaluate("""() => [
                getComputedStyle(document.body).color,
                getComputedStyle(document.querySelector('.book-drawing svg text')).fill,
                document.querySelector('.book-plot .js-plotly-plot').layout.font.color,
            ]""")
        )
        context.close()
    (light, drawn, plotted), (dark, drawn_dark, plotted_dark) = inks
    assert light == drawn
    assert dark == drawn_dark
    assert len({light, dark}) == len({plotted, plotted_dark}) == 2


def test_it_opens_from_a_folder(real_book: Book, page):
    """Without a server: formulas, map and ledger work, as does the plot."""
    for name, selector in (("index", ".claim-map .claim"), ("kernels-and-limit", ".book-plot .slider-rail-touch-rect")):
        address = (real_book.pages / f"{name}.html").as_uri()
        seen = visit(page, address, real_book.pages.as_uri())
        assert seen.faults == {}
        assert seen.formulas > 20
        assert page.locator(selector).count() > 0


# --- planted faults ------------------------------------------------------------------------------------------------------

PLANTED = {
    "away": '<script src="https://cdn.example.org/script.js"></script>',
    "away-image": '<img src="http://198.51.100.7/pixel.png">',
    "away-style": '<link rel="stylesheet" href="https://fonts.example.org/css?family=Serif">',
    "away-fetch": "<script>fetch('https://example.org/count').catch(() => {})</script>",
    "missing": '<img src="_static/nothing.png">',
    "console": "<script>console.error('beware')</script>",
    "console-uncaught": "<script>setTimeout(() => { throw new Error('beware'); })</script>",
    "bad_formulas": r'<span class="math">\(\frac{1}\)</span>',
    "bad_formulas-macro": r'<span class="math">\(\left( x\)</span>',
    "bad_formulas-lines": r'<div class="math">\[\begin{aligned} a &= b \\ c &= \left( d \end{aligned}\]</div>',
    "unset_formulas": '<span class="math">x^2</span>',
    "unset_formulas-brace": r'<span class="math">\(\frac{1\)</span>',
    "cut": '<div style="width: 100px; overflow-x: auto"><div style="width: 300px">wide</div></div>',
    "overflow": '<div style="width: 2000px">wide</div>',
    "overflow-folded": '<details><summary>more</summary><div style="width: 2000px">wide</div></details>',
    "overflow-formula": r'<p style="white-space: nowrap"><span class="math">\(' + "x + " * 200 + r"x\)</span></p>",
}


@pytest.fixture(scope="module")
def planted(real_book: Book, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site of one page for each fault, with the MathJax of the book."""
    folder: Path = tmp_path_factory.mktemp("planted")
    shutil.copytree(real_book.pages / "_static", folder / "_static")
    head = '<!doctype html><link rel="icon" href="data:,"><script defer src="_static/mathjax/tex-svg-full.js"></script>'
    for name, fault in {**PLANTED, "sound": r'<span class="math">\(x\)</span>'}.items():
        (folder / f"{name}.html").write_text(f"{head}<article><p>Text.</p>{fault}</article>", encoding="utf-8")
    with served(folder) as address:
        yield address


def test_what_scrolls_fades_at_the_edge_where_more_of_it_is(site: str, page):
    page.set_viewport_size(PHONE)
    visit(page, f"{site}/index.html", site)
    classes = "nodes => nodes.map(n => [...n.classList].filter(c => c.startsWith('cut')))"
    node = page.locator(".claim-map")
    assert page.eval_on_selector_all(".claim-map", classes) == [["cut-right"]]
    node.evaluate("node => { node.scrollLeft = 40 }")
    page.wait_for_function("document.querySelector('.claim-map').classList.contains('cut-left')")
    node.evaluate("node => { node.scrollLeft = node.scrollWidth }")
    page.wait_for_function("!document.querySelector('.claim-map').classList.contains('cut-right')")
    assert page.eval_on_selector_all(".claim-map", classes) == [["cut-left"]]


def test_panels_stand_below_each_other_on_a_phone(site: str, page):
    tops = {}
    for name, size in (("desk", DESKTOP), ("phone", PHONE)):
        page.set_viewport_size(size)
        visit(page, f"{site}/kernels-and-limit.html", site)
        boxes = page.eval_on_selector_all(
            ".book-drawing > svg", "nodes => nodes.map(n => n.getBoundingClientRect()).map(r => [r.top, r.width])"
        )
        assert len(boxes) == 2
        tops[name] = boxes
    assert tops["desk"][0][0] == tops["desk"][1][0]
    assert tops["phone"][0][0] < tops["phone"][1][0]
    assert min(width for _, width in tops["phone"]) > 250


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_seen(planted: str, page, name: str):
    page.set_viewport_size(PHONE)
    seen = visit(page, f"{planted}/{name}.html", planted, unfold=True)
    assert name.partition("-")[0] in seen.faults


def test_a_sound_page_has_no_fault(planted: str, page):
    page.set_viewport_size(PHONE)
    seen = visit(page, f"{planted}/sound.html", planted)
    assert seen.faults == {}
    assert seen.formulas == 1
