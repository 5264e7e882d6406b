"""Seeds: each random choice has one of its own, which follows from what it is for and from nothing that happened before."""
from __future__ import annotations

import hashlib


def seed_of(*parts: int | str) -> int:
    """A seed in [0, 2⁶³) for a purpose such as ("dropout", seed, step, part, rank): the head of a SHA-256 of the parts.

    Parts are told apart by their types and lengths, so that ("a", 12) and ("a", 1, 2) are two purposes.
    """
    text = "".join(f"{type(part).__name__}{len(str(part))}:{part}" for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:8], "big") >> 1
