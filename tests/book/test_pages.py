"""The pages that are generated: one for each topic and each kernel, made anew in every build, and faults that are planted."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

import mope_theory as mt
from mope_impl.book import BookError, build, pages
from mope_impl.book.pages import PageError, stage
from mope_impl.book.pictures import pictures
from mope_impl.book.sources import modules, stated

from .conftest import QUICK_LEDGER, SmallBook

TOPICS = tuple(dict.fromkeys(claim.topic for claim in mt.claims()))

TOC = """format: jb-book
root: index
parts:
  - caption: The claims
    chapters:
      - generated: topics
      - file: written
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "_toc.yml").write_text(TOC, encoding="utf-8")
    (folder / "index.md").write_text("# Start", encoding="utf-8")
    return folder


def staged(source: Path) -> Path:
    folder = source.parent / "staged"
    stage(source, folder)
    return folder


def test_a_page_holds_each_claim_of_its_topic_once():
    made = pages.topic_pages()
    assert list(made) == [f"topics/{topic}" for topic in TOPICS]
    for claim in mt.claims():
        holders = [name for name, text in made.items() if f"{{claim}} {claim.id}\n" in text]
        assert holders == [f"topics/{claim.topic}"]


def test_every_picture_is_on_a_page():
    made = "".join(pages.topic_pages().values())
    for picture in pictures():
        assert made.count(f"{{picture}} {picture.name}\n") == 1


def test_every_kernel_has_a_page():
    made = pages.kernel_pages()
    assert list(made) == [f"kernels/{spec.name}" for spec in mt.specs()]
    assert all(f"{{kernel-spec}} {spec.name}" in made[f"kernels/{spec.name}"] for spec in mt.specs())


def test_the_contents_list_the_pages_in_the_place_of_the_entry(source: Path):
    folder = staged(source)
    (part,) = yaml.safe_load((folder / "_toc.yml").read_text(encoding="utf-8"))["parts"]
    assert [entry["file"] for entry in part["chapters"]] == [*(f"topics/{topic}" for topic in TOPICS), "written"]
    assert all((folder / f"topics/{topic}.md").is_file() for topic in TOPICS)
    assert (folder / "index.md").read_text(encoding="utf-8") == "# Start"


def test_the_book_that_is_copied_stays_as_it_is(source: Path):
    staged(source)
    assert sorted(path.name for path in source.rglob("*")) == ["_toc.yml", "index.md"]


def test_a_new_topic_has_its_page_at_once(source: Path, monkeypatch):
    chirp = replace(mt.claim("kernel.product"), id="chirp.energy", title="A chirp")
    monkeypatch.setattr(mt, "claims", lambda: (mt.claim("kernel.product"), chirp))
    folder = staged(source)
    assert [path.name for path in sorted((folder / "topics").iterdir())] == ["chirp.md", "kernel.md"]
    assert "{claim} chirp.energy" in (folder / "topics/chirp.md").read_text(encoding="utf-8")


def test_every_claim_is_found_in_its_source():
    for claim in mt.claims():
        place = stated(claim)
        assert place is not None
        file, line = place
        text = file.text.splitlines()
        assert f'"{claim.id}"' in "\n".join(text[line - 1 : line + 3])
        assert modules(claim.topic)


# --- planted faults ------------------------------------------------------------------------------------------------------


def test_a_stale_page_where_one_is_generated_fails_the_build(source: Path, tmp_path: Path):
    (source / "topics").mkdir()
    (source / "topics/kernel.md").write_text("# Kernel, as it was", encoding="utf-8")
    with pytest.raises(BookError, match=r"topics/kernel\.md: pages of this folder are generated") as failure:
        build(source, tmp_path / "out")
    assert len(failure.value.faults) == 1
    assert not (tmp_path / "out").exists()


def test_a_kind_of_page_that_is_not_generated_is_named(source: Path):
    (source / "_toc.yml").write_text(TOC.replace("generated: topics", "generated: topic"), encoding="utf-8")
    with pytest.raises(PageError, match="no pages 'topic' can be generated, only topics, kernels"):
        staged(source)


needs_a_build = pytest.mark.requires("jupyter-book", "pygraphviz", "node")


@needs_a_build
def test_a_claim_without_a_page_fails_the_build(small_book: SmallBook):
    page = "# Kernel\n\n```{topic} kernel\n```\n\n```{claim} kernel.product\n```"
    with pytest.raises(BookError) as failure:
        small_book({"index": "# Start\n\n```{ledger}\n```", "kernel": page})
    faults = "\n".join(failure.value.faults)
    homeless = [claim.id for claim in mt.claims() if claim.topic == "kernel" and claim.id != "kernel.product"]
    assert all(f"claim {id} is not on the page of its topic" in faults for id in homeless)
    assert "claim kernel.product is not" not in faults
    assert all(f"the topic {topic} has no page" in faults for topic in TOPICS if topic != "kernel")


BROKEN = QUICK_LEDGER.replace(
    "def setup(app):",
    """
from mope_impl.book.pictures import phase

def broken():
    raise ZeroDivisionError("no width")

broken.__module__ = phase.__name__
phase.PICTURES = (replace(phase.PICTURES[0], draw=broken),)

def setup(app):""",
)


@needs_a_build
def test_a_formula_and_a_figure_that_fail_on_a_generated_page_fail_the_build(small_book: SmallBook):
    with pytest.raises(BookError) as failure:
        small_book(
            {"index": "# Start\n\n```{ledger}\n```"}, "unprintable", files={"quick_ledger.py": BROKEN}, generated=("topics",)
        )
    faults = [line for line in failure.value.faults if "topics/phase" in line]
    assert any("nosuchmacro" in line and "bad TeX" in line for line in faults)
    drawn = "the picture angles (mope_impl/book/pictures/phase.py) cannot be drawn: ZeroDivisionError: no width"
    assert any(drawn in line for line in faults)
    others = [line for line in failure.value.faults if "topics/phase" not in line and "topics/" in line]
    assert others == []
