"""Evidence that is kept: recalled while nothing has changed, stale when something has, ignored when damaged."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import time

import pytest

import mope_theory as mt
from mope_impl.ledger import Evidence, cache, cache_folder, verify
from mope_impl.ledger import ledger as module
from mope_impl.ledger.cache import KEPT, Cache
from mope_impl.ledger.providers import PROVIDERS
from mope_theory import registry
from mope_theory.derivation import chain
from mope_theory.rules import Decide
from mope_theory.statement import Equal

ROOT = Path(__file__).resolve().parents[3]
CLAIM = mt.claim("kernel.product")
BOTH = mt.claim("kernel.cross-correlation")
PIECE = Evidence("derivation", "published", True, "holds", "by hand", 1.25)


@pytest.fixture
def kept(tmp_path) -> Cache:
    return Cache(tmp_path / "cache", time())


def files(kept: Cache) -> list[Path]:
    return sorted(path for path in kept.folder.rglob("*") if path.is_file())


def test_what_is_kept_is_recalled_as_it_was_and_says_so(kept):
    assert kept.recall(CLAIM, "derivation") is None
    kept.keep(CLAIM, "derivation", [PIECE])
    assert Cache(kept.folder, time()).recall(CLAIM, "derivation") == (replace(PIECE, cached=True),)
    assert kept.recall(CLAIM, "enclosure") is kept.recall(BOTH, "derivation") is None
    assert kept.seconds(CLAIM, "derivation") == 1.25
    assert kept.remarks() == []


@pytest.mark.parametrize("status", ["fails", "unknown"])
def test_only_what_holds_is_kept(kept, status):
    kept.keep(CLAIM, "derivation", [PIECE, replace(PIECE, status=status)])
    kept.keep(CLAIM, "enclosure", [])
    assert files(kept) == []


def test_a_cache_that_is_not_used_tells_times_alone(kept):
    kept.keep(CLAIM, "derivation", [PIECE])
    shut = Cache(kept.folder, time(), open=False)
    assert shut.recall(CLAIM, "derivation") is None
    assert shut.outdated(replace(CLAIM, published=CLAIM.ours), "derivation") == ()
    assert shut.seconds(CLAIM, "derivation") == 1.25
    shut.keep(BOTH, "derivation", [PIECE])
    assert len(list(cache.entries(kept.folder))) == 1


def changed(claim: mt.Claim, number: int = 2) -> mt.Claim:
    return replace(claim, published=Equal(claim.published.lhs, number * claim.published.rhs))


def test_no_entry_is_made_by_editing_the_claim(kept):
    """What was kept for one statement is never recalled for another, whatever else stays the same."""
    kept.keep(CLAIM, "derivation", [PIECE])
    other = changed(CLAIM)
    assert kept.recall(other, "derivation") is None
    (stale,) = kept.outdated(other, "derivation")
    assert (stale.status, stale.cached, stale.seconds) == ("stale", True, 1.25)
    assert stale.detail == "it held before a change: by hand"
    assert kept.outdated(CLAIM, "derivation") == ()


def test_a_claim_that_never_held_shows_nothing_stale(kept):
    assert kept.outdated(CLAIM, "derivation") == ()


DAMAGE = {
    "empty": lambda text: "",
    "cut": lambda text: text[: len(text) // 2],
    "no object": lambda text: "[]",
    "a list of lists": lambda text: "[" * 100_000,
    "a letter": lambda text: text.replace("by hand", "by hans"),
    "a side": lambda text: text.replace('"published"', '"ours"'),
    "a refutation": lambda text: text.replace('"true"', '"false"'),
    "no sum": lambda text: json.dumps({k: v for k, v in json.loads(text).items() if k != "sum"}),
    "another claim": lambda text: signed(text, claim="kernel.rank"),
    "another hash": lambda text: signed(text, hash="0" * 64),
    "another kind": lambda text: signed(text, kind="enclosure"),
    "an unknown field": lambda text: signed(text, evidence=[{**PIECE.to_json(), "more": 1}]),
    "a status": lambda text: signed(text, evidence=[{**PIECE.to_json(), "status": "unknown"}]),
    "no status": lambda text: signed(text, evidence=[{**PIECE.to_json(), "status": "sure"}]),
    "no time": lambda text: signed(text, evidence=[{**PIECE.to_json(), "seconds": "long"}]),
    "a time without end": lambda text: signed(text, evidence=[{**PIECE.to_json(), "seconds": float("inf")}]),
    "a piece of another kind": lambda text: signed(text, evidence=[replace(PIECE, kind="formal").to_json()]),
}


def signed(text: str, **fields: object) -> str:
    """The entry with other fields and a check sum that fits them."""
    body = {**json.loads(text), **fields}
    body.pop("sum")
    return json.dumps({**body, "sum": cache._sum(body)})


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_entry_is_ignored_with_one_remark(kept, damage):
    kept.keep(CLAIM, "derivation", [PIECE])
    (path,) = files(kept)
    path.write_text(DAMAGE[damage](path.read_text(encoding="utf-8")), encoding="utf-8")
    fresh = Cache(kept.folder, time())
    assert fresh.recall(CLAIM, "derivation") is None
    assert fresh.outdated(changed(CLAIM), "derivation") == ()
    assert fresh.seconds(CLAIM, "derivation") is None
    assert fresh.remarks() == [f"ignored an entry of the cache in {kept.folder} that cannot be read"]
    fresh.keep(CLAIM, "derivation", [PIECE])  # and is replaced
    assert Cache(kept.folder, time()).recall(CLAIM, "derivation") is not None


def test_bytes_that_are_no_text_are_ignored(kept):
    for claim in (CLAIM, BOTH):
        kept.keep(claim, "derivation", [PIECE])
    for path in cache.entries(kept.folder):
        path.write_bytes(b"\xff\xfe\x00")
    assert kept.recall(CLAIM, "derivation") is kept.recall(BOTH, "derivation") is None
    assert kept.remarks() == [f"ignored 2 entries of the cache in {kept.folder} that cannot be read"]


def test_an_entry_is_there_as_a_whole_or_not_at_all(kept, monkeypatch):
    def broken(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", broken)
        kept.keep(CLAIM, "derivation", [PIECE])
        kept.keep(BOTH, "derivation", [PIECE])
    assert files(kept) == []
    assert kept.remarks() == [f"cannot keep evidence in {kept.folder}: No space left on device"]


def test_a_folder_that_cannot_be_one_is_one_remark(tmp_path):
    (tmp_path / "file").touch()
    kept = Cache(tmp_path / "file", time())
    kept.keep(CLAIM, "derivation", [PIECE])
    assert kept.recall(CLAIM, "derivation") is None
    assert len(kept.remarks()) == 1


def test_the_oldest_entries_are_taken_away(kept):
    for number in range(2, 4 + KEPT):
        kept.keep(changed(CLAIM, number), "derivation", [PIECE])
        for path in cache.entries(kept.folder):
            os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 10))
    assert len(list(cache.entries(kept.folder))) == KEPT
    assert kept.recall(changed(CLAIM, 3 + KEPT), "derivation") is not None
    assert kept.recall(changed(CLAIM, 2), "derivation") is None


def test_nothing_is_kept_of_a_theory_that_was_edited_while_it_was_loaded(kept):
    kept.keep(CLAIM, "derivation", [PIECE])
    early = Cache(kept.folder, loaded=0.0)
    assert early.recall(CLAIM, "derivation") is None
    early.keep(BOTH, "derivation", [PIECE])
    assert len(list(cache.entries(kept.folder))) == 1
    assert early.remarks() == ["the theory was edited while it was loaded: the cache was left alone"]


@pytest.mark.parametrize(
    "environment, folder",
    [
        ({"MOPE_CACHE_DIR": "/a", "XDG_CACHE_HOME": "/b"}, Path("/a")),
        ({"XDG_CACHE_HOME": "/b"}, Path("/b/mope")),
        ({"XDG_CACHE_HOME": "b"}, Path.home() / ".cache/mope"),  # the standard says to ignore one that is relative
        ({"MOPE_CACHE_DIR": ""}, Path.home() / ".cache/mope"),
        ({"MOPE_CACHE_DIR": "x"}, Path.cwd() / "x"),
    ],
)
def test_where_the_cache_is(environment, folder):
    assert cache_folder(environment) == folder


# --- in the ledger -------------------------------------------------------------------------------------------------------


@pytest.fixture
def swap(monkeypatch):
    """Put another claim in place of a registered one."""

    def swap(claim):
        table = {**registry._by_id(), claim.id: claim}
        monkeypatch.setattr(registry, "_by_id", lambda: table)

    return swap


@pytest.fixture
def counted(monkeypatch):
    """How often each kind was computed; an enclosure that holds at once, so that a test takes no seconds."""
    calls = []

    def provider(kind):
        def provide(claim):
            calls.append((claim.id, kind))
            if kind == "enclosure":
                return (Evidence(kind, "published", True, "holds", "planted", 2.0),)
            return PROVIDERS[kind](claim)

        return provide

    monkeypatch.setattr("mope_impl.ledger.gather.PROVIDERS", {kind: provider(kind) for kind in PROVIDERS})
    return calls


def judged(ledger) -> tuple[str, tuple[str, ...], dict[str, str]]:
    (row,) = ledger
    return row.verdict, row.missing, {piece.kind: piece.status for piece in row.evidence}


def test_a_second_call_computes_nothing(kept, counted):
    first, second = (verify([BOTH.id], cache=kept) for _ in range(2))
    assert counted == [(BOTH.id, "derivation"), (BOTH.id, "enclosure")]
    assert judged(first) == judged(second) == ("proved", ("formal", "kernel"), {"derivation": "holds", "enclosure": "holds"})
    pieces = [piece for row in second.to_json()["claims"] for piece in row["evidence"]]
    assert [piece["cached"] for piece in pieces] == [True, True]
    assert pieces == [{**piece, "cached": True} for row in first.to_json()["claims"] for piece in row["evidence"]]


def test_a_level_that_was_not_asked_for_is_not_shown_while_it_is_current(kept, counted):
    verify([BOTH.id], cache=kept)
    assert judged(verify([BOTH.id], ["derive"], cache=kept))[2] == {"derivation": "holds"}


def test_evidence_of_an_older_formula_is_stale_and_never_counts(kept, counted, swap):
    verify([BOTH.id], cache=kept)
    swap(replace(BOTH, enclosures=(replace(BOTH.enclosures[0], bits=BOTH.enclosures[0].bits + 1),)))
    ledger = verify([BOTH.id], ["derive"], cache=kept)
    assert judged(ledger) == ("proved", ("enclosure", "formal", "kernel"), {"derivation": "holds", "enclosure": "stale"})
    assert ledger.remarks() == [f"{BOTH.id}: enclosure stale: it held before a change: planted"]
    assert ledger.exit_code() == 0
    # A statement that is no longer derived is open, and the old enclosure of it helps nothing.
    swap(replace(changed(BOTH), derivations=(chain(BOTH.published.lhs, (Decide(), 2 * BOTH.published.rhs)),)))
    verdict, missing, status = judged(verify([BOTH.id], ["derive"], cache=kept))
    assert (verdict, status["enclosure"]) == ("open", "stale")
    assert {"derivation", "enclosure"} <= set(missing)
    assert verify([BOTH.id], ["derive"], cache=kept).exit_code(strict=True) == 1


def test_stale_evidence_that_says_the_opposite_changes_no_verdict(kept, counted, swap):
    kept.keep(changed(BOTH), "enclosure", [Evidence("enclosure", "published", False, "holds", "disproved", 0.0)])
    verdict, missing, status = judged(verify([BOTH.id], ["derive"], cache=kept))
    assert (verdict, "enclosure" in missing, status["enclosure"]) == ("proved", True, "stale")


def test_what_is_computed_again_is_not_stale(kept, counted, swap):
    verify([BOTH.id], cache=kept)
    swap(replace(BOTH, enclosures=(replace(BOTH.enclosures[0], bits=BOTH.enclosures[0].bits + 1),)))
    assert judged(verify([BOTH.id], cache=kept))[2] == {"derivation": "holds", "enclosure": "holds"}
    assert counted.count((BOTH.id, "enclosure")) == 2
    assert counted.count((BOTH.id, "derivation")) == 1


def test_the_expected_verdict_is_not_kept(kept, counted, monkeypatch):
    verify([BOTH.id], cache=kept)
    monkeypatch.setitem(module.EXPECTED, BOTH.id, "refuted")
    assert verify([BOTH.id], cache=kept).exit_code() == 1


def test_the_edit_of_a_lemma_makes_evidence_stale(tmp_path):
    """The whole way, in a copy of the tree: kept, recalled, and computed again when a file of the checker is another."""
    for package in ("mope_theory", "mope_impl"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def mope(*arguments: str) -> set[tuple[str, str, bool]]:
        call = [sys.executable, "-m", "mope_impl.cli", "verify", "limit.rope-kernel", "--json", "-", *arguments]
        done = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        (row,) = json.loads(done.stdout)["claims"]
        return {(piece["kind"], piece["status"], piece["cached"]) for piece in row["evidence"]}

    fresh = {("derivation", "holds", False), ("enclosure", "holds", False)}
    assert mope() == fresh
    assert mope() == {("derivation", "holds", True), ("enclosure", "holds", True)}
    assert mope("--no-cache") == fresh
    lemma = tmp_path / "mope_theory/lemmas/inequality.py"
    lemma.write_text(lemma.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    assert mope("--level", "derive") == {("derivation", "holds", False), ("enclosure", "stale", True)}
    assert mope() == {("derivation", "holds", True), ("enclosure", "holds", False)}
