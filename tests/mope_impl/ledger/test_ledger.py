"""The ledger as a whole: expected verdicts, sentinels in their place, planted faults, JSON, processes."""
from __future__ import annotations

import json
from dataclasses import replace
from time import time

import pytest
import sympy as sp

import mope_theory as mt
from mope_impl.ledger import Cache, Evidence, Row, verify
from mope_impl.ledger import ledger as module
from mope_impl.ledger.providers.derivation import derivations
from mope_impl.ledger.providers.enclosure import enclosures
from mope_theory.claim import KINDS, Claim
from mope_theory.claims.expected import EXPECTED
from mope_theory.enclosure import Subdivision
from mope_theory.lemmas import GAUSSIAN
from mope_theory.statement import Equal, LessEqual
from mope_theory.symbols import K, P, b, d, m, n, omega, psi, sigma

FULL = ("kernel.product", "kernel.cross-correlation", "limit.sinusoidal")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    """Evidence that several of these tests look at, computed once; the folder is theirs alone."""
    return Cache(tmp_path_factory.mktemp("cache"), time())


def test_the_three_claims_get_their_verdicts() -> None:
    ledger = verify(FULL)
    assert {row.claim.id: row.verdict for row in ledger} == {
        "kernel.product": "proved",
        "kernel.cross-correlation": "proved",
        "limit.sinusoidal": "corrected",
    }
    assert ledger.complaints() == []
    assert ledger.exit_code() == 0
    for row in ledger:
        assert row.missing == ("formal", "kernel")


