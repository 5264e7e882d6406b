"""Evidence kept from one call to the next, in a folder of the user's, each entry under the hash of what decides it.

Only what holds is kept. The folder is the user's own: whoever can write there can also write an entry, so that what is judged
by others is judged without it. Editing a claim, a lemma or the checker makes no entry: it changes the hash.
"""
from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mope_theory.claim import Claim

from .evidence import Evidence
from .formula_hash import MATERIAL, NoHash, checker_sources, data_sources, formula_hash

KEPT = 4
"""Entries of one kind for one claim: enough for a few checkouts side by side."""


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Where evidence is kept: MOPE_CACHE_DIR, else mope in XDG_CACHE_HOME or ~/.cache; None where there is no home."""
    if own := environment.get("MOPE_CACHE_DIR"):
        return Path(own).absolute()
    shared = Path(environment.get("XDG_CACHE_HOME", ""))
    if shared.is_absolute():
        return shared / "mope"
    try:
        return Path.home() / ".cache" / "mope"
    except RuntimeError:
        return None


class Cache:
    """The entries of a folder.

    ``loaded`` is a time before the theory was imported: once its source is younger than that, what runs is not what the hash
    is taken of, and nothing is recalled or kept. ``open`` is whether evidence is recalled and kept at all; the times that
    were recorded are told in any case.
    """

    def __init__(self, folder: Path, loaded: float, open: bool = True) -> None:
        self.folder, self._loaded, self._open = folder, loaded, open
        self._unreadable: set[Path] = set()
        self._fault = ""

    def recall(self, claim: Claim, kind: str) -> tuple[Evidence, ...] | None:
        """The evidence of a kind that was kept for the claim as it is; None if there is none."""
        own = self._hash(claim, kind)
        path = self._path(claim.id, kind, own) if own else None
        return self._read(path) if path is not None and path.is_file() else None

    def outdated(self, claim: Claim, kind: str) -> tuple[Evidence, ...]:
        """What was kept of a kind for another form of the claim or of the checker, as stale; none beside a current entry."""
        own = self._hash(claim, kind)
        if own is None or self._path(claim.id, kind, own).is_file():
            return ()
        pieces = next(filter(None, map(self._read, self._entries(claim.id, kind))), ())
        return tuple(replace(one, status="stale", detail=f"it held before a change: {one.detail}") for one in pieces)

    def keep(self, claim: Claim, kind: str, pieces: Sequence[Evidence]) -> None:
        """Keep the evidence of a kind, if all of it holds."""
        own = self._hash(claim, kind)
        if own is None or self._fault or not pieces or any(piece.status != "holds" for piece in pieces):
            return
        body = {"schema": 1, "claim": claim.id, "kind": kind, "hash": own, "evidence": [one.to_json() for one in pieces]}
        try:
            _write(self._path(claim.id, kind, own), json.dumps({**body, "sum": _sum(body)}, ensure_ascii=False))
        except OSError as problem:
            self._fault = f"cannot keep evidence in {self.folder}: {problem.strerror}"
        for path in self._entries(claim.id, kind)[KEPT:]:
            with suppress(OSError):
                path.unlink()

    def seconds(self, claim: Claim, kind: str) -> float | None:
        """What the evidence of a kind took when it was last kept, whatever has changed since; None if that is not known."""
        pieces = next(filter(None, map(self._read, self._entries(claim.id, kind))), None)
        return sum(piece.seconds for piece in pieces) if pieces else None

    def remarks(self) -> list[str]:
        """One line for each thing that was not as it should be with the cache."""
        found = [self._fault] if self._fault else []
        if self._unreadable:
            one = len(self._unreadable) == 1
            what = "an entry" if one else f"{len(self._unreadable)} entries"
            found.append(f"ignored {what} of the cache in {self.folder} that cannot be read")
        return found

    def _hash(self, claim: Claim, kind: str) -> str | None:
        if not self._open or kind not in MATERIAL:
            return None
        if _youngest() > self._loaded:
            self._fault = self._fault or "the theory was edited while it was loaded: the cache was left alone"
            return None
        try:
            return formula_hash(claim, kind)
        except NoHash:
            return None

    def _path(self, id: str, kind: str, hash: str) -> Path:
        return self.folder / "evidence" / f"{quote(id, safe='')}~{kind}~{hash}.json"

    def _entries(self, id: str, kind: str) -> list[Path]:
        """The entries of a kind for a claim, the youngest first."""
        found = self.folder.glob(f"evidence/{quote(id, safe='')}~{kind}~*.json")
        return sorted(found, key=lambda path: (_changed(path), path.name), reverse=True)

    def _read(self, path: Path) -> tuple[Evidence, ...] | None:
        """The pieces of an entry; None, and a remark later, where it is not as it was written."""
        try:
            body = json.loads(path.read_text(encoding="utf-8"))
            told = body.pop("sum")
            id, kind, hash = path.stem.split("~")
            pieces = tuple(Evidence.from_json(piece) for piece in body["evidence"])
            sound = told == _sum(body) and (quote(body["claim"], safe=""), body["kind"], body["hash"]) == (id, kind, hash)
            if not sound or any((piece.kind, piece.status) != (kind, "holds") for piece in pieces):
                raise ValueError("not the entry that its name says")
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self._unreadable.add(path)
            return None
        return tuple(replace(piece, cached=True) for piece in pieces)


def entries(folder: Path) -> Iterator[Path]:
    """Every entry of a cache, for one who looks at it from outside."""
    return folder.glob("evidence/*.json")


def _sum(body: Mapping[str, Any]) -> str:
    """A check sum against damage; it protects from nobody."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _youngest() -> float:
    return max(map(_changed, (*checker_sources(), *data_sources())))


def _changed(path: Path) -> float:
    """Time of the last change of a file; a file that has gone has just changed."""
    try:
        return path.stat().st_mtime
    except OSError:
        return float("inf")


def _write(path: Path, text: str) -> None:
    """Write a file so that it is there as a whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".new", encoding="utf-8", delete=False) as file:
        try:
            file.write(text)
            file.flush()
            os.replace(file.name, path)
        except OSError:
            os.unlink(file.name)
            raise
