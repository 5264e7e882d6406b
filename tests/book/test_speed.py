"""The page of speed: ratios from the rounds of planted records, what is missing, and records that are none."""
from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from mope_impl.book import BookError, speed
from mope_impl.results.store import RESULTS

from .conftest import Book, SmallBook, reading

builds = pytest.mark.requires("jupyter-book", "pygraphviz", "node")

ABOUT = {
    "date": "2026-01-02T03:04:05+00:00",
    "device": {"kind": "cpu", "name": "A processor", "threads": 2},
    "versions": {"torch": "9.9"},
    "source": {"commit": "0123456789abcdef", "modified": False},
}


def step(name: str, seconds: float, mebibytes: int) -> dict[str, Any]:
    """A row whose rounds are all slower by a common factor in turn, as on a machine that does something else besides."""
    rounds = [seconds * busy for busy in (1, 2, 1, 4, 1, 8, 1)]
    return {"name": name, "rounds": rounds, "tensor_bytes": mebibytes * 2**20, "resident_bytes": None}


TRAINING: dict[str, Any] = {
    **ABOUT,
    "benchmark": "training-step",
    "peer": {"name": "nanoGPT"},
    "cases": [
        {
            "size": "cpu", "precision": "float32", "mode": "eager", "batch": 2, "context": 50,
            "rows": [step("nanoGPT", 0.1, 10), step("nanoGPT, biases", 0.125, 10), step("rotary", 0.2, 11)],
            "goals": [
                {"name": "rotary", "goal": "as fast as nanoGPT", "value": 0.5, "limit": 1.0, "met": False},
                {"name": "rotary", "goal": "memory", "value": 1.1, "limit": 1.2, "met": True},
            ],
        }
    ],
}  # fmt: skip

TURNED = {"ours": True, "layout": "half", "kind": "rotary"}
ROTATION: dict[str, Any] = {
    **ABOUT,
    "benchmark": "rotary",
    "cases": [
        {
            "batch": 1, "heads": 2, "tokens": 3, "channels": 4, "dtype": "float32", "mode": mode, "pass": "forward",
            "rows": [
                {"name": "copy of q and k", "ours": False, "rounds": [1.0, 2.0, 3.0]},
                {"name": "rotary", **TURNED, "rounds": [1.5, 3.0, 4.5]},
                {"name": "another", "ours": False, "missing": "not installed"},
            ],
            "goals": [],
        }
        for mode in ("eager", "compiled")
    ],
}  # fmt: skip


def rows(table: Any) -> dict[str, tuple[str, ...]]:
    return {row[0]: row[1:] for at, row in enumerate(table.rows) if at not in table.heads}


def test_ratios_are_those_within_rounds():
    fast, memory = speed.tables(TRAINING)
    assert fast.columns[3:] == ("speed to nanoGPT", "speed to nanoGPT, biases", "speed to rotary")
    # 0.1 s in most rounds; tokens are 2 · 50 a step. A round twice as slow is so for all, and moves no ratio.
    assert rows(fast)["nanoGPT"] == ("100.0", "1\u202f000", "1.000", "1.250", "2.000")
    assert rows(fast)["rotary"] == ("200.0", "500", "0.500", "0.625", "1.000")
    assert rows(memory)["rotary"] == ("11.0", "1.100", "–", "–")


def test_a_round_that_is_slow_for_one_alone_moves_its_interval():
    document = deepcopy(TRAINING)
    for place in (0, 1, 2):
        document["cases"][0]["rows"][2]["rounds"][place] *= 2
    assert rows(speed.tables(document)[0])["rotary"][2] == "0.500 [0.250, 0.500]"


def test_rotations_are_compared_with_the_copy_and_what_is_missing_is_said():
    (table,) = speed.tables(ROTATION)
    assert rows(table) == {"rotary": ("1.500", "1.500"), "another": ("–", "–")}
    assert table.notes[-1] == "another is not timed: not installed."
    assert "(1, 2, 3, 4)" in table.notes[0]


def test_goals_are_counted():
    table = speed.goals(TRAINING)
    assert table.title.endswith("1 of 2 are met")
    assert [row[-1] for row in table.rows if row[-1]] == ["no", "yes"]


def test_where_and_when_is_said():
    assert speed.sentence(TRAINING) == "A processor, 2 threads; 2026-01-02; 7 rounds; torch 9.9; commit 0123456789ab."


@pytest.mark.parametrize("text", ["{", "[]", '{"schema": 1}'])
def test_a_file_that_is_no_record_is_named(tmp_path: Path, text: str):
    (tmp_path / "odd.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"odd\.json: not the record of a benchmark") as caught:
        speed.read(tmp_path, "rotary")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("benchmark", [*speed.TABLES])
def test_what_a_benchmark_summed_up_follows_from_its_rounds(benchmark: str):
    """Ratios of the committed records are those of their rounds, which are kept with five digits."""
    documents = speed.read(RESULTS / "benchmarks", benchmark)
    assert documents
    for document in documents:
        for case in document["cases"]:
            by_name = {row["name"]: row for row in case["rows"]}
            for row in case["rows"]:
                if benchmark == "rotary" and "rounds" in row:
                    assert speed._to_copy(case, row).median == pytest.approx(row["to_copy"]["median"], rel=1.01e-4)
                elif benchmark != "rotary":
                    again = speed.ratios(by_name["nanoGPT"]["rounds"], row["rounds"])
                    assert again.median == pytest.approx(row["speed_to_peer"]["median"], rel=1.01e-4)


def built(small_book: SmallBook, results: Path, text: str) -> Book:
    return small_book({"index": "# Index\n\n```{ledger}\n```\n", "page": text}, files=reading(results))


@builds
def test_the_page_shows_records_and_says_where_there_are_none(small_book: SmallBook, tmp_path: Path):
    folder = tmp_path / "results/benchmarks"
    folder.mkdir(parents=True)
    (folder / "one.json").write_text(json.dumps(TRAINING), encoding="utf-8")
    book = built(small_book, tmp_path / "results", "# Page\n\n```{speed} training-step\n```\n\n```{speed} rotary\n```\n")
    page = BeautifulSoup((book.pages / "page.html").read_text(encoding="utf-8"), "html.parser")
    assert [" ".join(cell.get_text().split()) for cell in page.select("table.t-training-speed tbody tr:last-child > *")] == [
        "rotary", *rows(speed.tables(TRAINING)[0])["rotary"]
    ]  # fmt: skip
    assert page.select_one("#fig-speed-training-step-0 .book-drawing svg") is not None
    assert page.select_one("details.folded summary").get_text().endswith("1 of 2 are met")
    assert "Nothing has been measured yet." in page.get_text()
    assert "A processor, 2 threads" in page.get_text()


@builds
def test_wrong_names_and_records_fail_the_build(small_book: SmallBook, tmp_path: Path):
    folder = tmp_path / "results/benchmarks"
    folder.mkdir(parents=True)
    (folder / "odd.json").write_text("{", encoding="utf-8")
    with pytest.raises(BookError) as caught:
        built(small_book, tmp_path / "results", "# Page\n\n```{speed} rotery\n```\n\n```{speed} rotary\n```\n")
    assert "no benchmark 'rotery'" in str(caught.value)
    assert "odd.json: not the record of a benchmark" in str(caught.value)