def test_the_two_routes_of_the_cross_correlation_share_no_lemma(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the Gaussian lemma the derivation is lost and the enclosure stands."""
    monkeypatch.setattr(type(GAUSSIAN), "proved", lambda self: False)
    (row,) = verify(["kernel.cross-correlation"])
    assert {e.kind: e.status for e in row.evidence} == {"derivation": "fails", "enclosure": "holds"}
    assert row.verdict == "open"  # |d| ≤ 12σ is not every d: an enclosure on a part of the box decides nothing alone
    assert "not proved" in row.failed[0].detail


def test_an_enclosure_of_the_whole_box_certifies_and_of_a_part_does_not() -> None:
    own = mt.claim("limit.sinusoidal")
    rate = own.ours.body[1]
    small = {b: sp.Interval(3, 32), sigma: sp.Interval(1, 4), omega: sp.S.Reals}
    claim = replace(own, published=None, ours=rate, box=small, derivations=(), enclosures=own.enclosures[:1])
    assert row(claim).verdict == "open"  # it ranges over every position and width
    assert "leaves the box" in row(claim).failed[0].detail
    exact = Subdivision(rate, {b: (3, 32), sigma: (1, 4)})
    whole = row(replace(claim, enclosures=(exact,)))
    assert whole.verdict == "certified"
    assert whole.evidence[0].detail.endswith("; the whole box")
    half = Subdivision(rate, {b: (3, 16), sigma: (1, 4)})
    partial = row(replace(claim, enclosures=(half,)))
    assert partial.verdict == "open"
    assert partial.evidence[0].status == "holds"
    assert "the whole box" not in partial.evidence[0].detail


def test_verdicts_do_not_look_at_what_is_expected(monkeypatch: pytest.MonkeyPatch, cache: Cache) -> None:
    honest = {row.claim.id: row.verdict for row in verify(levels=["derive"], cache=cache)}
    monkeypatch.setattr(module, "EXPECTED", dict.fromkeys(EXPECTED, "sentinel"))
    blind = verify(levels=["derive"], cache=cache)
    assert {row.claim.id: row.verdict for row in blind} == honest
    assert all(row.expected == "sentinel" for row in blind)
    assert blind.exit_code() == 1  # a definite verdict that is not the expected one is seen


def test_a_claim_without_evidence_is_open_and_missing_what_it_asks_for() -> None:
    bare = Row(replace(mt.claim("kernel.product"), derivations=()), (), "proved")
    assert bare.verdict == "open"
    assert bare.missing == ("derivation", "formal", "kernel")
    assert not bare.contradicts


def test_strict_says_what_is_open_and_what_is_missing(cache: Cache) -> None:
    ledger = verify(levels=["derive"], cache=cache)
    lines = ledger.complaints(strict=True)
    assert ledger.exit_code(strict=True) == 1
    assert "kernel.product: missing formal, kernel" in lines
    assert "experiment.table: open; missing experiment" in lines
    named_open = {line.partition(":")[0] for line in lines if ": open" in line}
    assert named_open == {row.claim.id for row in ledger if row.verdict == "open"}


def test_json_has_the_promised_shape() -> None:
    data = json.loads(json.dumps(verify(FULL, levels=["derive"]).to_json()))
    assert data["schema"] == 1
    for row in data["claims"]:
        keys = "id title published_latex ours_latex expected verdict missing evidence scopes"
        assert set(row) == set(keys.split())
        assert row["scopes"] == []
        for piece in row["evidence"]:
            assert set(piece) == {"kind", "side", "establishes", "status", "detail", "seconds", "cached", "preset"}
            assert piece["kind"] in KINDS
            assert piece["status"] in ("holds", "fails", "unknown", "missing", "stale")


def test_progress_is_told_of_every_claim() -> None:
    told: list[tuple[str, int, int]] = []
    verify(FULL[:2], levels=["derive"], progress=lambda *args: told.append(args))
    assert told == [("kernel.product", 1, 2), ("kernel.cross-correlation", 2, 2)]


def test_wrong_names_are_refused_with_a_suggestion() -> None:
    with pytest.raises(mt.UnknownName, match=r"did you mean kernel\.product") as caught:
        verify(["kernel.prodct"])
    assert "kernel.product" in caught.value.suggestions
    with pytest.raises(mt.UnknownName, match="did you mean derive"):
        verify(levels=["derived"])
    with pytest.raises(ValueError, match="at least 1"):
        verify(jobs=0)


# --- planted faults: each makes the ledger say so -------------------------------------------------------------------------


def row(claim: Claim) -> Row:
    return Row(claim, derivations(claim) + enclosures(claim), EXPECTED[claim.id])


def test_a_changed_statement_no_longer_matches_its_derivation() -> None:
    own = mt.claim("kernel.product")
    changed = row(replace(own, published=Equal(P(m, n), own.published.rhs * 2)))
    assert changed.verdict == "open"
    assert [e.status for e in changed.evidence] == ["fails"]
    assert "proves no statement" in changed.evidence[0].detail


def test_a_box_beyond_the_assumptions_is_not_covered() -> None:
    own = mt.claim("kernel.product")
    wide = row(replace(own, box={**own.box, sigma: sp.S.Reals}))
    assert wide.verdict == "open"
    assert "beyond what its assumptions admit" in wide.evidence[0].detail
    narrow = row(replace(own, box={k: v for k, v in own.box.items() if k != m}))
    assert "no range for m" in narrow.evidence[0].detail


def test_a_disproving_enclosure_against_a_derivation_is_a_conflict() -> None:
    own = mt.claim("kernel.cross-correlation")
    (enclosure,) = own.enclosures
    contradiction = Evidence("enclosure", "published", False, "holds", "disproved", 0.0)
    assert Row(own, (*derivations(own), contradiction), "proved").verdict == "conflict"
    wrong = Equal(own.published.lhs, own.published.rhs * (1 + sp.Rational(1, 10**12)))
    refuted = row(replace(own, published=wrong, derivations=(), enclosures=(replace(enclosure, statement=wrong),)))
    assert refuted.evidence[0].establishes is False
    assert refuted.verdict == "refuted"
    assert refuted.contradicts


def test_a_disproved_member_disproves_the_conjunction() -> None:
    own = mt.claim("limit.sinusoidal")
    false = LessEqual(own.ours.body[1].lhs, own.ours.body[1].rhs / 2)
    ours = type(own.ours)(false, *own.ours.body[2:])
    enclosure = Subdivision(false, {b: (2, 64), sigma: (sp.Rational(1, 2), 8)})
    (piece,) = enclosures(replace(own, ours=ours, enclosures=(enclosure,)))
    assert (piece.side, piece.establishes, piece.status) == ("ours", False, "holds")


def test_an_enclosure_of_something_else_fails() -> None:
    own = replace(mt.claim("limit.sinusoidal"), ours=Equal(K(d, omega, sigma), psi(d, omega, sigma)))
    assert all(piece.status == "fails" for piece in enclosures(own))
    assert Row(own, enclosures(own), "corrected").failed
