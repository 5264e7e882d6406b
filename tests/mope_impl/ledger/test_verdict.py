"""The verdict as a function of the two sides: the whole table, and what evidence says of a side."""
from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from mope_impl.ledger import VERDICTS, Evidence, knowledge, verdict
from mope_impl.ledger.verdict import experimental

TABLE = {
    ("true", "absent"): "proved",
    ("true", "true"): "proved",
    ("true", "unknown"): "proved",
    ("true", "enclosed"): "proved",
    ("true", "false"): "conflict",
    ("enclosed", "absent"): "certified",
    ("enclosed", "false"): "conflict",
    ("enclosed", "true"): "certified",
    ("false", "true"): "corrected",
    ("false", "absent"): "refuted",
    ("false", "unknown"): "open",
    ("false", "enclosed"): "open",
    ("false", "false"): "conflict",
    ("absent", "true"): "proved",
    ("absent", "enclosed"): "certified",
    ("absent", "unknown"): "open",
    ("absent", "false"): "conflict",
    ("unknown", "true"): "open",
    ("unknown", "unknown"): "open",
    ("unknown", "absent"): "open",
    ("conflict", "true"): "conflict",
    ("true", "conflict"): "conflict",
}


@pytest.mark.parametrize("sides, expected", TABLE.items(), ids=lambda x: "/".join(x) if isinstance(x, tuple) else x)
def test_table(sides: tuple[Any, Any], expected: str) -> None:
    assert verdict(*sides) == expected


def test_every_combination_gives_a_verdict_and_unknown_is_never_a_pass() -> None:
    states = ("true", "enclosed", "false", "unknown", "conflict", "absent")
    for published, ours in product(states, states):
        given = verdict(published, ours)
        assert given in VERDICTS
        if published in ("unknown", "absent") and ours in ("unknown", "absent"):
            assert given == "open"


def test_experiments() -> None:
    def piece(truth: bool | None, status: str = "holds") -> Evidence:
        return Evidence("experiment", "published", truth, status, "", 0.0)

    assert experimental([piece(True)]) == "reproduced"
    assert experimental([piece(False)]) == "not-reproduced"
    assert experimental([piece(True), piece(False)]) == "conflict"
    assert experimental([piece(True, "unknown")]) is None
    assert experimental([piece(None)]) is None
    assert verdict("unknown", "absent", "reproduced") == "reproduced"
    assert verdict("unknown", "absent", "conflict") == "conflict"


def piece(kind: str, truth: bool | None, status: str = "holds", side: Any = "published") -> Evidence:
    return Evidence(kind, side, truth, status, "", 0.0)


def test_knowledge_of_a_side() -> None:
    assert knowledge([piece("derivation", True)], "published") == "true"
    assert knowledge([piece("formal", True)], "published") == "true"
    assert knowledge([piece("enclosure", True)], "published") == "enclosed"
    assert knowledge([piece("enclosure", False)], "published") == "false"
    assert knowledge([piece("derivation", True), piece("enclosure", False)], "published") == "conflict"
    assert knowledge([piece("derivation", True)], "ours") == "unknown"


@pytest.mark.parametrize("status", ["fails", "unknown", "missing", "stale"])
def test_only_evidence_that_holds_counts(status: str) -> None:
    assert knowledge([piece("derivation", True, status)], "published") == "unknown"


@pytest.mark.parametrize("kind", ["kernel", "experiment"])
def test_agreement_and_statistics_prove_nothing(kind: str) -> None:
    assert knowledge([piece(kind, True)], "published") == "unknown"


def test_a_part_alone_establishes_nothing() -> None:
    assert knowledge([piece("enclosure", None)], "published") == "unknown"
