"""Vocabularies: text comes back as it was, plain data are the whole of them, each knows the characters of its tokens."""
from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mope_impl.training.data import ByteVocabulary, CharacterVocabulary, DataError, vocabulary_from_json

VERSE = "Shall I compare thee to a summer's day?\nThou art more lovely and more temperate:\n" * 20
ANY_TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)
TRAINED = ByteVocabulary.trained(VERSE + "größer, ∑ 漢字 🙂" * 5, 400)


def test_characters_are_numbered_in_the_order_of_their_code_points():
    vocabulary = CharacterVocabulary.of("hello, wörld 🙂")
    assert vocabulary.to_json() == {"kind": "characters", "symbols": " ,dehlorwö🙂"}
    assert vocabulary.encode("hö🙂").tolist() == [4, 9, 10]
    assert vocabulary.decode([4, 9, 10]) == "hö🙂"


@given(ANY_TEXT.filter(bool))
def test_characters_come_back(text):
    vocabulary = CharacterVocabulary.of(text)
    tokens = vocabulary.encode(text)
    assert vocabulary.decode(tokens) == text
    assert tokens.tolist() == [sorted(set(text)).index(one) for one in text]
    assert vocabulary.characters[tokens].sum() == len(text)


def test_a_character_without_a_token_is_refused_with_its_place():
    for unknown in "\x00Éz🙂":
        with pytest.raises(DataError, match=re.escape(f"no token for the character {unknown!r} at place 2")):
            CharacterVocabulary.of("abc").encode(f"ab{unknown}c")


@given(ANY_TEXT)
def test_bytes_take_any_text_and_give_it_back(text):
    tokens = TRAINED.encode(text)
    assert TRAINED.decode(tokens) == text
    assert TRAINED.characters[tokens].sum() == len(text)


def test_a_planted_count_of_characters_is_seen():
    """One that counts bytes in place of characters, on the text of the check above."""
    text = "größer, ∑ 漢字 🙂"
    tokens = TRAINED.encode(text).tolist()
    pieces = [TRAINED.to_json()["tokens"][token] for token in tokens]
    assert sum(map(len, pieces)) == len(text.encode()) != len(text) == TRAINED.characters[tokens].sum()


def test_every_byte_is_a_token():
    """All characters of two bytes, and one of each leading byte of three and four: every byte that UTF-8 can have."""
    untrained = ByteVocabulary.trained("", 256)
    assert untrained.size == 256
    leading = [0x800, *range(0x1000, 0xD000, 0x1000), 0xD7FF, 0xE000, 0xF000, *range(0x10000, 0x110000, 0x40000), 0x10FFFF]
    text = "".join(map(chr, [*range(0x800), *leading]))
    tokens = untrained.encode(text)
    assert len(tokens) == len(text.encode())
    assert len(set(tokens.tolist())) == 256 - 13  # C0, C1 and F5 … FF are in no text
    assert untrained.decode(tokens) == text


def test_merges_make_fewer_tokens_of_what_was_trained_on():
    tokens = TRAINED.encode(VERSE)
    assert 256 < TRAINED.size <= 400
    assert len(tokens) < 0.5 * len(VERSE)
    assert TRAINED.characters.max() > 3


def by_hand(text: str, size: int) -> list[tuple[str, str]]:
    """Merges of the pair that is most frequent within words of letters, the smaller numbers first where two are alike."""
    words: dict[str, int] = {}
    for word in text.split(" "):
        words[word] = words.get(word, 0) + 1
    pieces = {word: list(word) for word in words}
    numbers = {token: number for number, token in enumerate(sorted(_alphabet()))}
    merges: list[tuple[str, str]] = []
    while len(numbers) < size:
        counts: dict[tuple[str, str], int] = {}
        for word, parts in pieces.items():
            for pair in itertools.pairwise(parts):
                counts[pair] = counts.get(pair, 0) + words[word]
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], numbers[pair[0]], numbers[pair[1]]))
        merges.append(best)
        numbers.setdefault("".join(best), len(numbers))
        for parts in pieces.values():
            place = 0
            while place < len(parts) - 1:
                if (parts[place], parts[place + 1]) == best:
                    parts[place : place + 2] = ["".join(best)]
                place += 1
    return merges


