"""The map of the claims: what is no map is told, and the drawing is a part of a page."""
from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import pytest

import mope_theory as mt
from mope_impl.book import claim_map, verdicts
from mope_impl.ledger import VERDICTS, Evidence, Row, verify
from mope_theory.claim import KINDS

ROWS = verify(levels=()).rows
"""The claims without evidence."""


def used(uses: dict[str, tuple[str, ...]]) -> tuple[Row, ...]:
    return tuple(replace(row, claim=replace(row.claim, uses=uses.get(row.claim.id, ()))) for row in ROWS)


def test_the_uses_of_the_claims_are_a_map():
    assert list(claim_map.faults(ROWS)) == []


def test_an_unknown_use_is_told():
    (fault,) = claim_map.faults(used({"kernel.product": ("kernel.prodct",)}))
    assert fault == "claim kernel.product uses kernel.prodct, which is not registered"


@pytest.mark.parametrize(
    "uses",
    [
        {"kernel.product": ("kernel.product",)},
        {"kernel.product": ("limit.sinusoidal",), "limit.sinusoidal": ("kernel.product",)},
        {"kernel.product": ("alias.nyquist",), "alias.nyquist": ("gate.threshold",), "gate.threshold": ("kernel.product",)},
    ],
)
def test_a_cycle_is_told_in_its_order(uses):
    (fault,) = claim_map.faults(used(uses))
    around = fault.removeprefix("claims rest on each other: ").split(" on ")
    assert around[0] == around[-1]
    assert set(around) == set(uses)
    for user, rests_on in pairwise(around):
        assert rests_on in uses[user]


def test_claims_that_use_one_claim_by_two_ways_are_no_cycle():
    both = dict.fromkeys(("kernel.discrete", "kernel.tiling"), ("kernel.product",))
    assert list(claim_map.faults(used({"kernel.rank": tuple(both), **both}))) == []


@pytest.mark.requires("pygraphviz")
def test_the_drawing_names_and_links_every_claim():
    root = ET.fromstring(claim_map.draw(ROWS, lambda id: f"page.html#{id}"))
    svg = f"{{{claim_map.SVG}}}"
    nodes = {g.get("data-id"): g for g in root.iter(f"{svg}g") if "claim" in g.get("class", "").split()}
    assert set(nodes) == {claim.id for claim in mt.claims()}
    for id, node in nodes.items():
        (link,) = node.iter(f"{svg}a")
        assert link.get("href") == f"page.html#{id}"
        assert link.get("aria-label") == f"{mt.claim(id).title} ({id}): open"
        assert "v-open" in node.get("class").split()
        assert node.find(f"{svg}title").text == f"{id} — {mt.claim(id).title}: open"
    assert "xlink" not in claim_map.draw(ROWS, lambda id: "#")
    assert root.get("aria-label").startswith(f"Map of {len(ROWS)} claims")


@pytest.mark.requires("pygraphviz")
def test_every_topic_frames_its_claims():
    root = ET.fromstring(claim_map.draw(ROWS, lambda id: "#"))
    frames = [g for g in root.iter(f"{{{claim_map.SVG}}}g") if g.get("class") == "cluster"]
    assert sorted(frame.find(f"{{{claim_map.SVG}}}text").text for frame in frames) == sorted({c.topic for c in mt.claims()})


def test_every_verdict_has_its_own_sign_and_a_meaning():
    assert set(verdicts.GLYPHS) == set(verdicts.MEANINGS) == set(VERDICTS)
    assert len(set(verdicts.GLYPHS.values())) == len(VERDICTS)
    assert set(verdicts.LETTERS) == set(verdicts.KIND_MEANINGS) == set(KINDS)


@pytest.mark.parametrize(
    "piece, words",
    [
        (("published", True, "holds", "1 step"), "statement of the paper: true"),
        (("published", False, "holds", "counterexample"), "statement of the paper: false"),
        (("ours", None, "holds", "strict on a box"), "our statement: holds on a part of the range"),
        (("ours", None, "holds", "part 2: strict on a box"), "our statement: one part of it holds on the range named"),
        (("ours", True, "unknown", "refused"), "unknown: our statement"),
        ((None, None, "fails", "neither"), "fails: neither statement"),
    ],
)
def test_what_a_piece_shows_is_said_in_words(piece, words):
    side, establishes, status, detail = piece
    assert verdicts.shows(Evidence("derivation", side, establishes, status, detail, 0.0)) == words


def test_open_claims_and_conflicts_are_not_decided():
    proof, refutation = (Evidence("derivation", "ours", truth, "holds", "", 0.0) for truth in (True, False))
    row = next(row for row in ROWS if row.claim.ours and not row.claim.published)
    decided = replace(row, evidence=(proof,))
    conflict = replace(row, evidence=(proof, refutation))
    assert (decided.verdict, conflict.verdict) == ("proved", "conflict")
    assert verdicts.decided([row, decided, conflict, decided]) == 2


def test_counts_cover_every_row():
    counted = verdicts.counts(ROWS)
    assert sum(counted.values()) == len(ROWS)
    assert counted["open"] == len(ROWS)


def test_the_worst_piece_of_a_kind_is_shown_and_a_missing_one_too():
    row = next(row for row in ROWS if row.claim.id == "limit.sinusoidal")
    pieces = [Evidence("derivation", "ours", True, status, "", 0.0) for status in ("holds", "unknown", "fails")]
    assert verdicts.arrivals(row)["derivation"] == "missing"
    assert verdicts.arrivals(replace(row, evidence=tuple(pieces[:1])))["derivation"] == "holds"
    assert verdicts.arrivals(replace(row, evidence=tuple(pieces[:2])))["derivation"] == "unknown"
    assert verdicts.arrivals(replace(row, evidence=tuple(pieces)))["derivation"] == "fails"
    assert verdicts.arrivals(row)["kernel"] == "missing"
    assert "experiment" not in verdicts.arrivals(row)


def test_runs_at_the_deciding_preset_are_what_has_arrived():
    row = next(row for row in ROWS if row.claim.id == "experiment.table")
    small = Evidence("experiment", "published", True, "holds", "", 0.0, preset="cpu")
    none = Evidence("experiment", "published", None, "missing", "", 0.0, preset="paper")
    large = Evidence("experiment", "published", False, "holds", "", 0.0, preset="paper")
    assert verdicts.arrivals(row)["experiment"] == "missing"
    assert verdicts.arrivals(replace(row, evidence=(small, none)))["experiment"] == "missing"
    assert verdicts.arrivals(replace(row, evidence=(small, large)))["experiment"] == "holds"
    assert verdicts.standing(replace(row, evidence=(small, none)), "published") == "undecided"
    assert verdicts.standing(replace(row, evidence=(small, large)), "published") == "false in the runs"
    assert verdicts.shows(none) == "missing: statement of the paper"
    assert verdicts.shows(replace(large, side=None)) == "what is measured: false"
