"""How verdicts and pieces of evidence are marked: one glyph each, so that colour is never the only sign."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from mope_impl.ledger import VERDICTS, Evidence, Row, knowledge
from mope_theory.claim import KINDS, Claim, Side

GLYPHS: dict[str, str] = {
    "proved": "✓",
    "certified": "◇",
    "corrected": "✎",
    "refuted": "✗",
    "reproduced": "≈",
    "not-reproduced": "≠",
    "conflict": "!",
    "open": "○",
}

MEANINGS: dict[str, str] = {
    "proved": "what the paper says holds; or, where it is silent, what we say holds",
    "certified": "enclosed by interval arithmetic over the whole range, with no proof in symbols",
    "corrected": "what the paper says is false, and a corrected statement is proved",
    "refuted": "what the paper says is false",
    "reproduced": "runs show what the paper says; or, where it is silent, what we say",
    "not-reproduced": "runs do not show it: they show the opposite, or nothing",
    "conflict": "two pieces of evidence contradict each other",
    "open": "not decided yet",
}

LETTERS: dict[str, str] = dict(zip(KINDS, "DCFKE", strict=True))
"""Kind of evidence → the letter that stands for it in the table."""

KIND_MEANINGS: dict[str, str] = {
    "derivation": "derivation in symbols, every step decided",
    "enclosure": "certified enclosure by interval arithmetic",
    "formal": "formal proof in Coq",
    "kernel": "kernel: generated code checked against the statement",
    "experiment": "experiment",
}

SIDES: dict[str, str] = {"published": "statement of the paper", "ours": "our statement"}

MEASURED = "what is measured"
"""A rule beside the statements."""

STANDING: dict[str, str] = {
    "true": "true",
    "enclosed": "true by enclosure",
    "false": "false",
    "unknown": "undecided",
    "conflict": "contradictory",
}


def standing(row: Row, side: Side) -> str:
    """What is known of one statement of a row, in words: by proof or, where runs decide it, by those of the deciding preset."""
    decides = ("experiment", row.preset, side, "holds")
    shown = [e.establishes for e in row.evidence if (e.kind, e.preset, e.side, e.status) == decides]
    if shown and side in row.claim.rules:
        return f"{'true' if shown[0] else 'false'} in the runs"
    return STANDING[knowledge(row.evidence, side)]


def shows(piece: Evidence) -> str:
    """What a piece of evidence says of which statement, in words."""
    side = SIDES[piece.side] if piece.side else MEASURED if piece.kind == "experiment" else "neither statement"
    if piece.status != "holds":
        return f"{piece.status}: {side}"
    if piece.establishes is not None:
        return f"{side}: {'true' if piece.establishes else 'false'}"
    if piece.detail.startswith("part "):
        return f"{side}: one part of it holds on the range named"
    return f"{side}: holds on a part of the range"


def decided(rows: Iterable[Row]) -> int:
    """How many claims have a verdict: neither open nor in conflict."""
    return sum(row.verdict not in ("open", "conflict") for row in rows)


def counts(rows: Iterable[Row]) -> dict[str, int]:
    """How many claims have each verdict, in the order of the legend."""
    found = Counter(row.verdict for row in rows)
    return {verdict: found[verdict] for verdict in VERDICTS}


def topics(rows: Iterable[Row]) -> tuple[str, ...]:
    """The topics of the rows, each once, in their order."""
    return tuple(dict.fromkeys(row.claim.topic for row in rows))


def short(claim: Claim) -> str:
    """The part of the id after the topic."""
    return claim.id.partition(".")[2]


def arrivals(row: Row) -> dict[str, str]:
    """Kind of evidence → how it stands: the worst status of its pieces, or ``missing`` where the claim asks for it in vain.

    Of runs, those of the deciding preset count.
    """
    order = ("fails", "stale", "unknown", "missing", "holds")
    states: dict[str, str] = {}
    for kind in KINDS:
        found = [e.status for e in row.evidence if e.kind == kind and e.preset in (None, row.preset)]
        if found:
            states[kind] = min(found, key=order.index)
        elif kind in row.claim.requires:
            states[kind] = "missing"
    return states
