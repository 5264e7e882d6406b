"""Which tokens there are, characters or frequent pieces of UTF-8: each vocabulary is plain data and knows its characters."""
from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .config import BYTES, CHARACTERS, DataError


class Vocabulary(Protocol):
    """Tokens 0 … size − 1 and what they stand for."""

    @property
    def size(self) -> int:
        """Number of different tokens."""

    @property
    def characters(self) -> NDArray[np.int64]:
        """How many characters begin in each token, (size,); over the tokens of a text they sum to its length."""

    def encode(self, text: str) -> NDArray[np.int64]:
        """The tokens of a text, (N,). Raises DataError for a character that has none."""

    def decode(self, tokens: Iterable[int]) -> str:
        """The text of tokens. Raises DataError for a number that is no token."""

    def to_json(self) -> dict[str, Any]:
        """Plain data from which ``vocabulary_from_json`` makes the vocabulary again."""


class CharacterVocabulary:
    """One token for each character, in the order of their code points."""

    def __init__(self, symbols: str) -> None:
        if not symbols or list(symbols) != sorted(set(symbols)):
            raise DataError(f"symbols: got {symbols!r}, expected different characters in the order of their code points")
        self._symbols = symbols
        self._points = _points(symbols)

    @classmethod
    def of(cls, text: str) -> CharacterVocabulary:
        """The vocabulary of the characters that occur in a text."""
        return cls("".join(sorted(set(text))))

    @property
    def size(self) -> int:
        return len(self._symbols)

    @property
    def characters(self) -> NDArray[np.int64]:
        return np.ones(self.size, dtype=np.int64)

    def encode(self, text: str) -> NDArray[np.int64]:
        points = _points(text)
        tokens = np.searchsorted(self._points, points)
        known = self._points[np.minimum(tokens, self.size - 1)] == points
        if not known.all():
            place = int(np.argmin(known))
            raise DataError(f"the vocabulary has no token for the character {text[place]!r} at place {place}")
        return tokens.astype(np.int64)

    def decode(self, tokens: Iterable[int]) -> str:
        return "".join(self._symbols[token] for token in _checked(tokens, self.size))

    def to_json(self) -> dict[str, Any]:
        return {"kind": CHARACTERS, "symbols": self._symbols}


class ByteVocabulary:
    """Byte-level pair encoding: the 256 bytes, and pieces that merges of two tokens make; any text has tokens.

    ``tokens`` are written as the ``tokenizers`` library writes bytes, one visible character for each; ``merges`` are applied
    in their order, within the words that its byte-level pre-tokenizer finds.
    """

    def __init__(self, tokens: Iterable[str], merges: Iterable[tuple[str, str]]) -> None:
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers  # here: only these tokens need the library

        self._tokens, self._merges = tuple(tokens), tuple((first, second) for first, second in merges)
        alphabet, known = set(_shown_bytes()), set(self._tokens)
        if len(known) != len(self._tokens) or not alphabet <= known or not alphabet >= {one for token in known for one in token}:
            raise DataError("tokens: expected different pieces of bytes, the 256 bytes among them")
        lost = [pair for pair in self._merges if not known >= {*pair, "".join(pair)}]
        if lost:
            raise DataError(f"merges: got {lost[0]!r}, expected two tokens that together are a token")
        numbers = {token: number for number, token in enumerate(self._tokens)}
        self._tokenizer = Tokenizer(models.BPE(vocab=numbers, merges=list(self._merges)))
        self._tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        self._tokenizer.decoder = decoders.ByteLevel()
        shown = _shown_bytes()
        self._characters = np.array([_characters(token, shown) for token in self._tokens], dtype=np.int64)

    @classmethod
    def trained(cls, text: str, size: int) -> ByteVocabulary:
        """The vocabulary of at most ``size`` tokens, those most often merged in a text; a function of both alone."""
        from tokenizers import Tokenizer, models, pre_tokenizers, trainers

        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        alphabet = sorted(_shown_bytes())
        trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, special_tokens=[], show_progress=False)
        tokenizer.train_from_iterator([text], trainer)
        model = json.loads(tokenizer.to_str())["model"]
        numbers = model["vocab"]
        return cls(sorted(numbers, key=numbers.__getitem__), [tuple(pair) for pair in model["merges"]])

    @property
    def size(self) -> int:
        return len(self._tokens)

    @property
    def characters(self) -> NDArray[np.int64]:
        return self._characters.copy()

    def encode(self, text: str) -> NDArray[np.int64]:
        _points(text)
        return np.array(self._tokenizer.encode(text).ids, dtype=np.int64)

    def decode(self, tokens: Iterable[int]) -> str:
        return self._tokenizer.decode(_checked(tokens, self.size))

    def to_json(self) -> dict[str, Any]:
        return {"kind": BYTES, "tokens": list(self._tokens), "merges": [list(pair) for pair in self._merges]}


def vocabulary_from_json(data: Mapping[str, Any]) -> Vocabulary:
    """The vocabulary that ``to_json`` wrote. Raises DataError for other data."""
    match data:
        case {"kind": "characters", "symbols": str(symbols)}:
            return CharacterVocabulary(symbols)
        case {"kind": "bytes", "tokens": list(tokens), "merges": list(merges)} if _texts(tokens) and all(map(_is_pair, merges)):
            return ByteVocabulary(tokens, [(first, second) for first, second in merges])
    raise DataError("not a vocabulary: expected kind characters with symbols, or kind bytes with tokens and merges")


def _texts(data: Any) -> bool:
    return all(isinstance(one, str) for one in data)


def _is_pair(data: Any) -> bool:
    return isinstance(data, list) and len(data) == 2 and _texts(data)


def _points(text: str) -> NDArray[np.uint32]:
    """The code points of a text; DataError for half of a surrogate pair, which is no character."""
    try:
        return np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    except UnicodeEncodeError as fault:
        raise DataError(f"text: got {text[fault.start]!r} at place {fault.start}, which is no character") from None


def _shown_bytes() -> dict[str, int]:
    """The byte that each character of the byte-level alphabet shows: its own where that is visible, else the next beyond 255."""
    visible = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    hidden = [byte for byte in range(256) if byte not in visible]
    return {chr(byte): byte for byte in visible} | {chr(256 + place): byte for place, byte in enumerate(hidden)}


def _characters(token: str, shown: Mapping[str, int]) -> int:
    """How many characters begin in a token: its bytes but those of the form 10xxxxxx, which go on with one."""
    return sum(not 0x80 <= shown[one] < 0xC0 for one in token)


def _checked(tokens: Iterable[int], size: int) -> list[int]:
    numbers = np.asarray(tokens if hasattr(tokens, "__array__") else list(tokens), dtype=np.int64).tolist()
    wrong = [number for number in numbers if not 0 <= number < size]
    if wrong:
        raise DataError(f"tokens: got {wrong[0]}, expected numbers 0 to {size - 1}")
    return numbers
