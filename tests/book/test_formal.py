"""How claims stand with the formal proofs: what is said of them, and that each box leads to its statement."""
from __future__ import annotations

from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

import mope_theory as mt
from mope_impl.book import claim_map
from mope_impl.book.formal import STATES, anchor, state
from mope_impl.ledger import Evidence, Row, verify

ROWS = {row.claim.id: row for row in verify(levels=()).rows}
ASKED = [claim.id for claim in mt.claims() if "formal" in claim.requires]


def with_pieces(id: str, *pieces: tuple[str | None, bool | None, str]) -> Row:
    evidence = tuple(Evidence("formal", side, establishes, status, "", 0.0) for side, establishes, status in pieces)
    return replace(ROWS[id], evidence=evidence)


@pytest.mark.parametrize(
    "pieces, expected",
    [
        ([("published", True, "holds"), ("ours", True, "holds")], "full"),
        ([("published", False, "holds"), ("ours", True, "holds")], "full"),
        ([("published", True, "holds")], "part"),
        ([("published", True, "holds"), ("ours", None, "holds")], "part"),
        ([(None, None, "missing")], "unchecked"),
        ([("published", True, "holds"), (None, None, "fails")], "broken"),
        ([], "none"),
    ],
)
def test_the_state_is_that_of_the_statements(pieces, expected):
    assert state(with_pieces("definition.envelope", *pieces)) == expected


def test_a_claim_that_asks_for_none_has_no_state():
    assert {id for id, row in ROWS.items() if state(row) is None} == set(ROWS) - set(ASKED)


@pytest.mark.requires("pygraphviz")
@pytest.mark.parametrize("establishes, frame, said", [(True, "f-full", "proved in Coq"), (None, "f-part", "in part")])
def test_the_map_shows_it(establishes, frame, said):
    row = with_pieces("kernel.product", ("published", establishes, "holds"))
    drawn = BeautifulSoup(claim_map.draw([row], lambda id: "#"), "html.parser")
    node = drawn.find(attrs={"data-id": "kernel.product"})
    assert frame in node["class"]
    assert said in node.a["aria-label"]


@pytest.mark.requires("jupyter-book", "pygraphviz", "node")
def test_every_box_leads_to_its_statement(real_book):
    page = BeautifulSoup((real_book.pages / "formal-proofs.html").read_text(encoding="utf-8"), "html.parser")
    for id in ASKED:
        statements = page.find(id=anchor(id))
        assert "Prop :=" in statements.pre.text or "(* " in statements.pre.text
        (box,) = (
            found
            for path in (real_book.pages / "topics").glob("*.html")
            if (found := BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").find(id=id, class_="claim-box"))
        )
        link = box.find(class_="formal").a
        assert link["href"].endswith(f"formal-proofs.html#{anchor(id)}")
        assert link.text in STATES.values()


@pytest.mark.requires("jupyter-book", "pygraphviz", "node", "coqc")
def test_with_coq_every_box_has_its_proofs(real_book):
    page = BeautifulSoup((real_book.pages / "formal-proofs.html").read_text(encoding="utf-8"), "html.parser")
    found = {section["id"]: section.find(class_="formal").text for section in page.find_all(class_="formal-claim")}
    assert set(found) == set(map(anchor, ASKED))
    assert set(found.values()) <= {STATES["full"], STATES["part"]}
    assert found[anchor("kernel.product")] == STATES["full"]