def _alphabet() -> list[str]:
    return list(ByteVocabulary.trained("", 256).to_json()["tokens"])


def test_merges_are_those_of_the_definition():
    """One word on a line each, so that the pre-tokenizer and a plain split find the same words."""
    words = ["banana", "bandana", "ananas", "cabana", "nab", "bananas"]
    text = "\n".join(words * 3)
    found = [tuple(pair) for pair in ByteVocabulary.trained(text, 256 + 12).to_json()["merges"]]
    assert found == by_hand(" ".join(words * 3), 256 + 12)
    assert len(found) == 12


def test_training_is_the_same_in_every_process():
    """Under other hash seeds and numbers of threads, with many pairs that are equally frequent."""
    code = (
        "import hashlib, json, random; from mope_impl.training.data import ByteVocabulary; r = random.Random(3);"
        "text = ' '.join(''.join(r.choices('abcdefgh', k=5)) for _ in range(2000));"
        "print(hashlib.sha256(json.dumps(ByteVocabulary.trained(text, 600).to_json()).encode()).hexdigest())"
    )
    seen = set()
    for seed, threads in (("0", "1"), ("1", "2")):
        environment = {"PYTHONHASHSEED": seed, "RAYON_NUM_THREADS": threads, "PATH": "", "PYTHONPATH": ":".join(sys.path)}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
        seen.add(done.stdout.strip())
    assert len(seen) == 1


@pytest.mark.parametrize("vocabulary", [CharacterVocabulary.of(VERSE), TRAINED])
def test_plain_json_is_the_whole_vocabulary(vocabulary):
    again = vocabulary_from_json(json.loads(json.dumps(vocabulary.to_json())))
    text = VERSE[:500]
    assert type(again) is type(vocabulary)
    assert again.size == vocabulary.size
    assert np.array_equal(again.encode(text), vocabulary.encode(text))
    assert np.array_equal(again.characters, vocabulary.characters)
    assert again.to_json() == vocabulary.to_json()


BYTES = TRAINED.to_json()


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": "words", "symbols": "ab"},
        {"kind": "characters"},
        {"kind": "characters", "symbols": ["a"]},
        {"kind": "characters", "symbols": ""},
        {"kind": "characters", "symbols": "ba"},
        {"kind": "characters", "symbols": "aa"},
        {"kind": "bytes", "tokens": BYTES["tokens"]},
        {"kind": "bytes", "tokens": BYTES["tokens"][1:], "merges": []},
        {"kind": "bytes", "tokens": [*BYTES["tokens"], BYTES["tokens"][0]], "merges": []},
        {"kind": "bytes", "tokens": [*BYTES["tokens"], " "], "merges": []},
        {"kind": "bytes", "tokens": [*BYTES["tokens"], 3], "merges": []},
        {"kind": "bytes", "tokens": BYTES["tokens"], "merges": [["a"]]},
        {"kind": "bytes", "tokens": BYTES["tokens"], "merges": [["a", 1]]},
        {"kind": "bytes", "tokens": BYTES["tokens"], "merges": ["ab"]},
        {"kind": "bytes", "tokens": BYTES["tokens"], "merges": [["q", "z"]]},
    ],
)
def test_other_data_are_no_vocabulary(data):
    with pytest.raises(DataError, match="expected"):
        vocabulary_from_json(data)


@pytest.mark.parametrize("vocabulary", [CharacterVocabulary.of("abc"), TRAINED])
def test_what_is_no_token_or_no_character_is_refused(vocabulary):
    for tokens in ([0, vocabulary.size], [-1]):
        with pytest.raises(DataError, match=f"expected numbers 0 to {vocabulary.size - 1}"):
            vocabulary.decode(tokens)
    with pytest.raises(DataError, match="at place 1, which is no character"):
        vocabulary.encode("a\ud800b")
    assert vocabulary.decode([]) == ""
    assert vocabulary.encode("").tolist() == []
