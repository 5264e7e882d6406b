"""What a corpus is made of, as plain data that decides every token."""
from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Literal

SYNTHETIC, TINY_SHAKESPEARE = "synthetic", "tinyshakespeare"
"""The sources that have a name; any other is the path of a text file."""

CHARACTERS, BYTES = "characters", "bytes"
"""What tokens are: one symbol each, or pieces of UTF-8 bytes that occur often."""


class DataError(ValueError):
    """Data that cannot be used; the message is one line and names the file or the setting."""


@dataclass(frozen=True)
class DataConfig:
    """Where the text comes from and how it becomes tokens.

    The fields of the synthetic source matter for that source alone, ``vocabulary`` for ``tokens="bytes"`` alone.
    Raises DataError (a ValueError) for a value outside its range.
    """

    source: str = SYNTHETIC
    """"synthetic", "tinyshakespeare", or the path of a UTF-8 text file."""
    tokens: Literal["characters", "bytes"] = "characters"
    """"characters", or "bytes": byte-level pair encoding, trained on the training split."""
    vocabulary: int = 1024
    """Number of different tokens of ``tokens="bytes"``, at least 256; a short text may yield fewer."""
    validation: float = 0.1
    """Share of the characters, the last ones, that is never trained on."""
    length: float = 8.0
    """Correlation length ℓ of the synthetic source, in tokens; up to 4096."""
    size: int = 1_000_000
    """Characters of the synthetic text."""
    symbols: int = 64
    """Different symbols of the synthetic source, 2 to 64."""
    copies: float = 0.8
    """Probability p that a symbol of the synthetic source is a copy of an earlier one, at most 0.99."""
    seed: int = 1
    """Decides the synthetic text, whatever the seed of the training."""

    def __post_init__(self) -> None:
        for name in ("source", "tokens"):
            _require(name, getattr(self, name), isinstance(getattr(self, name), str), "a string")
        for name in ("vocabulary", "size", "symbols", "seed"):
            value = getattr(self, name)
            _require(name, value, isinstance(value, int) and not isinstance(value, bool), "a whole number")
        for name in ("validation", "length", "copies"):
            value = getattr(self, name)
            number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
            _require(name, value, number, "a finite number")
            object.__setattr__(self, name, float(value))  # 8 and 8.0 are one length, and one hash of the configuration
        _require("source", self.source, bool(self.source), f"{SYNTHETIC}, {TINY_SHAKESPEARE} or the path of a text file")
        _require("tokens", self.tokens, self.tokens in (CHARACTERS, BYTES), f"{CHARACTERS} or {BYTES}")
        _require("vocabulary", self.vocabulary, 256 <= self.vocabulary <= 2**20, "256 to 1048576")
        _require("validation", self.validation, 0 < self.validation < 1, "a share between 0 and 1")
        require_source(self.length, self.symbols, self.copies)
        _require("size", self.size, 2 <= self.size <= 2**30, "2 to 1073741824")
        _require("seed", self.seed, 0 <= self.seed < 2**63, "0 to 2⁶³ − 1")

    def to_dict(self) -> dict[str, str | int | float]:
        """The fields as plain data."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def require_source(length: float, symbols: int, copies: float) -> None:
    """Raise DataError for settings of the synthetic source that are out of range."""
    _require("length", length, 0 < length <= 4096, "a number of tokens, above 0, at most 4096")
    _require("symbols", symbols, 2 <= symbols <= 64, "2 to 64")
    _require("copies", copies, 0 <= copies <= 0.99, "a probability of at most 0.99")


def _require(name: str, value: object, holds: bool, expected: str) -> None:
    if not holds:
        raise DataError(f"data.{name}: got {value!r}, expected {expected}")
