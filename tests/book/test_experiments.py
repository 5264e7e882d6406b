"""The page of the experiments, from planted records: as many as there are, in part, and none."""
from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from mope_impl.book import BookError, figures
from mope_impl.book.pictures.picture import WIDEST
from mope_impl.cli.tools import chromium as chromium_program
from mope_impl.results.record import Record
from mope_impl.results.report import make
from mope_impl.results.report.figures import drawing
from mope_impl.results.report.tables import TABLES
from mope_impl.results.store import load
from tests.mope_impl.results.planted import all_hold, record, write

from .browser import DESKTOP, PHONE, chromium, served, visit
from .conftest import ROOT, Book, SmallBook, reading

PAGE = (ROOT / "book/experiments.md").read_text(encoding="utf-8")
INDEX = "# Index\n\n```{ledger}\n```\n"

builds = pytest.mark.requires("jupyter-book", "pygraphviz", "node")


def built(small_book: SmallBook, results: Path, text: str = PAGE) -> Book:
    """A book of the page and the ledger, whose records are those of a folder."""
    return small_book({"index": INDEX, "experiments": text}, files=reading(results))


def parsed(book: Book) -> BeautifulSoup:
    return BeautifulSoup((book.pages / "experiments.html").read_text(encoding="utf-8"), "html.parser")


def words(node) -> str:
    return " ".join(node.get_text().split())


def verdicts(page: BeautifulSoup) -> dict[tuple[str, str], str]:
    """(claim, scope) → the verdict that the page shows."""
    return {
        (box["data-claim"], mark["data-scope"]): words(mark.select_one(".verdict")).split()[-1]
        for box in page.select(".ruling")
        for mark in box.select(".at")
    }


def test_colours_and_sizes_are_those_of_the_book():
    assert (drawing.BLUE, drawing.ORANGE, drawing.GREEN) == (figures.BLUE, figures.ORANGE, figures.GREEN)
    assert drawing.WIDTH == WIDEST


def part(records: list[Record]) -> list[Record]:
    """Of some models two seeds, of others none."""
    return [one for one in records if one.seed <= 2 and one.label not in ("sinusoidal", "EGA-1, causal")]


@builds
def test_a_part_of_the_runs_gives_a_part_of_the_page(small_book: SmallBook, tmp_path: Path):
    results = tmp_path / "results"
    every = all_hold()
    write(results, every)
    for one in (one for one in every if one not in part(every)):
        (results / "runs" / one.place).unlink()
    book = built(small_book, results)
    page = parsed(book)
    report = make(load(results)["cpu"])
    assert 0 < report.source.records < report.source.planned
    assert verdicts(page) == {
        **{(one.claim, "cpu"): one.verdict for one in report.verdicts},
        **{(one.claim, "paper"): "open" for one in report.verdicts},
    }
    for name in ("losses", "differences", "interactions", "reach", "missing"):
        (table,) = page.select(f"table.t-{name}")
        cells = [[words(cell) for cell in row.select("th, td")] for row in table.select("tbody tr")]
        wanted = TABLES[name](report)
        heads = [[row[0]] if at in wanted.heads else list(row) for at, row in enumerate(wanted.rows)]
        assert cells == [[" ".join(cell.split()) for cell in row] for row in heads], name
    assert "No gated model of preset cpu has been run yet." in words(page)  # nobody measured a leak
    assert "No run of preset paper is there yet" in words(page)
    shown = {figure["id"] for figure in page.select("figure.runs-figure")}
    assert {"fig-cpu-losses", "fig-cpu-differences", "fig-cpu-reach"} <= shown
    assert "fig-cpu-leak" not in shown
    for figure in page.select("figure.runs-figure"):
        assert len(figure.select_one(".book-drawing")["aria-label"]) > 40
        assert "currentColor" in str(figure)
        assert figures.INK not in str(figure)
    seen_in_a_browser(book)


def seen_in_a_browser(book: Book) -> None:
    program = chromium_program()
    if program is None:
        return  # the pages of the whole book are visited by a test of their own, which asks for one
    pytest.importorskip("playwright.sync_api", reason="needs playwright (pip: mope[dev])")
    with served(book.pages) as site, chromium(program) as browser:
        context = browser.new_context(viewport=DESKTOP, color_scheme="dark")
        seen = visit(context.new_page(), f"{site}/experiments.html", site, sizes=(DESKTOP, PHONE), unfold=True)
        assert seen.faults == {}
        context.close()


@builds
def test_without_runs_the_page_says_so(small_book: SmallBook, tmp_path: Path):
    (tmp_path / "results").mkdir()
    page = parsed(built(small_book, tmp_path / "results"))
    assert set(verdicts(page).values()) == {"open"}
    assert len(page.select(".ruling")) == len(make(load(tmp_path / "results")["cpu"]).verdicts)
    assert not page.select("figure.runs-figure, table.t-losses, table.t-differences")
    for said in ("No model on a text of preset cpu has been run yet.", "No run of preset paper is there yet",
                 "No grid of preset paper is declared."):  # fmt: skip
        assert said in words(page)


@builds
def test_an_edited_record_is_told_on_the_page(small_book: SmallBook, tmp_path: Path):
    results = tmp_path / "results"
    first, second = write(results, [record("MoPE", 1, 1.5), record("MoPE", 2, 1.6)])
    first.write_text(second.read_text(encoding="utf-8"), encoding="utf-8")
    page = parsed(built(small_book, results))
    assert "1 of 2 planned" in words(page.select_one("table.t-source"))
    assert "seed-1.json: it is the record of" in words(page.select_one("table.t-source"))


@builds
def test_wrong_names_fail_the_build(small_book: SmallBook, tmp_path: Path):
    (tmp_path / "results").mkdir()
    wrong = "\n\n".join(f"```{{runs}} {directive}\n```" for directive in ("losess", "figure:plain", "losses\n:scope: big"))
    with pytest.raises(BookError) as caught:
        built(small_book, tmp_path / "results", f"# Page\n\n{wrong}\n")
    for fault in ("no table and no figure 'losess' of runs", "no table and no figure 'figure:plain' of runs", '"big" unknown'):
        assert fault in str(caught.value)
